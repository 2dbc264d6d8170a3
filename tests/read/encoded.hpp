// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <jax2onnx/emit/onnx_fields.hpp>
#include <jax2onnx/emit/wire.hpp>
#include <jax2onnx/graph/dtype.hpp>

/// Encoded messages of ONNX, including ones that this library does not write.
namespace encoded {

namespace fields = jax2onnx::detail::onnx_fields;
using jax2onnx::detail::wire_writer;

/// A message whose fields `fill` writes.
template <class Fill>
std::string message(const Fill& fill) {
  std::string out;
  wire_writer to(out);
  fill(to);
  return out;
}
/// A field that holds a message.
inline std::string field(std::uint32_t number, const std::string& content) {
  return message([&](wire_writer& to) { to.text(number, content); });
}
inline std::string field(std::uint32_t number, std::int64_t content) {
  return message([&](wire_writer& to) { to.integer(number, content); });
}
inline std::string field(std::uint32_t number, const char* content) { return field(number, std::string(content)); }

inline std::string tensor_type(jax2onnx::dtype t, std::initializer_list<std::string> extents) {
  std::string dims;
  for (const std::string& e : extents) dims += field(fields::shape_dim, e);
  return field(fields::type_tensor,
               field(fields::tensor_type_elem, static_cast<std::int64_t>(t)) + field(fields::tensor_type_shape, dims));
}
inline std::string extent(std::int64_t n) { return field(fields::dim_value, n); }
inline std::string extent(const char* name) { return field(fields::dim_param, name); }

/// The ValueInfoProto of a tensor.
inline std::string a_value(std::string_view name, jax2onnx::dtype t, std::initializer_list<std::string> extents) {
  return field(fields::value_name, std::string(name)) + field(fields::value_type, tensor_type(t, extents));
}
inline std::string a_node(std::string_view op, std::initializer_list<const char*> inputs,
                          std::initializer_list<const char*> outputs, const std::string& more = {}) {
  std::string out;
  for (const char* name : inputs) out += field(fields::node_input, name);
  for (const char* name : outputs) out += field(fields::node_output, name);
  return out + field(fields::node_op_type, std::string(op)) + more;
}
/// An attribute of a node, whose content is a field.
inline std::string attribute(std::string_view name, std::int64_t kind, const std::string& content) {
  return field(fields::node_attribute,
               field(fields::attribute_name, std::string(name)) + content + field(fields::attribute_type, kind));
}
inline std::string an_opset(std::int64_t version, std::string_view domain = "") {
  return field(fields::opset_domain, std::string(domain)) + field(fields::opset_version, version);
}
/// A model with the given fields of its graph.
inline std::string a_model(const std::string& graph, std::int64_t version = 23, const std::string& more = {}) {
  return field(fields::model_ir_version, 10) + field(fields::model_graph, graph) +
         field(fields::model_opset_import, an_opset(version)) + more;
}
/// A model of nodes from `x: f32[N,3]` to `y`, whose type it does not state.
inline std::string model_of(std::initializer_list<std::string> nodes, const std::string& more = {}) {
  std::string graph;
  for (const std::string& n : nodes) graph += field(fields::graph_node, n);
  graph += field(fields::graph_input, a_value("x", jax2onnx::dtype::f32, {extent("N"), extent(3)}));
  return a_model(graph + field(fields::graph_output, field(fields::value_name, "y")), 23, more);
}

}  // namespace encoded
