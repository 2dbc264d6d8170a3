// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/random/philox.hpp>
#include <jax2onnx/lower/random/threefry.hpp>
#include <jax2onnx/lower/random/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// rng_bit_generator: XLA's RngBitGenerator, bit for bit. Source: XLA's xla/hlo/builder/lib/prng.cc and
/// xla/hlo/transforms/expanders/rng_bit_generator_expander.cc.
namespace jax2onnx::lower {

using four_words = std::array<value, 4>;

/// The four words of a generator's state, in the order of XLA's u64[2]. The first two words are the key.
using generator_state = four_words;

/// The two words of first + 2^32 second + step.
inline word_pair advanced(const value& first, const value& second, const value& step) {
  const value sum = add(first, step);
  return {low_word(sum), low_word(add(second, carry_word(sum)))};
}

/// The Philox blocks with the given indices. The counter of a block is an initial counter plus the index of the block.
/// The low half of the initial counter is the high half of the state; the high half of the initial counter is the key.
inline four_words philox_blocks(graph& g, const generator_state& state, const value& numbers) {
  std::vector<value> counter;
  value carry = numbers;
  for (std::size_t i = 0; i < 4; ++i) {
    const value sum = add(state[(i + 2) % 4], carry);
    counter.push_back(low_word(sum));
    if (i < 3) carry = carry_word(sum);
  }
  const std::vector<value> mixed = philox(g, counter, {state[0], state[1]});
  return {mixed[0], mixed[1], mixed[2], mixed[3]};
}

/// `count` blocks of four words, [count, 4].
inline value philox_stream(graph& g, const generator_state& state, dim count) {
  std::vector<value> columns;
  for (const value& word : philox_blocks(g, state, linear_index(g, {count}))) columns.push_back(unsqueeze(word, {1}));
  return concat(columns, 1);
}

/// The shape of half an array, and the axis that is halved. An odd extent is halved and rounded up.
struct array_half {
  std::size_t axis = 0;
  shape dims;
};
/// Halves the axis that XLA chooses: the first axis with an even extent, else the axis with the largest extent. A
/// scalar counts as one element.
inline array_half split_in_halves(const shape& dims) {
  if (dims.empty()) return {0, {1}};
  array_half h{0, dims};
  std::size_t i = 0;
  while (i < dims.size() && dims[i].extent() % 2) ++i;
  h.axis = i;
  if (i == dims.size()) {
    h.axis = 0;
    for (std::size_t j = 1; j < dims.size(); ++j)
      if (dims[j].extent() > dims[h.axis].extent()) h.axis = j;
  }
  h.dims[h.axis] = (dims[h.axis].extent() + 1) / 2;
  return h;
}

/// The words that a generator yields, and the number of steps by which the generator's state advances.
struct generated {
  value bits;
  dim steps;
};

/// Words of extents `dims` from the generator's Threefry, in the low 32 bits of int64. The two words of each mixed
/// counter go to the two halves of the array.
inline generated threefry_words(graph& g, const generator_state& state, const shape& dims) {
  const array_half half = split_in_halves(dims);
  const dim steps = g.dims().product(half.dims);
  const word_pair counter = advanced(state[2], state[3], linear_index(g, half.dims));
  const word_pair mixed = threefry(g, {state[0], state[1]}, counter, half.dims);
  if (dims.empty()) return {reshape(mixed[0], {}), steps};
  const auto axis = static_cast<std::int64_t>(half.axis);
  const value both = concat({unsqueeze(mixed[0], {axis + 1}), unsqueeze(mixed[1], {axis + 1})}, axis + 1);
  shape padded = dims;
  padded[half.axis] = g.dims().mul(half.dims[half.axis], 2);
  return {slice(reshape(both, padded), axis, 0, dims[half.axis]), steps};
}

inline generated philox_generated(graph& g, const generator_state& state, dtype t, const shape& dims) {
  const bool wide = bits(t) == 64;
  const dim count = g.dims().product(dims), words = wide ? g.dims().mul(count, 2) : count;
  const dim blocks = g.dims().floordiv(g.dims().add(words, 3), 4);
  value stream = philox_stream(g, state, blocks);
  stream = slice(reshape(stream, {g.dims().mul(blocks, 4)}), 0, 0, words);
  if (!wide) return {reshape(integer_cast(stream, t), dims), blocks};
  stream = reshape(stream, {count, 2});
  return {reshape(long_words(pick(stream, 0, 1), pick(stream, 1, 1)), dims), blocks};
}

inline generated threefry_generated(const site& s, const generator_state& state, dtype t, const shape& dims) {
  graph& g = s.g;
  if (item_loops::any_of(dims, [](dim d) { return !d.is_constant(); }))
    s.unsupported("RNG_THREE_FRY needs a static shape");
  if (bits(t) == 64) {
    const word_pair counter = advanced(state[2], state[3], linear_index(g, dims));
    const word_pair mixed = threefry(g, {state[0], state[1]}, counter, dims);
    return {long_words(mixed[0], mixed[1]), g.dims().product(dims)};
  }
  const generated words = threefry_words(g, state, dims);
  return {integer_cast(words.bits, t), words.steps};
}

/// The words of a key, which is u32[4] or u64[2].
inline generator_state state_of_key(const value& key) {
  generator_state state;
  for (std::int64_t i = 0; i < 4; ++i)
    state[static_cast<std::size_t>(i)] = key.dtype() == dtype::u32 ? integer_cast(pick(key, i, 0), dtype::i64)
                                         : i % 2                   ? high_word(pick(key, i / 2, 0))
                                                                   : as_word(pick(key, i / 2, 0));
  return state;
}
inline value key_of_state(const generator_state& state, dtype t) {
  std::vector<value> words;
  if (t == dtype::u32) {
    for (const value& w : state) words.push_back(unsqueeze(integer_cast(w, dtype::u32), {0}));
  } else {
    words = {unsqueeze(long_words(state[0], state[1]), {0}), unsqueeze(long_words(state[2], state[3]), {0})};
  }
  return concat(words, 0);
}

/// rng_bit_generator key: the key of the advanced state, and the bits. RNG_DEFAULT is Philox on the CPU.
inline jax_values rng_bit_generator(const site& s) {
  const auto algorithm = s.param<std::string_view>("algorithm");
  const bool is_threefry = algorithm == "RNG_THREE_FRY" || algorithm == "1";
  const value key = s.in(0);
  const generator_state state = state_of_key(key);
  const dtype t = s.out_dtype(1);
  const generated out =
      is_threefry ? threefry_generated(s, state, t, s.out_dims(1)) : philox_generated(s.g, state, t, s.out_dims(1));
  const word_pair next = advanced(state[2], state[3], dim_scalar(s.g, out.steps));
  return {key_of_state({state[0], state[1], next[0], next[1]}, key.dtype()), out.bits};
}

inline constexpr lowering rng_bit_generator_rows[] = {
    {"rng_bit_generator", rng_bit_generator, "Scan, Concat, Cast", rng_bit_generator_signature,
     ignores{"dtype out_sharding shape"}},
};

}  // namespace jax2onnx::lower
