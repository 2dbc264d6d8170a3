// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/recorded_texts.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/compat.hpp>
#include <jax2onnx/lower/direct/lower_primitive.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/liveness.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jaxpr/jaxpr.hpp>

/// Lowers the equations of a jaxpr one by one with lower_primitive(), like a program with its own representation:
/// parameters and nested jaxprs become C++ values.
class replay {
  using value = jax2onnx::value;
  using jax_values = jax2onnx::jax_values;
  using types = std::vector<jax2onnx::array_type>;

 public:
  explicit replay(const jaxpr::program& source) : reader_(g, source, own_, jax2onnx::lower_builtin, lowering_) {
    options_.lowering.partitionable_keys = jax2onnx::compat::since_0_5(source);
  }

  /// Lowers the main jaxpr, with inputs for its constvars, and returns its results.
  jax_values run(const jaxpr::body& main) {
    jax_values args = inputs_for(g, reader_, main.constvars);
    const jax_values inputs = inputs_for(g, reader_, main.invars);
    args.insert(args.end(), inputs.begin(), inputs.end());
    return run(main, args);
  }

  jax2onnx::graph g;
  std::size_t derived = 0, stated = 0;  ///< equations whose result types were derived, or had to be stated
  bool has_functions = false;           ///< a nested jaxpr became a C++ function

 private:
  jax_values run(const jaxpr::body& body, const jax_values& args) {
    jax_values env(body.slots);
    std::size_t next = 0;
    for (const auto list : {body.constvars, body.invars})
      for (const jaxpr::binder& b : list) env[b.slot] = args.at(next++);
    const jax2onnx::lower::liveness live(body, {});
    for (std::size_t i = 0; i < body.equations.size(); ++i)
      if (live.equation(i) && !body.equations[i].outs.empty()) lower(body.equations[i], env);
    jax_values out;
    for (const jaxpr::atom& a : body.results) out.push_back(value_of(a, env));
    return out;
  }

  jax2onnx::jax_value value_of(const jaxpr::atom& a, const jax_values& env) {
    return a.is_literal() ? reader_.literal(a) : env.at(a.slot);
  }
  types types_of(const auto& variables) {
    types out;
    for (const auto& v : variables) out.emplace_back(reader_.type_of(v.annotation));
    return out;
  }
  /// Groups the parts of values of these types.
  static jax_values grouped(const std::vector<value>& parts, const types& all) {
    jax_values out;
    std::size_t next = 0;
    for (const jax2onnx::array_type& t : all)
      out.push_back(jax2onnx::from_parts(t.elem.parts, [&](std::size_t) { return parts.at(next++); }));
    return out;
  }

  void lower(const jaxpr::equation& eqn, jax_values& env) {
    std::vector<jax2onnx::jax_operand> ins;
    for (const jaxpr::atom& a : eqn.ins) ins.emplace_back(value_of(a, env), reader_.type_of(a.annotation).elem.name);
    jax2onnx::parameters params;
    for (const jaxpr::param& p : eqn.params)  // the trees of scan repeat information of its types
      if (p.key != "ft_in" && p.key != "ft_out") params.add(std::string(p.key), parameter_of(p.val));
    const types all = types_of(eqn.outs);
    const jax_values made = grouped(lowered(eqn.primitive, ins, params, all), all);
    for (std::size_t i = 0; i < made.size(); ++i) env[eqn.outs[i].slot] = made[i];
  }

  /// Lowers with derived result types if possible. JAX writes some symbolic extents in a different form.
  std::vector<value> lowered(std::string_view primitive, const jax2onnx::jax_operands& ins,
                             const jax2onnx::parameters& params, const types& all) {
    bool is_static = true;
    for (const jax2onnx::array_type& t : all) is_static = is_static && jax2onnx::is_static(t.dims);
    if (is_static) try {
        std::vector<value> made = jax2onnx::lower_primitive(primitive, g, ins, params, {}, options_);
        ++derived;
        return made;
      } catch (const jax2onnx::conversion_error& e) {
        if (!std::string_view(e.what()).ends_with("state them")) throw;
      }
    ++stated;
    return jax2onnx::lower_primitive(primitive, g, ins, params, all, options_);
  }

  jax2onnx::parameter parameter_of(const jaxpr::value& v) {
    using kind = jaxpr::value::kind;
    switch (v.tag) {
      case kind::none: return std::nullopt;
      case kind::boolean: return v.flag;
      case kind::integer: return v.integer;
      case kind::floating: return v.floating;
      case kind::tuple:
      case kind::sequence: {
        jax2onnx::parameter::list_type items;
        for (const jaxpr::value& item : v.items) items.push_back(parameter_of(item));
        return items;
      }
      case kind::call: {
        if (v.keywords.empty()) return v.text;
        jax2onnx::parameters members;
        for (const jaxpr::keyword_value& k : v.keywords) members.add(std::string(k.key), parameter_of(k.val));
        return members;
      }
      case kind::body: return computation_of(*v.body);
      case kind::string:
      case kind::name:
      case kind::raw: break;
    }
    return v.text;
  }

  jax2onnx::computation computation_of(const jaxpr::body& body) {
    const types inputs = types_of(body.invars);
    if (is_one_primitive(body)) return {std::string(body.equations[0].primitive), inputs[0]};
    has_functions = true;
    return {inputs, types_of(body.results), [this, &body, inputs](std::span<const value> parts) {
              std::vector<value> out;
              for (const jax2onnx::jax_value& v : run(body, grouped({parts.begin(), parts.end()}, inputs)))
                out.insert(out.end(), v.parts.begin(), v.parts.begin() + v.count);
              return out;
            }};
  }
  /// { lambda ; a:t b:t. let c:t = primitive a b in (c,) }
  static bool is_one_primitive(const jaxpr::body& body) {
    if (body.equations.size() != 1 || body.invars.size() != 2 || body.results.size() != 1) return false;
    const jaxpr::equation& e = body.equations[0];
    return e.params.empty() && e.ins.size() == 2 && e.ins[0].slot == body.invars[0].slot &&
           e.ins[1].slot == body.invars[1].slot && body.results[0].slot == e.outs[0].slot;
  }

  jax2onnx::user_lowerers own_;
  jax2onnx::lowering_options lowering_;
  jax2onnx::lower::lowerer reader_;  // reads types and literals
  jax2onnx::primitive_options options_;
};
