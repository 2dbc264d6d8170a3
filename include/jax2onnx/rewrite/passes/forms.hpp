// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/views/gemm.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/convert_element_type.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/linear.hpp>
#include <jax2onnx/ops/reduction.hpp>
#include <jax2onnx/ops/shape.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/corrections.hpp>

/// Replacements for operators that some runtimes lack or compute wrongly (docs/runtimes.md).
namespace jax2onnx::rewrite::detail {

/// Not(truth), without a Not: ONNX Runtime exchanges the operands of a Where that reads a Not, and loses signs of
/// zeros.
inline value is_false(const value& truth) { return equal(cast(truth, dtype::i32), 0); }

/// IsNaN(x) -> (x = x) is false. MNN has no IsNaN, and tract has none for float64.
inline value nan_by_comparison(const value& y) {
  const value x = input_of(y, 0);
  return is_false(y.owner().emit("Equal", {x, x}, y.type()));
}

/// Cast(x) to bool -> (x = 0) is false. MNN and rten keep the number.
inline value bool_by_comparison(const value& y) {
  const value x = input_of(y, 0);
  if (!is_boolean(y.dtype()) || is_boolean(x.dtype()) || x.is_constant()) return {};
  const value zero = scalar(y.owner(), x.dtype(), 0);
  return is_false(y.owner().emit("Equal", {x, zero}, y.type()));
}

/// ReduceMax(x), ReduceMin(x) of bool -> op(Cast(x)) > 0 in int32. tract, rten and TVM do not reduce bools.
inline value reduced_as_int32(const value& y) {
  const value x = input_of(y, 0);
  if (!is_boolean(x.dtype())) return {};
  return greater(with_first_input(y, cast(x, dtype::i32), {dtype::i32, y.dims()}), 0);
}

/// ArgMax(x), ArgMin(x) of 8 bits -> op(Cast(x)) in int32. rten has neither for uint8.
inline value found_in_int32(const value& y) {
  const value x = input_of(y, 0);
  return bits(x.dtype()) == 8 ? with_first_input(y, cast(x, dtype::i32), y.type()) : value();
}

/// ReduceSum(x) along the axes of y, a reduction of another value; absent if the axes are not constant.
inline value sum_in_place_of(const value& y, const value& x) {
  const auto r = reduction_of(y);
  return r ? reduce("ReduceSum", x, r->axes, r->keep) : value();
}

/// ReduceL1(x) -> ReduceSum(|x|), ReduceSumSquare(x) -> ReduceSum(x x), ReduceL2(x) -> Sqrt(ReduceSum(x x)). MNN
/// ignores the axes.
/// @{
inline value magnitudes_summed(const value& y) { return sum_in_place_of(y, abs(input_of(y, 0))); }
inline value squares_summed(const value& y) { return sum_in_place_of(y, mul(input_of(y, 0), input_of(y, 0))); }
inline value length_by_parts(const value& y) {
  const value sum = squares_summed(y);
  return sum ? sqrt(sum) : value();
}
/// @}

/// ReduceSum(x), ReduceMean(x) along the last axis -> MatMul with a column of ones, or of 1 / n. ncnn treats the first
/// axis as the batch, and reduces only along all other axes.
template <bool IsMean>
value product_with_column(const value& y) {
  constexpr std::int64_t longest = 1 << 16;
  const auto r = reduction_of(y);
  const value x = input_of(y, 0);
  if (!r || x.rank() < 2 || r->axes != ints{x.rank() - 1} || x.dtype() != dtype::f32) return {};
  const dim extent = x.dims().back();
  if (!extent.is_constant() || extent.extent() < 1 || extent.extent() > longest) return {};
  const auto n = static_cast<float>(extent.extent());
  const std::vector<float> column(static_cast<std::size_t>(n), IsMean ? 1 / n : 1.0f);
  const value sums = matmul(x, array(y.owner(), dtype::f32, {extent.extent(), 1}, column));
  return r->keep ? sums : squeeze(sums, r->axes);
}

/// Adds strides of 1, which are the default, to a pooling without strides. rten and MNN use other strides if they are
/// missing.
inline value with_strides(const value& y) {
  const std::optional<ints> window = attribute_of<ints>(y, "kernel_shape");
  if (!window || attribute_of<ints>(y, "strides") || producer(y)->outputs.size() > 1) return {};
  std::vector<attribute> attributes = producer(y)->attributes;
  attributes.push_back({"strides", ints(window->size(), 1)});
  return y.owner().emit(producer(y)->op, inputs_of(y), y.type(), std::move(attributes));
}

/// Pad(x, .., axes) -> Pad(x, ..) if `axes` lists all axes in order. rten does not support axes.
inline value without_axes(const value& y) {
  std::vector<value> inputs = inputs_of(y);
  if (inputs.size() < 4 || constant_integers(inputs[3]) != iota_axes(y.rank())) return {};
  inputs.pop_back();
  return with_inputs(y, inputs, y.type());
}

/// Gelu(x) -> (x 0.5) (1 + Erf(x / sqrt(2))). MNN computes Gelu by Tanh, and recognizes Gelu also in parts in another
/// order. ONNX Runtime fuses parts in this order.
inline value gelu_by_parts(const value& y) {
  const value x = input_of(y, 0);
  if (attribute_of<std::string>(y, "approximate") == "tanh") return {};
  const value erf = y.owner().emit("Erf", {div(x, std::numbers::sqrt2)}, y.type());
  return mul(mul(x, 0.5), add(erf, 1));
}

/// Sigmoid(x) -> 1 / (1 + Exp(-x)) of float64. tract has no Sigmoid of float64.
inline value sigmoid_by_parts(const value& y) {
  if (y.dtype() != dtype::f64) return {};
  return reciprocal(add(exp(neg(input_of(y, 0))), 1));
}

/// Gemm(a, b, c) of float64 -> alpha a b + beta c. tract computes alpha and beta in float32, and does not load the
/// Gemm.
inline value gemm_by_parts(const value& y) {
  if (y.dtype() != dtype::f64) return {};
  const operators::gemm_view gemm = *operators::gemm_of(y);
  const auto turned = [](const value& x, bool turns) { return turns ? transpose(x, {1, 0}) : x; };
  const auto scaled = [](const value& x, float by) { return by == 1 ? x : mul(x, by); };
  const value product =
      scaled(matmul(turned(gemm.a, gemm.transposes_a), turned(gemm.b, gemm.transposes_b)), gemm.alpha);
  return gemm.c ? add(product, scaled(gemm.c, gemm.beta)) : product;
}

/// MatMul(a, b) of vectors -> MatMul of a row and a vector. tract has no product of two vectors.
inline value product_of_row(const value& y) {
  const value a = input_of(y, 0), b = input_of(y, 1);
  if (a.rank() != 1 || b.rank() != 1) return {};
  return squeeze(matmul(unsqueeze(a, {0}), b), {0});
}

/// (a w + b) + x -> (a w + x) + b for at most 8 rows. OpenVINO crashes if a w + b follows another such product and x is
/// computed.
inline value bias_last(const value& y) {
  constexpr std::int64_t few_rows = 8;
  if (y.rank() != 2 || !is_static(y.dims()) || y.extent(0).extent() > few_rows) return {};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const value sum = input_of(y, i), x = input_of(y, 1 - i);
    if (!producer(sum, "Add") || x.is_constant() || x.dims() != y.dims()) continue;
    const value product = input_of(sum, 0), bias = input_of(sum, 1);
    if (producer(product, "MatMul") && bias.is_constant() && bias.rank() == 1) return add(add(product, x), bias);
  }
  return {};
}

/// BitShift(x, n) of uint32 to the right -> quotients of int32. OpenVINO shifts in the sign bit, and divides integers
/// as floating-point numbers, so each half is divided separately.
inline value shift_by_halves(const value& y) {
  const std::optional<std::int64_t> count = uniform_integer(input_of(y, 1));
  if (y.dtype() != dtype::u32 || !count || *count < 1 || *count > 31) return {};
  if (attribute_of<std::string>(y, "direction") != "RIGHT") return {};
  const auto n = static_cast<int>(*count);
  graph& g = y.owner();
  const value x = cast(input_of(y, 0), dtype::i32);
  const auto number = [&](double k) { return scalar(g, dtype::i32, k); };
  const auto part = [&](double mask) {
    const value masked = g.emit("BitwiseAnd", {x, number(mask)}, x.type());
    return n == 31 ? value(number(0)) : g.emit("Div", {masked, number(static_cast<double>(1 << n))}, x.type());
  };
  const value sign = where(less(x, 0), number(static_cast<double>(1u << (31 - n))), number(0));
  return cast(add(add(part(0x7fff0000), part(0xffff)), sign), dtype::u32);
}

/// A form, by the operator that the form replaces, and the runtimes that need this form.
struct form_row {
  correction form;
  std::uint32_t runtimes;
};
inline constexpr form_row form_table[] = {
    {{"IsNaN", nan_by_comparison}, portable_runtimes},
    {{"Cast", bool_by_comparison}, runtimes({runtime::mnn, runtime::rten})},
    {{"ReduceMax", reduced_as_int32}, portable_runtimes},
    {{"ReduceMin", reduced_as_int32}, portable_runtimes},
    {{"ArgMax", found_in_int32}, portable_runtimes},
    {{"ArgMin", found_in_int32}, portable_runtimes},
    {{"ReduceL1", magnitudes_summed}, portable_runtimes},
    {{"ReduceSumSquare", squares_summed}, portable_runtimes},
    {{"ReduceL2", length_by_parts}, portable_runtimes},
    {{"ReduceSum", product_with_column<false>}, runtimes({runtime::ncnn})},
    {{"ReduceMean", product_with_column<true>}, runtimes({runtime::ncnn})},
    {{"AveragePool", with_strides}, portable_runtimes},
    {{"MaxPool", with_strides}, portable_runtimes},
    {{"Pad", without_axes}, portable_runtimes},
    {{"Gelu", gelu_by_parts},
     portable_runtimes & ~runtimes({runtime::tensorrt, runtime::coreml, runtime::qnn, runtime::webnn})},
    {{"Sigmoid", sigmoid_by_parts}, portable_runtimes},
    {{"Gemm", gemm_by_parts}, runtimes({runtime::tract})},
    {{"MatMul", product_of_row}, portable_runtimes},
    {{"Add", bias_last}, runtimes({runtime::portable, runtime::openvino})},
    {{"BitShift", shift_by_halves}, runtimes({runtime::openvino})},
};

/// A rule that is not tried for some runtimes: they lack the operator that it writes, or handle it badly.
struct unsuited_rule {
  std::string_view name;
  std::uint32_t runtimes;
};
inline constexpr unsuited_rule unsuited_rules[] = {
    // Only newer versions of some runtimes have these operators. TVM and ONNX Runtime's quantizer mistake ONNX's
    // Attention for Microsoft's operator of that name.
    {"Attention", portable_runtimes},
    {"RMSNormalization", portable_runtimes},
    {"RMSNormalization-plain", portable_runtimes},
    {"RotaryEmbedding", portable_runtimes},
    // Quantizers look for MatMul, and ONNX Runtime fuses it with Add itself; tract has no Gemm of float64 with a bias.
    {"Gemm", portable_runtimes},
    {"Gemm-vector-bias", portable_runtimes},
    // rten lacks these three operators. MNN lacks Mish. TVM lacks Celu, and tract computes it wrongly.
    {"Celu", portable_runtimes},
    {"Mish", portable_runtimes},
    {"Selu", portable_runtimes},
    // The runtimes of these rows lack the operators, or crash on them.
    {"LSTM", runtimes({runtime::mnn, runtime::tvm, runtime::ncnn})},
    {"GRU", runtimes({runtime::mnn, runtime::tvm, runtime::rten, runtime::ncnn})},
    {"RNN", runtimes({runtime::mnn, runtime::tvm, runtime::ncnn})},
};

/// Returns whether a rule is tried for a target.
constexpr bool suits(std::string_view rule, const target& t) {
  const unsuited_rule* row = std::ranges::find(unsuited_rules, rule, &unsuited_rule::name);
  return row == std::end(unsuited_rules) || !is_for(row->runtimes, t);
}

/// The largest number of iterations of a loop that is unrolled for a target, unless the user says otherwise: most
/// runtimes except ONNX Runtime lack Scan or Loop. The rounds of threefry4x32 are a Scan of five steps; 10 unrolls it,
/// since Scans of half as many steps are unrolled.
constexpr std::int64_t most_unrolled(const target& t) {
  if (!is_portable(t)) return 8;
  return t.runtime == runtime::portable ? 10 : 64;
}

/// Gives operators the forms that the target needs.
inline void take_forms(graph& g, const target& t) {
  const auto is_there = [&g](operator_name op) {
    for (std::size_t i = 0; i < g.node_count(); ++i)
      if (g.at(static_cast<node_id>(i)).op == op) return true;
    return false;
  };
  std::vector<correction> forms;
  for (const form_row& row : form_table)
    if (is_for(row.runtimes, t) && is_there(row.form.op)) forms.push_back(row.form);
  if (!forms.empty()) apply_corrections(g, forms);
}

}  // namespace jax2onnx::rewrite::detail
