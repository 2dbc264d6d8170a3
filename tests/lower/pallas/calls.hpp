// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/lowered_text.hpp"

#include <string>
#include <vector>

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/dispatch.hpp>

/// A call of a kernel with blocks of two rows of f32[6,3], and the uses of the references x, o and the scratch r in its
/// grid of three programs.
struct called_kernel : lowered_text {
  explicit called_kernel(const std::string& equations, const std::string& row = "i", const std::string& scalars = "")
      : lowered_text("{ lambda ; " + scalars +
                         " a:f32[6,3]. let b:f32[6,3] = pallas_call[grid_mapping=GridMapping(grid=(3,), "
                         "block_mappings=(" +
                         block("i") + ", " + block(row) +
                         ")) input_output_aliases=() jaxpr={ lambda ; "
                         "x:Ref{f32[2,3]} o:Ref{f32[2,3]} r:Ref{f32[2,3]}. let " +
                         equations + " in () }] a in (b,) }",
                     jax2onnx::lower_builtin) {}

  static std::string block(const std::string& row) {
    return "BlockMapping(block_shape=(Blocked(block_size=2), Blocked(block_size=3)), index_map_jaxpr={ lambda ; "
           "i:i32[]. let "
           "j:i32[] = sub 2:i32[] i in (" +
           row + ", 0:i32[]) })";
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (jax2onnx::node_id n : g.at(jax2onnx::block_id::main).nodes) out.emplace_back(g.at(n).op);
    return out;
  }
  long count(const std::string& op) const { return std::ranges::count(names(), op); }
};
