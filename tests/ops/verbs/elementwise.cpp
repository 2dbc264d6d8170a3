// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/elementwise.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding elementwise_rebuildings[];
const rebuilding elementwise_rebuildings[] = {
    {"", "Abs", [](const node_parts& n) -> std::vector<value> { return {verbatim::abs(n.in(0))}; }},
    {"", "Acos", [](const node_parts& n) -> std::vector<value> { return {verbatim::acos(n.in(0))}; }},
    {"", "Acosh", [](const node_parts& n) -> std::vector<value> { return {verbatim::acosh(n.in(0))}; }},
    {"", "Add", [](const node_parts& n) -> std::vector<value> { return {verbatim::add(n.in(0), n.in(1))}; }},
    {"", "And", [](const node_parts& n) -> std::vector<value> { return {verbatim::and_(n.in(0), n.in(1))}; }},
    {"", "Asin", [](const node_parts& n) -> std::vector<value> { return {verbatim::asin(n.in(0))}; }},
    {"", "Asinh", [](const node_parts& n) -> std::vector<value> { return {verbatim::asinh(n.in(0))}; }},
    {"", "Atan", [](const node_parts& n) -> std::vector<value> { return {verbatim::atan(n.in(0))}; }},
    {"", "Atanh", [](const node_parts& n) -> std::vector<value> { return {verbatim::atanh(n.in(0))}; }},
    {"", "BitShift",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::bit_shift(n.in(0), n.in(1), {.direction = n.get<jax2onnx::shift_direction>("direction")})};
     }},
    {"", "BitwiseAnd",
     [](const node_parts& n) -> std::vector<value> { return {verbatim::bitwise_and(n.in(0), n.in(1))}; }},
    {"", "BitwiseNot", [](const node_parts& n) -> std::vector<value> { return {verbatim::bitwise_not(n.in(0))}; }},
    {"", "BitwiseOr",
     [](const node_parts& n) -> std::vector<value> { return {verbatim::bitwise_or(n.in(0), n.in(1))}; }},
    {"", "BitwiseXor",
     [](const node_parts& n) -> std::vector<value> { return {verbatim::bitwise_xor(n.in(0), n.in(1))}; }},
    {"", "Ceil", [](const node_parts& n) -> std::vector<value> { return {verbatim::ceil(n.in(0))}; }},
    {"", "Clip", [](const node_parts& n) -> std::vector<value> { return {verbatim::clip(n.in(0), n.in(1), n.in(2))}; }},
    {"", "Cos", [](const node_parts& n) -> std::vector<value> { return {verbatim::cos(n.in(0))}; }},
    {"", "Cosh", [](const node_parts& n) -> std::vector<value> { return {verbatim::cosh(n.in(0))}; }},
    {"", "Div", [](const node_parts& n) -> std::vector<value> { return {verbatim::div(n.in(0), n.in(1))}; }},
    {"", "Equal", [](const node_parts& n) -> std::vector<value> { return {verbatim::equal(n.in(0), n.in(1))}; }},
    {"", "Erf", [](const node_parts& n) -> std::vector<value> { return {verbatim::erf(n.in(0))}; }},
    {"", "Exp", [](const node_parts& n) -> std::vector<value> { return {verbatim::exp(n.in(0))}; }},
    {"", "Floor", [](const node_parts& n) -> std::vector<value> { return {verbatim::floor(n.in(0))}; }},
    {"", "Greater", [](const node_parts& n) -> std::vector<value> { return {verbatim::greater(n.in(0), n.in(1))}; }},
    {"", "GreaterOrEqual",
     [](const node_parts& n) -> std::vector<value> { return {verbatim::greater_or_equal(n.in(0), n.in(1))}; }},
    {"", "IsInf",
     [](const node_parts& n) -> std::vector<value> {
       return {verbatim::isinf(n.in(0), {.detect_negative = n.get<bool>("detect_negative", true),
                                         .detect_positive = n.get<bool>("detect_positive", true)})};
     }},
    {"", "IsNaN", [](const node_parts& n) -> std::vector<value> { return {verbatim::isnan(n.in(0))}; }},
    {"", "Less", [](const node_parts& n) -> std::vector<value> { return {verbatim::less(n.in(0), n.in(1))}; }},
    {"", "LessOrEqual",
     [](const node_parts& n) -> std::vector<value> { return {verbatim::less_or_equal(n.in(0), n.in(1))}; }},
    {"", "Log", [](const node_parts& n) -> std::vector<value> { return {verbatim::log(n.in(0))}; }},
    {"", "Max", [](const node_parts& n) -> std::vector<value> { return {verbatim::max(n.rest(0))}; }},
    {"", "Mean", [](const node_parts& n) -> std::vector<value> { return {verbatim::mean(n.rest(0))}; }},
    {"", "Min", [](const node_parts& n) -> std::vector<value> { return {verbatim::min(n.rest(0))}; }},
    {"", "Mod",
     [](const node_parts& n)
         -> std::vector<value> { return {verbatim::mod(n.in(0), n.in(1), {.fmod = n.get<bool>("fmod", false)})}; }},
    {"", "Mul", [](const node_parts& n) -> std::vector<value> { return {verbatim::mul(n.in(0), n.in(1))}; }},
    {"", "Neg", [](const node_parts& n) -> std::vector<value> { return {verbatim::neg(n.in(0))}; }},
    {"", "Not", [](const node_parts& n) -> std::vector<value> { return {verbatim::not_(n.in(0))}; }},
    {"", "Or", [](const node_parts& n) -> std::vector<value> { return {verbatim::or_(n.in(0), n.in(1))}; }},
    {"", "Pow", [](const node_parts& n) -> std::vector<value> { return {verbatim::pow(n.in(0), n.in(1))}; }},
    {"", "Reciprocal", [](const node_parts& n) -> std::vector<value> { return {verbatim::reciprocal(n.in(0))}; }},
    {"", "Round", [](const node_parts& n) -> std::vector<value> { return {verbatim::round(n.in(0))}; }},
    {"", "Sign", [](const node_parts& n) -> std::vector<value> { return {verbatim::sign(n.in(0))}; }},
    {"", "Sin", [](const node_parts& n) -> std::vector<value> { return {verbatim::sin(n.in(0))}; }},
    {"", "Sinh", [](const node_parts& n) -> std::vector<value> { return {verbatim::sinh(n.in(0))}; }},
    {"", "Sqrt", [](const node_parts& n) -> std::vector<value> { return {verbatim::sqrt(n.in(0))}; }},
    {"", "Sub", [](const node_parts& n) -> std::vector<value> { return {verbatim::sub(n.in(0), n.in(1))}; }},
    {"", "Sum", [](const node_parts& n) -> std::vector<value> { return {verbatim::sum(n.rest(0))}; }},
    {"", "Tan", [](const node_parts& n) -> std::vector<value> { return {verbatim::tan(n.in(0))}; }},
    {"", "Tanh", [](const node_parts& n) -> std::vector<value> { return {verbatim::tanh(n.in(0))}; }},
    {"", "Where",
     [](const node_parts& n) -> std::vector<value> { return {verbatim::where(n.in(0), n.in(1), n.in(2))}; }},
    {"", "Xor", [](const node_parts& n) -> std::vector<value> { return {verbatim::xor_(n.in(0), n.in(1))}; }},
    {},
};

}  // namespace jax2onnx
