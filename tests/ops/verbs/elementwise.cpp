// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/elementwise.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding elementwise_rebuildings[];
const rebuilding elementwise_rebuildings[] = {
    {"", "Abs", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::abs(n.in(0))}; }},
    {"", "Acos", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::acos(n.in(0))}; }},
    {"", "Acosh", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::acosh(n.in(0))}; }},
    {"", "Add", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::add(n.in(0), n.in(1))}; }},
    {"", "And", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::and_(n.in(0), n.in(1))}; }},
    {"", "Asin", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::asin(n.in(0))}; }},
    {"", "Asinh", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::asinh(n.in(0))}; }},
    {"", "Atan", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::atan(n.in(0))}; }},
    {"", "Atanh", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::atanh(n.in(0))}; }},
    {"", "BitShift",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::bit_shift(n.in(0), n.in(1), {.direction = n.get<jax2onnx::shift_direction>("direction")})};
     }},
    {"", "BitwiseAnd",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::bitwise_and(n.in(0), n.in(1))}; }},
    {"", "BitwiseNot", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::bitwise_not(n.in(0))}; }},
    {"", "BitwiseOr",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::bitwise_or(n.in(0), n.in(1))}; }},
    {"", "BitwiseXor",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::bitwise_xor(n.in(0), n.in(1))}; }},
    {"", "Ceil", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::ceil(n.in(0))}; }},
    {"", "Clip", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::clip(n.in(0), n.in(1), n.in(2))}; }},
    {"", "Cos", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::cos(n.in(0))}; }},
    {"", "Cosh", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::cosh(n.in(0))}; }},
    {"", "Div", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::div(n.in(0), n.in(1))}; }},
    {"", "Equal", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::equal(n.in(0), n.in(1))}; }},
    {"", "Erf", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::erf(n.in(0))}; }},
    {"", "Exp", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::exp(n.in(0))}; }},
    {"", "Floor", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::floor(n.in(0))}; }},
    {"", "Greater", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::greater(n.in(0), n.in(1))}; }},
    {"", "GreaterOrEqual",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::greater_or_equal(n.in(0), n.in(1))}; }},
    {"", "IsInf",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::isinf(n.in(0), {.detect_negative = n.get<flag>("detect_negative", true),
                                         .detect_positive = n.get<flag>("detect_positive", true)})};
     }},
    {"", "IsNaN", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::isnan(n.in(0))}; }},
    {"", "Less", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::less(n.in(0), n.in(1))}; }},
    {"", "LessOrEqual",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::less_or_equal(n.in(0), n.in(1))}; }},
    {"", "Log", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::log(n.in(0))}; }},
    {"", "Max", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::max(n.rest(0))}; }},
    {"", "Mean", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::mean(n.rest(0))}; }},
    {"", "Min", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::min(n.rest(0))}; }},
    {"", "Mod",
     [](const node_parts& n)
         -> std::vector<value> { return {jax2onnx::mod(n.in(0), n.in(1), {.fmod = n.get<flag>("fmod", false)})}; }},
    {"", "Mul", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::mul(n.in(0), n.in(1))}; }},
    {"", "Neg", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::neg(n.in(0))}; }},
    {"", "Not", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::not_(n.in(0))}; }},
    {"", "Or", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::or_(n.in(0), n.in(1))}; }},
    {"", "Pow", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::pow(n.in(0), n.in(1))}; }},
    {"", "Reciprocal", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::reciprocal(n.in(0))}; }},
    {"", "Round", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::round(n.in(0))}; }},
    {"", "Sign", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sign(n.in(0))}; }},
    {"", "Sin", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sin(n.in(0))}; }},
    {"", "Sinh", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sinh(n.in(0))}; }},
    {"", "Sqrt", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sqrt(n.in(0))}; }},
    {"", "Sub", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sub(n.in(0), n.in(1))}; }},
    {"", "Sum", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sum(n.rest(0))}; }},
    {"", "Tan", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::tan(n.in(0))}; }},
    {"", "Tanh", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::tanh(n.in(0))}; }},
    {"", "Where",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::where(n.in(0), n.in(1), n.in(2))}; }},
    {"", "Xor", [](const node_parts& n) -> std::vector<value> { return {jax2onnx::xor_(n.in(0), n.in(1))}; }},
    {},
};

}  // namespace jax2onnx
