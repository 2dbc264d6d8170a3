// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/control/block_values.hpp>
#include <jax2onnx/lower/control/ref_state.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/support/function_ref.hpp>

/// ONNX's Loop and Scan for the loops of JAX: loop-carried values are JAX values, and bodies may write to references.
namespace jax2onnx::lower {

/// The JAX values at the end of a loop, or of one iteration of it.
struct loop_values {
  jax_values carried;         ///< loop-carried values
  jax_values collected = {};  ///< values that are stacked along a new leading axis
  value keep_going = {};      ///< true if another iteration follows this one; if absent, the trip count decides
};

/// The loop for an equation: its loop-carried values and the mutable references that its body may write to.
struct loop_plan {
  const site& s;
  std::vector<aval> carried_types;
  jax_values carried;                   ///< the values before the first iteration
  std::vector<std::string_view> names;  ///< names of the loop-carried values in the body
  std::vector<aval> collected_types;    ///< types of the collected values, with the leading axis
  ref_state refs;

  explicit loop_plan(const site& of) : s(of), refs(of) {}
  void carry(const aval& type, const jax_value& first, std::string_view name) {
    carried_types.push_back(type);
    carried.push_back(first);
    names.push_back(name);
  }
  bool empty() const { return carried.empty() && refs.refs.empty() && collected_types.empty(); }

  /// The tensors that the loop carries: first the carried values, then the contents of the references.
  std::vector<value> state(const jax_values& values) const {
    jax_values all = values;
    append(all, refs.contents(s));
    return tensors_of(all);
  }
  std::vector<tensor_type> state_types() const {
    std::vector<aval> all = carried_types;
    append(all, refs.types);
    return tensor_types_of(all);
  }
  std::vector<std::string_view> state_names() const {
    std::vector<std::string_view> out;
    for (std::size_t i = 0; i < names.size(); ++i) out.insert(out.end(), carried_types[i].elem.parts, names[i]);
    out.push_back("ref");
    return out;
  }
  /// The carried values of a state. Stores the remaining values of the state, the contents, in the references.
  jax_values read_state(std::span<const value> tensors) const {
    tensor_reader reader(tensors);
    jax_values values = reader.take(carried_types);
    refs.assign(s, reader.take(refs.types));
    return values;
  }
  loop_step step_of(const loop_values& iteration) const {
    return {iteration.keep_going, state(iteration.carried), tensors_of(iteration.collected)};
  }
  loop_values values_of(const loop_result& result) const {
    return {read_state(result.carried), tensor_reader(result.collected).take(collected_types)};
  }
};

using loop_iteration = function_ref<loop_values(const value& iteration, const jax_values& carried)>;
using scan_iteration = function_ref<loop_values(const jax_values& carried, const jax_values& elements)>;

/// Adds a Loop, which runs no iteration if `condition` is false, ends after an iteration whose keep_going is false, and
/// runs at most `trips` iterations. Each of these three values may be absent. `body` is called once, inside the block
/// of the body, with the iteration's index and the carried values.
inline loop_values emit_loop(const loop_plan& plan, const value& trips, const value& condition, loop_iteration body) {
  const auto step = [&](const value& iteration, const std::vector<value>& state) {
    return plan.step_of(body(iteration, plan.read_state(state)));
  };
  return plan.values_of(loop(plan.s.g, trips, condition, plan.state(plan.carried), step,
                             {.carried_names = plan.state_names(),
                              .carried_types = plan.state_types(),
                              .collected_types = tensor_types_of(plan.collected_types)}));
}

/// A Scan over the leading axis of `sequences`, backward if `reverse` is set; in both cases the collected values are in
/// the order of the sequences. `names` are the names of the elements in the body.
inline loop_values emit_scan(const loop_plan& plan, const jax_values& sequences,
                             std::span<const std::string_view> names, bool reverse, scan_iteration body) {
  std::vector<std::string_view> element_names;
  for (std::size_t i = 0; i < sequences.size(); ++i)
    element_names.insert(element_names.end(), sequences[i].count, names[i]);
  const auto step = [&](const std::vector<value>& state, const std::vector<value>& elements) {
    return plan.step_of(body(plan.read_state(state), values_like(sequences, elements)));
  };
  return plan.values_of(scan(plan.s.g, plan.state(plan.carried), tensors_of(sequences), step,
                             {.carried_names = plan.state_names(),
                              .element_names = element_names,
                              .carried_types = plan.state_types(),
                              .collected_types = tensor_types_of(plan.collected_types),
                              .reverse = reverse}));
}

}  // namespace jax2onnx::lower
