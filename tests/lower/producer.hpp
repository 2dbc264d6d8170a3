// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <jax2onnx/graph/graph.hpp>

/// The node that computes v.
inline const jax2onnx::node& producer(const jax2onnx::value& v) { return v.owner().at(v.owner().at(v.id()).producer); }
/// Its operator; empty for an input or a constant.
inline std::string_view op_of(const jax2onnx::value& v) {
  return v.owner().at(v.id()).producer == jax2onnx::node_id::none ? std::string_view() : producer(v).op;
}
/// The block that attribute `name` of its node refers to.
inline const jax2onnx::block& body_of(const jax2onnx::value& v, std::string_view name = "body") {
  return v.owner().at(std::get<jax2onnx::block_id>(producer(v).find(name)->value));
}
