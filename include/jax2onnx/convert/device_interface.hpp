// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/lower/devices/device.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// The interface of the model of one device. If the device reads only one part of an input, the input becomes that
/// part; if the device would gather an output, the output becomes the device's own part. For each such input or
/// output, the metadata entry `jax2onnx.part.NAME` states, axis by axis, the index of the part and the number of parts,
/// or `:` for a whole axis: `1/2, :` is the second half of the rows.
class device_interface {
 public:
  device_interface(graph& g, const lower::devices::device& d) : graph_(g), device_(d) {}

  /// The device's part of the next output if the output would be gathered, else the output itself.
  jax_value part_of_output(const jax_value& v) {
    const lower::devices::own_part* own = v.count == 1 ? device_.gathered(v.part(0).id()) : nullptr;
    outputs_.push_back(own ? &own->where : nullptr);
    return own ? value(graph_, own->part) : v;
  }
  /// Turns the parts that are read into inputs, drops nodes that only gathered outputs, and states the parts in the
  /// metadata.
  void finish() {
    narrow_inputs();
    rewrite::detail::dead_code(graph_, false).run();
    const std::vector<value_id> outputs = graph_.at(block_id::main).outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) note(outputs[i], outputs_[i]);
  }

 private:
  using array_parts = lower::devices::array_parts;

  /// An input, and the parts of it that are read.
  struct read_input {
    value_id input;
    std::vector<value_id> parts = {};
    bool whole = false;  ///< true if the input must stay whole
  };
  std::vector<read_input> read_inputs() const;
  void narrow_inputs();
  void note(value_id v, const array_parts* where);

  graph& graph_;
  const lower::devices::device& device_;
  std::vector<const array_parts*> outputs_;  // for each output, its part of the array; null for a whole array
};

inline std::vector<device_interface::read_input> device_interface::read_inputs() const {
  const block& main = graph_.at(block_id::main);
  std::vector<read_input> out;
  key_map numbers, outputs;  // by value_id: the indices of inputs, and the set of outputs
  for (const value_id v : main.inputs) {
    numbers.set(static_cast<std::int64_t>(v), static_cast<std::uint32_t>(out.size()));
    out.push_back({v});
  }
  for (const value_id v : main.outputs) outputs.set(static_cast<std::int64_t>(v), 0);
  const auto read = [&](value_id v, value_id part) {
    const std::uint32_t i = numbers.find(static_cast<std::int64_t>(v));
    if (i == key_map::none) return;
    const array_parts* where = part == value_id::none ? nullptr : device_.cut(part);
    const bool is_kept = outputs.find(static_cast<std::int64_t>(part)) != key_map::none;
    if (!where || is_kept || (!out[i].parts.empty() && *where != *device_.cut(out[i].parts[0]))) out[i].whole = true;
    else out[i].parts.push_back(part);
  };
  for (std::size_t b = 0; b < graph_.block_count(); ++b) {
    const block& body = graph_.at(static_cast<block_id>(b));
    for (const node_id n : body.nodes) {
      const node& user = graph_.at(n);
      for (std::size_t i = 0; i < user.inputs.size(); ++i)
        read(user.inputs[i], i == 0 ? user.outputs[0] : value_id::none);
    }
    for (const value_id v : body.outputs) read(v, value_id::none);
  }
  return out;
}

inline void device_interface::narrow_inputs() {
  key_map replaced;  // the input, by the value_id of its part
  for (const read_input& r : read_inputs()) {
    if (r.whole || r.parts.empty()) continue;
    const array_parts& where = *device_.cut(r.parts[0]);
    bool is_static = true;  // a symbol's value is an extent of a whole input
    for (std::size_t a = 0; a < where.size(); ++a)
      is_static = is_static && (where[a].count == 1 || graph_.at(r.input).type.dims[a].is_constant());
    if (!is_static) continue;
    graph_.at(r.input).type = graph_.at(r.parts[0]).type;
    for (const value_id p : r.parts) replaced.set(static_cast<std::int64_t>(p), static_cast<std::uint32_t>(r.input));
    note(r.input, &where);
  }
  const auto replace = [&](std::vector<value_id>& values) {
    for (value_id& v : values)
      if (const std::uint32_t by = replaced.find(static_cast<std::int64_t>(v)); by != key_map::none)
        v = static_cast<value_id>(by);
  };
  for (std::size_t b = 0; b < graph_.block_count(); ++b) {
    block& body = graph_.at(static_cast<block_id>(b));
    replace(body.outputs);
    for (const node_id n : body.nodes) replace(graph_.at(n).inputs);
  }
}

inline void device_interface::note(value_id v, const array_parts* where) {
  if (!where) return;
  std::string places;
  for (const auto& [number, count] : *where) {
    if (!places.empty()) places += ", ";
    places += count == 1 ? ":" : message("{}/{}", number, count);
  }
  graph_.set_metadata("jax2onnx.part." + graph_.at(v).name, places);
}

}  // namespace jax2onnx::detail
