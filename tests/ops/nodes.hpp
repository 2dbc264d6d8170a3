// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/ops/ops.hpp>

/// Inspects the nodes that a verb has built.
namespace test_nodes {

using namespace jax2onnx;
using namespace jax2onnx::ops;

inline const node& producer(const value& v) { return v.owner().at(v.owner().at(v.id()).producer); }
inline std::string_view op_of(const value& v) { return producer(v).op; }
inline value operand_of(const value& v, std::size_t i) { return {v.owner(), producer(v).inputs[i]}; }
inline std::int64_t integer(const value& v, std::string_view attribute) {
  return std::get<std::int64_t>(producer(v).find(attribute)->value);
}
inline ints list(const value& v, std::string_view attribute) {
  return std::get<ints>(producer(v).find(attribute)->value);
}
inline std::string word(const value& v, std::string_view attribute) {
  return std::get<std::string>(producer(v).find(attribute)->value);
}
/// The operators of all nodes, in order.
inline std::vector<std::string_view> op_list(const graph& g) {
  std::vector<std::string_view> out;
  for (std::size_t i = 0; i < g.node_count(); ++i) out.push_back(g.at(static_cast<node_id>(i)).op);
  return out;
}
/// The bytes of a constant.
inline std::string raw(const value& v) {
  const auto view = v.data().view();
  return {reinterpret_cast<const char*>(view.data()), view.size()};
}

struct model {
  graph g;
  dim B = g.dims().symbol("B");
  value x = g.input({dtype::f32, {B, 4, 6}}, "x");
};

using op_names = std::vector<std::string_view>;

}  // namespace test_nodes
