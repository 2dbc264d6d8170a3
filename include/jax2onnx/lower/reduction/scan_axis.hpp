#pragma once

#include <span>
#include <vector>

#include <jax2onnx/lower/site.hpp>

/// A Scan along one axis of JAX values.
namespace jax2onnx::lower {

/// The results of a Scan along an axis.
struct scan_results {
  jax_values last;     ///< the accumulators after the last element
  jax_values running;  ///< after every element, on the axis; or what the steps yielded beyond accumulators
};

/// acc = step(acc, element) along `axis` of `sequences`, which have one or more elements there. Accumulators have the
/// extents of an element. What a step returns beyond them is collected.
template <class Step>
scan_results scan_axis(graph& g, const jax_values& first, const jax_values& sequences, std::int64_t axis, bool reverse,
                       bool keep_running, Step&& step) {
  std::vector<value> inputs, states, elements;
  for (const jax_value& o : first) inputs.insert(inputs.end(), o.parts.begin(), o.parts.begin() + o.count);
  const std::size_t carried = inputs.size();
  for (const jax_value& o : sequences) inputs.insert(inputs.end(), o.parts.begin(), o.parts.begin() + o.count);
  const std::size_t scanned = inputs.size() - carried;
  const auto element_type = [&](const value& v) {
    tensor_type t = v.type();
    t.dims.drop(axis);
    return t;
  };
  const auto grouped = [](const jax_values& like, std::span<const value> tensors) {
    jax_values out = like;
    std::size_t next = 0;
    for (jax_value& o : out)
      for (std::size_t p = 0; p < o.count; ++p) o.parts[p] = tensors[next++];
    return out;
  };
  const block_scope body(g);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i < carried) states.push_back(g.input(inputs[i].type(), "acc"));
    else elements.push_back(g.input(element_type(inputs[i]), "element"));
  }
  const jax_values stepped = step(grouped(first, states), grouped(sequences, elements));
  const auto beyond = static_cast<std::ptrdiff_t>(first.size());
  const jax_values kept = keep_running ? first : jax_values(stepped.begin() + beyond, stepped.end());
  std::vector<value> outputs;
  for (const jax_value& o : stepped) outputs.insert(outputs.end(), o.parts.begin(), o.parts.begin() + o.count);
  for (std::size_t i = 0; keep_running && i < carried; ++i) outputs.push_back(value(outputs[i]));
  std::vector<tensor_type> types;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    types.push_back(i < carried ? inputs[i].type() : outputs[i].type());
    if (i >= carried) types.back().dims.put(axis, inputs[carried].extent(axis));
  }
  g.set_outputs(body.id(), outputs);
  std::vector<attribute> attributes{{"body", body.id()}, {"num_scan_inputs", static_cast<std::int64_t>(scanned)}};
  const std::size_t collected = types.size() - carried;
  if (axis != 0) attributes.push_back({"scan_input_axes", ints(scanned, axis)});
  if (axis != 0 && collected > 0) attributes.push_back({"scan_output_axes", ints(collected, axis)});
  if (reverse) attributes.push_back({"scan_input_directions", ints(scanned, 1)});
  if (reverse && collected > 0) attributes.push_back({"scan_output_directions", ints(collected, 1)});
  const insertion_scope outside(g, g.at(body.id()).parent);
  const std::vector<value> all = g.emit_many("Scan", inputs, types, std::move(attributes));
  scan_results out{grouped(first, all), {}};
  out.running = grouped(kept, std::span(all).subspan(carried));
  return out;
}

/// Accumulators that start at the scalars `inits`, folded by a body of scalars along one axis of `xs`.
inline jax_values reduce_by_computation(const site& s, const jaxpr::body& body, const jax_values& xs,
                                        const jax_values& inits, std::int64_t axis) {
  shape rest = xs[0].re().dims();
  const dim length = rest[static_cast<std::size_t>(axis)];
  rest.drop(axis);
  jax_values first = inits;
  for (jax_value& o : first)
    for (std::size_t p = 0; p < o.count; ++p) o.parts[p] = broadcast_to(o.parts[p], rest);
  if (length.is(0)) return first;
  return scan_axis(s.g, first, xs, axis, false, false,
                   [&](jax_values acc, const jax_values& elements) {
                     acc.insert(acc.end(), elements.begin(), elements.end());
                     return s.inline_elementwise(body, acc, rest);
                   })
      .last;
}

}  // namespace jax2onnx::lower
