#pragma once

#include <jax2onnx/lower/parts.hpp>
#include <jax2onnx/lower/random/generator.hpp>
#include <jax2onnx/lower/random/keys.hpp>

/// jax.random's primitives on keys.
namespace jax2onnx::lower {

/// random_seed: the high and the low word of the integer; the keys of rbg have them twice.
inline jax_values random_seed(const site& s) {
  jax_value key;
  for (std::size_t word = 0; word < s.out_type().elem.parts; word += 2)
    set_words(key, word, {broadcast_to(high_word(s.in(0)), s.out_dims()), as_word(s.in(0))});
  return {key};
}

inline jax_values random_wrap(const site& s) { return {unpack(s.in(0), s.out_type())}; }

inline jax_values random_clone(const site& s) { return {s.in_parts(0)}; }
inline jax_values random_unwrap(const site& s) { return {pack(s.in_parts(0))}; }

/// Bits of any width; rbg keys use XLA's generator.
inline jax_values random_bits(const site& s) {
  const auto width = static_cast<int>(s.param<std::int64_t>("bit_width"));
  const auto dims = s.param<shape>("shape");
  const jax_value& key = s.in_parts(0);
  return {key.count == 2 ? threefry_bits(s, key, width, dims) : generated_bits(s, key, dims)};
}

inline jax_values random_split(const site& s) {
  const jaxpr::value* count = s.find("shape");  // a number in old versions
  const shape dims =
      count && count->tag == jaxpr::value::kind::integer ? shape{count->integer} : s.param<shape>("shape");
  const jax_value& key = s.in_parts(0);
  jax_value out;
  if (s.in_type(0).elem.name == "key<urbg>") return {unsafe_split(s, key, dims)};
  for (std::size_t word = 0; word < key.count; word += 2) set_words(out, word, threefry_split(s, key, word, dims));
  return {out};
}

/// Mixes a number's low word into a key: it is the counter.
inline jax_values random_fold_in(const site& s) {
  const jax_value& key = s.in_parts(0);
  if (s.in_type(0).elem.name == "key<urbg>") return {unsafe_fold_in(s, key, s.in(1))};
  jax_value out;
  const word_pair counter{scalar(s.g, dtype::i64, 0), as_word(s.in(1))};
  for (std::size_t word = 0; word < key.count; word += 2)
    set_words(out, word, threefry(s.g, key_words(key, word, 0), counter, s.out_dims()));
  return {out};
}

/// threefry2x32 key0 key1 counter0 counter1
inline jax_values threefry_primitive(const site& s) {
  std::array<value, 4> words;
  for (std::size_t i = 0; i < 4; ++i) words[i] = as_word(s.in(i));
  const word_pair mixed = threefry(s.g, {words[0], words[1]}, {words[2], words[3]}, s.out_dims());
  return {integer_cast(mixed[0], dtype::u32), integer_cast(mixed[1], dtype::u32)};
}

/// The high and low words of the elements' numbers in row-major order.
inline jax_values iota_2x32_shape(const site& s) {
  return {filled(s.g, dtype::u32, s.out_dims(), 0), integer_cast(linear_index(s.g, s.out_dims()), dtype::u32)};
}

inline constexpr lowering random_rows[] = {
    {"iota_2x32_shape", iota_2x32_shape, "Range, Cast", ignores{"shape sharding"}},
    {"random_bits", random_bits, "Scan, BitwiseXor, Cast", parts_rule::own},
    {"random_clone", random_clone, "", parts_rule::own},
    {"random_fold_in", random_fold_in, "Scan, Cast", parts_rule::own},
    {"random_seed", random_seed, "Cast", parts_rule::own, ignores{"impl"}},
    {"random_split", random_split, "Scan, Cast", parts_rule::own},
    {"random_unwrap", random_unwrap, "Concat", parts_rule::own},
    {"random_wrap", random_wrap, "Gather", parts_rule::own, ignores{"impl"}},
    {"threefry2x32", threefry_primitive, "Scan, Cast"},
};

}  // namespace jax2onnx::lower
