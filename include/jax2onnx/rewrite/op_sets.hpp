#pragma once

#include <string_view>

/// Operators by what they do to shapes.
namespace jax2onnx::rewrite {

/// One operand, mapped element by element.
inline constexpr std::string_view unary_ops[] = {
    "Abs",   "Acos",  "Acosh", "Asin",     "Asinh",      "Atan",    "Atanh",     "BitwiseNot", "Cast",    "Ceil",
    "Celu",  "Clip", "Cos",   "Cosh",  "Elu",      "Erf",        "Exp",     "Floor",     "Gelu",       "HardSigmoid",
    "HardSwish",      "IsInf", "IsNaN",    "LeakyRelu",  "Log",     "Mish",      "Neg",        "Not",     "Reciprocal",
    "Relu",  "Round", "Selu",  "Sigmoid",  "Sign",       "Sin",     "Sinh",      "Softplus",   "Softsign", "Sqrt",
    "Swish", "Tan",   "Tanh"};

/// Operands that broadcast.
inline constexpr std::string_view broadcasting_ops[] = {
    "Add",   "And",  "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Div", "Equal", "Greater", "GreaterOrEqual", "Less",
    "LessOrEqual", "Max", "Min", "Mod", "Mul", "Or", "Pow", "Sub", "Where", "Xor"};

inline constexpr std::string_view reduce_ops[] = {"ReduceL1",  "ReduceL2",  "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
                                                  "ReduceMean", "ReduceMin", "ReduceProd",   "ReduceSum",       "ReduceSumSquare"};

}  // namespace jax2onnx::rewrite
