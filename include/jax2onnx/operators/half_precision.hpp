// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/by_operator.hpp>

/// The precision in which each operator of ai.onnx computes if a model is to compute in float16.
namespace jax2onnx::operators {

/// The precision of an operator of float32 in a model that computes in float16.
enum class half_precision : std::uint8_t {
  computes,  ///< float16, since its kernels accumulate in float32, or since a sum of products tolerates float16
  follows,   ///< the precision of its operands, which is float16 unless one of them is float32
  rounds,    ///< float32, but with float16 results: float16 has enough digits and range for them
  never,     ///< float32, also for the results: they may be large or small, or differences of them matter
};

namespace operators_detail {

/// A row of the table.
struct half_precision_row {
  operator_name op;          ///< an operator of ai.onnx
  half_precision precision;  ///< how the operator computes
};

/// Operators without a row are `never`.
inline constexpr half_precision_row half_precision_table[] = {
    {"Attention", half_precision::computes},
    {"Conv", half_precision::computes},
    {"ConvTranspose", half_precision::computes},
    {"DequantizeLinear", half_precision::computes},
    {"Einsum", half_precision::computes},
    {"Gemm", half_precision::computes},
    {"MatMul", half_precision::computes},
    {"RotaryEmbedding", half_precision::computes},

    {"Abs", half_precision::follows},
    {"Add", half_precision::follows},
    {"ArgMax", half_precision::follows},
    {"ArgMin", half_precision::follows},
    {"AveragePool", half_precision::follows},
    {"Ceil", half_precision::follows},
    {"Celu", half_precision::follows},
    {"CenterCropPad", half_precision::follows},
    {"Clip", half_precision::follows},
    {"Compress", half_precision::follows},
    {"Concat", half_precision::follows},
    {"DepthToSpace", half_precision::follows},
    {"Div", half_precision::follows},
    {"Elu", half_precision::follows},
    {"Equal", half_precision::follows},
    {"Expand", half_precision::follows},
    {"Flatten", half_precision::follows},
    {"Floor", half_precision::follows},
    {"Gather", half_precision::follows},
    {"GatherElements", half_precision::follows},
    {"GatherND", half_precision::follows},
    {"Gelu", half_precision::follows},
    {"GlobalAveragePool", half_precision::follows},
    {"GlobalMaxPool", half_precision::follows},
    {"Greater", half_precision::follows},
    {"GreaterOrEqual", half_precision::follows},
    {"HardSigmoid", half_precision::follows},
    {"HardSwish", half_precision::follows},
    {"Identity", half_precision::follows},
    {"IsInf", half_precision::follows},
    {"IsNaN", half_precision::follows},
    {"LayerNormalization", half_precision::follows},
    {"LeakyRelu", half_precision::follows},
    {"Less", half_precision::follows},
    {"LessOrEqual", half_precision::follows},
    {"Max", half_precision::follows},
    {"MaxPool", half_precision::follows},
    {"Min", half_precision::follows},
    {"Mul", half_precision::follows},
    {"Neg", half_precision::follows},
    {"OneHot", half_precision::follows},
    {"PRelu", half_precision::follows},
    {"Pad", half_precision::follows},
    {"ReduceMax", half_precision::follows},
    {"ReduceMin", half_precision::follows},
    {"RMSNormalization", half_precision::follows},
    {"Relu", half_precision::follows},
    {"Reshape", half_precision::follows},
    {"ReverseSequence", half_precision::follows},
    {"Round", half_precision::follows},
    {"ScatterElements", half_precision::follows},
    {"ScatterND", half_precision::follows},
    {"Selu", half_precision::follows},
    {"Shrink", half_precision::follows},
    {"Sigmoid", half_precision::follows},
    {"Sign", half_precision::follows},
    {"Slice", half_precision::follows},
    {"Softsign", half_precision::follows},
    {"SpaceToDepth", half_precision::follows},
    {"Split", half_precision::follows},
    {"Sqrt", half_precision::follows},
    {"Squeeze", half_precision::follows},
    {"Sub", half_precision::follows},
    {"Sum", half_precision::follows},
    {"Swish", half_precision::follows},
    {"Tanh", half_precision::follows},
    {"TensorScatter", half_precision::follows},
    {"ThresholdedRelu", half_precision::follows},
    {"Tile", half_precision::follows},
    {"TopK", half_precision::follows},
    {"Transpose", half_precision::follows},
    {"Trilu", half_precision::follows},
    {"Unsqueeze", half_precision::follows},
    {"Where", half_precision::follows},

    {"Atan", half_precision::rounds},
    {"BatchNormalization", half_precision::rounds},
    {"Bernoulli", half_precision::rounds},
    {"Cos", half_precision::rounds},
    {"EyeLike", half_precision::rounds},
    {"GRU", half_precision::rounds},
    {"GridSample", half_precision::rounds},
    {"GroupNormalization", half_precision::rounds},
    {"InstanceNormalization", half_precision::rounds},
    {"LRN", half_precision::rounds},
    {"LSTM", half_precision::rounds},
    {"LpNormalization", half_precision::rounds},
    {"MeanVarianceNormalization", half_precision::rounds},
    {"Mish", half_precision::rounds},
    {"RNN", half_precision::rounds},
    {"Resize", half_precision::rounds},
    {"Sin", half_precision::rounds},
    {"Softmax", half_precision::rounds},
};
inline constexpr by_operator half_precisions{half_precision_table};

}  // namespace operators_detail

/// The precision of an operator; `never` for a node of another domain.
inline half_precision half_precision_of(const node& n) {
  const auto* row = n.domain.empty() ? operators_detail::half_precisions.find(n.op) : nullptr;
  return row ? row->precision : half_precision::never;
}

}  // namespace jax2onnx::operators
