// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <variant>

#include <jax2onnx/dsl/structure/functions.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// The attribute of this name that calls of the function may give; null if there is none.
inline const attribute* attribute_named(const model_function& f, std::string_view name) {
  const auto found =
      std::find_if(f.attributes.begin(), f.attributes.end(), [&](const attribute& a) { return a.name == name; });
  return found == f.attributes.end() ? nullptr : &*found;
}

/// Traces a function for one call.
class function_tracer {
 public:
  function_tracer(graph& g, model_function& f, std::span<const std::string> names, std::span<const value> operands,
                  function_body body)
      : graph_(g), function_(f), names_(names), operands_(operands), body_(body) {}

  /// A block of the function whose inputs have the types of the operands. Fails if the block has other nodes than the
  /// blocks of earlier calls.
  block_id trace_for_call();

 private:
  bool fits(block_id trace) const;
  block_id trace() const;
  void require_declared(block_id block) const;
  void add(block_id trace);
  void require_same(block_id known) const;
  std::string types_text(block_id trace) const;
  [[noreturn]] void refuse(const std::string& problem) const {
    throw build_error(message("{}.{}: {}", function_.domain, function_.name, problem));
  }

  graph& graph_;
  model_function& function_;
  std::span<const std::string> names_;
  std::span<const value> operands_;
  function_body body_;
};

inline bool function_tracer::fits(block_id trace) const {
  const std::vector<value_id>& inputs = graph_.at(trace).inputs;
  if (inputs.size() != operands_.size())
    refuse(message("it takes {} operand{|s}, but the call has {}", inputs.size(), operands_.size()));
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (graph_.at(inputs[i]).type != operands_[i].type()) return false;
  return true;
}

inline std::string function_tracer::types_text(block_id trace) const {
  std::string out;
  for (value_id v : graph_.at(trace).inputs) out += (out.empty() ? "" : ", ") + text(graph_, graph_.at(v).type);
  return "(" + out + ")";
}

inline block_id function_tracer::trace() const {
  const function_scope scope(graph_);
  std::vector<value> inputs;
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const std::string& own = graph_.at(operands_[i].id()).name;
    inputs.push_back(graph_.input(operands_[i].type(), i < names_.size() ? names_[i] : own));
  }
  graph_.set_outputs(scope.id(), body_(inputs));
  if (graph_.at(scope.id()).inputs.size() > operands_.size())
    refuse("its body declares an input of the model; declare it before the body");
  if (graph_.at(scope.id()).outputs.empty()) refuse("it has no results");
  require_declared(scope.id());
  return scope.id();
}

/// Checks that the function declares each attribute that the nodes refer to, with the same kind, in nested blocks as
/// well.
inline void function_tracer::require_declared(block_id block) const {
  for (const node_id id : graph_.at(block).nodes)
    for (const attribute& a : graph_.at(id).attributes) {
      if (const auto* inner = std::get_if<block_id>(&a.value)) require_declared(*inner);
      if (a.reference.empty()) continue;
      const attribute* declared = attribute_named(function_, a.reference);
      if (!declared)
        refuse(message("its body uses the attribute '{}', which the function does not declare", a.reference));
      if (declared->value.index() != a.value.index())
        refuse(message("its attribute '{}' differs in kind from the attribute '{}' of {}", a.reference, a.name,
                       graph_.at(id).op));
    }
}

/// Generalizes the types of the function so that they also hold for this trace. Fails if the trace has other nodes than
/// the function.
inline void function_tracer::add(block_id trace) {
  const trace_match match(graph_, function_.body, trace);
  if (!match.difference().empty() && function_.traces.empty())
    refuse("its body does not build the same nodes each time: " + match.difference());
  if (!match.difference().empty())
    refuse(message("its body differs for {} and {}: {}; define a function for each", types_text(trace),
                   types_text(function_.traces.front()), match.difference()));
  for (const auto& [general, special] : match.pairs())
    graph_.at(general).type = general_type(graph_.at(general).type, graph_.at(special).type);
  function_.traces.push_back(trace);
}

/// Fails if the body differs from the known body. The body differs if two functions share a name, or if a value that
/// the body captures has changed.
inline void function_tracer::require_same(block_id known) const {
  const trace_match match(graph_, known, trace());
  if (!match.difference().empty())
    refuse("this call builds a different function of the same name: " + match.difference());
}

inline block_id function_tracer::trace_for_call() {
  if (names_.size() > operands_.size())
    refuse(message("it has names for {} operand{|s}, but the call has {}", names_.size(), operands_.size()));
  if (function_.open) refuse("it calls itself, which ONNX functions cannot do");
  if (function_.body != block_id::none && function_.traces.empty()) {
    if (!fits(function_.body))
      refuse("it was rewritten and now only accepts operands of types " + types_text(function_.body));
    return function_.body;
  }
  for (block_id known : function_.traces)
    if (fits(known)) return require_same(known), known;
  struct opening {
    explicit opening(model_function& f) : function(f) { function.open = true; }
    ~opening() { function.open = false; }
    model_function& function;
  } const opened(function_);
  if (function_.body == block_id::none) function_.body = trace();
  const block_id here = trace();
  add(here);
  return here;
}

}  // namespace jax2onnx::detail

namespace jax2onnx {

JAX2ONNX_INLINE std::vector<value> detail::call_function(graph& g, model_function& f,
                                                         std::span<const std::string> names,
                                                         std::span<const value> operands,
                                                         std::vector<attribute> attributes, function_body body) {
  for (const value& v : operands) {
    v.require_graph();
    if (!v) throw build_error(message("{}.{}: an operand is absent", f.domain, f.name));
  }
  for (const value& v : operands)
    if (&v.owner() != &g) throw build_error(message("{}.{}: an operand belongs to another graph", f.domain, f.name));
  for (const attribute& a : attributes) {
    const attribute* declared = attribute_named(f, a.name);
    if (!declared) throw build_error(message("{}.{}: it has no attribute '{}'", f.domain, f.name, a.name));
    if (declared->value.index() != a.value.index())
      throw build_error(
          message("{}.{}: the attribute '{}' differs in kind from its default", f.domain, f.name, a.name));
  }
  const block_id trace = function_tracer(g, f, names, operands, body).trace_for_call();
  std::vector<tensor_type> types;
  for (value_id v : g.at(trace).outputs) types.push_back(g.at(v).type);
  return g.emit_many(operator_name::unchecked(f.name), operands, types, std::move(attributes), f.domain);
}

}  // namespace jax2onnx
