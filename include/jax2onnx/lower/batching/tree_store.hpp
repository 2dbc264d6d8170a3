// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/direct/syntax.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jaxpr/ast.hpp>

namespace jax2onnx::lower::batching {

/// Stores nodes of jaxprs that are not part of the printed text. The nodes live as long as the store.
class tree_store {
 public:
  tree_store(graph& g, lowerer& driver) : tree_(g, driver) {}

  /// The value of a parameter.
  jaxpr::value value_of(parameter p) { return tree_.value_of(parameters_.emplace_back(std::move(p))); }
  /// A jaxpr as the value of a parameter.
  static jaxpr::value value_of(const jaxpr::body& body) {
    jaxpr::value v;
    v.tag = jaxpr::value::kind::body;
    v.text = "{ lambda … }";
    v.body = &body;
    return v;
  }
  /// A list of values.
  jaxpr::value list_of(std::vector<jaxpr::value> items) {
    jaxpr::value v;
    v.tag = jaxpr::value::kind::tuple;
    v.text = "(…)";
    v.items = keep(values_, std::move(items));
    return v;
  }
  /// A structure: `like` with these members instead of its own.
  jaxpr::value structure_of(const jaxpr::value& like, std::vector<jaxpr::keyword_value> members) {
    jaxpr::value v = like;
    v.keywords = keep(members_, std::move(members));
    return v;
  }
  /// A type.
  const jaxpr::type* type(const aval& t) { return tree_.type_node(t); }
  /// A copy of a string; the copy lives as long as the store.
  std::string_view text(std::string t) { return texts_.emplace_back(std::move(t)); }
  /// A literal with this text and type.
  jaxpr::atom literal(std::string text, const aval& t) { return {texts_.emplace_back(std::move(text)), type(t)}; }
  /// Copies of lists of nodes; the copies live as long as the store.
  /// @{
  std::span<const jaxpr::param> keep(std::vector<jaxpr::param> v) { return keep(params_, std::move(v)); }
  std::span<const jaxpr::binder> keep(std::vector<jaxpr::binder> v) { return keep(binders_, std::move(v)); }
  std::span<const jaxpr::atom> keep(std::vector<jaxpr::atom> v) { return keep(atoms_, std::move(v)); }
  std::span<const jaxpr::equation> keep(std::vector<jaxpr::equation> v) { return keep(equations_, std::move(v)); }
  /// @}
  const jaxpr::body& keep(jaxpr::body b) { return bodies_.emplace_back(b); }

 private:
  template <class T>
  static std::span<const T> keep(std::deque<std::vector<T>>& all, std::vector<T> v) {
    return all.emplace_back(std::move(v));
  }

  syntax tree_;
  // These are deques, so that references and views stay valid.
  std::deque<parameter> parameters_;
  std::deque<std::string> texts_;
  std::deque<std::vector<jaxpr::value>> values_;
  std::deque<std::vector<jaxpr::keyword_value>> members_;
  std::deque<std::vector<jaxpr::param>> params_;
  std::deque<std::vector<jaxpr::binder>> binders_;
  std::deque<std::vector<jaxpr::atom>> atoms_;
  std::deque<std::vector<jaxpr::equation>> equations_;
  std::deque<jaxpr::body> bodies_;
};

/// Writes one jaxpr, equation by equation.
class body_writer {
 public:
  explicit body_writer(tree_store& store) : store_(store) {}

  /// A new variable of a type.
  jaxpr::binder variable(const jaxpr::type* type, std::string_view name = {}) { return {name, type, slots_++}; }
  static jaxpr::atom read(const jaxpr::binder& b) { return {b.name, b.annotation, b.slot}; }
  /// A new argument, or a new variable for an array that the jaxpr closes over.
  /// @{
  jaxpr::atom argument(const jaxpr::type* type, std::string_view name) {
    return read(invars_.emplace_back(variable(type, name)));
  }
  jaxpr::atom constant(const jaxpr::type* type, std::string_view name) {
    return read(constvars_.emplace_back(variable(type, name)));
  }
  /// @}
  /// Adds an equation.
  void add(const jaxpr::equation& eqn) { equations_.push_back(eqn); }
  /// The jaxpr of the added equations, with these results.
  const jaxpr::body& finish(std::vector<jaxpr::atom> results, jaxpr::span where) {
    jaxpr::body body;
    body.constvars = store_.keep(std::move(constvars_));
    body.invars = store_.keep(std::move(invars_));
    body.equations = store_.keep(std::move(equations_));
    body.results = store_.keep(std::move(results));
    body.slots = slots_;
    body.where = where;
    return store_.keep(body);
  }

 private:
  tree_store& store_;
  std::vector<jaxpr::binder> constvars_, invars_;
  std::vector<jaxpr::equation> equations_;
  std::uint32_t slots_ = 0;
};

}  // namespace jax2onnx::lower::batching
