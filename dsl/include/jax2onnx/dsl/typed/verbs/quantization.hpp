// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/quantization.hpp>
#include <jax2onnx/ops/verbs/quantization.hpp>

/// The quantization operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using dequantize_linear = operator_at<records::quantization_records, 6>;
using dynamic_quantize_linear = operator_at<records::quantization_records, 7>;
using quantize_linear = operator_at<records::quantization_records, 14>;
}  // namespace typed_operators

/// The attributes of dequantize_linear as a template argument.
struct dequantize_linear_attributes_of {
  std::int64_t axis = 1;
  std::int64_t block_size = 0;
  jax2onnx::dtype output_dtype = jax2onnx::dtype::undefined;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {known_attribute{.name = "axis", .given = axis != 1, .integer = static_cast<std::int64_t>(axis)},
            known_attribute{
                .name = "block_size", .given = block_size != 0, .integer = static_cast<std::int64_t>(block_size)},
            known_attribute{.name = "output_dtype",
                            .given = output_dtype != jax2onnx::dtype::undefined,
                            .integer = static_cast<std::int64_t>(output_dtype)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::dequantize_linear_attributes run_time() const {
    return {.axis = axis, .block_size = block_size, .output_dtype = output_dtype};
  }
};

/// Computes (x - zero point) * scale (DequantizeLinear).
/// @{
template <class XType, class XScaleType, class XZeroPointType = absent>
requires typed_operands<XType, XScaleType, XZeroPointType>
auto dequantize_linear(const XType& x, const XScaleType& x_scale, const XZeroPointType& x_zero_point = {}) {
  using call = typed_call<typed_operators::dequantize_linear, default_attributes, 1, XType, XScaleType, XZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::dequantize_linear(as_value(x), as_operand(x_scale), as_operand(x_zero_point), {}));
  else return typename refusal<call>::result();
}
template <class XType, class XScaleType, class XZeroPointType = absent>
requires typed_operands<XType, XScaleType, XZeroPointType>
auto dequantize_linear(const XType& x, const XScaleType& x_scale, const XZeroPointType& x_zero_point,
                       const jax2onnx::dequantize_linear_attributes& attributes) {
  using call =
      typed_call<typed_operators::dequantize_linear, run_time_attributes, 1, XType, XScaleType, XZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::dequantize_linear(as_value(x), as_operand(x_scale), as_operand(x_zero_point), attributes));
  else return typename refusal<call>::result();
}
template <dequantize_linear_attributes_of Attributes, class XType, class XScaleType, class XZeroPointType = absent>
requires typed_operands<XType, XScaleType, XZeroPointType>
auto dequantize_linear(const XType& x, const XScaleType& x_scale, const XZeroPointType& x_zero_point = {}) {
  using call = typed_call<typed_operators::dequantize_linear, fixed_attributes<Attributes>, 1, XType, XScaleType,
                          XZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::dequantize_linear(as_value(x), as_operand(x_scale), as_operand(x_zero_point), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class XType, class XScaleType, class XZeroPointType = absent>
requires typed_operands<XType, XScaleType, XZeroPointType>
auto dequantize_linear(const XType& x, const XScaleType& x_scale, const XZeroPointType& x_zero_point = {}) {
  using call =
      typed_call<typed_operators::dequantize_linear, fixed_attributes<dequantize_linear_attributes_of{.axis = Axis}>, 1,
                 XType, XScaleType, XZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::dequantize_linear(as_value(x), as_operand(x_scale), as_operand(x_zero_point),
                                    dequantize_linear_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The results of dynamic_quantize_linear.
template <class YType, class YScaleType, class YZeroPointType>
struct dynamic_quantize_linear_results {
  YType y;
  YScaleType y_scale;
  YZeroPointType y_zero_point;
};

/// Quantizes a float32 tensor to uint8, with a scale and a zero point that cover its range (DynamicQuantizeLinear).
/// @{
template <class XType>
requires typed_operands<XType>
auto dynamic_quantize_linear(const XType& x) {
  using call = typed_call<typed_operators::dynamic_quantize_linear, default_attributes, 3, XType>;
  using results = dynamic_quantize_linear_results<typename call::template output<0>, typename call::template output<1>,
                                                  typename call::template output<2>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::dynamic_quantize_linear(as_value(x));
    return results{call::template result<0>(made.y), call::template result<1>(made.y_scale),
                   call::template result<2>(made.y_zero_point)};
  } else return results{typename refusal<call>::result(), failed_call(), failed_call()};
}
/// @}

/// The attributes of quantize_linear as a template argument.
struct quantize_linear_attributes_of {
  std::int64_t axis = 1;
  std::int64_t block_size = 0;
  jax2onnx::dtype output_dtype = jax2onnx::dtype::undefined;
  jax2onnx::dtype precision = jax2onnx::dtype::undefined;
  flag saturate = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 5> known() const {
    return {
        known_attribute{.name = "axis", .given = axis != 1, .integer = static_cast<std::int64_t>(axis)},
        known_attribute{
            .name = "block_size", .given = block_size != 0, .integer = static_cast<std::int64_t>(block_size)},
        known_attribute{.name = "output_dtype",
                        .given = output_dtype != jax2onnx::dtype::undefined,
                        .integer = static_cast<std::int64_t>(output_dtype)},
        known_attribute{.name = "precision",
                        .given = precision != jax2onnx::dtype::undefined,
                        .integer = static_cast<std::int64_t>(precision)},
        known_attribute{.name = "saturate", .given = saturate != true, .integer = static_cast<std::int64_t>(saturate)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::quantize_linear_attributes run_time() const {
    return {.axis = axis,
            .block_size = block_size,
            .output_dtype = output_dtype,
            .precision = precision,
            .saturate = saturate};
  }
};

/// Computes x / scale + zero point, rounded and limited to the range of the quantized type (QuantizeLinear).
/// @{
template <class XType, class YScaleType, class YZeroPointType = absent>
requires typed_operands<XType, YScaleType, YZeroPointType>
auto quantize_linear(const XType& x, const YScaleType& y_scale, const YZeroPointType& y_zero_point = {}) {
  using call = typed_call<typed_operators::quantize_linear, default_attributes, 1, XType, YScaleType, YZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::quantize_linear(as_value(x), as_operand(y_scale), as_operand(y_zero_point), {}));
  else return typename refusal<call>::result();
}
template <class XType, class YScaleType, class YZeroPointType = absent>
requires typed_operands<XType, YScaleType, YZeroPointType>
auto quantize_linear(const XType& x, const YScaleType& y_scale, const YZeroPointType& y_zero_point,
                     const jax2onnx::quantize_linear_attributes& attributes) {
  using call = typed_call<typed_operators::quantize_linear, run_time_attributes, 1, XType, YScaleType, YZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::quantize_linear(as_value(x), as_operand(y_scale), as_operand(y_zero_point), attributes));
  else return typename refusal<call>::result();
}
template <quantize_linear_attributes_of Attributes, class XType, class YScaleType, class YZeroPointType = absent>
requires typed_operands<XType, YScaleType, YZeroPointType>
auto quantize_linear(const XType& x, const YScaleType& y_scale, const YZeroPointType& y_zero_point = {}) {
  using call =
      typed_call<typed_operators::quantize_linear, fixed_attributes<Attributes>, 1, XType, YScaleType, YZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::quantize_linear(as_value(x), as_operand(y_scale), as_operand(y_zero_point), Attributes.run_time()));
  else return typename refusal<call>::result();
}
template <std::int64_t Axis, class XType, class YScaleType, class YZeroPointType = absent>
requires typed_operands<XType, YScaleType, YZeroPointType>
auto quantize_linear(const XType& x, const YScaleType& y_scale, const YZeroPointType& y_zero_point = {}) {
  using call =
      typed_call<typed_operators::quantize_linear, fixed_attributes<quantize_linear_attributes_of{.axis = Axis}>, 1,
                 XType, YScaleType, YZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::quantize_linear(as_value(x), as_operand(y_scale),
                                                              as_operand(y_zero_point),
                                                              quantize_linear_attributes_of{.axis = Axis}.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
