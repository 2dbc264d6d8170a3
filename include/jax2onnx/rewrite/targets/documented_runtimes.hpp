// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

#include <jax2onnx/rewrite/engine/target.hpp>

/// Runtimes with a list of the operators that they have. The list of ncnn, which has few operators, is what its
/// converter accepts. No test can run the other runtimes; their lists are from their documentation.
namespace jax2onnx::rewrite::detail {

namespace documented {
/// docs/operators.md of onnx-tensorrt, TensorRT 10.15.
inline constexpr std::string_view tensorrt =
    " Abs Acos Acosh Add And ArgMax ArgMin Asin Asinh Atan Atanh Attention AveragePool BatchNormalization "
    "BlackmanWindow Cast CastLike Ceil Celu Clip Concat Constant ConstantOfShape Conv ConvTranspose Cos Cosh "
    "CumSum DeformConv DepthToSpace DequantizeLinear Div Dropout Einsum Elu Equal Erf Exp Expand EyeLike "
    "Flatten Floor GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool "
    "Greater GreaterOrEqual GridSample GroupNormalization HammingWindow HannWindow HardSigmoid HardSwish "
    "Hardmax Identity If InstanceNormalization IsInf IsNaN LRN LSTM LayerNormalization LeakyRelu Less "
    "LessOrEqual Log LogSoftmax Loop LpNormalization LpPool MatMul Max MaxPool Mean MeanVarianceNormalization "
    "Min Mish Mod Mul Neg NonMaxSuppression NonZero Not OneHot Or PRelu Pad Pow QuantizeLinear "
    "RMSNormalization RNN RandomNormal RandomNormalLike RandomUniform RandomUniformLike Range Reciprocal "
    "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
    "ReduceSumSquare Relu Reshape Resize ReverseSequence RoiAlign RotaryEmbedding Round STFT Scan "
    "ScatterElements ScatterND Selu Shape Shrink Sigmoid Sign Sin Sinh Size Slice Softmax Softplus Softsign "
    "SpaceToDepth Split Sqrt Squeeze Sub Sum Swish Tan Tanh ThresholdedRelu Tile TopK Transpose Trilu "
    "Unsqueeze Where Xor ";
/// The ML programs of ONNX Runtime's CoreML provider: coreml_supported_mlprogram_ops.md of the 1.32 package.
inline constexpr std::string_view coreml =
    " Add And ArgMax AveragePool Cast Ceil Clip Concat Conv ConvTranspose Cos DepthToSpace Div Elu Erf Exp "
    "GatherND Gelu Gemm GlobalAveragePool GlobalMaxPool GridSample GroupNormalization HardSigmoid Identity "
    "InstanceNormalization LayerNormalization LeakyRelu MatMul Max MaxPool Mul PRelu Pow Reciprocal ReduceMax "
    "ReduceMean ReduceSum Relu Reshape Resize Round Shape Sigmoid Sin Slice Softmax Softplus Split Sqrt "
    "Squeeze Sub Tanh Tile Transpose Unsqueeze Where ";
/// ONNX Runtime's QNN provider: the operators that it registers, and the operators that the notes on its releases 2.4
/// to 2.8 add.
inline constexpr std::string_view qnn =
    " Abs Add And ArgMax ArgMin Asin Atan AveragePool BatchNormalization Cast Ceil Clip Concat Conv "
    "ConvTranspose Cos CumSum DepthToSpace DequantizeLinear Div Einsum Elu Equal Exp Expand Flatten Floor GRU "
    "Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalMaxPool Greater GreaterOrEqual "
    "GridSample HardSigmoid HardSwish If InstanceNormalization IsInf LRN LSTM LayerNormalization LeakyRelu "
    "Less LessOrEqual Log LogSoftmax LpNormalization LpPool MatMul Max MaxPool MaxRoiPool Mean Min Mod Mul "
    "Neg NonMaxSuppression Not OneHot Or PRelu Pad Pow QLinearConv QLinearMatMul QuantizeLinear "
    "RMSNormalization RandomUniformLike Reciprocal ReduceL2 ReduceLogSumExp ReduceMax ReduceMean ReduceMin "
    "ReduceProd ReduceSum Relu Reshape Resize Round STFT ScatterElements ScatterND Selu Shape Sigmoid Sign "
    "Sin Slice Softmax SpaceToDepth Split Sqrt Squeeze Sub Sum Swish Tanh ThresholdedRelu Tile TopK Transpose "
    "Unsqueeze Where Xor ";
/// ONNX Runtime's WebNN provider: webnn-operators.md of onnxruntime-web 1.22.
inline constexpr std::string_view webnn =
    " Abs Add And ArgMax ArgMin AveragePool BatchNormalization Cast Ceil Clip Concat Conv ConvTranspose Cos "
    "CumSum DequantizeLinear Div Dropout Einsum Elu Equal Erf Exp Expand Flatten Floor GRU Gather "
    "GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool Greater GreaterOrEqual "
    "HardSigmoid HardSwish Identity InstanceNormalization LRN LSTM LayerNormalization LeakyRelu Less "
    "LessOrEqual Log LpPool MatMul Max MaxPool Min Mul Neg Not Or PRelu Pad Pow QuantizeLinear Reciprocal "
    "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
    "ReduceSumSquare Relu Reshape Resize ScatterElements ScatterND Shape Sigmoid Sign Sin Slice Softmax "
    "Softplus Softsign Split Sqrt Squeeze Sub Tan Tanh Tile Transpose Trilu Unsqueeze Where Xor ";
/// The operators that pnnx converts to layers of ncnn, as measured with 1,240 of the Python exporter's tests.
inline constexpr std::string_view ncnn =
    " Abs Acos Add Asin Asinh Atan Atanh AveragePool BatchNormalization Ceil Clip Concat Constant Conv ConvTranspose "
    "Cos Cosh Div Elu Erf Exp Flatten Floor Gather Gelu Gemm GlobalAveragePool GlobalMaxPool HardSigmoid HardSwish "
    "LayerNormalization LeakyRelu Log LogSoftmax MatMul Max MaxPool Min Mul Neg PRelu Pad Pow Reciprocal ReduceMean "
    "ReduceProd "
    "ReduceSum Relu Reshape Resize Sigmoid Sin Sinh Slice Softmax Softplus Split Sqrt Squeeze Sub Tanh Transpose "
    "Unsqueeze ";
}  // namespace documented

/// A runtime and the operators that it has, each between blanks.
struct documented_runtime {
  jax2onnx::runtime runtime;
  std::string_view operators;
  std::string_view source;  ///< the source of the list, as the end of a phrase; may be empty
  std::string_view help;    ///< the advice if the runtime lacks an operator
};
inline constexpr std::string_view by_documentation = ", by its documentation";
inline constexpr std::string_view on_the_cpu =
    "ONNX Runtime computes these nodes on the CPU, between parts of the graph";
inline constexpr documented_runtime documented_runtimes[] = {
    {runtime::ncnn, documented::ncnn, {}, {}},
    {runtime::tensorrt, documented::tensorrt, by_documentation, {}},
    {runtime::coreml, documented::coreml, by_documentation, on_the_cpu},
    {runtime::qnn, documented::qnn, by_documentation, on_the_cpu},
    {runtime::webnn, documented::webnn, by_documentation, on_the_cpu},
};

/// The row of a runtime; null for runtimes that are known by the nodes that they cannot run.
constexpr const documented_runtime* documented_row(runtime r) {
  const auto* const row = std::ranges::find(documented_runtimes, r, &documented_runtime::runtime);
  return row == std::end(documented_runtimes) ? nullptr : row;
}
/// True if the runtime has an operator of ONNX.
constexpr bool has_operator(const documented_runtime& row, std::string_view op) {
  for (std::size_t at = row.operators.find(op); at != std::string_view::npos; at = row.operators.find(op, at + 1))
    if (row.operators[at - 1] == ' ' && row.operators[at + op.size()] == ' ') return true;
  return false;
}

}  // namespace jax2onnx::rewrite::detail
