// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/lower/random/threefry.hpp>
#include <jax2onnx/lower/site.hpp>

/// The key implementation threefry2x32: splits keys and draws bits, with or without jax_threefry_partitionable.
/// Source: jax/_src/prng.py.
namespace jax2onnx::lower {

inline shape joined_dims(const shape& a, const shape& b) {
  shape out = a;
  out.append(b);
  return out;
}

/// Words `first` and `first + 1` of a key, with `trailing` new axes of extent 1.
inline word_pair key_words(const jax_value& key, std::size_t first, std::size_t trailing) {
  word_pair out;
  for (std::size_t i = 0; i < 2; ++i) {
    const value& part = key.parts[first + i];
    shape dims = part.dims();
    dims.insert(dims.end(), trailing, dim(1));
    out[i] = reshape(part, dims);
  }
  return out;
}

/// The inverse of key_words(): stores words as the parts `first` and `first + 1` of a key.
inline void set_words(jax_value& key, std::size_t first, const word_pair& words) {
  for (std::size_t i = 0; i < 2; ++i) key.parts[first + i] = integer_cast(words[i], dtype::u32);
  key.count = static_cast<std::uint8_t>(std::max<std::size_t>(key.count, first + 2));
}

/// A key of `words` words, made of pairs: pair(0) gives words 0 and 1, pair(2) gives words 2 and 3.
template <class Pair>
jax_value key_of_pairs(std::size_t words, Pair&& pair) {
  jax_value key;
  for (std::size_t first = 0; first < words; first += 2) set_words(key, first, pair(first));
  return key;
}

/// The mixed counters 0, 1, … count - 1 without jax_threefry_partitionable, as two halves of extents [keys...,
/// ceil(count / 2)]. Counter i and counter half + i are the two words of one block. An odd count is padded with a zero.
inline word_pair legacy_halves(graph& g, const jax_value& key, std::size_t first, dim count) {
  const dim half = g.dims().floordiv(g.dims().add(count, 1), 2);
  const word_pair words = key_words(key, first, 1);
  const value low = linear_index(g, {half});
  value high = add(low, dim_scalar(g, half));
  if (const auto known = known_numbers(low)) {
    std::vector<std::uint64_t> numbers = *known;
    for (std::uint64_t& n : numbers) n += static_cast<std::uint64_t>(half.extent());
    if (count.extent() % 2) numbers.back() = 0;
    high = constant_numbers(g, dtype::i64, {half}, numbers);
  } else if (!g.dims().mod(count, 2).is(0)) {
    high = where(equal(high, dim_scalar(g, count)), scalar(g, dtype::i64, 0), high);
  }
  return threefry(g, words, {low, high}, joined_dims(key.re().dims(), {half}));
}

/// A stream of `count` words, [keys..., count].
inline value legacy_stream(graph& g, const jax_value& key, std::size_t first, dim count) {
  const word_pair halves = legacy_halves(g, key, first, count);
  const std::int64_t axis = halves[0].rank() - 1;
  return slice(concat({halves[0], halves[1]}, axis), axis, 0, count);
}

/// Integers of `width` bits from the words of a stream; narrower integers are cut from a word, beginning at the low end
/// of the word.
inline value legacy_bits(const site& s, const jax_value& key, int width, const shape& dims) {
  graph& g = s.g;
  const dim size = g.dims().product(dims);
  const shape result = joined_dims(key.re().dims(), dims);
  if (width == 64) {
    const word_pair halves = legacy_halves(g, key, 0, g.dims().mul(size, 2));
    return reshape(long_words(halves[1], halves[0]), result);
  }
  const dim words = g.dims().floordiv(g.dims().add(g.dims().mul(size, width), 31), 32);
  value stream = legacy_stream(g, key, 0, words);
  if (width == 32) return reshape(integer_cast(stream, dtype::u32), result);
  std::vector<std::uint64_t> powers;
  for (int shift = 0; shift < 32; shift += width) powers.push_back(std::uint64_t{1} << shift);
  const auto cuts = static_cast<std::int64_t>(powers.size());
  const value divisors = constant_numbers(g, dtype::u32, {cuts}, powers);
  const value cut = div(unsqueeze(stream, {stream.rank()}), divisors);
  const shape flat = joined_dims(key.re().dims(), {g.dims().mul(words, cuts)});
  stream = integer_cast(reshape(cut, flat), unsigned_with(width));
  return reshape(slice(stream, stream.rank() - 1, 0, size), result);
}

/// Integers of `width` bits, [keys..., dims...]. With jax_threefry_partitionable the counters are the indices of the
/// elements, so that parts of the array can be drawn separately.
inline value threefry_bits(const site& s, const jax_value& key, int width, const shape& dims) {
  if (!s.partitionable_keys()) return legacy_bits(s, key, width, dims);
  const word_pair counter{scalar(s.g, dtype::i64, 0), linear_index(s.g, dims)};
  const word_pair mixed = threefry(s.g, key_words(key, 0, dims.size()), counter, joined_dims(key.re().dims(), dims));
  if (width == 64) return long_words(mixed[1], mixed[0]);
  return integer_cast(bit_xor(mixed[0], mixed[1]), unsigned_with(width));
}

/// Words `first` and `first + 1` of the keys [keys..., dims...] that a split yields.
inline word_pair split_words(const site& s, const jax_value& key, std::size_t first, const shape& dims) {
  const shape result = joined_dims(key.re().dims(), dims);
  if (s.partitionable_keys()) {
    const word_pair counter{scalar(s.g, dtype::i64, 0), linear_index(s.g, dims)};
    return threefry(s.g, key_words(key, first, dims.size()), counter, result);
  }
  const dim count = s.g.dims().product(dims);
  const value stream = legacy_stream(s.g, key, first, s.g.dims().mul(count, 2));
  const value pairs = reshape(stream, joined_dims(result, {2}));
  return {pick(pairs, 0, pairs.rank() - 1), pick(pairs, 1, pairs.rank() - 1)};
}
/// The key of a seed: the high and the low word of the integer. Keys of rbg and unsafe_rbg have these words twice.
inline jax_value threefry_seed(const site& s, const value& number) {
  return key_of_pairs(s.out_type().elem.parts, [&](std::size_t) {
    return word_pair{broadcast_to(high_word(number), s.out_dims()), as_word(number)};
  });
}
/// Mixes the low word of the number, as a counter, under the key.
inline jax_value threefry_fold_in(const site& s, const jax_value& key, const value& number) {
  const word_pair counter{scalar(s.g, dtype::i64, 0), as_word(number)};
  return key_of_pairs(
      key.count, [&](std::size_t first) { return threefry(s.g, key_words(key, first, 0), counter, s.out_dims()); });
}
/// The keys [keys..., dims...] that a split of threefry2x32 or rbg keys yields.
inline jax_value threefry_split(const site& s, const jax_value& key, const shape& dims) {
  return key_of_pairs(key.count, [&](std::size_t first) { return split_words(s, key, first, dims); });
}

}  // namespace jax2onnx::lower
