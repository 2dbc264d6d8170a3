#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <jax2onnx/graph/op_name.hpp>

/// Operators, alone and by what they do to shapes.
namespace jax2onnx::rewrite {

/// These operators: ops<"Mul", "Div">.
template <jax2onnx::detail::op_name... Names>
inline constexpr std::array<std::string_view, sizeof...(Names)> ops{Names.view()...};

/// Whether `op` is one of `set`.
constexpr bool contains(std::span<const std::string_view> set, std::string_view op) {
  for (const std::string_view member : set)
    if (member == op) return true;
  return false;
}

/// One operand, mapped element by element.
inline constexpr std::string_view unary_ops[] = {
    "Abs",      "Acos",        "Acosh",     "Asin",  "Asinh", "Atan",      "Atanh", "BitwiseNot", "Cast",
    "Ceil",     "Celu",        "Clip",      "Cos",   "Cosh",  "Elu",       "Erf",   "Exp",        "Floor",
    "Gelu",     "HardSigmoid", "HardSwish", "IsInf", "IsNaN", "LeakyRelu", "Log",   "Mish",       "Neg",
    "Not",      "Reciprocal",  "Relu",      "Round", "Selu",  "Sigmoid",   "Sign",  "Sin",        "Sinh",
    "Softplus", "Softsign",    "Sqrt",      "Swish", "Tan",   "Tanh"};

/// Operands that broadcast.
inline constexpr std::string_view broadcasting_ops[] = {
    "Add",        "And",         "BitShift", "BitwiseAnd", "BitwiseOr",
    "BitwiseXor", "Div",         "Equal",    "Greater",    "GreaterOrEqual",
    "Less",       "LessOrEqual", "Max",      "Min",        "Mod",
    "Mul",        "Or",          "Pow",      "Sub",        "Where",
    "Xor"};

/// The elements in their order in another shape.
inline constexpr std::string_view reshape_ops[] = {"Reshape", "Squeeze", "Unsqueeze", "Flatten"};

inline constexpr std::string_view reduce_ops[] = {"ReduceL1",  "ReduceL2",       "ReduceLogSum", "ReduceLogSumExp",
                                                  "ReduceMax", "ReduceMean",     "ReduceMin",    "ReduceProd",
                                                  "ReduceSum", "ReduceSumSquare"};

}  // namespace jax2onnx::rewrite
