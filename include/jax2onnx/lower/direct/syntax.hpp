// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/lower/direct/parameters.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/typing.hpp>
#include <jaxpr/ast.hpp>

namespace jax2onnx::lower {

/// The only equation in the jaxpr of a computation: calls the C++ function of `target`, or applies its primitive.
struct function_call : jaxpr::equation {
  const computation* target = nullptr;
};
/// The primitive of a function_call that calls a C++ function. No other primitive is a view of this array, so the
/// address of the array identifies such a call.
inline constexpr char function_call_name[] = "C++ function";

/// Returns whether an equation is a function_call that calls a C++ function.
inline bool is_function_call(const jaxpr::equation& eqn) { return eqn.primitive.data() == function_call_name; }

/// Converts parameters in C++ to the syntax tree that lowerings read. Owns the tree; the parameters must outlive it.
class syntax {
 public:
  /// Types of computations are defined in `driver`.
  syntax(graph& g, lowerer& driver) : graph_(g), driver_(driver) {}
  syntax(const syntax&) = delete;
  syntax& operator=(const syntax&) = delete;

  /// The parameters of an equation.
  jaxpr::list<jaxpr::param> params_of(const parameters& all) {
    std::vector<jaxpr::param> out;
    for (const parameters::member& m : all.list()) out.push_back({m.name, value_of(m.value)});
    return params_.emplace_back(std::move(out));
  }

  /// The value of a parameter.
  jaxpr::value value_of(const parameter& p) {
    return std::visit([&](const auto& content) { return tree(content); }, p.get());
  }
  /// Makes the syntax node of a type, and tells the driver which type it has.
  const jaxpr::type* type_node(const aval& t) {
    jaxpr::type& node = types_.emplace_back();
    node.kind = t.ref ? jaxpr::type_kind::ref : jaxpr::type_kind::array;
    node.dtype = t.elem.name;
    node.text = keep(text(graph_.dims(), t));
    driver_.define_type(node, t);
    return &node;
  }

 private:
  using kind = jaxpr::value::kind;

  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  static jaxpr::value leaf(kind tag, std::string_view text) {
    jaxpr::value v;
    v.tag = tag;
    v.text = text;
    return v;
  }
  jaxpr::value tree(std::nullopt_t) { return leaf(kind::none, "None"); }
  jaxpr::value tree(bool b) {
    jaxpr::value v = leaf(kind::boolean, b ? "True" : "False");
    v.flag = b;
    return v;
  }
  jaxpr::value tree(std::int64_t n) {
    jaxpr::value v = leaf(kind::integer, keep(std::to_string(n)));
    v.integer = n;
    v.floating = static_cast<double>(n);
    return v;
  }
  jaxpr::value tree(double x) {
    char digits[32];
    std::string text(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
    if (text.find_first_not_of("-0123456789") == text.npos) text += ".0";
    jaxpr::value v = leaf(kind::floating, keep(std::move(text)));
    v.floating = x;
    return v;
  }
  jaxpr::value tree(const std::string& text) { return leaf(kind::name, text); }
  jaxpr::value tree(dtype type) { return leaf(kind::name, traits(type).name); }
  jaxpr::value tree(dim extent) {
    return extent.is_constant() ? tree(extent.extent()) : leaf(kind::name, keep(graph_.dims().text(extent)));
  }
  jaxpr::value tree(const parameter::list_type& items) {
    std::vector<jaxpr::value> out;
    std::string text = "(";
    for (const parameter& item : items) {
      out.push_back(value_of(item));
      text.append(out.size() > 1 ? ", " : "").append(out.back().text);
    }
    jaxpr::value v = leaf(kind::tuple, keep(text + (items.size() == 1 ? ",)" : ")")));
    v.items = values_.emplace_back(std::move(out));
    return v;
  }
  jaxpr::value tree(const std::shared_ptr<const parameters>& members) {
    std::vector<jaxpr::keyword_value> out;
    std::string text = "(";
    for (const parameters::member& m : members->list()) {
      out.push_back({m.name, value_of(m.value)});
      text.append(out.size() > 1 ? ", " : "").append(m.name).append("=").append(out.back().val.text);
    }
    jaxpr::value v = leaf(kind::call, keep(text + ")"));
    v.keywords = keywords_.emplace_back(std::move(out));
    return v;
  }
  jaxpr::value tree(const computation& c) {
    jaxpr::value v = leaf(kind::body, "{ lambda … }");
    v.body = &bodies_.emplace_back(body_of(c));
    return v;
  }

  /// The jaxpr of a computation: { lambda ; inputs. let results = target inputs in (results) }
  jaxpr::body body_of(const computation& c) {
    jaxpr::body body;
    body.invars = binders(c.inputs(), 0);
    const std::span<const jaxpr::binder> results = binders(c.results(), body.invars.size());
    function_call& call = calls_.emplace_back();
    call.primitive = c.primitive().empty() ? std::string_view(function_call_name) : std::string_view(c.primitive());
    call.target = &c;
    call.ins = atoms(body.invars);
    call.outs = results;
    const origin& from = graph_.origins().back();
    call.where = {from.begin, from.end};
    call.annotation = from.annotation;
    body.equations = {static_cast<const jaxpr::equation*>(&call), 1};
    body.results = atoms(results);
    body.slots = static_cast<std::uint32_t>(body.invars.size() + results.size());
    return body;
  }
  std::span<const jaxpr::binder> binders(const std::vector<array_type>& types, std::size_t slot) {
    std::vector<jaxpr::binder> out;
    for (const array_type& t : types) out.push_back({"", type_node(t), static_cast<std::uint32_t>(slot++)});
    return binders_.emplace_back(std::move(out));
  }
  std::span<const jaxpr::atom> atoms(std::span<const jaxpr::binder> variables) {
    std::vector<jaxpr::atom> out;
    for (const jaxpr::binder& b : variables) out.push_back({b.name, b.annotation, b.slot});
    return atoms_.emplace_back(std::move(out));
  }
  graph& graph_;
  lowerer& driver_;
  // These are deques, so that references and views stay valid.
  std::deque<std::string> texts_;
  std::deque<std::vector<jaxpr::param>> params_;
  std::deque<std::vector<jaxpr::value>> values_;
  std::deque<std::vector<jaxpr::keyword_value>> keywords_;
  std::deque<std::vector<jaxpr::binder>> binders_;
  std::deque<std::vector<jaxpr::atom>> atoms_;
  std::deque<jaxpr::type> types_;
  std::deque<function_call> calls_;
  std::deque<jaxpr::body> bodies_;
};

}  // namespace jax2onnx::lower
