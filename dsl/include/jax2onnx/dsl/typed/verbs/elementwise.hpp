// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/elementwise.hpp>
#include <jax2onnx/ops/verbs/elementwise.hpp>

/// The elementwise operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using abs = operator_at<records::elementwise_records, 0>;
using acos = operator_at<records::elementwise_records, 2>;
using acosh = operator_at<records::elementwise_records, 4>;
using add = operator_at<records::elementwise_records, 5>;
using and_ = operator_at<records::elementwise_records, 6>;
using asin = operator_at<records::elementwise_records, 8>;
using asinh = operator_at<records::elementwise_records, 10>;
using atan = operator_at<records::elementwise_records, 12>;
using atanh = operator_at<records::elementwise_records, 14>;
using bit_shift = operator_at<records::elementwise_records, 16>;
using bitwise_and = operator_at<records::elementwise_records, 17>;
using bitwise_not = operator_at<records::elementwise_records, 18>;
using bitwise_or = operator_at<records::elementwise_records, 19>;
using bitwise_xor = operator_at<records::elementwise_records, 20>;
using ceil = operator_at<records::elementwise_records, 21>;
using clip = operator_at<records::elementwise_records, 22>;
using cos = operator_at<records::elementwise_records, 24>;
using cosh = operator_at<records::elementwise_records, 26>;
using div = operator_at<records::elementwise_records, 27>;
using equal = operator_at<records::elementwise_records, 29>;
using erf = operator_at<records::elementwise_records, 30>;
using exp = operator_at<records::elementwise_records, 31>;
using floor = operator_at<records::elementwise_records, 32>;
using greater = operator_at<records::elementwise_records, 33>;
using greater_or_equal = operator_at<records::elementwise_records, 34>;
using isinf = operator_at<records::elementwise_records, 36>;
using isnan = operator_at<records::elementwise_records, 38>;
using less = operator_at<records::elementwise_records, 39>;
using less_or_equal = operator_at<records::elementwise_records, 40>;
using log = operator_at<records::elementwise_records, 41>;
using max = operator_at<records::elementwise_records, 42>;
using mean = operator_at<records::elementwise_records, 43>;
using min = operator_at<records::elementwise_records, 44>;
using mod = operator_at<records::elementwise_records, 46>;
using mul = operator_at<records::elementwise_records, 47>;
using neg = operator_at<records::elementwise_records, 48>;
using not_ = operator_at<records::elementwise_records, 49>;
using or_ = operator_at<records::elementwise_records, 50>;
using pow = operator_at<records::elementwise_records, 51>;
using reciprocal = operator_at<records::elementwise_records, 52>;
using round = operator_at<records::elementwise_records, 54>;
using sign = operator_at<records::elementwise_records, 55>;
using sin = operator_at<records::elementwise_records, 57>;
using sinh = operator_at<records::elementwise_records, 59>;
using sqrt = operator_at<records::elementwise_records, 60>;
using sub = operator_at<records::elementwise_records, 61>;
using sum = operator_at<records::elementwise_records, 62>;
using tan = operator_at<records::elementwise_records, 64>;
using tanh = operator_at<records::elementwise_records, 65>;
using where = operator_at<records::elementwise_records, 66>;
using xor_ = operator_at<records::elementwise_records, 67>;
}  // namespace typed_operators

/// Computes the absolute value of each element (Abs).
/// @{
template <class XType>
requires typed_arguments<XType>
auto abs(const XType& x) {
  using call = typed_call<typed_operators::abs, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Abs", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the arccosine of each element (Acos).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto acos(const InputType& input) {
  using call = typed_call<typed_operators::acos, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Acos", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the inverse hyperbolic cosine of each element (Acosh).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto acosh(const InputType& input) {
  using call = typed_call<typed_operators::acosh, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Acosh", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Adds two tensors elementwise, with broadcasting (Add).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto add(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::add, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Add", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the logical and of two tensors elementwise, with broadcasting (And).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto and_(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::and_, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("And", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the arcsine of each element (Asin).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto asin(const InputType& input) {
  using call = typed_call<typed_operators::asin, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Asin", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the inverse hyperbolic sine of each element (Asinh).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto asinh(const InputType& input) {
  using call = typed_call<typed_operators::asinh, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Asinh", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the arctangent of each element (Atan).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto atan(const InputType& input) {
  using call = typed_call<typed_operators::atan, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Atan", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the inverse hyperbolic tangent of each element (Atanh).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto atanh(const InputType& input) {
  using call = typed_call<typed_operators::atanh, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Atanh", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of bit_shift as a template argument.
struct bit_shift_attributes_of {
  fixed_required<jax2onnx::shift_direction> direction;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "direction", .given = true, .text = jax2onnx::name(direction.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::bit_shift_attributes run_time() const { return {.direction = direction.value}; }
};

/// Shifts the bits of each element of the first tensor by the second tensor, with broadcasting (BitShift).
/// @{
template <class XType, class YType>
requires typed_operands<XType, YType>
auto bit_shift(const XType& x, const YType& y, const jax2onnx::bit_shift_attributes& attributes = {}) {
  using call = typed_call<typed_operators::bit_shift, run_time_attributes, 1, XType, YType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::bit_shift(as_value(x), as_operand(y), attributes));
  else return typename refusal<call>::result();
}
template <bit_shift_attributes_of Attributes, class XType, class YType>
requires typed_operands<XType, YType>
auto bit_shift(const XType& x, const YType& y) {
  using call = typed_call<typed_operators::bit_shift, fixed_attributes<Attributes>, 1, XType, YType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::bit_shift(as_value(x), as_operand(y), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the bitwise and of two tensors elementwise, with broadcasting (BitwiseAnd).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto bitwise_and(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::bitwise_and, default_attributes, 1, AType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("BitwiseAnd", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Inverts all bits of each element (BitwiseNot).
/// @{
template <class XType>
requires typed_arguments<XType>
auto bitwise_not(const XType& x) {
  using call = typed_call<typed_operators::bitwise_not, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("BitwiseNot", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the bitwise or of two tensors elementwise, with broadcasting (BitwiseOr).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto bitwise_or(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::bitwise_or, default_attributes, 1, AType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("BitwiseOr", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the bitwise exclusive or of two tensors elementwise, with broadcasting (BitwiseXor).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto bitwise_xor(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::bitwise_xor, default_attributes, 1, AType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("BitwiseXor", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Rounds each element up to an integer (Ceil).
/// @{
template <class XType>
requires typed_arguments<XType>
auto ceil(const XType& x) {
  using call = typed_call<typed_operators::ceil, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Ceil", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Limits each element to an interval (Clip).
/// @{
template <class InputType, class MinType = absent, class MaxType = absent>
requires typed_arguments<InputType, MinType, MaxType>
auto clip(const InputType& input, const MinType& min = {}, const MaxType& max = {}) {
  using call = typed_call<typed_operators::clip, default_attributes, 1, InputType, MinType, MaxType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("Clip", as_operand(input), as_operand(min), as_operand(max)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the cosine of each element (Cos).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto cos(const InputType& input) {
  using call = typed_call<typed_operators::cos, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Cos", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the hyperbolic cosine of each element (Cosh).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto cosh(const InputType& input) {
  using call = typed_call<typed_operators::cosh, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Cosh", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Divides two tensors elementwise, with broadcasting (Div).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto div(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::div, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Div", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Returns elementwise whether a = b, with broadcasting (Equal).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto equal(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::equal, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Equal", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the error function of each element (Erf).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto erf(const InputType& input) {
  using call = typed_call<typed_operators::erf, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Erf", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the exponential of each element (Exp).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto exp(const InputType& input) {
  using call = typed_call<typed_operators::exp, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Exp", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Rounds each element down to an integer (Floor).
/// @{
template <class XType>
requires typed_arguments<XType>
auto floor(const XType& x) {
  using call = typed_call<typed_operators::floor, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Floor", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Returns elementwise whether a > b, with broadcasting (Greater).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto greater(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::greater, default_attributes, 1, AType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("Greater", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Returns elementwise whether a >= b, with broadcasting (GreaterOrEqual).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto greater_or_equal(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::greater_or_equal, default_attributes, 1, AType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("GreaterOrEqual", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of isinf as a template argument.
struct isinf_attributes_of {
  flag detect_negative = true;
  flag detect_positive = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "detect_negative",
                            .given = detect_negative != true,
                            .integer = static_cast<std::int64_t>(detect_negative)},
            known_attribute{.name = "detect_positive",
                            .given = detect_positive != true,
                            .integer = static_cast<std::int64_t>(detect_positive)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::isinf_attributes run_time() const {
    return {.detect_negative = detect_negative, .detect_positive = detect_positive};
  }
};

/// Returns which elements are infinite (IsInf).
/// @{
template <class XType>
requires typed_operands<XType>
auto isinf(const XType& x) {
  using call = typed_call<typed_operators::isinf, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::isinf(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto isinf(const XType& x, const jax2onnx::isinf_attributes& attributes) {
  using call = typed_call<typed_operators::isinf, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::isinf(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <isinf_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto isinf(const XType& x) {
  using call = typed_call<typed_operators::isinf, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::isinf(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Returns which elements are NaN (IsNaN).
/// @{
template <class XType>
requires typed_arguments<XType>
auto isnan(const XType& x) {
  using call = typed_call<typed_operators::isnan, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("IsNaN", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Returns elementwise whether a < b, with broadcasting (Less).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto less(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::less, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Less", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Returns elementwise whether a <= b, with broadcasting (LessOrEqual).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto less_or_equal(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::less_or_equal, default_attributes, 1, AType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("LessOrEqual", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the natural logarithm of each element (Log).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto log(const InputType& input) {
  using call = typed_call<typed_operators::log, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Log", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the elementwise maximum of all operands, with broadcasting (Max).
/// @{
template <class... Data0Type>
requires typed_arguments<Data0Type...>
auto max(const Data0Type&... data_0) {
  using call = typed_call<typed_operators::max, default_attributes, 1, Data0Type...>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Max", as_operand(data_0)...));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the elementwise mean of all operands, with broadcasting (Mean).
/// @{
template <class... Data0Type>
requires typed_arguments<Data0Type...>
auto mean(const Data0Type&... data_0) {
  using call = typed_call<typed_operators::mean, default_attributes, 1, Data0Type...>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Mean", as_operand(data_0)...));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the elementwise minimum of all operands, with broadcasting (Min).
/// @{
template <class... Data0Type>
requires typed_arguments<Data0Type...>
auto min(const Data0Type&... data_0) {
  using call = typed_call<typed_operators::min, default_attributes, 1, Data0Type...>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Min", as_operand(data_0)...));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of mod as a template argument.
struct mod_attributes_of {
  flag fmod = false;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "fmod", .given = fmod != false, .integer = static_cast<std::int64_t>(fmod)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::mod_attributes run_time() const { return {.fmod = fmod}; }
};

/// Computes the remainder of a division elementwise, with broadcasting (Mod).
/// @{
template <class AType, class BType>
requires typed_operands<AType, BType>
auto mod(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::mod, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::mod(as_value(a), as_operand(b), {}));
  else return typename refusal<call>::result();
}
template <class AType, class BType>
requires typed_operands<AType, BType>
auto mod(const AType& a, const BType& b, const jax2onnx::mod_attributes& attributes) {
  using call = typed_call<typed_operators::mod, run_time_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::mod(as_value(a), as_operand(b), attributes));
  else return typename refusal<call>::result();
}
template <mod_attributes_of Attributes, class AType, class BType>
requires typed_operands<AType, BType>
auto mod(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::mod, fixed_attributes<Attributes>, 1, AType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::mod(as_value(a), as_operand(b), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Multiplies two tensors elementwise, with broadcasting (Mul).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto mul(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::mul, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Mul", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Negates each element (Neg).
/// @{
template <class XType>
requires typed_arguments<XType>
auto neg(const XType& x) {
  using call = typed_call<typed_operators::neg, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Neg", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the logical negation of each element (Not).
/// @{
template <class XType>
requires typed_arguments<XType>
auto not_(const XType& x) {
  using call = typed_call<typed_operators::not_, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Not", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the logical or of two tensors elementwise, with broadcasting (Or).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto or_(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::or_, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Or", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Raises the first tensor to the power of the second one elementwise, with broadcasting (Pow).
/// @{
template <class XType, class YType>
requires typed_arguments<XType, YType>
auto pow(const XType& x, const YType& y) {
  using call = typed_call<typed_operators::pow, default_attributes, 1, XType, YType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Pow", as_operand(x), as_operand(y)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes 1 / x for each element (Reciprocal).
/// @{
template <class XType>
requires typed_arguments<XType>
auto reciprocal(const XType& x) {
  using call = typed_call<typed_operators::reciprocal, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Reciprocal", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Rounds each element to the nearest integer, and halves to the even one (Round).
/// @{
template <class XType>
requires typed_arguments<XType>
auto round(const XType& x) {
  using call = typed_call<typed_operators::round, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Round", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the sign of each element: -1, 0 or 1 (Sign).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto sign(const InputType& input) {
  using call = typed_call<typed_operators::sign, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Sign", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the sine of each element (Sin).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto sin(const InputType& input) {
  using call = typed_call<typed_operators::sin, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Sin", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the hyperbolic sine of each element (Sinh).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto sinh(const InputType& input) {
  using call = typed_call<typed_operators::sinh, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Sinh", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the square root of each element (Sqrt).
/// @{
template <class XType>
requires typed_arguments<XType>
auto sqrt(const XType& x) {
  using call = typed_call<typed_operators::sqrt, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Sqrt", as_operand(x)));
  else return typename refusal<call>::result();
}
/// @}

/// Subtracts two tensors elementwise, with broadcasting (Sub).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto sub(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::sub, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Sub", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

/// Adds all operands elementwise, with broadcasting (Sum).
/// @{
template <class... Data0Type>
requires typed_arguments<Data0Type...>
auto sum(const Data0Type&... data_0) {
  using call = typed_call<typed_operators::sum, default_attributes, 1, Data0Type...>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Sum", as_operand(data_0)...));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the tangent of each element (Tan).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto tan(const InputType& input) {
  using call = typed_call<typed_operators::tan, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Tan", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the hyperbolic tangent of each element (Tanh).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto tanh(const InputType& input) {
  using call = typed_call<typed_operators::tanh, default_attributes, 1, InputType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Tanh", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// Selects elements of X where the condition is true, else of Y, with broadcasting (Where).
/// @{
template <class ConditionType, class XType, class YType>
requires typed_arguments<ConditionType, XType, YType>
auto where(const ConditionType& condition, const XType& x, const YType& y) {
  using call = typed_call<typed_operators::where, default_attributes, 1, ConditionType, XType, YType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("Where", as_operand(condition), as_operand(x), as_operand(y)));
  else return typename refusal<call>::result();
}
/// @}

/// Computes the logical exclusive or of two tensors elementwise, with broadcasting (Xor).
/// @{
template <class AType, class BType>
requires typed_arguments<AType, BType>
auto xor_(const AType& a, const BType& b) {
  using call = typed_call<typed_operators::xor_, default_attributes, 1, AType, BType>;
  if constexpr (call::fits) return call::template result<0>(detail::plain_node("Xor", as_operand(a), as_operand(b)));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
