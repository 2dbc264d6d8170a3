// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/lowered_text.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/dispatch.hpp>

/// A function of one array f32[4,3] that two devices compute, each for two rows, and the resulting operators.
struct on_two_devices : lowered_text {
  explicit on_two_devices(std::string_view equations, std::string_view result = "c", std::string_view out = "f32[4,3]",
                          std::string_view spec = "P('x',)")
      : lowered_text("{ lambda ; a:f32[4,3]. let b:" + std::string(out) +
                         " = shard_map[in_specs=(P('x',),) jaxpr={ lambda ; a:f32[2,3]. let " + std::string(equations) +
                         " in (" + std::string(result) + ",) } mesh=Mesh('x': 2) out_specs=(" + std::string(spec) +
                         ",)] a in (b,) }",
                     jax2onnx::lower_builtin) {}

  /// The names of the operators, in order.
  std::vector<std::string> operators() const {
    std::vector<std::string> out;
    for (jax2onnx::node_id n : g.at(jax2onnx::block_id::main).nodes) out.emplace_back(g.at(n).op);
    return out;
  }
  bool has(std::string_view op) const {
    for (const std::string& each : operators())
      if (each == op) return true;
    return false;
  }
};
