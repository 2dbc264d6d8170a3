// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <jax2onnx/lower/parts.hpp>
#include <jax2onnx/lower/random/key_schemes.hpp>
#include <jax2onnx/lower/random/types.hpp>

/// The primitives on PRNG keys: seeds, splits, bits. In the graph, a key is one uint32 tensor for each of its words.
/// Source: jax/_src/prng.py.
namespace jax2onnx::lower {

inline jax_values random_seed(const site& s) { return {scheme(s.out_type()).seed(s, s.in(0))}; }

inline jax_values random_wrap(const site& s) { return {unpack(s.in(0), s.out_type())}; }

inline jax_values random_clone(const site& s) { return {s.in_parts(0)}; }
inline jax_values random_unwrap(const site& s) { return {pack(s.in_parts(0), s.in_type(0))}; }

inline jax_values random_bits(const site& s) {
  const int width = bits(s.out_dtype());
  if (s.param<std::int64_t>("bit_width") != width || width < 8)
    throw build_error(jax2onnx::detail::message("random bits have a different width than the elements of {}",
                                                s.out_type().elem.name));
  return {scheme(s.in_type(0)).bits(s, s.in_parts(0), width, s.param<shape>("shape"))};
}

inline jax_values random_split(const site& s) {
  const jaxpr::value* count = s.find("shape");  // an integer in old versions of JAX
  const shape dims =
      count && count->tag == jaxpr::value::kind::integer ? shape{count->integer} : s.param<shape>("shape");
  return {scheme(s.in_type(0)).split(s, s.in_parts(0), dims)};
}

inline jax_values random_fold_in(const site& s) { return {scheme(s.in_type(0)).fold_in(s, s.in_parts(0), s.in(1))}; }

/// threefry2x32 key0 key1 counter0 counter1: the two words of the mixed counter.
inline jax_values threefry_primitive(const site& s) {
  std::array<value, 4> words;
  for (std::size_t i = 0; i < 4; ++i) words[i] = as_word(s.in(i));
  const word_pair mixed = threefry(s.g, {words[0], words[1]}, {words[2], words[3]}, s.out_dims());
  return {integer_cast(mixed[0], dtype::u32), integer_cast(mixed[1], dtype::u32)};
}

/// iota_2x32_shape: the high and the low words of the indices of the elements in row-major order.
inline jax_values iota_2x32_shape(const site& s) {
  return {filled(s.g, dtype::u32, s.out_dims(), 0), integer_cast(linear_index(s.g, s.out_dims()), dtype::u32)};
}

inline constexpr lowering prng_rows[] = {
    {"iota_2x32_shape", iota_2x32_shape, "Range, Cast", iota_2x32_signature, ignores{"shape sharding"}},
    {"philox2x32", cipher_primitive<philox2x32_cipher>, "Scan, Cast", philox2x32_signature},
    {"philox4x32", cipher_primitive<philox4x32_cipher>, "Scan, Cast", philox4x32_signature},
    {"random_bits", random_bits, "Add, Mul, BitShift, BitwiseXor, Cast", random_bits_signature, parts_rule::own},
    {"random_clone", random_clone, "", random_clone_signature, parts_rule::own},
    {"random_fold_in", random_fold_in, "Add, Mul, BitShift, BitwiseXor", random_fold_in_signature, parts_rule::own},
    {"random_seed", random_seed, "Cast", random_seed_signature, parts_rule::own, ignores{"impl"}},
    {"random_split", random_split, "Add, Mul, BitShift, BitwiseXor", random_split_signature, parts_rule::own},
    {"random_unwrap", random_unwrap, "Concat", random_unwrap_signature, parts_rule::own},
    {"random_wrap", random_wrap, "Gather", random_wrap_signature, parts_rule::own, ignores{"impl"}},
    {"threefry2x32", threefry_primitive, "Add, Mul, BitShift, BitwiseXor", threefry_signature},
    {"threefry4x32", cipher_primitive<threefry4x32_cipher>, "Scan, Cast", threefry4x32_signature},
};

}  // namespace jax2onnx::lower
