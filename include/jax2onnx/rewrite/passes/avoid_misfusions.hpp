// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/shape.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/passes/defects.hpp>

/// Replaces patterns that ONNX Runtime's own graph transformers rewrite wrongly, and float64 operators that are wrong
/// or missing in old releases (docs/onnxruntime-defects.md). New nodes go before the node `id`, which is changed in
/// place.
namespace jax2onnx::rewrite::detail {

/// Div(1, x) -> Neg(Div(-1, x)) of signed integers. ONNX Runtime turns Div(1, x) * y into y / x, also for integers.
inline void divide_minus_one(graph& g, node_id id) {
  const value result(g, g.at(id).outputs[0]), one(g, g.at(id).inputs[0]), x(g, g.at(id).inputs[1]);
  if (!is_signed_integer(result.dtype()) || single_number(one) != 1.0) return;
  const double number = -1;
  const value minus_one = array(g, one.dtype(), ints(static_cast<std::size_t>(one.rank()), 1), std::span(&number, 1));
  g.at(id).inputs = {g.emit("Div", {minus_one, x}, result.type()).id()};
  g.at(id).op = "Neg";
}

/// The operand of a node that ONNX Runtime drops, such as x + 0; absent for any other value.
inline value kept_operand(const value& v) {
  const auto passes = [&](std::size_t i) { return input_of(v, i).type() == v.type(); };
  const auto is_number = [&](std::size_t i, double number) { return single_number(input_of(v, i)) == number; };
  const bool is_sum = producer(v, "Add") != nullptr, is_product = producer(v, "Mul") != nullptr;
  if (producer(v, "Identity") || producer(v, "Cast") || producer(v, "Expand"))
    return passes(0) ? input_of(v, 0) : value();
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const bool is_quotient = i == 0 && producer(v, "Div"), is_difference = i == 0 && producer(v, "Sub");
    if (!is_sum && !is_product && !is_quotient && !is_difference) continue;
    if (passes(i) && is_number(1 - i, is_sum || is_difference ? 0 : 1)) return input_of(v, i);
  }
  return {};
}

/// (x + 0) Div(1, y) -> x Div(1, y). ONNX Runtime makes this a division, drops the sum, and cannot load the result.
inline void multiply_what_is_kept(graph& g, node_id id) {
  for (std::size_t i : {0u, 1u}) {
    const value reciprocal(g, g.at(id).inputs[i]);
    if (!producer(reciprocal, "Div") || single_number(input_of(reciprocal, 0)) != 1.0) continue;
    while (const value kept = kept_operand({g, g.at(id).inputs[1 - i]})) g.at(id).inputs[1 - i] = kept.id();
  }
}

/// op(x, c) -> op(Unsqueeze(x), c) for a floating-point constant c of more axes than x. Several of ONNX Runtime's
/// fusions (a division of 1, Gelu, LayerNormalization) forget the rank of their constants: results lose axes, or the
/// model is not loaded.
inline void add_axes_of_constant(graph& g, node_id id) {
  for (std::size_t i : {0u, 1u}) {
    const value x(g, g.at(id).inputs[i]), c(g, g.at(id).inputs[1 - i]);
    if (!c.is_constant() || !is_floating(c.dtype()) || x.is_constant() || c.rank() <= x.rank()) continue;
    const auto added = static_cast<std::size_t>(c.rank() - x.rank());
    ints axes(added);
    std::iota(axes.begin(), axes.end(), 0);
    shape dims(added, dim(1));
    dims.insert(dims.end(), x.dims().begin(), x.dims().end());
    g.at(id).inputs[i] = g.emit("Unsqueeze", {x, int64s(g, axes)}, {x.dtype(), dims}).id();
  }
}

/// Clip(.., Relu(x), ..) -> Clip(.., Max(x, 0), ..). ONNX Runtime drops a Relu that is the upper bound, and cannot load
/// a model that clips a Relu of other types than float32 and float16.
inline void clip_without_relu(graph& g, node_id id) {
  const std::vector<value_id> operands = g.at(id).inputs;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i] == value_id::none) continue;
    const value v(g, operands[i]);
    if (!producer(v, "Relu") || (i == 0 && (v.dtype() == dtype::f32 || v.dtype() == dtype::f16))) continue;
    const value zero = scalar(g, v.dtype(), 0);
    g.at(id).inputs[i] = g.emit("Max", {input_of(v, 0), zero}, v.type()).id();
  }
}

/// The operand that ONNX Runtime passes on to a product: the operand of a Cast, or of a Mul or Div by one number.
/// Absent for any other value.
inline value passed_on(const value& v) {
  if (producer(v, "Cast")) return input_of(v, 0);
  if (!producer(v, "Mul") && !producer(v, "Div")) return {};
  if (single_number(input_of(v, 1))) return input_of(v, 0);
  return producer(v, "Mul") && single_number(input_of(v, 0)) ? input_of(v, 1) : value();
}

/// Returns whether ONNX Runtime may fuse a Transpose into the product that reads `v`. True for long chains, which are
/// not followed.
inline bool may_be_transposed(value v) {
  constexpr int longest = 8;
  for (int i = 0; i < longest; ++i) {
    if (producer(v, "Transpose")) return true;
    v = passed_on(v);
    if (!v) return false;
  }
  return true;
}

/// MatMul(Transpose(a), v) -> Squeeze(MatMul(Transpose(a), Unsqueeze(v))) for a vector v. ONNX Runtime fuses the
/// Transpose into the product, also through a Cast or a product with a number, and reads the vector wrongly.
inline void multiply_column(graph& g, node_id id) {
  const value result(g, g.at(id).outputs[0]), a(g, g.at(id).inputs[0]), v(g, g.at(id).inputs[1]);
  if (v.rank() != 1 || !may_be_transposed(a)) return;
  const value last = int64s(g, {-1});
  const value column = g.emit("Unsqueeze", {v, last}, {v.dtype(), {v.extent(0), 1}});
  shape dims = result.dims();
  dims.push_back(1);
  g.at(id).inputs = {g.emit("MatMul", {a, column}, {result.dtype(), dims}).id(), last.id()};
  g.at(id).op = "Squeeze";
}

/// MatMul(Cast(Transpose(x)), ..) -> MatMul(Transpose(Cast(x)), ..) if the Transpose moves the first of three or more
/// axes. ONNX Runtime crashes when it exchanges the two itself.
inline void cast_before_transpose(graph& g, node_id id) {
  for (std::size_t i : {0u, 1u}) {
    const value made(g, g.at(id).inputs[i]);
    if (made.rank() < 3 || !producer(made, "Cast") || !producer(input_of(made, 0), "Transpose")) continue;
    const value turned = input_of(made, 0);
    const std::optional<ints> axes = transpose_of(turned);
    if (axes->front() == 0) continue;
    g.at(id).inputs[i] = transpose(cast(input_of(turned, 0), made.dtype()), *axes).id();
  }
}

/// Returns whether v is a float64 product with a number that float32 rounds, or a float64 quotient by a number whose
/// reciprocal float32 rounds.
inline bool is_scaled_beyond_float32(const value& v) {
  if (v.dtype() != dtype::f64 || (!producer(v, "Mul") && !producer(v, "Div"))) return false;
  std::optional<double> scale = single_number(input_of(v, 1));
  if (producer(v, "Div") && scale) scale = 1 / *scale;
  if (producer(v, "Mul") && !scale) scale = single_number(input_of(v, 0));
  return scale && static_cast<double>(static_cast<float>(*scale)) != *scale;
}

/// v after two operators that ONNX Runtime does not fuse into products.
inline value shielded(const value& v) { return neg(neg(v)); }

/// MatMul(c x, ..) -> MatMul(-(-(c x)), ..) in float64. ONNX Runtime fuses c into the product, also through a
/// Transpose, and rounds c to float32.
inline void multiply_after_scaling(graph& g, node_id id) {
  constexpr int longest = 8;
  for (std::size_t i : {0u, 1u}) {
    const value operand(g, g.at(id).inputs[i]);
    value v = operand;
    for (int n = 0; n < longest && v && !is_scaled_beyond_float32(v); ++n)
      v = producer(v, "Transpose") ? input_of(v, 0) : passed_on(v);
    if (v && is_scaled_beyond_float32(v)) g.at(id).inputs[i] = shielded(operand).id();
  }
}

/// c MatMul(..) -> c (-(-MatMul(..))) in float64: ONNX Runtime would round c. Casts and factors may be in between.
inline void scale_after_product(graph& g, node_id id) {
  constexpr int longest = 8;
  const value result(g, g.at(id).outputs[0]);
  if (!is_scaled_beyond_float32(result)) return;
  const value operand = passed_on(result);
  value v = operand;
  for (int n = 0; n < longest && v && !producer(v, "MatMul"); ++n) v = passed_on(v);
  if (v && producer(v, "MatMul")) std::ranges::replace(g.at(id).inputs, operand.id(), shielded(operand).id());
}

/// The Pad that a pooling operator reads, maybe through operators that ONNX Runtime moves or drops; absent if it reads
/// no Pad.
inline value pad_before(value v) {
  constexpr int longest = 8;
  for (int i = 0; i < longest && (producer(v, "Transpose") || producer(v, "Cast")); ++i) v = input_of(v, 0);
  return producer(v, "Pad") ? v : value();
}

/// MaxPool(Pad(x)) -> MaxPool(Pad(x) with all axes), also for AveragePool. ONNX Runtime moves the padding into the
/// pooling operator. A maximum then ignores the padding, and padding as wide as the windows is refused. ONNX Runtime
/// does not move a Pad with the operand `axes`. Before opset 18, which added that operand, a Max is inserted in
/// between.
inline void pool_padded(graph& g, node_id id) {
  constexpr int opset_of_axes = 18;
  const value x(g, g.at(id).inputs[0]), padded = pad_before(x);
  if (!padded) return;
  if (g.opset() < opset_of_axes) {
    g.at(id).inputs[0] = g.emit("Max", {x, identity_element(g, "Max", x.dtype())}, x.type()).id();
    return;
  }
  std::vector<value_id>& inputs = g.at(g.at(padded.id()).producer).inputs;
  if (inputs.size() > 3) return;
  ints axes(static_cast<std::size_t>(padded.rank()));
  std::iota(axes.begin(), axes.end(), 0);
  inputs.resize(3, value_id::none);
  inputs.push_back(int64s(g, axes).id());
}

/// cos x = 1 - 2 sin(x/2)^2 in float64.
inline void cosine_by_sine(graph& g, node_id id) {
  const value x(g, g.at(id).inputs[0]);
  if (x.dtype() != dtype::f64) return;
  const value sine = g.emit("Sin", {mul(x, 0.5)}, x.type());
  g.at(id).inputs = {scalar(g, dtype::f64, 1).id(), mul(mul(sine, sine), 2).id()};
  g.at(id).op = "Sub";
}

/// MatMul(Transpose(x), ..) -> MatMul(-(-Transpose(x)), ..) in float64. ONNX Runtime fuses the Transpose into a product
/// for which it has no kernel.
inline void multiply_after_transpose(graph& g, node_id id) {
  for (std::size_t i : {0u, 1u}) {
    const value operand(g, g.at(id).inputs[i]);
    if (operand.dtype() == dtype::f64 && may_be_transposed(operand)) g.at(id).inputs[i] = shielded(operand).id();
  }
}

/// x Sigmoid(c x) -> -(-x) Sigmoid(c x) in float64. ONNX Runtime fuses it to QuickGelu, for which it has no float64
/// kernel.
inline void multiply_by_sigmoid(graph& g, node_id id) {
  for (std::size_t i : {0u, 1u}) {
    const value sigmoid(g, g.at(id).inputs[i]), x(g, g.at(id).inputs[1 - i]);
    if (x.dtype() != dtype::f64 || !producer(sigmoid, "Sigmoid")) continue;
    const value operand = input_of(sigmoid, 0), scaled = passed_on(operand);
    if (operand.id() != x.id() && !(scaled && scaled.id() == x.id())) continue;
    g.at(id).inputs[1 - i] = shielded(x).id();
    return;
  }
}

/// DFT(x) -> Squeeze(DFT(Unsqueeze(x))) for x without a batch. ONNX Runtime's result has one axis too many.
inline void transform_as_batch(graph& g, node_id id) {
  constexpr int opset_of_axis_input = 20;
  const value result(g, g.at(id).outputs[0]), x(g, g.at(id).inputs[0]);
  if (x.rank() != 2) return;
  const value first = int64s(g, {0});
  const auto batch = [](const value& v) { return tensor_type{v.dtype(), {1, v.extent(0), v.extent(1)}}; };
  std::vector<value> operands{g.emit("Unsqueeze", {x, first}, batch(x))};
  for (std::size_t i = 1; i < g.at(id).inputs.size(); ++i)
    operands.push_back(g.at(id).inputs[i] == value_id::none ? value() : value(g, g.at(id).inputs[i]));
  std::vector<attribute> attributes = std::exchange(g.at(id).attributes, {});
  if (g.opset() >= opset_of_axis_input) {
    operands.resize(3);
    operands[2] = scalar(g, dtype::i64, 1);
  } else {
    std::erase_if(attributes, [](const attribute& a) { return a.name == "axis"; });
    attributes.push_back({"axis", std::int64_t{1}});
  }
  g.at(id).inputs = {g.emit("DFT", operands, batch(result), std::move(attributes)).id(), first.id()};
  g.at(id).op = "Squeeze";
}

struct misfusion {
  std::string_view op;
  void (*avoid)(graph&, node_id);
  defect avoided;
};
inline constexpr misfusion misfusions[] = {
    {"Add", add_axes_of_constant, defect::gelu_axes},
    {"AveragePool", pool_padded, defect::wide_padding},
    {"Clip", clip_without_relu, defect::clip_of_relu},
    {"Cos", cosine_by_sine, defect::f64_cos},
    {"DFT", transform_as_batch, defect::single_dft},
    {"Div", add_axes_of_constant, defect::reciprocal_axes},
    {"Div", divide_minus_one, defect::integer_reciprocal},
    {"Div", scale_after_product, defect::scaled_f64_product},
    {"MatMul", multiply_after_scaling, defect::scaled_f64_product},
    {"MatMul", multiply_after_transpose, defect::f64_transposed_product},
    {"MatMul", multiply_column, defect::transposed_matrix_vector},
    {"MaxPool", pool_padded, defect::zeros_before_max_pool},
    {"Mul", add_axes_of_constant, defect::gelu_axes},
    {"Mul", multiply_what_is_kept, defect::reciprocal_of_dropped},
    {"Mul", multiply_by_sigmoid, defect::f64_quick_gelu},
    {"Mul", scale_after_product, defect::scaled_f64_product},
    {"Sub", add_axes_of_constant, defect::layer_norm_axes},
};
inline constexpr misfusion misfusions_of_casts[] = {{"MatMul", cast_before_transpose, defect::cast_transposed}};

/// Changes the operators that the target's releases of ONNX Runtime would rewrite wrongly, or for which they have no
/// float64 kernel. Linear in the size of the graph.
inline void avoid(graph& g, const target& t, std::span<const misfusion> table) {
  std::vector<misfusion> needed;
  for (const misfusion& m : table)
    if (has_defect(t, g.opset(), m.avoided)) needed.push_back(m);
  for (std::size_t b = 0; b < g.block_count(); ++b)
    rebuild(g, static_cast<block_id>(b), [&](node_id id) {
      const std::size_t first = g.node_count();
      for (const misfusion& m : needed)
        if (g.at(id).op == m.op && has_only(g, g.at(id), is_known)) m.avoid(g, id);
      give_origin(g, first, id);
      g.append(id);
    });
}

inline void avoid_misfusions(graph& g, const target& t) { avoid(g, t, misfusions); }

/// Call this after all casts have been inserted.
inline void avoid_misfusions_of_casts(graph& g, const target& t) { avoid(g, t, misfusions_of_casts); }

}  // namespace jax2onnx::rewrite::detail
