// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <jax2onnx/lower/random/philox.hpp>
#include <jax2onnx/lower/random/threefry4.hpp>
#include <jax2onnx/lower/random/threefry_keys.hpp>

/// The key implementations threefry4x32, philox2x32 and philox4x32, in which a cipher mixes counters under the key. The
/// counters are the indices of elements, or numbers to fold in. Source: jax/_src/random.
namespace jax2onnx::lower {

/// A cipher and its use in a key implementation.
struct cipher {
  std::size_t key_words, counter_words;
  /// True if a seed is the key under which zeros are mixed; false if it is the counter, which is mixed under a key of
  /// zeros.
  bool seed_is_key;
  std::size_t words_of_wide;  ///< number of mixed words in a 64-bit number; words 0, 2, … give its high half
  std::vector<value> (*mix)(graph&, const std::vector<value>& counter, const std::vector<value>& key);
};
inline constexpr cipher threefry4x32_cipher{4, 4, true, 4, threefry4x32};
inline constexpr cipher philox2x32_cipher{1, 2, false, 2, philox};
inline constexpr cipher philox4x32_cipher{2, 4, false, 2, philox};

using word_list = std::vector<value>;

inline word_list zero_words(graph& g, std::size_t count) { return {count, scalar(g, dtype::i64, 0)}; }

/// Mixes the counters under the key; the result has the extents `dims`, to which the operands broadcast.
inline word_list mixed_words(graph& g, const cipher& c, word_list counter, const word_list& key, const shape& dims) {
  for (value& word : counter) word = broadcast_to(word, dims);
  return c.mix(g, counter, key);
}
/// The words of a key, with `trailing` new axes of extent 1.
inline word_list words_of_key(const jax_value& key, std::size_t trailing) {
  word_list out;
  for (std::size_t i = 0; i < key.count; ++i) {
    const value word = integer_cast(key.parts[i], dtype::i64);
    out.push_back(reshape(word, joined_dims(word.dims(), shape(trailing, dim(1)))));
  }
  return out;
}
inline jax_value key_of_words(const cipher& c, const word_list& mixed) {
  return from_parts(c.key_words, [&](std::size_t i) { return integer_cast(mixed[i], dtype::u32); });
}

template <const cipher& C>
jax_value cipher_seed(const site& s, const value& number) {
  word_list counter = zero_words(s.g, C.counter_words), key = zero_words(s.g, C.key_words);
  word_list& seed = C.seed_is_key ? key : counter;
  seed[0] = broadcast_to(high_word(number), s.out_dims());
  seed[1] = as_word(number);
  return key_of_words(C, mixed_words(s.g, C, counter, key, s.out_dims()));
}

template <const cipher& C>
jax_value cipher_split(const site& s, const jax_value& key, const shape& dims) {
  word_list counter = zero_words(s.g, C.counter_words);
  counter.back() = linear_index(s.g, dims);
  return key_of_words(C,
                      mixed_words(s.g, C, counter, words_of_key(key, dims.size()), joined_dims(key.re().dims(), dims)));
}

template <const cipher& C>
jax_value cipher_fold_in(const site& s, const jax_value& key, const value& number) {
  word_list counter = zero_words(s.g, C.counter_words);
  counter.back() = as_word(number);
  return key_of_words(C, mixed_words(s.g, C, counter, words_of_key(key, 0), s.out_dims()));
}

/// Integers of `width` bits, [keys..., dims...].
template <const cipher& C>
value cipher_bits(const site& s, const jax_value& key, int width, const shape& dims) {
  word_list counter = zero_words(s.g, C.counter_words);
  counter[1] = linear_index(s.g, dims);
  const word_list mixed =
      mixed_words(s.g, C, counter, words_of_key(key, dims.size()), joined_dims(key.re().dims(), dims));
  const auto joined = [&](std::size_t first, std::size_t step, std::size_t count) {
    value out = mixed[first];
    for (std::size_t i = first + step; i < count; i += step) out = bit_xor(out, mixed[i]);
    return out;
  };
  if (width == 64) return long_words(joined(1, 2, C.words_of_wide), joined(0, 2, C.words_of_wide));
  return integer_cast(joined(0, 1, C.counter_words), unsigned_with(width));
}

/// The cipher as a primitive, whose operands are the words of the key, then the words of the counter.
template <const cipher& C>
jax_values cipher_primitive(const site& s) {
  word_list all;
  for (const value& word : s.in_values()) all.push_back(as_word(word));
  const word_list key(all.begin(), all.begin() + C.key_words), counter(all.begin() + C.key_words, all.end());
  jax_values out;
  for (const value& word : mixed_words(s.g, C, counter, key, s.out_dims()))
    out.emplace_back(integer_cast(word, dtype::u32));
  return out;
}

}  // namespace jax2onnx::lower
