#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/rewrite/engine/producer.hpp>
#include <jax2onnx/rewrite/engine/small_constants.hpp>

/// Replaces what ONNX Runtime's own graph transformers rewrite wrongly (docs/onnxruntime-defects.md). A replacement
/// goes in front of the node `id`, which is changed in place.
namespace jax2onnx::rewrite::detail {

/// Div(1, x) -> Neg(Div(-1, x)) of signed integers. ONNX Runtime makes y / x of Div(1, x) * y, for integers too. It also
/// forgets the rank of the 1, so that floating-point numbers need this where the 1 has more axes than x.
inline void divide_minus_one(graph& g, node_id id) {
  const value result(g, g.at(id).outputs[0]), one(g, g.at(id).inputs[0]), x(g, g.at(id).inputs[1]);
  if (single_number(one) != 1.0) return;
  if (!is_signed_integer(result.dtype()) && !(is_floating(result.dtype()) && one.rank() > x.rank())) return;
  const double number = -1;
  const value minus_one = array(g, one.dtype(), ints(static_cast<std::size_t>(one.rank()), 1), std::span(&number, 1));
  g.at(id).inputs = {g.emit("Div", {minus_one, x}, result.type()).id()};
  g.at(id).op = "Neg";
}

/// Clip(.., Relu(x), ..) -> Clip(.., Max(x, 0), ..). ONNX Runtime drops a Relu that is the upper bound, and cannot load
/// the model where the numbers are neither float32 nor float16.
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

struct misfusion {
  std::string_view op;
  void (*avoid)(graph&, node_id);
};
inline constexpr misfusion misfusions[] = {{"Clip", clip_without_relu}, {"Div", divide_minus_one}};

/// Changes the operators that ONNX Runtime would rewrite wrongly. Linear in the graph.
inline void avoid_misfusions(graph& g) {
  for (std::size_t b = 0; b < g.block_count(); ++b) {
    const std::vector<node_id> nodes = std::exchange(g.at(static_cast<block_id>(b)).nodes, {});
    const insertion_scope here(g, static_cast<block_id>(b));
    for (node_id id : nodes) {
      const std::size_t first = g.node_count();
      for (const misfusion& m : misfusions)
        if (g.at(id).op == m.op && g.at(id).domain.empty()) m.avoid(g, id);
      for (std::size_t added = first; added < g.node_count(); ++added)
        g.at(static_cast<node_id>(added)).origin = g.at(id).origin;
      g.append(id);
    }
  }
}

}  // namespace jax2onnx::rewrite::detail
