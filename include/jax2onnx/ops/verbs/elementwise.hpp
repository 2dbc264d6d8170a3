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

/// Absolute takes one input data (Tensor) and produces one output data (Tensor) where absolute value, y = abs(x), is
/// applied to the tensor elementwise (Abs).
inline value abs(const operand& x) {
  node_builder n("Abs", {x});
  return n.build();
}

/// Calculates the arccosine (inverse of cosine) of the given input tensor, element-wise (Acos).
inline value acos(const operand& input) {
  node_builder n("Acos", {input});
  return n.build();
}

/// Calculates the hyperbolic arccosine of the given input tensor element-wise (Acosh).
inline value acosh(const operand& input) {
  node_builder n("Acosh", {input});
  return n.build();
}

/// Performs element-wise binary addition (with Numpy-style broadcasting support) (Add).
inline value add(const operand& a, const operand& b) {
  node_builder n("Add", {a, b});
  return n.build();
}

/// Returns the tensor resulted from performing the and logical operation elementwise on the input tensors A and B
/// (with Numpy-style broadcasting support) (And).
inline value and_(const operand& a, const operand& b) {
  node_builder n("And", {a, b});
  return n.build();
}

/// Calculates the arcsine (inverse of sine) of the given input tensor, element-wise (Asin).
inline value asin(const operand& input) {
  node_builder n("Asin", {input});
  return n.build();
}

/// Calculates the hyperbolic arcsine of the given input tensor element-wise (Asinh).
inline value asinh(const operand& input) {
  node_builder n("Asinh", {input});
  return n.build();
}

/// Calculates the arctangent (inverse of tangent) of the given input tensor, element-wise (Atan).
inline value atan(const operand& input) {
  node_builder n("Atan", {input});
  return n.build();
}

/// Calculates the hyperbolic arctangent of the given input tensor element-wise (Atanh).
inline value atanh(const operand& input) {
  node_builder n("Atanh", {input});
  return n.build();
}

/// The attributes of bit_shift.
struct bit_shift_attributes {
  required<jax2onnx::shift_direction, struct bit_shift_needs_direction> direction;
};
/// Bitwise shift operator performs element-wise operation (BitShift).
inline value bit_shift(const operand& x, const operand& y, const bit_shift_attributes& attributes = {}) {
  node_builder n("BitShift", {x, y});
  n.set("direction", attributes.direction);
  return n.build();
}

/// Returns the tensor resulting from performing the bitwise and operation elementwise on the input tensors A and B
/// (with Numpy-style broadcasting support) (BitwiseAnd, opset 18).
inline value bitwise_and(const operand& a, const operand& b) {
  node_builder n("BitwiseAnd", {a, b});
  return n.build();
}

/// Returns the bitwise not of the input tensor element-wise (BitwiseNot, opset 18).
inline value bitwise_not(const operand& x) {
  node_builder n("BitwiseNot", {x});
  return n.build();
}

/// Returns the tensor resulting from performing the bitwise or operation elementwise on the input tensors A and B
/// (with Numpy-style broadcasting support) (BitwiseOr, opset 18).
inline value bitwise_or(const operand& a, const operand& b) {
  node_builder n("BitwiseOr", {a, b});
  return n.build();
}

/// Returns the tensor resulting from performing the bitwise xor operation elementwise on the input tensors A and B
/// (with Numpy-style broadcasting support) (BitwiseXor, opset 18).
inline value bitwise_xor(const operand& a, const operand& b) {
  node_builder n("BitwiseXor", {a, b});
  return n.build();
}

/// Ceil takes one input data (Tensor) and produces one output data (Tensor) where the ceil is, y = ceil(x), is
/// applied to the tensor elementwise (Ceil).
inline value ceil(const operand& x) {
  node_builder n("Ceil", {x});
  return n.build();
}

/// Clip operator limits the given input within an interval (Clip).
inline value clip(const operand& input, const operand& min = {}, const operand& max = {}) {
  node_builder n("Clip", {input, min, max});
  return n.build();
}

/// Calculates the cosine of the given input tensor, element-wise (Cos).
inline value cos(const operand& input) {
  node_builder n("Cos", {input});
  return n.build();
}

/// Calculates the hyperbolic cosine of the given input tensor element-wise (Cosh).
inline value cosh(const operand& input) {
  node_builder n("Cosh", {input});
  return n.build();
}

/// Performs element-wise binary division (with Numpy-style broadcasting support) (Div).
inline value div(const operand& a, const operand& b) {
  node_builder n("Div", {a, b});
  return n.build();
}

/// Returns the tensor resulted from performing the equal logical operation elementwise on the input tensors A and B
/// (with Numpy-style broadcasting support) (Equal).
inline value equal(const operand& a, const operand& b) {
  node_builder n("Equal", {a, b});
  return n.build();
}

/// Computes the error function of the given input tensor element-wise (Erf).
inline value erf(const operand& input) {
  node_builder n("Erf", {input});
  return n.build();
}

/// Calculates the exponential of the given input tensor, element-wise (Exp).
inline value exp(const operand& input) {
  node_builder n("Exp", {input});
  return n.build();
}

/// Floor takes one input data (Tensor) and produces one output data (Tensor) where the floor is, y = floor(x), is
/// applied to the tensor elementwise (Floor).
inline value floor(const operand& x) {
  node_builder n("Floor", {x});
  return n.build();
}

/// Returns the tensor resulted from performing the greater logical operation elementwise on the input tensors A and B
/// (with Numpy-style broadcasting support) (Greater).
inline value greater(const operand& a, const operand& b) {
  node_builder n("Greater", {a, b});
  return n.build();
}

/// Returns the tensor resulted from performing the greater_equal logical operation elementwise on the input tensors A
/// and B (with Numpy-style broadcasting support) (GreaterOrEqual).
inline value greater_or_equal(const operand& a, const operand& b) {
  node_builder n("GreaterOrEqual", {a, b});
  return n.build();
}

/// The attributes of isinf.
struct isinf_attributes {
  flag detect_negative = true;
  flag detect_positive = true;
};
/// Map infinity to true and other values to false (IsInf).
inline value isinf(const operand& x, const isinf_attributes& attributes = {}) {
  node_builder n("IsInf", {x});
  n.set("detect_negative", attributes.detect_negative, true);
  n.set("detect_positive", attributes.detect_positive, true);
  return n.build();
}

/// Returns which elements of the input are NaN (IsNaN).
inline value isnan(const operand& x) {
  node_builder n("IsNaN", {x});
  return n.build();
}

/// Returns the tensor resulted from performing the less logical operation elementwise on the input tensors A and B
/// (with Numpy-style broadcasting support) (Less).
inline value less(const operand& a, const operand& b) {
  node_builder n("Less", {a, b});
  return n.build();
}

/// Returns the tensor resulted from performing the less_equal logical operation elementwise on the input tensors A
/// and B (with Numpy-style broadcasting support) (LessOrEqual).
inline value less_or_equal(const operand& a, const operand& b) {
  node_builder n("LessOrEqual", {a, b});
  return n.build();
}

/// Calculates the natural log of the given input tensor, element-wise (Log).
inline value log(const operand& input) {
  node_builder n("Log", {input});
  return n.build();
}

/// Element-wise max of each of the input tensors (with Numpy-style broadcasting support) (Max).
inline value max(const operands& data_0) {
  node_builder n("Max", {});
  n.add(data_0);
  return n.build();
}

/// Element-wise mean of each of the input tensors (with Numpy-style broadcasting support) (Mean).
inline value mean(const operands& data_0) {
  node_builder n("Mean", {});
  n.add(data_0);
  return n.build();
}

/// Element-wise min of each of the input tensors (with Numpy-style broadcasting support) (Min).
inline value min(const operands& data_0) {
  node_builder n("Min", {});
  n.add(data_0);
  return n.build();
}

/// The attributes of mod.
struct mod_attributes {
  flag fmod = false;
};
/// Performs an element-wise binary modulo operation (Mod).
inline value mod(const operand& a, const operand& b, const mod_attributes& attributes = {}) {
  node_builder n("Mod", {a, b});
  n.set("fmod", attributes.fmod, false);
  return n.build();
}

/// Performs element-wise binary multiplication (with Numpy-style broadcasting support) (Mul).
inline value mul(const operand& a, const operand& b) {
  node_builder n("Mul", {a, b});
  return n.build();
}

/// Neg takes one input data (Tensor) and produces one output data (Tensor) where each element flipped sign, y = -x,
/// is applied to the tensor elementwise (Neg).
inline value neg(const operand& x) {
  node_builder n("Neg", {x});
  return n.build();
}

/// Returns the negation of the input tensor element-wise (Not).
inline value not_(const operand& x) {
  node_builder n("Not", {x});
  return n.build();
}

/// Returns the tensor resulted from performing the or logical operation elementwise on the input tensors A and B
/// (with Numpy-style broadcasting support) (Or).
inline value or_(const operand& a, const operand& b) {
  node_builder n("Or", {a, b});
  return n.build();
}

/// Pow takes input data (Tensor) and exponent Tensor, and produces one output data (Tensor) where the function f(x) =
/// x^exponent, is applied to the data tensor elementwise (Pow).
inline value pow(const operand& x, const operand& y) {
  node_builder n("Pow", {x, y});
  return n.build();
}

/// Reciprocal takes one input data (Tensor) and produces one output data (Tensor) where the reciprocal is, y = 1/x,
/// is applied to the tensor elementwise (Reciprocal).
inline value reciprocal(const operand& x) {
  node_builder n("Reciprocal", {x});
  return n.build();
}

/// Round takes one input Tensor and rounds the values, element-wise, meaning it finds the nearest integer for each
/// value (Round).
inline value round(const operand& x) {
  node_builder n("Round", {x});
  return n.build();
}

/// Calculate the sign of the given input tensor element-wise (Sign).
inline value sign(const operand& input) {
  node_builder n("Sign", {input});
  return n.build();
}

/// Calculates the sine of the given input tensor, element-wise (Sin).
inline value sin(const operand& input) {
  node_builder n("Sin", {input});
  return n.build();
}

/// Calculates the hyperbolic sine of the given input tensor element-wise (Sinh).
inline value sinh(const operand& input) {
  node_builder n("Sinh", {input});
  return n.build();
}

/// Square root takes one input data (Tensor) and produces one output data (Tensor) where the square root is, y =
/// x^0.5, is applied to the tensor elementwise (Sqrt).
inline value sqrt(const operand& x) {
  node_builder n("Sqrt", {x});
  return n.build();
}

/// Performs element-wise binary subtraction (with Numpy-style broadcasting support) (Sub).
inline value sub(const operand& a, const operand& b) {
  node_builder n("Sub", {a, b});
  return n.build();
}

/// Element-wise sum of each of the input tensors (with Numpy-style broadcasting support) (Sum).
inline value sum(const operands& data_0) {
  node_builder n("Sum", {});
  n.add(data_0);
  return n.build();
}

/// Calculates the tangent of the given input tensor, element-wise (Tan).
inline value tan(const operand& input) {
  node_builder n("Tan", {input});
  return n.build();
}

/// Calculates the hyperbolic tangent of the given input tensor element-wise (Tanh).
inline value tanh(const operand& input) {
  node_builder n("Tanh", {input});
  return n.build();
}

/// Return elements, either from X or Y, depending on condition (Where).
inline value where(const operand& condition, const operand& x, const operand& y) {
  node_builder n("Where", {condition, x, y});
  return n.build();
}

/// Returns the tensor resulted from performing the xor logical operation elementwise on the input tensors A and B
/// (with Numpy-style broadcasting support) (Xor).
inline value xor_(const operand& a, const operand& b) {
  node_builder n("Xor", {a, b});
  return n.build();
}

}  // namespace jax2onnx
