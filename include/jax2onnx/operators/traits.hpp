// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string_view>

#include <jax2onnx/graph/graph.hpp>

/// Properties of the operators of ai.onnx beyond their records: one row for each operator.
namespace jax2onnx::operators {

/// A property that an operator may have.
enum class trait : std::uint8_t {
  // The elements from which the elements of a result are computed. An operator has at most one of these.
  unary,  ///< each element depends on the element of operand 0 at the same index; other operands are single numbers
  broadcasting,   ///< each element depends on the elements of all operands at the same index, after broadcasting
  reshapes,       ///< the results are the elements of operand 0 in the same order, in another shape
  reduction,      ///< each element depends on the elements along some axes of operand 0
  normalization,  ///< each element depends on the elements along the axes of operand 0 from the attribute `axis` on
  product,        ///< each element is a sum of products of elements of operands 0 and 1

  // The computation on the elements, which decides which type can replace another. An operator has at most one of
  // these.
  moves,  ///< copies elements, which is correct in any type that converts there and back
  /// Computes sums, differences or products, which are correct modulo 2^n in any integer type that is wide enough.
  rings,
  orders,       ///< compares elements and copies one of them, which is correct after any order-preserving map
  mixed_types,  ///< operands and results of one type variable may have different types

  commutes,      ///< operands can be exchanged; Max and Min may return either of 0 and -0
  selects,       ///< every element of a result is an element of operand 0
  averages,      ///< every element of the result is a mean of elements of operand 0 and zeros
  keeps_finite,  ///< if all operands are finite, results are finite, overflow and division by 0 aside
  /// If the operands are exact in a narrow floating-point type, so are results that are computed in a wider type.
  exact_in_wider,
  nonnegative,       ///< no element of the result is below 0
  bounded_below,     ///< no element of the result is below some finite number, for any attributes
  no_negative_zero,  ///< no element of the result is -0
  reads_places,      ///< operand 1 has the indices of the elements that are read; the run fails if one is out of range
  writes_places,     ///< operand 1 has the indices of the elements that change; the run fails if one is out of range
  takes_part,        ///< a result has some elements of operand 0, at indices given by other operands or attributes
  has_loop_body,     ///< runs the attribute `body` repeatedly
  divides,           ///< the run fails if integers are divided by 0
};

/// Traits of an operator.
class trait_set {
 public:
  constexpr trait_set() = default;
  constexpr trait_set(trait t) : bits_(std::uint32_t{1} << static_cast<unsigned>(t)) {}
  constexpr bool has(trait t) const { return (bits_ >> static_cast<unsigned>(t) & 1) != 0; }
  friend constexpr trait_set operator|(trait_set a, trait_set b) {
    a.bits_ |= b.bits_;
    return a;
  }

 private:
  std::uint32_t bits_ = 0;
};
constexpr trait_set operator|(trait a, trait b) { return trait_set(a) | trait_set(b); }

/// The traits of an operator.
struct op_traits {
  operator_name op;
  trait_set traits = {};
  /// The number e with op(x, e) = x for every x; NaN if there is no such number. An infinite e is also correct for
  /// types without infinity. For Add, e is -0, since 0 would turn -0 into 0.
  double neutral = std::numeric_limits<double>::quiet_NaN();
};

namespace operators_detail {

using enum trait;
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// The rows are in the order of records::names.
inline constexpr op_traits traits_table[] = {
    {"Abs", unary | exact_in_wider | nonnegative | no_negative_zero},
    {"Acos", unary},
    {"Acosh", unary},
    {"Add", broadcasting | rings | commutes | keeps_finite, -0.0},
    {"AffineGrid"},
    {"And", broadcasting | commutes, 1},
    {"ArgMax", orders},
    {"ArgMin", orders},
    {"Asin", unary},
    {"Asinh", unary},
    {"Atan", unary},
    {"Atanh", unary},
    {"Attention"},
    {"AveragePool", averages},
    {"BatchNormalization"},
    {"Bernoulli"},
    {"BitCast"},
    {"BitShift", broadcasting},
    {"BitwiseAnd", broadcasting | commutes},
    {"BitwiseNot", unary},
    {"BitwiseOr", broadcasting | commutes},
    {"BitwiseXor", broadcasting | commutes},
    {"BlackmanWindow"},
    {"Cast", unary | mixed_types | keeps_finite},
    {"CastLike"},
    {"CausalConvWithState"},
    {"Ceil", unary | exact_in_wider},
    {"Celu", unary | bounded_below},
    {"CenterCropPad"},
    {"Clip", unary | orders},
    {"Col2Im"},
    {"Compress", moves | selects},
    {"Concat", moves | keeps_finite},
    {"ConcatFromSequence"},
    {"Constant"},
    {"ConstantOfShape"},
    {"Conv", product},
    {"ConvInteger"},
    {"ConvTranspose"},
    {"Cos", unary | keeps_finite | bounded_below},
    {"Cosh", unary},
    {"CumProd", rings},
    {"CumSum", rings},
    {"DFT"},
    {"DeformConv"},
    {"DepthToSpace", moves | selects},
    {"DequantizeLinear"},
    {"Det"},
    {"Div", broadcasting | keeps_finite | divides, 1},
    {"Dropout"},
    {"DynamicQuantizeLinear"},
    {"Einsum", rings},
    {"Elu", unary | bounded_below},
    {"Equal", broadcasting | orders | commutes},
    {"Erf", unary | bounded_below},
    {"Exp", unary | nonnegative | no_negative_zero},
    {"Expand", moves | selects},
    {"EyeLike"},
    {"Flatten", reshapes | moves | selects},
    {"Floor", unary | exact_in_wider},
    {"GRU"},
    {"Gather", moves | selects | reads_places | takes_part},
    {"GatherElements", moves | selects | reads_places},
    {"GatherND", moves | selects | reads_places},
    {"Gelu", unary},
    {"Gemm", product | rings | keeps_finite},
    {"GlobalAveragePool", averages},
    {"GlobalLpPool"},
    {"GlobalMaxPool"},
    {"Greater", broadcasting | orders},
    {"GreaterOrEqual", broadcasting | orders},
    {"GridSample"},
    {"GroupNormalization"},
    {"HammingWindow"},
    {"HannWindow"},
    {"HardSigmoid", unary | nonnegative},
    {"HardSwish", unary},
    {"Hardmax"},
    {"Identity", moves | selects},
    {"If", mixed_types},
    {"ImageDecoder"},
    {"InstanceNormalization"},
    {"IsInf", unary},
    {"IsNaN", unary},
    {"LRN"},
    {"LSTM"},
    {"LayerNormalization", normalization | keeps_finite},
    {"LeakyRelu", unary},
    {"Less", broadcasting | orders},
    {"LessOrEqual", broadcasting | orders},
    {"LinearAttention"},
    {"Log", unary},
    {"LogSoftmax"},
    {"Loop", mixed_types | has_loop_body},
    {"LpNormalization"},
    {"LpPool"},
    {"MatMul", product | rings | keeps_finite},
    {"MatMulInteger"},
    {"Max", broadcasting | orders | commutes, -infinity},
    {"MaxPool", orders},
    {"MaxRoiPool"},
    {"MaxUnpool"},
    {"Mean", commutes},
    {"MeanVarianceNormalization"},
    {"MelWeightMatrix"},
    {"Min", broadcasting | orders | commutes, infinity},
    {"Mish", unary},
    {"Mod", broadcasting | divides},
    {"Mul", broadcasting | rings | commutes | keeps_finite, 1},
    {"Multinomial"},
    {"Neg", unary | rings | keeps_finite | exact_in_wider},
    {"NegativeLogLikelihoodLoss"},
    {"NonMaxSuppression"},
    {"NonZero"},
    {"Not", unary},
    {"OneHot"},
    {"Optional"},
    {"OptionalGetElement"},
    {"OptionalHasElement"},
    {"Or", broadcasting | commutes, 0},
    {"PRelu"},
    {"Pad", moves},
    {"Pow", broadcasting | keeps_finite, 1},
    {"QLinearConv"},
    {"QLinearMatMul"},
    {"QuantizeLinear"},
    {"RMSNormalization", normalization | keeps_finite},
    {"RNN"},
    {"RandomNormal"},
    {"RandomNormalLike"},
    {"RandomUniform"},
    {"RandomUniformLike"},
    {"Range"},
    {"Reciprocal", unary},
    {"ReduceL1", reduction | nonnegative | no_negative_zero},
    {"ReduceL2", reduction | nonnegative},
    {"ReduceLogSum", reduction},
    {"ReduceLogSumExp", reduction},
    {"ReduceMax", reduction | orders},
    {"ReduceMean", reduction},
    {"ReduceMin", reduction | orders},
    {"ReduceProd", reduction | rings},
    {"ReduceSum", reduction | rings},
    {"ReduceSumSquare", reduction},
    {"RegexFullMatch"},
    {"Relu", unary | exact_in_wider | nonnegative},
    {"Reshape", reshapes | moves | selects},
    {"Resize"},
    {"ReverseSequence", moves | selects},
    {"RoiAlign"},
    {"RotaryEmbedding", keeps_finite},
    {"Round", unary | exact_in_wider},
    {"STFT"},
    {"Scan", mixed_types | has_loop_body},
    {"ScatterElements", moves | writes_places},
    {"ScatterND", moves | writes_places},
    {"Selu", unary | bounded_below},
    {"SequenceAt"},
    {"SequenceConstruct"},
    {"SequenceEmpty"},
    {"SequenceErase"},
    {"SequenceInsert"},
    {"SequenceLength"},
    {"SequenceMap"},
    {"Shape"},
    {"Shrink", unary},
    {"Sigmoid", unary | nonnegative},
    {"Sign", unary | exact_in_wider},
    {"Sin", unary | keeps_finite | bounded_below},
    {"Sinh", unary},
    {"Size"},
    {"Slice", moves | selects | takes_part},
    {"Softmax", nonnegative},
    {"SoftmaxCrossEntropyLoss"},
    {"Softplus", unary | nonnegative},
    {"Softsign", unary | bounded_below},
    {"SpaceToDepth", moves | selects},
    {"Split", moves | selects | takes_part},
    {"SplitToSequence"},
    {"Sqrt", unary | nonnegative},
    {"Squeeze", reshapes | moves | selects},
    {"StringConcat"},
    {"StringNormalizer"},
    {"StringSplit"},
    {"Sub", broadcasting | rings | keeps_finite, 0},
    {"Sum", rings | commutes},
    {"SwiGLU"},
    {"Swish", unary},
    {"Tan", unary},
    {"Tanh", unary | bounded_below},
    {"TensorScatter", moves},
    {"TfIdfVectorizer"},
    {"ThresholdedRelu", unary},
    {"Tile", moves | selects},
    {"TopK", orders},
    {"Transpose", moves | selects},
    {"Trilu", moves},
    {"Unique"},
    {"Unsqueeze", reshapes | moves | selects},
    {"Where", broadcasting | moves | keeps_finite},
    {"Xor", broadcasting | commutes, 0},
};

consteval bool is_complete() {
  if (std::size(traits_table) != std::size(records::names)) return false;
  for (std::size_t i = 0; i < std::size(traits_table); ++i)
    if (traits_table[i].op.number() != static_cast<int>(i)) return false;
  return true;
}
static_assert(is_complete(), "each name of an operator has a row, in that order");

}  // namespace operators_detail

/// True if an operator of ai.onnx has a trait; false for an operator of another name.
constexpr bool has_trait(operator_name op, trait t) {
  return op.number() >= 0 && operators_detail::traits_table[op.number()].traits.has(t);
}
/// True if a node is of ai.onnx and its operator has a trait.
inline bool has_trait(const node& n, trait t) { return n.domain.empty() && has_trait(n.op, t); }

/// The number e with op(x, e) = x for every x; NaN if there is no such number.
constexpr double neutral_number(operator_name op) {
  return op.number() >= 0 ? operators_detail::traits_table[op.number()].neutral
                          : std::numeric_limits<double>::quiet_NaN();
}

namespace operators_detail {

template <trait T>
consteval auto names_with() {
  constexpr auto has = [](const op_traits& row) { return row.traits.has(T); };
  std::array<operator_name, static_cast<std::size_t>(std::ranges::count_if(traits_table, has))> names;
  auto out = names.begin();
  for (const op_traits& row : traits_table)
    if (has(row)) *out++ = row.op;
  return names;
}

}  // namespace operators_detail

/// The names of the operators with a trait.
template <trait T>
inline constexpr auto operators_with = operators_detail::names_with<T>();

}  // namespace jax2onnx::operators
