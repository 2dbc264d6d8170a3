// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace jax2onnx {

/// Element types of ONNX tensors. The values are those of onnx::TensorProto::DataType. The converter uses neither
/// strings nor complex types: it represents complex numbers by pairs of tensors.
enum class dtype : std::uint8_t {
  undefined = 0,
  f32 = 1,
  u8 = 2,
  i8 = 3,
  u16 = 4,
  i16 = 5,
  i32 = 6,
  i64 = 7,
  string = 8,
  boolean = 9,
  f16 = 10,
  f64 = 11,
  u32 = 12,
  u64 = 13,
  c64 = 14,
  c128 = 15,
  bf16 = 16,
  f8_e4m3fn = 17,
  f8_e4m3fnuz = 18,
  f8_e5m2 = 19,
  f8_e5m2fnuz = 20,
  u4 = 21,
  i4 = 22,
  f4_e2m1fn = 23,
  f8_e8m0fnu = 24,
  u2 = 25,
  i2 = 26,
};

/// The kinds of element types.
enum class dtype_class : std::uint8_t { none, boolean, signed_integer, unsigned_integer, floating, complex, text };

/// The properties of an element type.
struct dtype_traits {
  dtype type;             ///< the type itself
  std::string_view name;  ///< JAX's short name
  std::string_view onnx;  ///< ONNX's name in the textual syntax
  dtype_class cls;        ///< its kind
  std::uint8_t bits;      ///< the width of an element
};

/// A row for each dtype.
inline constexpr dtype_traits dtype_table[] = {
    {dtype::undefined, "undefined", "undefined", dtype_class::none, 0},
    {dtype::f32, "f32", "float", dtype_class::floating, 32},
    {dtype::u8, "u8", "uint8", dtype_class::unsigned_integer, 8},
    {dtype::i8, "i8", "int8", dtype_class::signed_integer, 8},
    {dtype::u16, "u16", "uint16", dtype_class::unsigned_integer, 16},
    {dtype::i16, "i16", "int16", dtype_class::signed_integer, 16},
    {dtype::i32, "i32", "int32", dtype_class::signed_integer, 32},
    {dtype::i64, "i64", "int64", dtype_class::signed_integer, 64},
    {dtype::string, "string", "string", dtype_class::text, 0},
    {dtype::boolean, "bool", "bool", dtype_class::boolean, 8},
    {dtype::f16, "f16", "float16", dtype_class::floating, 16},
    {dtype::f64, "f64", "double", dtype_class::floating, 64},
    {dtype::u32, "u32", "uint32", dtype_class::unsigned_integer, 32},
    {dtype::u64, "u64", "uint64", dtype_class::unsigned_integer, 64},
    {dtype::c64, "complex64", "complex64", dtype_class::complex, 64},
    {dtype::c128, "complex128", "complex128", dtype_class::complex, 128},
    {dtype::bf16, "bf16", "bfloat16", dtype_class::floating, 16},
    {dtype::f8_e4m3fn, "f8_e4m3fn", "float8e4m3fn", dtype_class::floating, 8},
    {dtype::f8_e4m3fnuz, "f8_e4m3fnuz", "float8e4m3fnuz", dtype_class::floating, 8},
    {dtype::f8_e5m2, "f8_e5m2", "float8e5m2", dtype_class::floating, 8},
    {dtype::f8_e5m2fnuz, "f8_e5m2fnuz", "float8e5m2fnuz", dtype_class::floating, 8},
    {dtype::u4, "u4", "uint4", dtype_class::unsigned_integer, 4},
    {dtype::i4, "i4", "int4", dtype_class::signed_integer, 4},
    {dtype::f4_e2m1fn, "f4_e2m1fn", "float4e2m1", dtype_class::floating, 4},
    {dtype::f8_e8m0fnu, "f8_e8m0fnu", "float8e8m0", dtype_class::floating, 8},
    {dtype::u2, "u2", "uint2", dtype_class::unsigned_integer, 2},
    {dtype::i2, "i2", "int2", dtype_class::signed_integer, 2},
};

/// The row of a dtype; the row of `undefined` for a value that is not in the table.
constexpr const dtype_traits& traits(dtype t) {
  for (const dtype_traits& row : dtype_table)
    if (row.type == t) return row;
  return dtype_table[0];
}

/// JAX's short name: f32, bool.
constexpr std::string_view name(dtype t) { return traits(t).name; }
/// The width of an element in bits; 0 for `undefined` and `string`.
constexpr int bits(dtype t) { return traits(t).bits; }
/// True if a type has elements: numbers, truth values or strings.
constexpr bool has_elements(dtype t) { return t == dtype::string || bits(t) > 0; }
/// True if a dtype belongs to a class.
/// @{
constexpr bool is_floating(dtype t) { return traits(t).cls == dtype_class::floating; }
constexpr bool is_signed_integer(dtype t) { return traits(t).cls == dtype_class::signed_integer; }
constexpr bool is_unsigned_integer(dtype t) { return traits(t).cls == dtype_class::unsigned_integer; }
constexpr bool is_integer(dtype t) { return is_signed_integer(t) || is_unsigned_integer(t); }
constexpr bool is_complex(dtype t) { return traits(t).cls == dtype_class::complex; }
constexpr bool is_boolean(dtype t) { return t == dtype::boolean; }
/// @}

/// The bytes that `count` packed elements take (two 4-bit elements a byte; the last byte is padded). Returns the
/// largest integer, which exceeds the size of any data, if their number of bits overflows.
constexpr std::uint64_t byte_size(dtype t, std::uint64_t count) {
  const auto width = static_cast<std::uint64_t>(bits(t));
  if (width > 0 && count > UINT64_MAX / width) return UINT64_MAX;
  const std::uint64_t total = count * width;
  return total / 8 + (total % 8 != 0);
}

/// The dtype with this short name of JAX (f32, bool, …); `undefined` if ONNX has no such type.
constexpr dtype dtype_named(std::string_view jax_name) {
  for (const dtype_traits& row : dtype_table)
    if (row.name == jax_name) return row.type;
  return dtype::undefined;
}

}  // namespace jax2onnx
