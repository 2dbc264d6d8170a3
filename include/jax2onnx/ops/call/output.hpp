#pragma once

#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/checked_vector.hpp>

namespace jax2onnx {

/// Appends `v` to the model's outputs under a name. Inputs, constants and values that are outputs already are copied
/// (Identity): an output has a name of its own. Throws a build_error for a name that another input or output has.
inline void output(value v, std::string name) {
  graph& g = v.owner();
  g.take_interface_name(name);
  std::vector<value_id>& outputs = g.at(block_id::main).outputs;
  const bool taken = g.at(v.id()).producer == node_id::none || detail::contains(outputs, v.id());
  if (taken) v = g.emit("Identity", {v}, v.type());
  g.at(v.id()).name = std::move(name);
  outputs.push_back(v.id());
}

}  // namespace jax2onnx
