#pragma once

#include <jax2onnx/lower/random/philox.hpp>
#include <jax2onnx/lower/random/threefry.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/bits.hpp>

/// What jax.random's key implementations do with keys: seed, split, fold in, draw bits. Source: jax/_src/random/.
namespace jax2onnx::lower {

/// Words `first` and `first + 1` of a key, with `trailing` new axes of extent 1.
inline word_pair key_words(const jax_value& key, std::size_t first, std::size_t trailing) {
  word_pair out;
  for (std::size_t i = 0; i < 2; ++i) {
    const value& part = key.parts[first + i];
    shape dims = part.dims();
    dims.insert(dims.end(), trailing, dim(1));
    out[i] = jax2onnx::reshape(integer_cast(part, dtype::i64), dims);
  }
  return out;
}

inline shape joined_dims(const shape& a, const shape& b) {
  shape out = a;
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

/// Mixes the counters 0, 1, …, count - 1 as jax did before jax_threefry_partitionable: the second half of them goes into
/// the second words. A zero fills up an odd count. The two halves, each with the keys' extents before it.
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

/// A stream of `count` words, the keys' extents before it.
inline value legacy_stream(graph& g, const jax_value& key, std::size_t first, dim count) {
  const word_pair halves = legacy_halves(g, key, first, count);
  const std::int64_t axis = halves[0].rank() - 1;
  return jax2onnx::slice(concat({halves[0], halves[1]}, axis), axis, 0, count);
}

/// Bits `bits` wide from the words of a stream: a word is cut from its low end.
inline value legacy_bits(const site& s, const jax_value& key, int width, const shape& dims) {
  graph& g = s.g;
  const dim size = g.dims().product(dims);
  const shape result = joined_dims(key.re().dims(), dims);
  if (width == 64) {
    const word_pair halves = legacy_halves(g, key, 0, g.dims().mul(size, 2));
    return jax2onnx::reshape(long_words(halves[1], halves[0]), result);
  }
  const dim words = g.dims().floordiv(g.dims().add(g.dims().mul(size, width), 31), 32);
  value stream = legacy_stream(g, key, 0, words);
  if (width == 32) return jax2onnx::reshape(integer_cast(stream, dtype::u32), result);
  std::vector<std::uint64_t> powers;
  for (int shift = 0; shift < 32; shift += width) powers.push_back(std::uint64_t{1} << shift);
  const auto cuts = static_cast<std::int64_t>(powers.size());
  const value divisors = constant_numbers(g, dtype::i64, {cuts}, powers);
  const value cut = div(low_word(unsqueeze(stream, {stream.rank()})), divisors);
  const shape flat = joined_dims(key.re().dims(), {g.dims().mul(words, cuts)});
  stream = integer_cast(jax2onnx::reshape(cut, flat), unsigned_with(width));
  return jax2onnx::reshape(jax2onnx::slice(stream, stream.rank() - 1, 0, size), result);
}

/// Bits `width` wide: the counters are the elements' numbers, so that any part of the array can be made alone.
inline value threefry_bits(const site& s, const jax_value& key, int width, const shape& dims) {
  if (!s.partitionable_keys()) return legacy_bits(s, key, width, dims);
  const word_pair counter{scalar(s.g, dtype::i64, 0), linear_index(s.g, dims)};
  const word_pair mixed = threefry(s.g, key_words(key, 0, dims.size()), counter, joined_dims(key.re().dims(), dims));
  if (width == 64) return long_words(mixed[1], mixed[0]);
  return integer_cast(xor_of(mixed[0], mixed[1]), unsigned_with(width));
}

/// Keys of extents keys + dims; words first and first + 1 of each.
inline word_pair threefry_split(const site& s, const jax_value& key, std::size_t first, const shape& dims) {
  const shape result = joined_dims(key.re().dims(), dims);
  if (s.partitionable_keys()) {
    const word_pair counter{scalar(s.g, dtype::i64, 0), linear_index(s.g, dims)};
    return threefry(s.g, key_words(key, first, dims.size()), counter, result);
  }
  const dim count = s.g.dims().product(dims);
  const value stream = legacy_stream(s.g, key, first, s.g.dims().mul(count, 2));
  const value pairs = jax2onnx::reshape(stream, joined_dims(result, {2}));
  return {pick(pairs, 0, pairs.rank() - 1), pick(pairs, 1, pairs.rank() - 1)};
}

/// The words of a key as its parts.
inline void set_words(jax_value& key, std::size_t first, const word_pair& words) {
  for (std::size_t i = 0; i < 2; ++i) key.parts[first + i] = integer_cast(words[i], dtype::u32);
  key.count = static_cast<std::uint8_t>(std::max<std::size_t>(key.count, first + 2));
}

}  // namespace jax2onnx::lower
