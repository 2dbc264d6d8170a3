// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/rewrite/engine/numbers.hpp>

/// The constants of a graph, in the form of the written model.
namespace jax2onnx::rewrite::test {

using numbers = std::vector<double>;

/// Input `i` of the first node of operator `op`.
inline value operand_of(graph& g, std::string_view op, std::size_t i) {
  for (node_id n : g.at(block_id::main).nodes)
    if (std::string_view(g.at(n).op) == op) return value(g, g.at(n).inputs.at(i));
  return {};
}
/// The numbers of input `i` of the first node of operator `op`, in the form of the written model.
inline numbers written(graph& g, std::string_view op, std::size_t i) {
  const value v = operand_of(g, op, i);
  std::string all;
  v.data().stream(
      [&](std::span<const std::byte> piece) { all.append(reinterpret_cast<const char*>(piece.data()), piece.size()); });
  const auto width = static_cast<std::size_t>(bits(v.dtype())) / 8;
  numbers out;
  for (std::size_t at = 0; at < all.size(); at += width)
    out.push_back(load_number(v.dtype(), reinterpret_cast<const std::byte*>(all.data()) + at));
  return out;
}

}  // namespace jax2onnx::rewrite::test
