// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/driver/report.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Splits whose parts are read in another shape, such as the keys and values that a decoder writes to its caches by
/// heads: one Reshape of the operand replaces the Reshapes of the parts (docs/decisions/0052).
namespace jax2onnx::rewrite::detail {

/// The name of the pass in reports and options.
inline constexpr std::string_view reshape_splits_name = "reshape-splits";

/// The split of a value in another shape.
struct shaped_split {
  shape whole;
  std::int64_t axis = 0;
  ints extents = {};  ///< the extents of the parts along the axis

  shape part(std::size_t i) const {
    shape dims = whole;
    dims[static_cast<std::size_t>(axis)] = dim(extents[i]);
    return dims;
  }
};

/// The innermost axis of `dims` for which the axes before it have `count` elements in all; -1 if there is none.
inline std::int64_t axis_behind(dim_table& table, const shape& dims, dim count) {
  std::int64_t found = -1;
  dim before(1);
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (before == count) found = static_cast<std::int64_t>(axis);
    before = table.mul(before, dims[axis]);
  }
  return found;
}

/// The number of elements of the axes after `axis`; nullopt if it is not known, or 0.
inline std::optional<std::int64_t> count_behind(dim_table& table, const shape& dims, std::int64_t axis) {
  const dim count = table.product(shape(dims.begin() + axis + 1, dims.end()));
  return count.is_constant() && count.extent() > 0 ? std::optional(count.extent()) : std::nullopt;
}

/// A split of x in another shape, whose parts have the same elements as `parts`, which are the results of a Split of x
/// along `axis`. The new parts have the extents `wanted`, except along the axis of the new split. Nullopt if there is
/// no such split, or if extents that it needs are unknown.
inline std::optional<shaped_split> split_in_shape(const value& x, std::int64_t axis, const std::vector<value>& parts,
                                                  const shape& wanted) {
  dim_table& table = x.owner().dims();
  const dim before = table.product(shape(x.dims().begin(), x.dims().begin() + axis));
  shaped_split s{.whole = wanted, .axis = axis_behind(table, wanted, before)};
  if (s.axis < 0) return std::nullopt;
  const auto old_step = count_behind(table, x.dims(), axis), step = count_behind(table, wanted, s.axis);
  if (!old_step || !step) return std::nullopt;
  std::int64_t sum = 0;
  for (const value& part : parts) {
    const dim elements = table.mul(part.extent(axis), dim(*old_step));
    if (!elements.is_constant() || elements.extent() % *step != 0) return std::nullopt;
    s.extents.push_back(elements.extent() / *step);
    sum += s.extents.back();
  }
  s.whole[static_cast<std::size_t>(s.axis)] = dim(sum);
  return s;
}

/// Moves the Reshapes of one block.
class split_reshaper {
 public:
  split_reshaper(graph& g, block_id b, const use_counts& uses, std::vector<rewrite_report::event>& events)
      : graph_(g), block_(b), uses_(uses), events_(events) {}

  void run() {
    for (const node_id n : graph_.at(block_).nodes) find_reader(n);
    rebuild(graph_, block_, [this](node_id n) {
      for_each_body(graph_, n, [this](block_id b) { split_reshaper(graph_, b, uses_, events_).run(); });
      if (replaced_.contains(n)) return;
      if (const std::optional<shaped_split> s = better_split(n)) split_again(n, *s);
      else graph_.append(n);
    });
  }

 private:
  /// Records a Reshape that is the only reader of a part.
  void find_reader(node_id n) {
    const std::vector<value_id>& outputs = graph_.at(n).outputs;
    if (outputs.size() != 1 || outputs[0] == value_id::none) return;
    const value reshaped(graph_, outputs[0]);
    if (!is_reshape(reshaped) || !is_known(reshaped.type())) return;
    const value part = input_of(reshaped, 0);
    if (producer(part, "Split") && uses_.of(part) == 1) reshaped_[part.id()] = reshaped;
  }
  /// The Reshape of a part that nothing else reads; absent if there is none, or the part has other readers.
  value reshaped(const value& part) const {
    const auto found = reshaped_.find(part.id());
    return found == reshaped_.end() ? value() : found->second;
  }

  std::vector<value> parts_of(node_id n) const {
    std::vector<value> parts;
    for (const value_id v : graph_.at(n).outputs) parts.emplace_back(graph_, v);
    return parts;
  }

  /// The split that leaves fewer Reshapes, if any.
  std::optional<shaped_split> better_split(node_id n) const {
    const node& old = graph_.at(n);
    if (!has_trait(old, trait::takes_part) || old.outputs.size() < 2) return std::nullopt;
    const std::vector<value> parts = parts_of(n);
    if (!producer(parts[0], "Split")) return std::nullopt;
    value wanted;
    for (const value& part : parts) {
      if (!part) return std::nullopt;
      if (!wanted) wanted = reshaped(part);
    }
    if (!wanted) return std::nullopt;
    const value x(graph_, old.inputs[0]);
    auto s = split_in_shape(x, axis_of(parts[0]), parts, wanted.dims());
    return s && is_static_reshape(x, s->whole) && saves_reshapes(x, parts, *s) ? std::move(s) : std::nullopt;
  }
  bool saves_reshapes(const value& x, const std::vector<value>& parts, const shaped_split& s) const {
    int saved = is_reshape(x) && uses_.of(x) == 1 ? 0 : -1;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (is_read_as(parts[i], s.part(i))) {
        ++saved;
      } else if (uses_.of(parts[i]) > 0) {
        if (!is_static_reshape(s.part(i), parts[i].dims())) return false;
        --saved;
      }
    }
    return saved > 0;
  }
  bool is_read_as(const value& part, const shape& dims) const {
    const value read = reshaped(part);
    return read && read.dims() == dims;
  }

  std::vector<value> split_of(const value& x, const shaped_split& s) {
    std::vector<tensor_type> types;
    for (std::size_t i = 0; i < s.extents.size(); ++i) types.push_back({x.dtype(), s.part(i)});
    const value extents = array(graph_, dtype::i64, {std::ssize(s.extents)}, std::span<const std::int64_t>(s.extents));
    return graph_.emit_many("Split", std::vector<value>{reshape(x, s.whole), extents}, types, {{"axis", s.axis}});
  }
  void split_again(node_id n, const shaped_split& s) {
    const std::vector<value> parts = parts_of(n);
    const std::size_t first = graph_.node_count();
    const std::vector<value> shaped = split_of(value(graph_, graph_.at(n).inputs[0]), s);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (is_read_as(parts[i], s.part(i))) {
        replaced_.insert(graph_.at(reshaped(parts[i]).id()).producer);
        take_place(shaped[i], reshaped(parts[i]));
      } else if (uses_.of(parts[i]) > 0) {
        take_place(reshape(shaped[i], parts[i].dims()), parts[i]);
      }
    }
    give_origin(graph_, first, n);
    events_.push_back(
        {reshape_splits_name, {}, n, static_cast<node_id>(first), static_cast<node_id>(graph_.node_count())});
  }

  graph& graph_;
  block_id block_;
  const use_counts& uses_;
  std::vector<rewrite_report::event>& events_;
  std::unordered_map<value_id, value> reshaped_;  // the reshaped value of each part
  std::unordered_set<node_id> replaced_;
};

/// Replaces Splits by Splits in another shape if fewer Reshapes are needed then. Returns an event for each of these
/// Splits. Linear in the size of the graph.
inline std::vector<rewrite_report::event> reshape_splits(graph& g) {
  std::vector<rewrite_report::event> events;
  use_counts uses;
  uses.count(g);
  split_reshaper(g, block_id::main, uses, events).run();
  for_each_function(g, [&](block_id body) { split_reshaper(g, body, uses, events).run(); });
  return events;
}

}  // namespace jax2onnx::rewrite::detail
