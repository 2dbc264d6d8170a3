#pragma once

#include <jax2onnx/lower/control/block_values.hpp>
#include <jax2onnx/lower/table.hpp>

/// ONNX's Loop and Scan as JAX's loops need them.
namespace jax2onnx::lower {

/// What a loop's body yields: whether to go on (absent: the trip count decides), the carried values, and those that are
/// collected on a new leading axis.
struct loop_step {
  value keep_going;
  jax_values carried, collected;
};

/// The values after a loop.
struct loop_end {
  jax_values carried, collected;
};

/// A loop that an equation becomes: what goes round, and the mutable references that its body may write to.
struct loop_plan {
  const site& s;
  std::vector<aval> carried_types;
  jax_values carried;                   ///< the values before the first iteration
  std::vector<std::string_view> names;  ///< of the carried values in the body
  std::vector<aval> collected_types;    ///< after the loop: with the leading axis
  ref_state refs;

  explicit loop_plan(const site& of) : s(of), refs(of) {}
  void carry(const aval& type, const jax_value& first, std::string_view name) {
    carried_types.push_back(type);
    carried.push_back(first);
    names.push_back(name);
  }
  /// Types and first values of all that goes round, references included.
  std::vector<aval> all_types() const {
    std::vector<aval> out = carried_types;
    append(out, refs.types);
    return out;
  }
  std::vector<value> first_values() const {
    jax_values all = carried;
    append(all, refs.contents(s));
    return tensors_of(all);
  }
  /// Makes the inputs of a body for what goes round; the references hold theirs from now on.
  jax_values body_inputs() const {
    jax_values inside, held;
    for (std::size_t i = 0; i < carried.size(); ++i) inside.push_back(block_input(s.g, carried_types[i], names[i]));
    for (const aval& t : refs.types) held.push_back(block_input(s.g, t, "ref"));
    refs.assign(s, held);
    return inside;
  }
  /// The outputs of a body: what goes round, then what is collected.
  std::vector<value> body_outputs(const loop_step& step) const {
    jax_values all = step.carried;
    append(all, refs.contents(s));
    append(all, step.collected);
    return tensors_of(all);
  }
  std::vector<tensor_type> output_types() const {
    std::vector<aval> all = all_types();
    append(all, collected_types);
    return tensor_types_of(all);
  }
  loop_end read(std::span<const value> outputs) const {
    tensor_reader reader(outputs);
    loop_end end{reader.take(carried_types), {}};
    refs.assign(s, reader.take(refs.types));
    end.collected = reader.take(collected_types);
    return end;
  }
  bool empty() const { return carried.empty() && refs.refs.empty() && collected_types.empty(); }
};

/// Loop for at most `trips` iterations (absent: any number) while `start`, and then each step's keep_going, is true.
/// `step` is called with the iteration's number and the carried values, inside the body.
template <class Step>
loop_end emit_loop(const loop_plan& plan, const value& trips, const value& start, Step&& step) {
  graph& g = plan.s.g;
  std::vector<value> inputs{trips, start};
  append(inputs, plan.first_values());
  const block_scope body(g);
  const value iteration = g.input({dtype::i64, {}}, "iteration");
  const value going = g.input({dtype::boolean, {}}, "going");
  const jax_values carried = plan.body_inputs();
  const loop_step done = step(iteration, carried);
  std::vector<value> outputs{done.keep_going ? done.keep_going : going};
  append(outputs, plan.body_outputs(done));
  g.set_outputs(body.id(), outputs);
  const insertion_scope outside(g, g.at(body.id()).parent);
  return plan.read(g.emit_many("Loop", inputs, plan.output_types(), {{"body", body.id()}}));
}

/// Scan over the leading axis of `sequences`, from the last element to the first when `reverse` is set; the collected
/// values then lie in the sequences' order. `step` is called with the carried values and the elements.
template <class Step>
loop_end emit_scan(const loop_plan& plan, std::span<const jax_value> sequences, std::span<const aval> element_types,
                   std::span<const std::string_view> names, bool reverse, Step&& step) {
  graph& g = plan.s.g;
  std::vector<value> inputs = plan.first_values();
  const std::vector<value> scanned = tensors_of(sequences);
  append(inputs, scanned);
  const block_scope body(g);
  const jax_values carried = plan.body_inputs();
  jax_values elements;
  for (std::size_t i = 0; i < sequences.size(); ++i) elements.push_back(block_input(g, element_types[i], names[i]));
  g.set_outputs(body.id(), plan.body_outputs(step(carried, elements)));
  std::vector<attribute> attributes{{"body", body.id()},
                                    {"num_scan_inputs", static_cast<std::int64_t>(scanned.size())}};
  if (reverse) {
    attributes.push_back({"scan_input_directions", ints(scanned.size(), 1)});
    const std::size_t collected = tensor_types_of(plan.collected_types).size();
    if (collected > 0) attributes.push_back({"scan_output_directions", ints(collected, 1)});
  }
  const insertion_scope outside(g, g.at(body.id()).parent);
  return plan.read(g.emit_many("Scan", inputs, plan.output_types(), std::move(attributes)));
}

}  // namespace jax2onnx::lower
