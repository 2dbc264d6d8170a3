// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/graph/functions/names.hpp>
#include <jax2onnx/graph/op_name.hpp>
#include <jax2onnx/ops/call/operand.hpp>

/// Operators of custom domains. A runtime must know these operators.
namespace jax2onnx {

/// An attribute by name: `{"n", 16}`. The name is a view of a string that must live until the call ends.
struct named_attribute {
  /// The value: a number, a string, a list of numbers or strings, a tensor or a type.
  /// @{
  template <std::integral Integer>
  named_attribute(std::string_view n, Integer v) : name(n), value(static_cast<std::int64_t>(v)) {}
  template <std::floating_point Real>
  named_attribute(std::string_view n, Real v) : name(n), value(static_cast<float>(v)) {}
  named_attribute(std::string_view n, const char* v) : name(n), value(std::string(v)) {}
  named_attribute(std::string_view n, attribute::content v) : name(n), value(std::move(v)) {}
  named_attribute(attribute a) : name(a.name), value(std::move(a.value)), reference(a.reference) {}
  /// @}
  std::string_view name;     ///< an identifier
  attribute::content value;  ///< the value
  /// The enclosing function's attribute that provides the value; empty if there is none.
  std::string_view reference = {};
};

/// An attribute of a node in a function. The value of the attribute is that of the function's attribute `of_function`:
/// a number or string that affects no types. `standard` is the default of `of_function`. For op(): `op(g,
/// "com.example", "Leaky", {x}, {attribute_of("alpha", "slope", 0.1f)}, types)`.
template <class T>
attribute attribute_of(std::string_view name, std::string_view of_function, const T& standard) {
  return {name, named_attribute(name, standard).value, of_function};
}

namespace detail {

/// The attribute, with names that live as long as the graph. Throws a build_error for a name that is not an identifier,
/// and for a reference to a function's attribute outside of functions.
inline attribute attribute_in(graph& g, const named_attribute& a) {
  require_identifier("attribute", a.name);
  const auto is_open = [](const model_function& f) { return f.open; };
  if (!a.reference.empty() && std::none_of(g.functions().begin(), g.functions().end(), is_open))
    throw build_error(
        message("attribute_of: '{}' refers to the attribute '{}' of a function, but is outside of one; see define()",
                a.name, a.reference));
  return {g.intern(a.name), a.value, a.reference.empty() ? std::string_view() : g.intern(a.reference)};
}

}  // namespace detail

namespace detail {

/// Refuses results without an element type or with negative extents.
inline void require_result(std::string_view domain, std::string_view name, const tensor_type& type) {
  if (!has_elements(type.type)) throw build_error(message("{}.{}: a result has no element type", domain, name));
  for (const dim d : type.dims)
    if (d.is_constant() && d.extent() < 0)
      throw build_error(message("{}.{}: a result has the negative extent {}", domain, name, d.extent()));
}

}  // namespace detail

/// A node of an operator that ONNX lacks, with one result for each of `types`. Throws a build_error for names of
/// domains, operators and attributes that ONNX does not allow, for ONNX's own domain, whose operators have verbs, for
/// an attribute that is given twice, for an operand of another graph, and for missing or invalid types.
/// graph::set_domain_version() sets the version of the domain.
///
///     auto y = op(g, "com.example", "Fft", {x}, {{"n", 16}}, {{dtype::f32, {"batch", 16}}})[0];
inline std::vector<value> op(graph& g, std::string_view domain, std::string_view name, const operands& inputs,
                             std::initializer_list<named_attribute> attributes, std::vector<tensor_type> types) {
  detail::require_domain(domain);
  detail::require_identifier("operator", name);
  if (domain.empty() || domain == "ai.onnx")
    throw build_error(detail::message("{}: a custom operator needs a domain other than ONNX's", name));
  if (types.empty()) throw build_error(detail::message("{}: the types of its results are missing", name));
  std::vector<attribute> checked;
  for (const named_attribute& a : attributes) {
    for (const attribute& before : checked)
      if (before.name == a.name)
        throw build_error(detail::message("{}.{}: the attribute '{}' is given twice", domain, name, a.name));
    checked.push_back(detail::attribute_in(g, a));
  }
  for (const tensor_type& type : types) detail::require_result(domain, name, type);
  return g.emit_many(operator_name::unchecked(g.intern(name)), inputs.get(), types, std::move(checked),
                     g.intern(domain));
}

}  // namespace jax2onnx
