// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {
namespace detail {

inline std::string counted(counts n) {
  if (n.most == n.least) return message("{}", n.least);
  if (n.most != counts::unlimited) return message("{} to {}", n.least, n.most);
  return n.least == 0 ? "any" : message("{}+", n.least);
}

inline std::string_view name(param_form form) {
  constexpr std::string_view names[] = {
      "integer", "integers", "extent", "extents", "axis",  "axes",   "permutation", "one integer for each axis",
      "jaxpr",   "jaxprs",   "bool",   "real",    "dtype", "string", "list",        "structure",
      "value"};
  return names[static_cast<std::size_t>(form)];
}

/// The items of a list, or the parameter itself.
inline std::span<const jaxpr::value> entries(const jaxpr::value& v) {
  using kind = jaxpr::value::kind;
  return v.tag == kind::tuple || v.tag == kind::sequence ? std::span<const jaxpr::value>(v.items) : std::span(&v, 1);
}

inline bool is_list(param_form form) {
  return form != param_form::number && form != param_form::extent && form != param_form::axis &&
         form != param_form::body && form != param_form::flag && form != param_form::real;
}

/// Returns whether only the lowering checks parameters of this form.
inline bool is_unchecked(param_form form) { return form >= param_form::element; }

inline std::string range_text(const param_rule& rule, std::string_view before_bound = " of") {
  if (!rule.entries.empty()) return message(" of {}", rule.entries);
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  if (rule.least != least && rule.most != most) return message(" from {} to {}", rule.least, rule.most);
  if (rule.least != least) return message("{} at least {}", before_bound, rule.least);
  return rule.most != most ? message("{} at most {}", before_bound, rule.most) : std::string();
}

/// Returns whether a list entry is of the right kind. Extents may be expressions.
inline bool is_entry(const jaxpr::value& v, param_form form) {
  using kind = jaxpr::value::kind;
  if (form == param_form::body || form == param_form::bodies) return v.tag == kind::body;
  if (form == param_form::flag) return v.tag == kind::boolean || v.tag == kind::integer;
  if (v.tag == kind::integer) return true;
  if (v.tag == kind::floating) return form == param_form::real;
  if (v.tag == kind::none) return form == param_form::dims;  // an extent given by an operand
  const bool symbolic = v.tag == kind::name || v.tag == kind::raw || v.tag == kind::call;
  return symbolic && (form == param_form::extent || form == param_form::dims || form == param_form::per_axis);
}

JAX2ONNX_INLINE void check_entries(const site& s, const param_rule& rule, std::span<const jaxpr::value> found) {
  ints numbers;
  for (const jaxpr::value& v : found) {
    if (!is_entry(v, rule.form))
      s.malformed(message("its {} has '{}' instead of {}", rule.key, v.text.substr(0, 40), name(rule.form)));
    if (v.tag != jaxpr::value::kind::integer) continue;
    numbers.push_back(v.integer);
    if (v.integer < rule.least || v.integer > rule.most)
      s.malformed(message("its {} has the value {}; values must be integers{}", rule.key, v.integer, range_text(rule)));
  }
  const bool axes =
      rule.form == param_form::axis || rule.form == param_form::axes || rule.form == param_form::permutation;
  if (axes) require_axes(s, rule.key, numbers, s.arity() > 0 ? s.in_type(0).rank() : 0);
}

JAX2ONNX_INLINE void check_parameter(const site& s, const param_rule& rule) {
  const jaxpr::value* const v = s.find(rule.key);
  if (!v || v->tag == jaxpr::value::kind::none || is_unchecked(rule.form)) return;
  using kind = jaxpr::value::kind;
  const bool list = v->tag == kind::tuple || v->tag == kind::sequence;
  if (list != is_list(rule.form))
    s.malformed(message("its {} is '{}' instead of {}", rule.key, v->text.substr(0, 40), name(rule.form)));
  const std::span<const jaxpr::value> found = entries(*v);
  const bool each = rule.form == param_form::per_axis || rule.form == param_form::permutation;
  if (each && s.arity() > 0 && std::ssize(found) != s.in_type(0).rank())
    s.malformed(message("its {} has {} entr{y|ies} for an array of {} dimension{|s}", rule.key, found.size(),
                        s.in_type(0).rank()));
  check_entries(s, rule, found);
}

JAX2ONNX_INLINE void check_count(const site& s, message_pattern<2> problem, std::size_t found, counts wanted) {
  if (!wanted.admits(found)) s.malformed(message(problem, found, counted(wanted)));
}

}  // namespace detail

namespace detail {

inline bool is_listed(const signature& expected, const ignores& ignored, std::string_view key) {
  return ignored.mentions(key) ||
         std::ranges::find(expected.parameters, key, &param_rule::key) != std::ranges::end(expected.parameters);
}

/// The known parameters of a primitive, for a message.
inline std::string known_parameters(const signature& expected, const ignores& ignored) {
  std::string out;
  const auto add = [&](std::string_view key) { out.append(out.empty() ? "" : ", ").append(key); };
  for (const param_rule& rule : expected.parameters)
    if (!rule.key.empty()) add(rule.key);
  for (std::string_view rest = ignored.keys; !rest.empty();) {
    const std::string_view entry = rest.substr(0, rest.find(' '));
    rest.remove_prefix(entry.size() == rest.size() ? rest.size() : entry.size() + 1);
    add(entry.substr(0, entry.find('=')));
  }
  return out.empty() ? "none" : out;
}

/// Checks the parameters that no known version of JAX prints for the primitive. A parameter that is None is treated as
/// absent, with a warning. Any other value is refused.
JAX2ONNX_INLINE void check_unknown(const site& s, const signature& expected, const ignores& ignored) {
  for (const jaxpr::param& p : s.equation().params) {
    const std::string_view key = s.key_of(p);
    if (is_listed(expected, ignored, key)) continue;
    if (p.val.tag != jaxpr::value::kind::none)
      s.refuse_parameter(
          p, message("JAX up to {} does not print this parameter for '{}' (known: {}): a newer JAX printed the text",
                     compat::newest, s.primitive(), known_parameters(expected, ignored)));
    s.warn("lower.unknown-parameter",
           message("'{}' has the parameter {}=None, which JAX up to {} does not print: it is taken as absent",
                   s.primitive(), p.key, compat::newest));
    s.ignore(key, "None has the same meaning as a missing parameter");
  }
}

/// Checks operands and parameters.
JAX2ONNX_INLINE void check_inputs(const site& s, const signature& expected, const ignores& ignored) {
  check_count(s, "it has {} operand{|s} instead of {}", s.arity(), expected.operands);
  for (const param_rule& rule : expected.parameters)
    if (!rule.key.empty()) check_parameter(s, rule);
  s.require_read(ignored);  // the rules have read the listed parameters
}

}  // namespace detail

JAX2ONNX_INLINE std::vector<aval> derived_types(const site& s, const signature& expected, const ignores& ignored) {
  const site open = s.with_open_results();
  detail::check_unknown(open, expected, ignored);
  detail::check_inputs(open, expected, ignored);
  if (expected.results.most == 0) return {};
  if (!expected.types) open.refuse_open_results();
  return expected.types(open);
}

JAX2ONNX_INLINE void check_signature(const site& s, const signature& expected, const ignores& ignored) {
  detail::check_unknown(s, expected, ignored);
  const site checked = s;  // parameters that a rule reads do not count as read by the lowering
  detail::check_inputs(checked, expected, ignored);
  detail::check_count(s, "it has {} result{|s} instead of {}", s.out_count(), expected.results);
  if (!expected.types) return;
  const std::vector<aval> types = expected.types(checked);
  if (types.size() > s.out_count())
    s.malformed(detail::message("it has {} result{|s} instead of {}", s.out_count(), types.size()));
  for (std::size_t i = 0; i < types.size(); ++i)
    if (!agree(s.g.dims(), types[i], s.out_type(i)))
      s.malformed(detail::message("result {} is {}, but is stated as {}", i, text(s.g.dims(), types[i]),
                                  text(s.g.dims(), s.out_type(i))));
}

JAX2ONNX_INLINE std::string text(const signature& s) {
  std::string out = detail::counted(s.operands) + " → " + detail::counted(s.results);
  for (param_rule rule : s.parameters) {
    if (rule.most >= dim::limit - 1) rule.most = std::numeric_limits<std::int64_t>::max();  // this limit is not shown
    if (!rule.key.empty())
      out += detail::message("; `{}`: {}{}", rule.key, detail::name(rule.form), detail::range_text(rule, ","));
  }
  return out;
}

}  // namespace jax2onnx
