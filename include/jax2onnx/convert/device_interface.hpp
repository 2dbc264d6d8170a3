#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/lower/devices/device.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// The interface of the model of one device: an input of which it reads one part only is this part, and so is an output
/// that would be gathered. The model's metadata `jax2onnx.part.NAME` say for each axis which part of how many it is:
/// `1/2, :` is the second half of the rows.
class device_interface {
 public:
  device_interface(graph& g, const lower::devices::device& d) : graph_(g), device_(d) {}

  /// The part that the device has of the next output, or the output.
  jax_value part_of_output(const jax_value& v) {
    const lower::devices::own_part* own = v.count == 1 ? device_.gathered(v.part(0).id()) : nullptr;
    outputs_.push_back(own ? &own->where : nullptr);
    return own ? value(graph_, own->part) : v;
  }
  /// Makes inputs the parts that are read, drops what only gathered outputs, and notes the parts.
  void finish() {
    narrow_inputs();
    rewrite::detail::dead_code(graph_, false).run();
    const std::vector<value_id> outputs = graph_.at(block_id::main).outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) note(outputs[i], outputs_[i]);
  }

 private:
  using array_parts = lower::devices::array_parts;

  /// The parts that are read of each input; it is empty where something else reads the input, too.
  std::map<value_id, std::vector<value_id>> read_parts() const;
  bool is_one_part(const std::vector<value_id>& parts, value_id input) const;
  void narrow_inputs();
  void note(value_id v, const array_parts* where);

  graph& graph_;
  const lower::devices::device& device_;
  std::vector<const array_parts*> outputs_;  // what they are of an array; null: all of it
};

inline std::map<value_id, std::vector<value_id>> device_interface::read_parts() const {
  std::map<value_id, std::vector<value_id>> out;
  std::vector<value_id> whole;
  const block& main = graph_.at(block_id::main);
  const std::set<value_id> outputs(main.outputs.begin(), main.outputs.end());  // they keep names of their own
  for (const value_id v : main.inputs) out[v];
  for (std::size_t b = 0; b < graph_.block_count(); ++b) {
    const block& body = graph_.at(static_cast<block_id>(b));
    for (const node_id n : body.nodes) {
      const node& user = graph_.at(n);
      for (std::size_t i = 0; i < user.inputs.size(); ++i) {
        const auto input = out.find(user.inputs[i]);
        if (input == out.end()) continue;
        if (i == 0 && device_.cut(user.outputs[0]) && !outputs.contains(user.outputs[0]))
          input->second.push_back(user.outputs[0]);
        else whole.push_back(input->first);
      }
    }
    whole.insert(whole.end(), body.outputs.begin(), body.outputs.end());
  }
  for (const value_id v : whole)
    if (const auto input = out.find(v); input != out.end()) input->second.clear();
  return out;
}

inline bool device_interface::is_one_part(const std::vector<value_id>& parts, value_id input) const {
  if (parts.empty()) return false;
  const array_parts& first = *device_.cut(parts[0]);
  for (const value_id p : parts)
    if (*device_.cut(p) != first) return false;
  for (std::size_t a = 0; a < first.size(); ++a)  // symbols are read from whole inputs
    if (first[a].count > 1 && !graph_.at(input).type.dims[a].is_constant()) return false;
  return true;
}

inline void device_interface::narrow_inputs() {
  std::map<value_id, value_id> replaced;
  for (const auto& [input, parts] : read_parts()) {
    if (!is_one_part(parts, input)) continue;
    graph_.at(input).type = graph_.at(parts[0]).type;
    for (const value_id p : parts) replaced[p] = input;
    note(input, device_.cut(parts[0]));
  }
  const auto replace = [&](std::vector<value_id>& values) {
    for (value_id& v : values)
      if (const auto by = replaced.find(v); by != replaced.end()) v = by->second;
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
