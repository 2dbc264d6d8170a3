// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/graph/scalar.hpp>

/// Element types of typed handles.
namespace jax2onnx {

namespace detail {

/// The bits of a floating-point type that C++ lacks.
template <dtype Type, class Bits>
struct small_float {
  Bits bits = 0;  ///< the bit pattern; types of less than a byte use the low bits

  /// Zero.
  constexpr small_float() = default;
  /// Rounds a number as encode_float() does: to the nearest value, with ties to even.
  small_float(double number) : bits(static_cast<Bits>(encode_float(Type, number))) {}
  /// The number.
  explicit operator double() const { return decode_float(Type, bits); }
};

/// The bits of an integer type of less than a byte.
template <dtype Type>
struct small_integer {
  std::uint8_t bits = 0;  ///< two's complement, in the low bits

  /// Zero.
  constexpr small_integer() = default;
  /// Converts a number. A number that the type cannot hold throws a build_error; in a constant expression, such a
  /// number does not compile.
  constexpr small_integer(int number) : bits(static_cast<std::uint8_t>(number & ((1 << jax2onnx::bits(Type)) - 1))) {
    if (number < smallest_integer(Type) || number > static_cast<std::int64_t>(largest_integer(Type)))
      throw build_error(message("{} does not hold {}", name(Type), number));
  }
  /// The number.
  constexpr explicit operator int() const { return static_cast<int>(decode_integer(Type, bits)); }
};

}  // namespace detail

/// Element types that C++ lacks. Numbers convert to these types: `float16(0.1)` rounds to the nearest value, and an
/// integer such as `int4(-8)` must fit. An explicit conversion converts back to a number. `bits` is the bit pattern.
/// @{
struct float16 : detail::small_float<dtype::f16, std::uint16_t> {
  using small_float::small_float;
};
struct bfloat16 : detail::small_float<dtype::bf16, std::uint16_t> {
  using small_float::small_float;
};
struct float8_e4m3fn : detail::small_float<dtype::f8_e4m3fn, std::uint8_t> {
  using small_float::small_float;
};
struct float8_e4m3fnuz : detail::small_float<dtype::f8_e4m3fnuz, std::uint8_t> {
  using small_float::small_float;
};
struct float8_e5m2 : detail::small_float<dtype::f8_e5m2, std::uint8_t> {
  using small_float::small_float;
};
struct float8_e5m2fnuz : detail::small_float<dtype::f8_e5m2fnuz, std::uint8_t> {
  using small_float::small_float;
};
struct float8_e8m0fnu : detail::small_float<dtype::f8_e8m0fnu, std::uint8_t> {
  using small_float::small_float;
};
struct float4_e2m1fn : detail::small_float<dtype::f4_e2m1fn, std::uint8_t> {
  using small_float::small_float;
};
struct int4 : detail::small_integer<dtype::i4> {
  using small_integer::small_integer;
};
struct uint4 : detail::small_integer<dtype::u4> {
  using small_integer::small_integer;
};
struct int2 : detail::small_integer<dtype::i2> {
  using small_integer::small_integer;
};
struct uint2 : detail::small_integer<dtype::u2> {
  using small_integer::small_integer;
};
/// @}
/// A complex number of two floats, in the layout in which models store it.
struct complex64 {
  float re = 0;  ///< the real part
  float im = 0;  ///< the imaginary part
};
/// A complex number of two doubles, in the layout in which models store it.
struct complex128 {
  double re = 0;  ///< the real part
  double im = 0;  ///< the imaginary part
};

namespace detail {

template <dtype>
struct cpp_element;
template <class T>
struct dtype_constant {
  static constexpr dtype value = dtype::undefined;
};

#define JAX2ONNX_ELEMENT(cpp, onnx)             \
  template <>                                   \
  struct cpp_element<dtype::onnx> {             \
    using type = cpp;                           \
  };                                            \
  template <>                                   \
  struct dtype_constant<cpp> {                  \
    static constexpr dtype value = dtype::onnx; \
  };
JAX2ONNX_ELEMENT(float, f32)
JAX2ONNX_ELEMENT(double, f64)
JAX2ONNX_ELEMENT(float16, f16)
JAX2ONNX_ELEMENT(bfloat16, bf16)
JAX2ONNX_ELEMENT(float8_e4m3fn, f8_e4m3fn)
JAX2ONNX_ELEMENT(float8_e4m3fnuz, f8_e4m3fnuz)
JAX2ONNX_ELEMENT(float8_e5m2, f8_e5m2)
JAX2ONNX_ELEMENT(float8_e5m2fnuz, f8_e5m2fnuz)
JAX2ONNX_ELEMENT(float8_e8m0fnu, f8_e8m0fnu)
JAX2ONNX_ELEMENT(float4_e2m1fn, f4_e2m1fn)
JAX2ONNX_ELEMENT(bool, boolean)
JAX2ONNX_ELEMENT(std::int8_t, i8)
JAX2ONNX_ELEMENT(std::int16_t, i16)
JAX2ONNX_ELEMENT(std::int32_t, i32)
JAX2ONNX_ELEMENT(std::int64_t, i64)
JAX2ONNX_ELEMENT(std::uint8_t, u8)
JAX2ONNX_ELEMENT(std::uint16_t, u16)
JAX2ONNX_ELEMENT(std::uint32_t, u32)
JAX2ONNX_ELEMENT(std::uint64_t, u64)
JAX2ONNX_ELEMENT(int4, i4)
JAX2ONNX_ELEMENT(uint4, u4)
JAX2ONNX_ELEMENT(int2, i2)
JAX2ONNX_ELEMENT(uint2, u2)
JAX2ONNX_ELEMENT(complex64, c64)
JAX2ONNX_ELEMENT(complex128, c128)
JAX2ONNX_ELEMENT(std::string, string)
#undef JAX2ONNX_ELEMENT

}  // namespace detail

/// The ONNX dtype of a C++ element type; undefined for any other type.
template <class T>
inline constexpr dtype dtype_of = detail::dtype_constant<T>::value;
/// True for an element type of less than a byte. Constants store several such elements in one byte.
template <class T>
inline constexpr bool is_packed = bits(dtype_of<T>) != 0 && bits(dtype_of<T>) < 8;
/// The C++ element type of a dtype.
template <dtype T>
using element_of = typename detail::cpp_element<T>::type;

}  // namespace jax2onnx
