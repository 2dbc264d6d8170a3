// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/random/rng_bit_generator.hpp>
#include <jax2onnx/lower/random/threefry_keys.hpp>

/// The key implementations rbg and unsafe_rbg, whose bits come from XLA's generator. rbg splits keys and folds numbers
/// in as threefry does; unsafe_rbg also splits and folds with the generator. Source: jax/_src/prng.py.
namespace jax2onnx::lower {

/// The generator's state for a key. For an array of keys, JAX uses the first key for all elements.
inline generator_state generator_state_of(const jax_value& key) {
  generator_state state;
  for (std::size_t i = 0; i < 4; ++i) {
    state[i] = integer_cast(key.parts[i], dtype::i64);
    while (state[i].rank() > 0) state[i] = pick(state[i], 0, 0);
  }
  return state;
}
inline value rbg_bits(const site& s, const jax_value& key, int width, const shape& dims) {
  const shape result = joined_dims(key.re().dims(), dims);
  return philox_generated(s.g, generator_state_of(key), unsigned_with(width), result).bits;
}
/// One integer of `width` bits for each key; each key is used independently.
inline value rbg_bits_of_each(const site& s, const jax_value& keys, int width) {
  generator_state state;
  for (std::size_t i = 0; i < 4; ++i) state[i] = integer_cast(keys.parts[i], dtype::i64);
  const four_words words = philox_blocks(s.g, state, scalar(s.g, dtype::i64, 0));
  return width == 64 ? long_words(words[0], words[1]) : integer_cast(words[0], unsigned_with(width));
}

/// A split of an unsafe_rbg key: every tenth block that the key's generator yields is a key.
inline jax_value unsafe_split(const site& s, const jax_value& key, const shape& dims) {
  const value numbers = mul(linear_index(s.g, joined_dims(key.re().dims(), dims)), 10);
  const four_words words = philox_blocks(s.g, generator_state_of(key), numbers);
  return from_parts(4, [&](std::size_t i) { return integer_cast(words[i], dtype::u32); });
}

/// unsafe_split() for each of several keys, which are used independently.
inline jax_value unsafe_split_of_each(const site& s, const jax_value& keys, const shape& dims) {
  const std::int64_t rank = keys.re().rank();
  ints added = iota_axes(std::ssize(dims));
  for (std::int64_t& axis : added) axis += rank;
  generator_state state;
  for (std::size_t i = 0; i < 4; ++i) state[i] = unsqueeze(integer_cast(keys.parts[i], dtype::i64), added);
  const four_words words = philox_blocks(s.g, state, mul(linear_index(s.g, dims), 10));
  return from_parts(4, [&](std::size_t i) { return integer_cast(words[i], dtype::u32); });
}

/// Folds numbers into unsafe_rbg keys. Result i is the xor of key i and block 10 i + 9 of the generator that the first
/// number seeds.
inline jax_value unsafe_fold_in(const site& s, const jax_value& key, const value& numbers) {
  value first = numbers;
  while (first.rank() > 0) first = pick(first, 0, 0);
  const word_pair seed{high_word(first), as_word(first)};
  const value blocks = add(mul(linear_index(s.g, numbers.dims()), 10), 9);
  const four_words words = philox_blocks(s.g, {seed[0], seed[1], seed[0], seed[1]}, blocks);
  return from_parts(4, [&](std::size_t i) {
    return integer_cast(bit_xor(words[i], integer_cast(key.parts[i], dtype::i64)), dtype::u32);
  });
}

}  // namespace jax2onnx::lower
