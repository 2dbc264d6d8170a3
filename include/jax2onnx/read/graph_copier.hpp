// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/domain_versions.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/read/merge_types.hpp>
#include <jax2onnx/read/opset_adapter.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// Copies nodes of one graph to the current block of another graph. Types are inferred again from the copied operands.
/// Both graphs share the sources of weights.
class graph_copier {
 public:
  /// Maps an extent of the source graph to an extent of the target graph.
  using translation = std::function<dim(dim)>;

  /// Operators that have another form in the opset of `to` are adapted; copying throws a build_error for operators that
  /// cannot be adapted.
  graph_copier(const graph& from, graph& to, translation translate)
      : from_(from), to_(to), translate_(std::move(translate)), copies_(from.value_count(), value_id::none) {
    for (const auto& [domain, version] : from.domain_versions()) to.set_domain_version(domain, version);
  }

  /// Makes `copy` the copy of `original`.
  void place(value_id original, value_id copy) { copies_[static_cast<std::size_t>(original)] = copy; }
  /// The copy of a value; value_id::none stays none. Constants are copied on demand.
  value_id copy_of(value_id original);
  void copy_node(node_id id);
  /// The type, with its extents translated to the target graph.
  tensor_type translated(tensor_type t) const {
    for (dim& d : t.dims) d = translate_(d);
    return t;
  }

 private:
  std::vector<attribute> copy_attributes(const node& n);
  block_id copy_body(block_id b);
  std::vector<tensor_type> result_types(const node& n, node& copy);

  const graph& from_;
  graph& to_;
  translation translate_;
  std::vector<value_id> copies_;  // the copies, by the value_id of the original
};

inline value_id graph_copier::copy_of(value_id original) {
  if (original == value_id::none) return original;
  value_id& copy = copies_[static_cast<std::size_t>(original)];
  const value_record& r = from_.at(original);
  if (copy == value_id::none && r.constant >= 0) copy = to_.constant(r.type, from_.data(r), r.name).id();
  if (copy == value_id::none)
    throw build_error(message("the value '{}' is not copied; optimize() may have removed it", r.name));
  return copy;
}

inline block_id graph_copier::copy_body(block_id b) {
  const block_scope scope(to_);
  for (value_id v : from_.at(b).inputs) place(v, to_.input(translated(from_.at(v).type), from_.at(v).name).id());
  for (node_id n : from_.at(b).nodes) copy_node(n);
  std::vector<value> outputs;
  for (value_id v : from_.at(b).outputs) outputs.emplace_back(to_, copy_of(v));
  to_.set_outputs(scope.id(), outputs);
  return scope.id();
}

inline std::vector<attribute> graph_copier::copy_attributes(const node& n) {
  std::vector<attribute> out;
  for (const attribute& a : n.attributes) {
    attribute copy{to_.intern(a.name), a.value};
    if (const auto* body = std::get_if<block_id>(&a.value)) copy.value = copy_body(*body);
    if (const auto* type = std::get_if<tensor_type>(&a.value)) copy.value = translated(*type);
    out.push_back(std::move(copy));
  }
  return out;
}

inline std::vector<tensor_type> graph_copier::result_types(const node& n, node& copy) {
  std::vector<tensor_type> stated;
  for (value_id v : n.outputs) stated.push_back(v == value_id::none ? unknown_type() : translated(from_.at(v).type));
  const op_record* const before = find_record(n.domain, n.op, version_in(from_, n.domain));
  const op_record* const record = find_record(n.domain, n.op, version_in(to_, n.domain));
  if (before && !record) throw_no_operator(n.domain, n.op, to_.opset());
  if (!before && record) throw_no_operator(n.domain, n.op, from_.opset());
  if (!record) return stated;
  if (before != record) opset_adapter(to_, copy, *before, *record).run();
  std::vector<tensor_type> types =
      infer_types(to_, to_.dims(), *record, copy.inputs, copy.attributes, n.outputs.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    if (auto both = merged(types[i], stated[i])) types[i] = std::move(*both);
  return types;
}

inline void graph_copier::copy_node(node_id id) {
  const node& n = from_.at(id);
  if (from_.find_function(n.domain, n.op))
    throw build_error(
        message("a call of the function {}.{} cannot be copied to another graph: call inline_functions() first, "
                "which replaces calls by the nodes of their functions",
                n.domain, n.op));
  jax2onnx::node copy{
      .op = operator_name::unchecked(to_.intern(n.op)), .origin = to_.current_origin(), .domain = to_.intern(n.domain)};
  for (value_id v : n.inputs) copy.inputs.push_back(copy_of(v));
  copy.attributes = copy_attributes(n);
  copy.outputs.resize(n.outputs.size(), value_id::none);  // the adapter needs the number of outputs
  std::vector<tensor_type> types = result_types(n, copy);
  copy.outputs.clear();
  for (std::size_t i = 0; i < n.outputs.size(); ++i) {
    const value_id v = n.outputs[i];
    copy.outputs.push_back(v == value_id::none ? v
                                               : to_.add_value(std::move(types[i]), to_.current(), from_.at(v).name));
    // A value that already has a copy keeps it.
    if (v != value_id::none && copies_[static_cast<std::size_t>(v)] == value_id::none) place(v, copy.outputs.back());
  }
  const node_id made = to_.add_node(std::move(copy));
  if (const node_note* note = from_.note(id)) to_.edit_note(made) = *note;
  to_.append(made);
}

}  // namespace jax2onnx::detail
