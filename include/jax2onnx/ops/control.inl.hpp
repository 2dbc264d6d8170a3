// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <jax2onnx/facts/ranges/interval_math.hpp>
#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// Returns whether `v` may be used as a value of type `t`: dtype and rank are equal, and no extent is known to differ.
inline bool fits(const value& v, const tensor_type& t) {
  if (!v || v.dtype() != t.type || v.dims().size() != t.dims.size()) return false;
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    if (definitely_differ(v.dims()[i], t.dims[i])) return false;
  return true;
}

inline void require_fits(std::string_view op, std::string_view what, std::size_t number, const value& v,
                         const tensor_type& t, const graph& g) {
  if (!fits(v, t)) throw build_error(message("{}: {} {} is {}, expected {}", op, what, number, text(v), text(g, t)));
}

/// Throws if a loop-carried value does not keep its symbolic extents: in the next iteration, an extent may be unknown
/// but not different.
inline void require_kept(std::string_view op, std::size_t number, const value& v, const tensor_type& t,
                         const graph& g) {
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    if (v.dims()[i] != t.dims[i] && !v.dims()[i].is_dyn() && !t.dims[i].is_dyn())
      throw build_error(
          message("{}: loop-carried value {} becomes {}, but was {}: state its type with an unknown extent", op, number,
                  text(v), text(g, t)));
}

inline void require_count(std::string_view op, std::string_view what, std::size_t count, std::size_t expected) {
  if (count != expected)
    throw build_error(message("{}: the number of {} is {}, expected {}", op, what, count, expected));
}

/// Throws if `v` is given, but is not of type `t` or is known to have more or fewer elements than one.
inline void require_single(std::string_view op, std::string_view what, const value& v, dtype t) {
  if (!v) return;
  bool single = true;
  for (dim d : v.dims()) single = single && !definitely_differ(d, 1);
  if (v.dtype() != t || !single) throw build_error(message("{}: {} is {}, expected {}[]", op, what, text(v), name(t)));
}

inline std::vector<tensor_type> types_of(std::span<const value> values) {
  std::vector<tensor_type> types;
  for (const value& v : values) types.push_back(v.type());
  return types;
}

/// The stated types, or else the types of `values`.
inline std::vector<tensor_type> types_or(const std::vector<tensor_type>& stated, const std::vector<value>& values,
                                         std::string_view op) {
  if (stated.empty()) return types_of(values);
  require_count(op, "types", stated.size(), values.size());
  return stated;
}

/// Adds inputs to the current block.
inline std::vector<value> block_inputs(graph& g, std::span<const tensor_type> types,
                                       const std::vector<std::string_view>& names) {
  std::vector<value> inputs;
  for (std::size_t i = 0; i < types.size(); ++i)
    inputs.push_back(
        g.input(types[i], names.empty() ? std::string() : std::string(names[std::min(i, names.size() - 1)])));
  return inputs;
}

/// The common type of two values; extents that differ are unknown. Throws a build_error if dtypes or ranks differ.
inline tensor_type common_type(const value& a, const value& b, std::size_t number) {
  if (a.dtype() != b.dtype() || a.rank() != b.rank())
    throw build_error(message("If: the branches differ in result {}: {} and {}", number, text(a), text(b)));
  tensor_type t = a.type();
  for (std::size_t i = 0; i < t.dims.size(); ++i)
    if (t.dims[i] != b.dims()[i]) t.dims[i] = dim::dyn();
  return t;
}

/// `t` with a new axis of the given extent.
inline tensor_type stacked(tensor_type t, std::int64_t axis, dim extent) {
  t.dims.put(axis, extent);
  return t;
}

/// The inverse of stacked(): the type of one iteration's value.
inline tensor_type unstacked(std::string_view op, tensor_type t, std::int64_t axis) {
  if (std::ssize(t.dims) <= axis) throw build_error(message("{}: a collected result lacks axis {}", op, axis));
  t.dims.drop(axis);
  return t;
}

/// Closes a body after its lambda has run: sets the outputs of the block and returns the types of the node's outputs.
inline std::vector<tensor_type> close_body(std::string_view op, graph& g, block_id body, const loop_step& step,
                                           std::vector<tensor_type> carried_types,
                                           const std::vector<tensor_type>& collected_types, std::int64_t axis,
                                           dim extent) {
  require_count(op, "loop-carried values in the body", step.carried.size(), carried_types.size());
  for (std::size_t i = 0; i < step.carried.size(); ++i) {
    require_fits(op, "loop-carried value", i, step.carried[i], carried_types[i], g);
    require_kept(op, i, step.carried[i], carried_types[i], g);
  }
  if (!collected_types.empty())
    require_count(op, "types of collected values", collected_types.size(), step.collected.size());
  std::vector<tensor_type> types = std::move(carried_types);
  for (std::size_t i = 0; i < step.collected.size(); ++i) {
    types.push_back(collected_types.empty() ? stacked(step.collected[i].type(), axis, extent) : collected_types[i]);
    require_fits(op, "collected value", i, step.collected[i], unstacked(op, types.back(), axis), g);
  }
  std::vector<value> outputs;
  if (step.keep_going) outputs.push_back(step.keep_going);
  outputs.insert(outputs.end(), step.carried.begin(), step.carried.end());
  outputs.insert(outputs.end(), step.collected.begin(), step.collected.end());
  g.set_outputs(body, outputs);
  return types;
}

/// Records the range of the iteration's index: 0 to trips - 1.
inline void note_iteration(graph& g, const value& iteration, const value& trips) {
  const dim high = trips ? interval_math(g.dims()).plus(range_of(trips).high, -1) : dim::dyn();
  g.set_range(iteration.id(), {0, high});
}

inline loop_result split_results(const std::vector<value>& all, std::size_t carried) {
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(carried);
  return {{all.begin(), middle}, {middle, all.end()}};
}

/// Throws a build_error if a body called input(): inputs of the model must be declared outside of bodies.
inline void require_inputs(std::string_view op, const graph& g, block_id body, std::size_t expected) {
  const std::vector<value_id>& inputs = g.at(body).inputs;
  if (inputs.size() > expected)
    throw build_error(message("{}: the input '{}' of the model is declared in a body; declare it before the body", op,
                              g.at(inputs[expected]).name));
}

/// Builds a branch: its block and results.
inline std::pair<block_id, std::vector<value>> branch_block(graph& g, branch_body branch) {
  const block_scope scope(g);
  std::vector<value> results = branch();
  require_inputs("If", g, scope.id(), 0);
  g.set_outputs(scope.id(), results);
  return {scope.id(), std::move(results)};
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

JAX2ONNX_INLINE std::vector<value> if_(const value& condition, branch_body then, branch_body otherwise,
                                       const std::vector<tensor_type>& types) {
  if (!condition) throw build_error("If: the condition is absent");
  graph& g = condition.owner();
  detail::require_single("If", "the condition", condition, dtype::boolean);
  const auto [then_block, first] = detail::branch_block(g, then);
  const auto [else_block, second] = detail::branch_block(g, otherwise);
  detail::require_count("If", "results of the second branch", second.size(), first.size());
  if (!types.empty()) detail::require_count("If", "types", types.size(), first.size());
  std::vector<tensor_type> result_types = types;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (types.empty()) result_types.push_back(detail::common_type(first[i], second[i], i));
    detail::require_fits("If", "result", i, first[i], result_types[i], g);
    detail::require_fits("If", "result", i, second[i], result_types[i], g);
  }
  if (first.empty()) return {};
  return g.emit_many("If", std::span(&condition, 1), result_types,
                     {{"then_branch", then_block}, {"else_branch", else_block}});
}

JAX2ONNX_INLINE loop_result loop(graph& g, const value& trips, const value& condition,
                                 const std::vector<value>& carried, loop_body body, const loop_options& options) {
  detail::require_single("Loop", "the trip count", trips, dtype::i64);
  if (const auto n = trips ? constant_integer(trips) : std::nullopt; n && *n < 0)
    throw build_error(detail::message("Loop: the trip count is {}; it must not be negative", *n));
  detail::require_single("Loop", "the condition", condition, dtype::boolean);
  const std::vector<tensor_type> carried_types = detail::types_or(options.carried_types, carried, "Loop");
  std::vector<value> inputs{trips ? trips : scalar(g, dtype::i64, most_trips), condition};
  inputs.insert(inputs.end(), carried.begin(), carried.end());
  const block_scope scope(g);
  const value iteration = g.input({dtype::i64, {}}, "iteration"), going = g.input({dtype::boolean, {}}, "going");
  detail::note_iteration(g, iteration, trips);
  loop_step step = body(iteration, detail::block_inputs(g, carried_types, options.carried_names));
  detail::require_inputs("Loop", g, scope.id(), 2 + carried.size());
  const bool starts = !condition || constant_integer(condition) == 1;
  const std::optional<std::int64_t> count =
      trips && starts && !step.keep_going ? constant_integer(trips) : std::nullopt;
  if (!step.keep_going) step.keep_going = going;
  detail::require_single("Loop", "keep_going", step.keep_going, dtype::boolean);
  const std::vector<tensor_type> types = detail::close_body(
      "Loop", g, scope.id(), step, carried_types, options.collected_types, 0, count ? dim(*count) : dim::dyn());
  const insertion_scope outside(g, g.at(scope.id()).parent);
  return detail::split_results(g.emit_many("Loop", inputs, types, {{"body", scope.id()}}), carried.size());
}

JAX2ONNX_INLINE loop_result scan(graph& g, const std::vector<value>& carried, const std::vector<value>& sequences,
                                 scan_body body, const scan_options& options) {
  if (sequences.empty()) throw build_error("Scan: it needs a sequence");
  for (const value& v : sequences)
    if (options.axis >= v.rank()) throw build_error(detail::message("Scan: {} has no axis {}", text(v), options.axis));
  const std::vector<tensor_type> carried_types = detail::types_or(options.carried_types, carried, "Scan");
  std::vector<tensor_type> element_types = detail::types_of(sequences);
  for (tensor_type& t : element_types) t.dims.drop(options.axis);
  const dim extent = sequences[0].extent(options.axis);
  for (const value& v : sequences)
    if (definitely_differ(v.extent(options.axis), extent))
      throw build_error(
          detail::message("Scan: the sequences differ in their extent: {} and {}", text(sequences[0]), text(v)));
  std::vector<value> inputs = carried;
  inputs.insert(inputs.end(), sequences.begin(), sequences.end());
  const block_scope scope(g);
  const std::vector<value> inside = detail::block_inputs(g, carried_types, options.carried_names);
  const std::vector<value> elements = detail::block_inputs(g, element_types, options.element_names);
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (!is_floating(elements[i].dtype())) g.set_range(elements[i].id(), range_of(sequences[i]));
  const loop_step step = body(inside, elements);
  detail::require_inputs("Scan", g, scope.id(), carried.size() + sequences.size());
  if (step.keep_going) throw build_error("Scan: keep_going must be absent; only a Loop can end early");
  const std::int64_t stacked = options.collected_axis.value_or(options.axis);
  const std::vector<tensor_type> types =
      detail::close_body("Scan", g, scope.id(), step, carried_types, options.collected_types, stacked, extent);
  const std::size_t scanned = sequences.size(), collected = step.collected.size();
  std::vector<attribute> attributes{{"body", scope.id()}, {"num_scan_inputs", static_cast<std::int64_t>(scanned)}};
  const auto add_list = [&](std::string_view name, std::size_t count, std::int64_t number) {
    if (count > 0) attributes.push_back({name, ints(count, number)});
  };
  if (options.axis != 0) add_list("scan_input_axes", scanned, options.axis);
  if (stacked != 0) add_list("scan_output_axes", collected, stacked);
  if (options.reverse) add_list("scan_input_directions", scanned, 1);
  if (options.reverse) add_list("scan_output_directions", collected, 1);
  const insertion_scope outside(g, g.at(scope.id()).parent);
  return detail::split_results(g.emit_many("Scan", inputs, types, std::move(attributes)), carried.size());
}

}  // namespace jax2onnx::ops
