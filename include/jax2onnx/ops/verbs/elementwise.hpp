// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The elementwise operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// Computes the absolute value of each element (Abs).
inline value abs(const operand& x) {
  node_builder n("Abs", {x});
  return n.build();
}

/// Computes the arccosine of each element (Acos).
inline value acos(const operand& input) {
  node_builder n("Acos", {input});
  return n.build();
}

/// Computes the inverse hyperbolic cosine of each element (Acosh).
inline value acosh(const operand& input) {
  node_builder n("Acosh", {input});
  return n.build();
}

/// Adds two tensors elementwise, with broadcasting (Add).
inline value add(const operand& a, const operand& b) {
  node_builder n("Add", {a, b});
  return n.build();
}

/// Computes the logical and of two tensors elementwise, with broadcasting (And).
inline value and_(const operand& a, const operand& b) {
  node_builder n("And", {a, b});
  return n.build();
}

/// Computes the arcsine of each element (Asin).
inline value asin(const operand& input) {
  node_builder n("Asin", {input});
  return n.build();
}

/// Computes the inverse hyperbolic sine of each element (Asinh).
inline value asinh(const operand& input) {
  node_builder n("Asinh", {input});
  return n.build();
}

/// Computes the arctangent of each element (Atan).
inline value atan(const operand& input) {
  node_builder n("Atan", {input});
  return n.build();
}

/// Computes the inverse hyperbolic tangent of each element (Atanh).
inline value atanh(const operand& input) {
  node_builder n("Atanh", {input});
  return n.build();
}

/// The attributes of bit_shift.
struct bit_shift_attributes {
  required<jax2onnx::shift_direction, struct bit_shift_needs_direction> direction;
};
/// Shifts the bits of each element of the first tensor by the second tensor, with broadcasting (BitShift).
inline value bit_shift(const operand& x, const operand& y, const bit_shift_attributes& attributes = {}) {
  node_builder n("BitShift", {x, y});
  n.set("direction", attributes.direction);
  return n.build();
}

/// Computes the bitwise and of two tensors elementwise, with broadcasting (BitwiseAnd, opset 18).
inline value bitwise_and(const operand& a, const operand& b) {
  node_builder n("BitwiseAnd", {a, b});
  return n.build();
}

/// Inverts all bits of each element (BitwiseNot, opset 18).
inline value bitwise_not(const operand& x) {
  node_builder n("BitwiseNot", {x});
  return n.build();
}

/// Computes the bitwise or of two tensors elementwise, with broadcasting (BitwiseOr, opset 18).
inline value bitwise_or(const operand& a, const operand& b) {
  node_builder n("BitwiseOr", {a, b});
  return n.build();
}

/// Computes the bitwise exclusive or of two tensors elementwise, with broadcasting (BitwiseXor, opset 18).
inline value bitwise_xor(const operand& a, const operand& b) {
  node_builder n("BitwiseXor", {a, b});
  return n.build();
}

/// Rounds each element up to an integer (Ceil).
inline value ceil(const operand& x) {
  node_builder n("Ceil", {x});
  return n.build();
}

/// Limits each element to an interval (Clip).
inline value clip(const operand& input, const operand& min = {}, const operand& max = {}) {
  node_builder n("Clip", {input, min, max});
  return n.build();
}

/// Computes the cosine of each element (Cos).
inline value cos(const operand& input) {
  node_builder n("Cos", {input});
  return n.build();
}

/// Computes the hyperbolic cosine of each element (Cosh).
inline value cosh(const operand& input) {
  node_builder n("Cosh", {input});
  return n.build();
}

/// Divides two tensors elementwise, with broadcasting (Div).
inline value div(const operand& a, const operand& b) {
  node_builder n("Div", {a, b});
  return n.build();
}

/// Returns elementwise whether a = b, with broadcasting (Equal).
inline value equal(const operand& a, const operand& b) {
  node_builder n("Equal", {a, b});
  return n.build();
}

/// Computes the error function of each element (Erf).
inline value erf(const operand& input) {
  node_builder n("Erf", {input});
  return n.build();
}

/// Computes the exponential of each element (Exp).
inline value exp(const operand& input) {
  node_builder n("Exp", {input});
  return n.build();
}

/// Rounds each element down to an integer (Floor).
inline value floor(const operand& x) {
  node_builder n("Floor", {x});
  return n.build();
}

/// Returns elementwise whether a > b, with broadcasting (Greater).
inline value greater(const operand& a, const operand& b) {
  node_builder n("Greater", {a, b});
  return n.build();
}

/// Returns elementwise whether a >= b, with broadcasting (GreaterOrEqual).
inline value greater_or_equal(const operand& a, const operand& b) {
  node_builder n("GreaterOrEqual", {a, b});
  return n.build();
}

/// The attributes of isinf.
struct isinf_attributes {
  flag detect_negative = true;
  flag detect_positive = true;
};
/// Returns which elements are infinite (IsInf).
inline value isinf(const operand& x, const isinf_attributes& attributes = {}) {
  node_builder n("IsInf", {x});
  n.set("detect_negative", attributes.detect_negative, true);
  n.set("detect_positive", attributes.detect_positive, true);
  return n.build();
}

/// Returns which elements are NaN (IsNaN).
inline value isnan(const operand& x) {
  node_builder n("IsNaN", {x});
  return n.build();
}

/// Returns elementwise whether a < b, with broadcasting (Less).
inline value less(const operand& a, const operand& b) {
  node_builder n("Less", {a, b});
  return n.build();
}

/// Returns elementwise whether a <= b, with broadcasting (LessOrEqual).
inline value less_or_equal(const operand& a, const operand& b) {
  node_builder n("LessOrEqual", {a, b});
  return n.build();
}

/// Computes the natural logarithm of each element (Log).
inline value log(const operand& input) {
  node_builder n("Log", {input});
  return n.build();
}

/// Computes the elementwise maximum of all operands, with broadcasting (Max).
inline value max(const operands& data_0) {
  node_builder n("Max", {});
  n.add(data_0);
  return n.build();
}

/// Computes the elementwise mean of all operands, with broadcasting (Mean).
inline value mean(const operands& data_0) {
  node_builder n("Mean", {});
  n.add(data_0);
  return n.build();
}

/// Computes the elementwise minimum of all operands, with broadcasting (Min).
inline value min(const operands& data_0) {
  node_builder n("Min", {});
  n.add(data_0);
  return n.build();
}

/// The attributes of mod.
struct mod_attributes {
  flag fmod = false;
};
/// Computes the remainder of a division elementwise, with broadcasting (Mod).
inline value mod(const operand& a, const operand& b, const mod_attributes& attributes = {}) {
  node_builder n("Mod", {a, b});
  n.set("fmod", attributes.fmod, false);
  return n.build();
}

/// Multiplies two tensors elementwise, with broadcasting (Mul).
inline value mul(const operand& a, const operand& b) {
  node_builder n("Mul", {a, b});
  return n.build();
}

/// Negates each element (Neg).
inline value neg(const operand& x) {
  node_builder n("Neg", {x});
  return n.build();
}

/// Computes the logical negation of each element (Not).
inline value not_(const operand& x) {
  node_builder n("Not", {x});
  return n.build();
}

/// Computes the logical or of two tensors elementwise, with broadcasting (Or).
inline value or_(const operand& a, const operand& b) {
  node_builder n("Or", {a, b});
  return n.build();
}

/// Raises the first tensor to the power of the second one elementwise, with broadcasting (Pow).
inline value pow(const operand& x, const operand& y) {
  node_builder n("Pow", {x, y});
  return n.build();
}

/// Computes 1 / x for each element (Reciprocal).
inline value reciprocal(const operand& x) {
  node_builder n("Reciprocal", {x});
  return n.build();
}

/// Rounds each element to the nearest integer, and halves to the even one (Round).
inline value round(const operand& x) {
  node_builder n("Round", {x});
  return n.build();
}

/// Computes the sign of each element: -1, 0 or 1 (Sign).
inline value sign(const operand& input) {
  node_builder n("Sign", {input});
  return n.build();
}

/// Computes the sine of each element (Sin).
inline value sin(const operand& input) {
  node_builder n("Sin", {input});
  return n.build();
}

/// Computes the hyperbolic sine of each element (Sinh).
inline value sinh(const operand& input) {
  node_builder n("Sinh", {input});
  return n.build();
}

/// Computes the square root of each element (Sqrt).
inline value sqrt(const operand& x) {
  node_builder n("Sqrt", {x});
  return n.build();
}

/// Subtracts two tensors elementwise, with broadcasting (Sub).
inline value sub(const operand& a, const operand& b) {
  node_builder n("Sub", {a, b});
  return n.build();
}

/// Adds all operands elementwise, with broadcasting (Sum).
inline value sum(const operands& data_0) {
  node_builder n("Sum", {});
  n.add(data_0);
  return n.build();
}

/// Computes the tangent of each element (Tan).
inline value tan(const operand& input) {
  node_builder n("Tan", {input});
  return n.build();
}

/// Computes the hyperbolic tangent of each element (Tanh).
inline value tanh(const operand& input) {
  node_builder n("Tanh", {input});
  return n.build();
}

/// Selects elements of X where the condition is true, else of Y, with broadcasting (Where).
inline value where(const operand& condition, const operand& x, const operand& y) {
  node_builder n("Where", {condition, x, y});
  return n.build();
}

/// Computes the logical exclusive or of two tensors elementwise, with broadcasting (Xor).
inline value xor_(const operand& a, const operand& b) {
  node_builder n("Xor", {a, b});
  return n.build();
}

}  // namespace jax2onnx
