// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/graph/functions/inline.hpp>
#include <jax2onnx/support/key_map.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

namespace detail {

/// Replaces calls by the nodes of their functions, innermost calls last.
class inliner {
 public:
  explicit inliner(graph& g) : graph_(g) {}
  void expand(block_id b) {
    const std::vector<node_id> nodes = std::exchange(graph_.at(b).nodes, {});
    const insertion_scope here(graph_, b);
    for (node_id n : nodes) expand_node(n);
  }

 private:
  static constexpr int deepest = 100;

  /// A call, and the values that replace the values of the function's body.
  struct call_site {
    const node& call;
    const model_function& function;
    key_map values = {};  // value_id in the caller, by value_id in the body
  };

  void expand_node(node_id id);
  void inline_call(const node& call, const model_function& f);
  block_id body_for(const node& call, const model_function& f) const;
  void clone(call_site& at, node_id original);
  block_id clone(call_site& at, block_id original);
  std::vector<attribute> attributes_at(call_site& at, const node& original);
  void rename(call_site& at, value_id from, value_id to) {
    at.values.set(static_cast<std::int64_t>(from), static_cast<std::uint32_t>(to));
  }
  value_id value_at(const call_site& at, value_id v) const {
    if (v == value_id::none || graph_.at(v).constant >= 0) return v;
    return static_cast<value_id>(at.values.find(static_cast<std::int64_t>(v)));
  }
  value_id new_value_at(call_site& at, value_id v) {
    if (v == value_id::none) return v;
    if (const value_id known = value_at(at, v); known != value_id::none) return known;
    const value_id made = graph_.add_value(graph_.at(v).type, graph_.current(), graph_.at(v).name);
    rename(at, v, made);
    return made;
  }

  graph& graph_;
  int depth_ = 0;
};

inline void inliner::expand_node(node_id id) {
  const node& n = graph_.at(id);
  for (const attribute& a : n.attributes)
    if (const block_id* inner = std::get_if<block_id>(&a.value)) expand(*inner);
  const model_function* const f = n.domain.empty() ? nullptr : graph_.find_function(n.domain, n.op);
  if (!f) return graph_.append(id);
  if (++depth_ > deepest)
    throw build_error(message("{}.{}: functions call each other more than {} deep", f->domain, f->name, deepest));
  inline_call(n, *f);
  --depth_;
}

/// The body that was traced for the types of the call, or else the body for all calls.
inline block_id inliner::body_for(const node& call, const model_function& f) const {
  for (block_id trace : f.traces) {
    const std::vector<value_id>& inputs = graph_.at(trace).inputs;
    bool same = inputs.size() == call.inputs.size();
    for (std::size_t i = 0; same && i < inputs.size(); ++i)
      same = graph_.at(inputs[i]).type == graph_.at(call.inputs[i]).type;
    if (same) return trace;
  }
  return f.body;
}

inline void inliner::inline_call(const node& call, const model_function& f) {
  const block& body = graph_.at(body_for(call, f));
  call_site at{call, f};
  if (call.inputs.size() != body.inputs.size() || call.outputs.size() > body.outputs.size())
    throw build_error(message("{}.{}: a call has the wrong number of operands or results", f.domain, f.name));
  for (std::size_t i = 0; i < body.inputs.size(); ++i) rename(at, body.inputs[i], call.inputs[i]);
  std::vector<std::size_t> copied;  // results that no node of the function computes, or that are listed twice
  for (std::size_t i = 0; i < call.outputs.size(); ++i) {
    const value_id result = body.outputs[i];
    if (graph_.at(result).producer != node_id::none && value_at(at, result) == value_id::none)
      rename(at, result, call.outputs[i]);
    else copied.push_back(i);
  }
  for (node_id n : body.nodes) clone(at, n);
  for (std::size_t i : copied)
    graph_.append(graph_.add_node({.op = "Identity",
                                   .inputs = {value_at(at, body.outputs[i])},
                                   .outputs = {call.outputs[i]},
                                   .origin = call.origin}));
}

inline std::vector<attribute> inliner::attributes_at(call_site& at, const node& original) {
  std::vector<attribute> out;
  for (const attribute& a : original.attributes) {
    if (const block_id* inner = std::get_if<block_id>(&a.value)) {
      out.push_back({a.name, clone(at, *inner)});
      continue;
    }
    const attribute* found = &a;
    if (!a.reference.empty()) {
      found = at.call.find(a.reference);
      for (const attribute& standard : at.function.attributes)
        if (!found && standard.name == a.reference) found = &standard;
    }
    if (found) out.push_back({a.name, found->value, found == &a ? std::string_view() : found->reference});
  }
  return out;
}

inline void inliner::clone(call_site& at, node_id id) {
  const node& original = graph_.at(id);
  node n{.op = original.op, .origin = at.call.origin, .domain = original.domain};
  for (value_id v : original.inputs) n.inputs.push_back(value_at(at, v));
  n.attributes = attributes_at(at, original);
  for (value_id v : original.outputs) n.outputs.push_back(new_value_at(at, v));
  const node_id made = graph_.add_node(std::move(n));
  if (const node_note* note = graph_.note(id)) {
    const node_note copy = *note;
    graph_.edit_note(made) = copy;
  }
  expand_node(made);
}

inline block_id inliner::clone(call_site& at, block_id original) {
  const block_scope scope(graph_);
  block& made = graph_.at(scope.id());
  for (value_id v : graph_.at(original).inputs) made.inputs.push_back(new_value_at(at, v));
  for (node_id n : graph_.at(original).nodes) clone(at, n);
  for (value_id v : graph_.at(original).outputs) made.outputs.push_back(value_at(at, v));
  return scope.id();
}

}  // namespace detail

JAX2ONNX_INLINE void inline_functions(graph& g) { detail::inliner(g).expand(block_id::main); }

}  // namespace jax2onnx
