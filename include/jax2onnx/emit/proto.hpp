// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <jax2onnx/emit/expanded.hpp>
#include <jax2onnx/emit/message_writer.hpp>
#include <jax2onnx/emit/model_writer.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/emit/plan.hpp>
#include <jax2onnx/graph/graph.hpp>

#include <onnx/onnx_pb.h>

/// Models as messages of protobuf's generated classes, for programs that process a model in memory. This is the only
/// header that needs the onnx and protobuf packages (CMake target jax2onnx::proto).
namespace jax2onnx {

namespace detail {

template <class Message, class Put>
void parse_fields(Message& message, const Put& put) {
  std::string fields;
  wire_writer to(fields);
  put(to);
  if (!message.ParseFromString(fields))
    throw error(failure::internal, "emit.proto", "protobuf does not read the message");
}

}  // namespace detail

/// The whole model as a message, weights included. Does not verify the graph, and ignores emit_options::external and
/// emit_options::max_bytes. Throws error if the graph is not in SSA form or a weight cannot be read.
inline onnx::ModelProto to_proto(const graph& g, const emit_options& options = {}) {
  if (detail::expands(g, options)) return to_proto(detail::expanded(g), detail::kept(options));
  const detail::emission_plan plan(g, options.graph_name);
  const detail::message_writer writer(g, plan, options);
  onnx::ModelProto model;
  detail::parse_fields(model, [&](detail::wire_writer& to) { writer.put_envelope(to); });
  onnx::GraphProto& graph = *model.mutable_graph();
  detail::parse_fields(graph, [&](detail::wire_writer& to) { writer.put_graph(to, block_id::main); });
  for (value_id v : plan.initializers()) {
    onnx::TensorProto& tensor = *graph.add_initializer();
    detail::parse_fields(tensor, [&](detail::wire_writer& to) { writer.put_tensor_header(to, v); });
    if (tensor.data_type() == onnx::TensorProto::STRING) continue;  // strings are part of the header
    std::string& raw = *tensor.mutable_raw_data();
    detail::stream_exactly(g.data(g.at(v)), [&](std::span<const std::byte> piece) {
      raw.append(reinterpret_cast<const char*>(piece.data()), piece.size());
    });
  }
  return model;
}

}  // namespace jax2onnx
