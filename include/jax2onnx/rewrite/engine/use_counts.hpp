// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/traits.hpp>
#include <jax2onnx/support/function_ref.hpp>
#include <jax2onnx/support/item_loops.hpp>

namespace jax2onnx::rewrite {

/// Counts the reads of values, by nodes and as outputs of blocks.
class use_counts {
 public:
  void count(const graph& g);
  std::uint32_t of(const value& v) const { return at(v.id()); }
  std::uint32_t at(value_id v) const {
    note(v);
    return static_cast<std::size_t>(v) < counts_.size() ? counts_[static_cast<std::size_t>(v)] : 0;
  }
  void add(value_id v, std::int64_t n);
  /// True if every reader takes a slice of the constant, and the slices together are no larger than it.
  bool in_parts(const value& constant) const;
  /// For a Concat of many operands, the index along the axis at which each operand ends, so that rules need not add up
  /// the extents of all operands. Null for any other value, and if an extent along the axis is unknown.
  const ints* ends_of_operands(const value& v) const {
    note(v.id());
    const auto found = wide_concats_.find(v.id());
    return found == wide_concats_.end() ? nullptr : &found->second;
  }
  /// True if `v` is an element, in the body of a Scan, of a constant sequence: the weights of a layer in a scan over
  /// layers.
  bool is_scanned_constant(const value& v) const {
    note(v.id());
    return scanned_.contains(v.id());
  }

  /// From now on, records in `log` which values are asked for; null ends the recording.
  void note_reads(read_log* log) { log_ = log; }
  /// Calls visit(v) for the values whose counts or other facts differ from the facts in `before`.
  void for_each_change(const use_counts& before, function_ref<void(value_id)> visit) const;

 private:
  void note(value_id v) const {
    if (log_) log_->note({v, read_log::aspect::uses});
  }
  void count_part(const graph& g, const node& n);
  void find_scanned(const graph& g, const node& n);
  void find_ends(const graph& g, const node& n);

  /// Reads of a constant at constant indices.
  struct part_reads {
    std::uint32_t count = 0;
    std::uint64_t elements = 0;
    friend bool operator==(const part_reads&, const part_reads&) = default;
  };

  std::vector<std::uint32_t> counts_;  // for each value, the number of its uses
  std::unordered_map<value_id, part_reads> parts_;
  std::unordered_map<value_id, bool> scanned_;
  std::unordered_map<value_id, ints> wide_concats_;
  read_log* log_ = nullptr;
};

inline void use_counts::add(value_id v, std::int64_t n) {
  if (v == value_id::none) return;
  if (static_cast<std::size_t>(v) >= counts_.size()) counts_.resize(static_cast<std::size_t>(v) + 1);
  std::uint32_t& c = counts_[static_cast<std::size_t>(v)];
  c = static_cast<std::uint32_t>(c + n);
}

inline void use_counts::count(const graph& g) {
  counts_.assign(g.value_count(), 0);
  parts_.clear();
  scanned_.clear();
  wide_concats_.clear();
  for (std::size_t b = 0; b < g.block_count(); ++b) {
    const block& body = g.at(static_cast<block_id>(b));
    for (node_id n : body.nodes) {
      for (value_id v : g.at(n).inputs) add(v, 1);
      count_part(g, g.at(n));
      find_scanned(g, g.at(n));
      find_ends(g, g.at(n));
    }
    for (value_id v : body.outputs) add(v, 1);
  }
}

/// The number of elements, or 2^62 if there are more or their number is unknown.
inline std::uint64_t element_count(const tensor_type& type) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  std::uint64_t count = 1;
  for (const dim d : type.dims) {
    const auto extent = d.is_constant() ? static_cast<std::uint64_t>(d.extent()) : most;
    if (extent != 0 && count > most / extent) return most;
    count *= extent;
  }
  return count;
}

inline void use_counts::count_part(const graph& g, const node& n) {
  const auto is_constant = [&](value_id v) { return v == value_id::none || g.at(v).constant >= 0; };
  if (!operators::has_trait(n, operators::trait::takes_part)) return;
  if (n.inputs.front() == value_id::none || !item_loops::all_of(n.inputs, is_constant)) return;
  part_reads& reads = parts_[n.inputs.front()];
  ++reads.count;
  for (value_id v : n.outputs)
    if (v != value_id::none) reads.elements += std::min(element_count(g.at(v).type), std::uint64_t{1} << 40);
}

inline void use_counts::find_scanned(const graph& g, const node& n) {
  if (!operators::has_trait(n, operators::trait::has_loop_body)) return;
  const attribute *body = n.find("body"), *count = n.find("num_scan_inputs");
  if (!body || !count) return;
  const std::vector<value_id>& inputs = g.at(std::get<block_id>(body->value)).inputs;
  const std::size_t first = inputs.size() - static_cast<std::size_t>(std::get<std::int64_t>(count->value));
  for (std::size_t i = first; i < inputs.size() && i < n.inputs.size(); ++i)
    if (n.inputs[i] != value_id::none && g.at(n.inputs[i]).constant >= 0) scanned_[inputs[i]] = true;
}

inline void use_counts::find_ends(const graph& g, const node& n) {
  constexpr std::size_t few = 16;
  const attribute* axis = n.inputs.size() > few && n.op == "Concat" && n.domain.empty() ? n.find("axis") : nullptr;
  const auto* number = axis ? std::get_if<std::int64_t>(&axis->value) : nullptr;
  if (!number || *number < 0) return;
  ints ends;
  std::int64_t end = 0;
  for (value_id v : n.inputs) {
    const shape& dims = g.at(v).type.dims;
    const auto i = static_cast<std::size_t>(*number);
    if (i >= dims.size() || !dims[i].is_constant()) return;
    ends.push_back(end += dims[i].extent());
  }
  wide_concats_.emplace(n.outputs.front(), std::move(ends));
}

inline bool use_counts::in_parts(const value& constant) const {
  const auto found = parts_.find(constant.id());
  const std::uint32_t reads = of(constant);
  return found != parts_.end() && found->second.count >= reads &&
         found->second.elements <= element_count(constant.type());
}

/// Calls visit(v) for the keys whose contents differ between two maps, or that only one map has.
template <class Map>
void for_each_difference(const Map& a, const Map& b, function_ref<void(value_id)> visit) {
  for (const auto& [v, content] : a)
    if (const auto found = b.find(v); found == b.end() || found->second != content) visit(v);
  for (const auto& [v, content] : b)
    if (!a.contains(v)) visit(v);
}

inline void use_counts::for_each_change(const use_counts& before, function_ref<void(value_id)> visit) const {
  const std::size_t known = std::min(counts_.size(), before.counts_.size());
  for (std::size_t v = 0; v < known; ++v)
    if (counts_[v] != before.counts_[v]) visit(static_cast<value_id>(v));
  for (std::size_t v = known; v < counts_.size(); ++v)
    if (counts_[v] != 0) visit(static_cast<value_id>(v));
  for_each_difference(scanned_, before.scanned_, visit);
  for_each_difference(parts_, before.parts_, visit);
  for_each_difference(wide_concats_, before.wide_concats_, visit);
}

}  // namespace jax2onnx::rewrite
