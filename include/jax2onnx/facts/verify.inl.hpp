// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/facts/apply.hpp>
#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/operators/domain_versions.hpp>
#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

namespace detail {

/// One walk over a graph.
class verification {
 public:
  explicit verification(const graph& g) : graph_(g), dims_(g.dims()), defined_(g.value_count()) {}
  std::vector<diagnostic> problems() {
    visit(block_id::main, 0);
    for (const model_function& f : graph_.functions())
      if (f.body != block_id::none) visit(f.body, 0);
    return std::move(found_);
  }

 private:
  static constexpr std::size_t most_problems = 100;

  void visit(block_id b, int depth);
  void visit(const node& n, int depth);
  void check(const node& n);
  void check_version(const node& n, const op_record& record);
  int imported(std::string_view domain);
  void check_call(const node& n, const model_function& f);
  void check_defined(value_id v, std::string_view by);
  void set_defined(value_id v, bool visible) {
    if (v != value_id::none) defined_[static_cast<std::size_t>(v)] = visible;
  }
  void add(std::string message) {
    if (found_.size() < most_problems)
      found_.push_back({jaxpr::severity::error, "graph.invalid", std::move(message), {}, {}, {}});
  }

  const graph& graph_;
  dim_table dims_;  // a copy, since rules make new extents
  std::vector<bool> defined_;
  std::vector<diagnostic> found_;
  std::map<std::string_view, int> imported_;  // versions of domains besides ai.onnx
};

/// True if one value can have both the stated type and the type that a rule infers.
inline bool compatible(const tensor_type& stated, const tensor_type& inferred) {
  const bool typed = stated.type != dtype::undefined && inferred.type != dtype::undefined;
  if ((typed && stated.type != inferred.type) || stated.kind != inferred.kind) return false;
  if (!stated.ranked || !inferred.ranked) return true;
  if (stated.dims.size() != inferred.dims.size()) return false;
  for (std::size_t i = 0; i < stated.dims.size(); ++i)
    if (definitely_differ(stated.dims[i], inferred.dims[i])) return false;
  return true;
}

inline void verification::visit(block_id b, int depth) {
  if (depth > most_nested_blocks) return add("the bodies of If, Loop and Scan are nested too deeply");
  const block& body = graph_.at(b);
  for (value_id v : body.inputs) set_defined(v, true);
  for (node_id id : body.nodes) visit(graph_.at(id), depth);
  for (value_id v : body.outputs) check_defined(v, "an output");
  for (value_id v : body.inputs) set_defined(v, false);
  for (node_id id : body.nodes)
    for (value_id v : graph_.at(id).outputs) set_defined(v, false);
}

inline void verification::visit(const node& n, int depth) {
  for (value_id v : n.inputs)
    if (v != value_id::none) check_defined(v, n.op);
  for (const attribute& a : n.attributes)
    if (const block_id* body = std::get_if<block_id>(&a.value)) visit(*body, depth + 1);
  try {
    check(n);
  } catch (const build_error& e) {
    add(e.what());
  }
  for (value_id v : n.outputs) set_defined(v, true);
}

inline void verification::check_call(const node& n, const model_function& f) {
  const block& body = graph_.at(f.body);
  if (n.inputs.size() != body.inputs.size() || n.outputs.size() > body.outputs.size())
    return add(
        message("{}.{}: it takes {} operand{|s} and has {} result{|s}; a call has {} operand{|s} and {} result{|s}",
                f.domain, f.name, body.inputs.size(), body.outputs.size(), n.inputs.size(), n.outputs.size()));
  for (std::size_t i = 0; i < n.inputs.size(); ++i) {
    if (n.inputs[i] == value_id::none) continue;
    const tensor_type &given = graph_.at(n.inputs[i]).type, &taken = graph_.at(body.inputs[i]).type;
    if (!compatible(taken, given))
      add(message("{}.{}: operand {} is {}, but the function takes {}", f.domain, f.name, i, text(graph_, given),
                  text(graph_, taken)));
  }
}

inline void verification::check(const node& n) {
  if (const model_function* f = n.domain.empty() ? nullptr : graph_.find_function(n.domain, n.op))
    return check_call(n, *f);
  const int version = version_in(graph_, n.domain);
  if (version == 0) return;  // a domain that ONNX does not have
  const op_record* const record = find_record(n.domain, n.op, version);
  if (!record) throw_no_operator(n.domain, n.op, graph_.opset());
  if (!n.domain.empty() && n.domain != "ai.onnx") check_version(n, *record);
  const auto types = infer_types(graph_, dims_, *record, n.inputs, n.attributes, n.outputs.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (n.outputs[i] == value_id::none) continue;
    const value_record& result = graph_.at(n.outputs[i]);
    if (!compatible(result.type, types[i]))
      add(message("{}: its result {} is {}, but the graph states {}", call_text(graph_, *record, n.inputs), i,
                  text(graph_, types[i]), text(graph_, result.type)));
  }
}

/// The result of imported_version(), which is computed once for each domain.
inline int verification::imported(std::string_view domain) {
  const auto [place, added] = imported_.emplace(domain, 0);
  if (added) place->second = imported_version(graph_, domain);
  return place->second;
}

/// Checks the node in the version of its domain that the model imports, which may be stated after the node was made.
inline void verification::check_version(const node& n, const op_record& record) {
  const int there = imported(n.domain);
  if (is_withdrawn(n, there))
    add(message("{}: version {} of {}, which other nodes or set_domain_version() require, lacks the operator", n.op,
                there, n.domain));
  for (const attribute& a : n.attributes)
    if (!record.find(a.name))
      add(message("{}: it has no attribute '{}' in version {} of {}", n.op, a.name, there, n.domain));
}

inline void verification::check_defined(value_id v, std::string_view by) {
  const value_record& r = graph_.at(v);
  if (r.constant < 0 && !defined_[static_cast<std::size_t>(v)])
    add(message("{} uses the value '{}' ({}) where it is not defined; optimize() may have removed it", by, r.name,
                static_cast<std::size_t>(v)));
}

}  // namespace detail

JAX2ONNX_INLINE std::vector<diagnostic> problems_of(const graph& g) { return detail::verification(g).problems(); }

namespace detail {

/// The problems of the inputs and outputs of a model.
inline std::vector<std::string> interface_problems(const graph& g) {
  std::vector<std::string> found;
  const block& main = g.at(block_id::main);
  if (main.outputs.empty()) found.emplace_back("the model has no outputs");
  std::set<std::string_view> names;
  for (const std::vector<value_id>* values : {&main.inputs, &main.outputs})
    for (const value_id v : *values)
      if (const std::string& name = g.at(v).name; !name.empty() && !names.insert(name).second)
        found.push_back(message("two inputs or outputs of the model have the name '{}'", name));
  return found;
}

}  // namespace detail

JAX2ONNX_INLINE void verify(const graph& g) {
  std::vector<diagnostic> found = problems_of(g);
  for (std::string& problem : detail::interface_problems(g))
    found.push_back({jaxpr::severity::error, "graph.invalid", std::move(problem), {}, {}, {}});
  if (!found.empty()) throw error(failure::malformed, std::move(found));
}

}  // namespace jax2onnx
