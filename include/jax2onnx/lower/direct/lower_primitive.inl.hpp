// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/compat.hpp>
#include <jax2onnx/lower/direct/lower_primitive.hpp>
#include <jax2onnx/lower/direct/syntax.hpp>
#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {
namespace detail {

/// Wraps an exception of a computation, so that the driver's handlers for other exceptions let it pass.
struct computation_exception {
  std::exception_ptr thrown;
};

/// The parts of all values, one after another.
inline std::vector<value> flattened(std::span<const jax_value> values) {
  std::vector<value> out;
  for (const jax_value& v : values) out.insert(out.end(), v.parts.begin(), v.parts.begin() + v.count);
  return out;
}

/// The parts of all operands. Parts are absent if a lowering left out an operand that it knows to be unused.
inline std::vector<value> all_parts(const site& s) {
  std::vector<value> out;
  for (std::size_t i = 0; i < s.arity(); ++i)
    for (std::size_t p = 0; p < s.in_type(i).elem.parts; ++p)
      out.push_back(p < s.ins()[i].count ? s.ins()[i].parts[p] : value());
  return out;
}

/// The results of a computation that is a C++ function.
inline jax_values call_function(const site& s) {
  const computation& target = *static_cast<const lower::function_call&>(s.equation()).target;
  std::vector<value> made;
  try {
    made = target.call()(all_parts(s));
  } catch (...) {
    throw computation_exception{std::current_exception()};
  }
  std::size_t parts = 0;
  for (const aval& t : s.out_types()) parts += t.elem.parts;
  if (made.size() != parts) s.malformed(message("it returns {} value{|s} instead of {}", made.size(), parts));
  jax_values out;
  const value* next = made.data();
  for (const aval& t : s.out_types()) out.push_back(from_parts(t.elem.parts, [&](std::size_t) { return *next++; }));
  return out;
}

inline jax_values lower_or_call(const site& s) {
  return lower::is_function_call(s.equation()) ? call_function(s) : lower_builtin(s);
}

/// The element type of an operand: the stated one, or else the first element type that has these parts; an unsupported
/// type if no element type has them.
inline element stated_element(const jax_operand& v) {
  if (!v.element.empty()) return element_named(v.element);
  const dtype part = v.re().dtype();
  if (v.count == 1) return element_named(traits(part).name);
  for (const element& e : composite_elements)
    if (e.parts == v.count && e.part == part) return e;
  return {"?", part, v.count, element_class::unsupported};
}

/// The type of operand i. Throws malformed_error for an invalid operand.
inline aval operand_type(const site& s, std::size_t i, const jax_operand& v) {
  if (v.is_ref()) s.malformed(message("operand {} is a mutable reference", i));
  for (std::size_t p = 0; p < v.count; ++p) {
    if (!v.parts[p]) s.malformed(message("operand {} is absent", i));
    if (&v.parts[p].owner() != &s.g) s.malformed(message("operand {} belongs to another graph", i));
    if (static_cast<std::size_t>(v.parts[p].id()) >= s.g.value_count())
      s.malformed(message("operand {} is not a value of the graph", i));
    if (v.parts[p].type() != v.parts[0].type()) s.malformed(message("operand {} has parts of different types", i));
  }
  if (v.count == 0) s.malformed(message("operand {} is absent", i));
  aval type{stated_element(v), v.re().dims()};
  if (type.elem.part != v.re().dtype() || type.elem.parts != v.count)
    s.malformed(message("operand {} has {} part{|s} of type {}, which cannot form a {}", i, v.count,
                        name(v.re().dtype()), v.element.empty() ? "value of JAX" : v.element));
  return type;
}

/// Throws for a type that no JAX array can have, or that has unknown extents.
inline void require_array(const site& s, std::string_view what, std::size_t i, const aval& t) {
  const std::string shown = text(s.g.dims(), t);
  for (dim d : t.dims)
    if (d.is_dyn()) s.unsupported(message("{} {} is {}: name its unknown extents", what, i, shown));
  lower::require_possible(t, shown);
}

/// One call of lower_primitive().
class primitive_call {
 public:
  primitive_call(std::string_view primitive, graph& g, const jax_operands& in, const primitive_options& o)
      : graph_(g),
        given_(in.list()),
        operands_(given_.begin(), given_.end()),
        user_(o.lowerers),
        warnings_(o.warnings),
        driver_(g, source_, user_, lower_or_call, o.lowering),
        tree_(g, driver_) {
    source_.main = &empty_;
    equation_.primitive = primitive;
  }

  std::vector<value> run(const parameters& p, const std::vector<array_type>& results) {
    const jax_values made = driver_.results_or_problem(equation_, [&] { return lowered(p, results); });
    if (!driver_.problems.empty()) throw_problems();
    if (warnings_) warnings_->insert(warnings_->end(), driver_.warnings.begin(), driver_.warnings.end());
    return flattened(made);
  }

 private:
  site shown() {
    return {graph_,    equation_,         compat::primitive(equation_.primitive),
            operands_, in_types_,         out_types_,
            wanted_,   driver_.decoder(), driver_};
  }

  jax_values lowered(const parameters& p, const std::vector<array_type>& results) {
    equation_.params = tree_.params_of(p);
    for (std::size_t i = 0; i < given_.size(); ++i) in_types_.push_back(operand_type(shown(), i, given_[i]));
    out_types_.assign(results.begin(), results.end());
    if (results.empty()) derive_results();
    for (std::size_t i = 0; i < in_types_.size(); ++i) require_array(shown(), "operand", i, in_types_[i]);
    for (std::size_t i = 0; i < out_types_.size(); ++i) require_array(shown(), "result", i, out_types_[i]);
    wanted_.assign(out_types_.size(), true);
    return driver_.results_of(shown());
  }

  /// Sets the result types to the types that JAX gives the results of the primitive. Leaves the result types empty if
  /// the user has a lowerer of the primitive, or if no built-in lowering exists.
  void derive_results() {
    const site s = shown();
    const lowering* const row = find_row(builtin_lowerings(), s.primitive());
    if (row && user_.find(s.primitive()) == user_.end()) out_types_ = derived_types(s, row->expected, row->ignored);
  }

  [[noreturn]] void throw_problems() {
    const std::string quoted = message("'{}'", compat::primitive(equation_.primitive));
    for (diagnostic& d : driver_.problems) {
      if (d.message.find(quoted) == d.message.npos) d.message += ", while lowering " + quoted;
      if (d.code == "lower.malformed" || d.code == "lower.inconsistent")
        d.help = "docs/primitives.md lists the parameters of the primitives";
    }
    throw conversion_error(driver_.is_malformed ? failure::malformed : failure::unsupported, driver_.problems);
  }

  graph& graph_;
  const std::vector<jax_operand>& given_;
  const jax_values operands_;
  const user_lowerers& user_;
  std::vector<diagnostic>* warnings_;
  jaxpr::body empty_;
  jaxpr::program source_;
  jaxpr::equation equation_;
  std::vector<aval> in_types_, out_types_;
  selection wanted_;
  lower::lowerer driver_;
  lower::syntax tree_;
};

}  // namespace detail

JAX2ONNX_INLINE std::vector<value> lower_primitive(std::string_view primitive, graph& g, const jax_operands& in,
                                                   const parameters& p, const std::vector<array_type>& results,
                                                   const primitive_options& o) {
  try {
    return detail::primitive_call(primitive, g, in, o).run(p, results);
  } catch (const detail::computation_exception& e) {
    std::rethrow_exception(e.thrown);
  } catch (const detail::sink_exception& e) {
    std::rethrow_exception(e.thrown);
  }
}

}  // namespace jax2onnx
