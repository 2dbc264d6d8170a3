// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/graph/functions/names.hpp>
#include <jax2onnx/graph/functions/traces.hpp>
#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/message.hpp>

/// Calls that are kept by request: functions of the program become functions of the model (ONNX's FunctionProto).
namespace jax2onnx::lower {

/// The domain of the functions of a model that were functions of the program.
inline constexpr std::string_view function_domain = "jax.functions";

/// The primitives of calls that state the name of their function.
inline constexpr std::string_view named_calls[] = {"custom_jvp_call", "custom_vjp_call", "jit"};

/// The name of the function that an equation of `named_calls` calls; empty if the equation lacks the name.
inline std::string_view called_name(const site& s) {
  const jaxpr::value* name = s.find("name");
  return name ? name->text : std::string_view();
}

/// Replaces characters that names in ONNX cannot have, such as the brackets of `<lambda>`, by underscores.
inline std::string identifier(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (!detail::is_letter(c) && !detail::is_digit(c)) c = '_';
  return out;
}

/// A call whose body becomes a function of the model. Calls with equal names, bodies and operand types share one
/// function.
class kept_call {
 public:
  explicit kept_call(const site& s) : site_(s) {
    for (std::size_t i = 0; i < s.arity(); ++i) {
      const value operand = pack(s.in_parts(i), s.in_type(i));
      if (is_small_constant(operand)) continue;
      passed_.push_back(i);
      operands_.push_back(operand);
    }
  }

  /// Traces the body, defines the function unless it is known, and calls it.
  jax_values results(const jaxpr::body& body, std::string_view name) const {
    const block_id trace = traced(body);
    const std::string own = name_of_function(name, trace);
    std::vector<tensor_type> types;
    for (const value_id v : site_.g.at(trace).outputs) types.push_back(site_.g.at(v).type);
    const std::vector<value> made = site_.g.emit_many(operator_name::unchecked(site_.g.intern(own)), operands_, types,
                                                      {}, site_.g.intern(function_domain));
    jax_values out;
    for (std::size_t i = 0; i < made.size(); ++i) out.push_back(unpack(made[i], site_.out_type(i)));
    return out;
  }

 private:
  /// Returns whether v is a scalar constant. A scalar constant becomes part of the body, where rewrites see it, instead
  /// of an operand.
  static bool is_small_constant(const value& v) { return v.is_constant() && v.rank() == 0; }
  /// A weight's name without the path to its module, which differs from call to call; empty for a value that is not
  /// constant.
  static std::string name_of_operand(const value& v) {
    if (!v.is_constant()) return {};
    const std::string& name = v.record().name;
    return name.substr(name.find_last_of("./") + 1);
  }

  block_id traced(const jaxpr::body& body) const {
    const function_scope scope(site_.g);
    jax_values arguments(site_.ins().begin(), site_.ins().end());
    for (std::size_t k = 0; k < passed_.size(); ++k) {
      const value inner = site_.g.input(operands_[k].type(), name_of_operand(operands_[k]));
      arguments[passed_[k]] = unpack(inner, site_.in_type(passed_[k]));
    }
    const jax_values results = site_.inline_body(body, arguments);
    std::vector<value> packed;
    for (std::size_t i = 0; i < results.size(); ++i) packed.push_back(pack(results[i], site_.out_type(i)));
    site_.g.set_outputs(scope.id(), packed);
    return scope.id();
  }

  /// The name of the function with this body: NAME, or NAME_2, NAME_3, … if functions of that name have other bodies.
  /// Adds the function if the model lacks it.
  std::string name_of_function(std::string_view name, block_id trace) const {
    for (int number = 1;; ++number) {
      std::string own = number == 1 ? std::string(name) : detail::message("{}_{}", name, number);
      model_function* const known = site_.g.find_function(function_domain, own);
      if (known && !is_same(known->body, trace)) continue;
      if (!known) site_.g.add_function(function_domain, own).body = trace;
      return own;
    }
  }

  bool is_same(block_id known, block_id trace) const {
    const std::vector<value_id>&a = site_.g.at(known).inputs, &b = site_.g.at(trace).inputs;
    const auto type = [&](value_id v) -> const tensor_type& { return site_.g.at(v).type; };
    return std::ranges::equal(a, b, {}, type, type) && detail::trace_match(site_.g, known, trace).difference().empty();
  }

  const site& site_;
  std::vector<std::size_t> passed_ = {};
  std::vector<value> operands_ = {};
};

/// Lowers a call. If `functions` contains the name of the called function, the call becomes a call of a function of the
/// model. Otherwise `otherwise` lowers the call, or the built-in lowering if `otherwise` is empty.
inline jax_values lower_call(const site& s, std::span<const std::string> functions, const user_lowerer& otherwise) {
  const std::string_view name = called_name(s);
  if (std::ranges::find(functions, name) == functions.end()) return otherwise ? otherwise(s) : lower_builtin(s);
  if (!s.refs().empty()) s.unsupported("a function of the model cannot have mutable references as operands");
  const auto& body = *s.param<const jaxpr::body*>(s.primitive() == "jit" ? "jaxpr" : "call_jaxpr");
  s.ignore_all("the call is one node");
  return kept_call(s).results(body, identifier(name));
}

}  // namespace jax2onnx::lower
