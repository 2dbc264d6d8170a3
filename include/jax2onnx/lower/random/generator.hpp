#pragma once

#include <jax2onnx/lower/random/keys.hpp>
#include <jax2onnx/lower/random/philox.hpp>
#include <jax2onnx/lower/table.hpp>

/// XLA's RngBitGenerator, bit for bit.
namespace jax2onnx::lower {

/// What rng_bit_generator yields: integers of a width, and how far the state advances.
struct generated {
  value bits;
  dim steps;
};

inline generated generate(const site& s, const generator_state& state, bool philox_chosen, dtype t, const shape& dims) {
  graph& g = s.g;
  const bool wide = bits(t) == 64;
  if (philox_chosen) {
    const dim count = g.dims().product(dims), words = wide ? g.dims().mul(count, 2) : count;
    const dim blocks = g.dims().floordiv(g.dims().add(words, 3), 4);
    value stream = philox_stream(g, state, blocks);
    stream = jax2onnx::slice(jax2onnx::reshape(stream, {g.dims().mul(blocks, 4)}), 0, 0, words);
    if (!wide) return {jax2onnx::reshape(integer_cast(stream, t), dims), blocks};
    stream = jax2onnx::reshape(stream, {count, 2});
    return {jax2onnx::reshape(long_words(pick(stream, 0, 1), pick(stream, 1, 1)), dims), blocks};
  }
  if (std::ranges::any_of(dims, [](dim d) { return !d.is_constant(); }))
    s.unsupported("RNG_THREE_FRY with a symbolic shape");
  if (wide) {
    const word_pair counter = advanced(state[2], state[3], linear_index(g, dims));
    const word_pair mixed = threefry(g, {state[0], state[1]}, counter, dims);
    return {long_words(mixed[0], mixed[1]), g.dims().product(dims)};
  }
  dim steps;
  const value words = threefry_words(g, state, dims, steps);
  return {integer_cast(words, t), steps};
}

/// What an rbg key is to the generator; of an array of keys JAX uses the first for all.
inline generator_state state_of(const jax_value& key) {
  generator_state state;
  for (std::size_t i = 0; i < 4; ++i) {
    state[i] = integer_cast(key.parts[i], dtype::i64);
    while (state[i].rank() > 0) state[i] = pick(state[i], 0, 0);
  }
  return state;
}
inline value generated_bits(const site& s, const jax_value& key, const shape& dims) {
  return generate(s, state_of(key), true, s.out_dtype(), joined_dims(key.re().dims(), dims)).bits;
}

/// Splits a key of unsafe_rbg: every tenth block of what it generates is a key.
inline jax_value unsafe_split(const site& s, const jax_value& key, const shape& dims) {
  jax_value out;
  const value numbers = mul(linear_index(s.g, joined_dims(key.re().dims(), dims)), 10);
  for (const value& word : philox_blocks(s.g, state_of(key), numbers))
    out.parts[out.count++] = integer_cast(word, dtype::u32);
  return out;
}

/// Mixes a number into a key of unsafe_rbg: with the tenth block of the generator that it seeds.
inline jax_value unsafe_fold_in(const site& s, const jax_value& key, const value& number) {
  if (number.rank() > 0) s.unsupported("folding an array into keys of unsafe_rbg", "use threefry2x32 or rbg keys");
  const word_pair seed{high_word(number), as_word(number)};
  jax_value out;
  for (const value& word : philox_blocks(s.g, {seed[0], seed[1], seed[0], seed[1]}, scalar(s.g, dtype::i64, 9))) {
    out.parts[out.count] = integer_cast(xor_of(word, integer_cast(key.parts[out.count], dtype::i64)), dtype::u32);
    ++out.count;
  }
  return out;
}

/// rng_bit_generator state: u32[4] or u64[2]. RNG_DEFAULT is Philox on the CPU.
inline jax_values rng_bit_generator(const site& s) {
  const auto algorithm = s.param<std::string_view>("algorithm");
  const bool philox_chosen = algorithm != "RNG_THREE_FRY" && algorithm != "1";
  const value key = s.in(0);
  generator_state state;
  for (std::int64_t i = 0; i < 4; ++i)
    state[static_cast<std::size_t>(i)] = key.dtype() == dtype::u32 ? integer_cast(pick(key, i, 0), dtype::i64)
                                         : i % 2                   ? high_word(pick(key, i / 2, 0))
                                                                   : as_word(pick(key, i / 2, 0));
  const generated out = generate(s, state, philox_chosen, s.out_dtype(1), s.out_dims(1));
  const word_pair next = advanced(state[2], state[3], dim_scalar(s.g, out.steps));
  std::vector<value> words;
  if (key.dtype() == dtype::u32) {
    for (const value& w : {state[0], state[1], next[0], next[1]})
      words.push_back(unsqueeze(integer_cast(w, dtype::u32), {0}));
  } else {
    words = {unsqueeze(long_words(state[0], state[1]), {0}), unsqueeze(long_words(next[0], next[1]), {0})};
  }
  return {concat(words, 0), out.bits};
}

inline constexpr lowering generator_rows[] = {
    {"rng_bit_generator", rng_bit_generator, "Scan, Concat, Cast", ignores{"dtype out_sharding shape"}},
};

}  // namespace jax2onnx::lower
