// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/linear.hpp>
#include <jax2onnx/ops/verbs/linear.hpp>

/// The linear operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using det = operator_at<records::linear_records, 1>;
using einsum = operator_at<records::linear_records, 3>;
using gemm = operator_at<records::linear_records, 4>;
using matmul = operator_at<records::linear_records, 5>;
using matmul_integer = operator_at<records::linear_records, 6>;
using qlinear_matmul = operator_at<records::linear_records, 8>;
}  // namespace typed_operators

/// Computes the determinant of a square matrix, or of each matrix of a batch (Det).
/// @{
template <class XType>
requires typed_arguments<XType>
auto det(const XType& x) {
  using call = typed_call<typed_operators::det, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Det", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of einsum as a template argument.
struct einsum_attributes_of {
  fixed_required<fixed_string> equation;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "equation", .given = true, .text = equation.value.view()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::einsum_attributes run_time() const { return {.equation = std::string(equation.value.view())}; }
};

/// Computes the Einstein summation: output[output-term] = reduce-sum(input1[term1] * input2[term2] * ...) over the
/// indices that the output's term lacks (Einsum).
/// @{
template <einsum_attributes_of Attributes, class... InputsType>
requires all_typed<InputsType...>
auto einsum(const InputsType&... inputs) {
  using call = typed_call<typed_operators::einsum, fixed_attributes<Attributes>, 1, InputsType...>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::einsum({as_value(inputs)...}, Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of gemm as a template argument.
struct gemm_attributes_of {
  flag transA = false;
  flag transB = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "transA", .given = transA != false, .integer = static_cast<std::int64_t>(transA)},
            known_attribute{.name = "transB", .given = transB != false, .integer = static_cast<std::int64_t>(transB)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::gemm_attributes run_time() const { return {.transA = transA, .transB = transB}; }
};

/// Computes alpha * A * B + beta * C for matrices; A and B may be transposed (Gemm).
/// @{
template <class AType, class BType, class CType = absent>
requires typed_operands<AType, BType, CType>
auto gemm(const AType& a, const BType& b, const CType& c = {}) {
  using call = typed_call<typed_operators::gemm, default_attributes, 1, AType, BType, CType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gemm(as_value(a), as_operand(b), as_operand(c), {}));
  else return typename refusal<call>::result();
}
template <class AType, class BType, class CType = absent>
requires typed_operands<AType, BType, CType>
auto gemm(const AType& a, const BType& b, const CType& c, const jax2onnx::gemm_attributes& attributes) {
  using call = typed_call<typed_operators::gemm, run_time_attributes, 1, AType, BType, CType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gemm(as_value(a), as_operand(b), as_operand(c), attributes));
  else return typename refusal<call>::result();
}
template <gemm_attributes_of Attributes, class AType, class BType, class CType = absent>
requires typed_operands<AType, BType, CType>
auto gemm(const AType& a, const BType& b, const CType& c = {}) {
  using call = typed_call<typed_operators::gemm, fixed_attributes<Attributes>, 1, AType, BType, CType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::gemm(as_value(a), as_operand(b), as_operand(c), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Multiplies matrices as numpy.matmul does (MatMul).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto matmul(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::matmul, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("MatMul", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Multiplies integer matrices as numpy.matmul does, minus their zero points; the result is int32 (MatMulInteger).
/// @{
template <class AType, class BType, class AZeroPointType = absent, class BZeroPointType = absent>
requires typed_arguments<AType, BType, AZeroPointType, BZeroPointType>
auto matmul_integer(const AType& a, const BType& b, const AZeroPointType& a_zero_point = {},
                    const BZeroPointType& b_zero_point = {}) {
  using call =
      typed_call<typed_operators::matmul_integer, default_attributes, 1, AType, BType, AZeroPointType, BZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("MatMulInteger", as_operand(a), as_operand(b),
                                                       as_operand(a_zero_point), as_operand(b_zero_point)));
  else return typename refusal<call>::result();
}
/// @}

/// Multiplies quantized matrices as numpy.matmul does, and quantizes the result (QLinearMatMul).
/// @{
template <class AType, class AScaleType, class AZeroPointType, class BType, class BScaleType, class BZeroPointType,
          class YScaleType, class YZeroPointType>
requires typed_arguments<AType, AScaleType, AZeroPointType, BType, BScaleType, BZeroPointType, YScaleType,
                         YZeroPointType>
auto qlinear_matmul(const AType& a, const AScaleType& a_scale, const AZeroPointType& a_zero_point, const BType& b,
                    const BScaleType& b_scale, const BZeroPointType& b_zero_point, const YScaleType& y_scale,
                    const YZeroPointType& y_zero_point) {
  using call = typed_call<typed_operators::qlinear_matmul, default_attributes, 1, AType, AScaleType, AZeroPointType,
                          BType, BScaleType, BZeroPointType, YScaleType, YZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node(
        "QLinearMatMul", as_operand(a), as_operand(a_scale), as_operand(a_zero_point), as_operand(b),
        as_operand(b_scale), as_operand(b_zero_point), as_operand(y_scale), as_operand(y_zero_point)));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
