// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/control/loop_operands.hpp>
#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>

/// Type rules of calls and control flow. The driver checks the operands of a body when it inlines the body. Source:
/// jax._src.lax.control_flow, jax._src.core.
namespace jax2onnx::lower {

/// The types of a body's results. If the text omits a type, the type of the equation's result is used.
inline std::vector<aval> body_result_types(const site& s, const jaxpr::body& body) {
  std::vector<aval> out = s.result_types(body);
  if (!s.has_results(out.size()))
    s.malformed(detail::message("its jaxpr has {} result{|s}, but the equation has {}", out.size(), s.out_count()));
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i].elem.name.empty()) out[i] = s.out_type(i);
  return out;
}

/// The types of the operands, for primitives whose result i has the type of operand i.
inline std::vector<aval> same_types(const site& s) {
  if (!s.has_results(s.arity())) s.malformed("it needs one result per operand");
  return {s.in_types().begin(), s.in_types().end()};
}

/// The result has the type of operand 0.
inline std::vector<aval> first_type(const site& s) { return {s.in_type(0)}; }

/// The result has the type of operand 1.
inline std::vector<aval> second_type(const site& s) { return {s.in_type(1)}; }

/// The result types of a call of the jaxpr in parameter `Key` with all operands.
template <char const* Key>
std::vector<aval> call_types(const site& s) {
  const auto& body = *s.param<const jaxpr::body*>(Key);
  require_parameters(s, body, s.arity());
  return body_result_types(s, body);
}

/// The type of an element of a sequence. Throws malformed_error unless the sequence can have `length` elements.
inline aval element_of(const site& s, const aval& sequence, dim length) {
  aval t = sequence;
  if (t.dims.empty() || provably_differ(s.g.dims(), t.dims[0], length))
    s.malformed(
        detail::message("a sequence is {}, but the length is {}", text(s.g.dims(), sequence), s.g.dims().text(length)));
  t.dims.drop(0);
  return t;
}

/// The result types of a scan with these operands: carried values keep their types, and stacked values get the leading
/// extent `length`. Throws malformed_error if a sequence has another length.
inline std::vector<aval> scan_types(const site& s, const jaxpr::body& body, const scan_operands& divided) {
  const dim length = s.param<dim>("length");
  std::vector<aval> out = body_result_types(s, body);
  if (divided.carry > out.size()) s.malformed("it has fewer results than it carries values");
  for (std::size_t i = 0; i < s.arity(); ++i)
    if (divided.is_sequence[i]) element_of(s, s.in_type(i), length);
  for (std::size_t i = 0; i < divided.carry; ++i) out[i] = s.in_type(divided.consts + i);
  const std::vector<aval> printed = s.result_types(body);
  for (std::size_t i = divided.carry; i < out.size(); ++i)
    if (!printed[i].elem.name.empty()) out[i].dims.put(0, length);
  return out;
}

/// The result types of `scan consts… carry… xs…`.
inline std::vector<aval> scan_types(const site& s) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  return scan_types(s, body, scan_operands_of(s, body));
}

/// Scan3 operands…: the body gets elements of the operands that are sequences.
inline std::vector<aval> scan3_types(const site& s) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  return scan_types(s, body, scan3_operands_of(s, body));
}

/// while cond_consts… body_consts… carry…: carried values keep their types; the condition is bool.
inline std::vector<aval> while_types(const site& s) {
  const auto &cond = *s.param<const jaxpr::body*>("cond_jaxpr"), &body = *s.param<const jaxpr::body*>("body_jaxpr");
  const std::size_t cond_consts = counted_operands(s, "cond_nconsts"),
                    body_consts = counted_operands(s, "body_nconsts");
  if (cond_consts + body_consts > s.arity())
    s.malformed("it has fewer operands than cond_nconsts and body_nconsts say");
  const std::size_t carry = s.arity() - cond_consts - body_consts;
  require_parameters(s, cond, cond_consts + carry);
  require_parameters(s, body, body_consts + carry);
  const std::vector<aval> truth = s.result_types(cond);
  if (truth.size() != 1 || (!truth[0].elem.name.empty() && truth[0].type() != dtype::boolean))
    s.malformed("the result of its condition is not one bool");
  if (body.results.size() != carry) s.malformed("its jaxpr needs one result per carried value");
  return for_all_results(s, {s.in_types().end() - static_cast<std::ptrdiff_t>(carry), s.in_types().end()});
}

/// cond index operands…: an integer or bool index, which selects a branch; all branches have the same types.
inline std::vector<aval> cond_types(const site& s) {
  const auto branches = s.param<std::vector<const jaxpr::body*>>("branches");
  if (branches.empty()) s.malformed("it has no branches");
  require_kind(s, 0, branches.size() <= 2 ? kinds::bits : kinds::integer);
  require_rank(s, 0, 0);
  std::vector<aval> results = body_result_types(s, *branches[0]);
  for (const jaxpr::body* branch : branches) {
    require_parameters(s, *branch, s.arity() - 1);
    const std::vector<aval> types = body_result_types(s, *branch);
    for (std::size_t i = 0; i < types.size(); ++i)
      if (!agree(s.g.dims(), types[i], results[i]))
        s.malformed(detail::message("result {} of a branch is {}, but is {} in the first branch", i,
                                    text(s.g.dims(), types[i]), text(s.g.dims(), results[i])));
  }
  return results;
}

}  // namespace jax2onnx::lower
