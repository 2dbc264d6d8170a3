#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/graph/dtype.hpp>

/// Element types of typed handles.
namespace jax2onnx {

/// C++ has no such types; these names stand for them as element types.
/// @{
struct float16 {};
struct bfloat16 {};
struct float8_e4m3fn {};
struct float8_e4m3fnuz {};
struct float8_e5m2 {};
struct float8_e5m2fnuz {};
struct float8_e8m0fnu {};
struct float4_e2m1fn {};
struct int4 {};
struct uint4 {};
struct int2 {};
struct uint2 {};
struct complex64 {};
struct complex128 {};
/// @}

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
/// The C++ element type of a dtype.
template <dtype T>
using element_of = typename detail::cpp_element<T>::type;

}  // namespace jax2onnx
