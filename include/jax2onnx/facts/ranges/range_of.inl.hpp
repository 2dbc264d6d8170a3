// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <jax2onnx/facts/ranges/operators.hpp>
#include <jax2onnx/facts/ranges/range_of.hpp>

namespace jax2onnx {
namespace detail {

/// The range of every `step`th element of a constant from element `first` on, if the constant has integers or bools of
/// at most 1 MiB. For other constants, the range of all values of the type.
inline interval range_of_constant(const value& v, std::size_t first = 0, std::size_t step = 1) {
  constexpr std::uint64_t largest_table = std::uint64_t{1} << 20;  // bytes
  const dtype t = v.dtype();
  if (is_floating(t) || bits(t) < 8 || v.data().size() > largest_table) return values_of(t);
  const bool streamed = v.data().view().empty() && v.data().source();
  const std::string inflated = streamed ? in_memory(*v.data().source()) : std::string();
  const std::span<const std::byte> raw =
      streamed ? std::as_bytes(std::span(inflated.data(), inflated.size())) : v.data().view();
  const std::size_t count = raw.size() * 8 / static_cast<std::size_t>(bits(t));
  if (first >= count) return values_of(t);
  std::int64_t low = INT64_MAX, high = INT64_MIN;
  for (std::size_t i = first; i < count; i += step) {
    const std::int64_t n = decode_integer(t, element_bits(t, raw, i));
    if (t == dtype::u64 && n < 0) return values_of(t);
    low = std::min(low, n);
    high = std::max(high, n);
  }
  return {as_bound(low), as_bound(high)};
}

/// The range of a value without a node, or of one whose operands have been visited.
inline interval range_of_visited(graph& g, value_id v) {
  const value_record& r = g.at(v);
  if (r.constant >= 0) return range_of_constant({g, v});
  if (r.producer == node_id::none || is_floating(r.type.type)) return values_of(r.type.type);
  const node& n = g.at(r.producer);
  const range_rule rule = range_rule_of(n);
  return rule ? interval_math(g.dims()).wrapped(rule({g, n, v}), r.type.type) : values_of(r.type.type);
}

}  // namespace detail

/// Visits operands first, with an explicit stack since chains of nodes are long.
JAX2ONNX_INLINE interval range_of(const value& v) {
  graph& g = v.owner();
  std::vector<value_id> pending{v.id()};
  while (!pending.empty()) {
    const value_id id = pending.back();
    const std::size_t before = pending.size();
    const node_id producer = g.at(id).producer;
    if (!g.known_range(id) && producer != node_id::none && !is_floating(g.at(id).type.type) &&
        detail::range_rule_of(g.at(producer)))
      for (value_id operand : g.at(producer).inputs)
        if (operand != value_id::none && !g.known_range(operand)) pending.push_back(operand);
    if (pending.size() > before) continue;
    if (!g.known_range(id)) g.set_range(id, detail::range_of_visited(g, id));
    pending.pop_back();
  }
  return *g.known_range(v.id());
}

JAX2ONNX_INLINE interval range_of_component(const value& v, std::int64_t component) {
  graph& g = v.owner();
  const dim count = v.dims().back();
  if (!count.is_constant()) return range_of(v);
  if (v.is_constant())
    return detail::range_of_constant(v, static_cast<std::size_t>(component), static_cast<std::size_t>(count.extent()));
  const node* n = operators::producer(v, "Concat");
  if (!n || operators::axis_of(v) != v.rank() - 1) return range_of(v);
  for (value_id part : n->inputs) {
    const dim extent = g.at(part).type.dims.back();
    if (!extent.is_constant()) return range_of(v);
    if (component < extent.extent())
      return extent.is(1) ? range_of({g, part}) : range_of_component({g, part}, component);
    component -= extent.extent();
  }
  return range_of(v);
}

}  // namespace jax2onnx
