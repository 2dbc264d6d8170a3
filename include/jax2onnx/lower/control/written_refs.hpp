// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jaxpr/ast.hpp>

/// Determines which mutable references a jaxpr may write to.
namespace jax2onnx::lower {

/// The index of operand `i` among the parameters of a jaxpr of the equation; nullopt if the index is unknown.
inline std::optional<std::size_t> parameter_of(const jaxpr::equation& e, const jaxpr::body& inner, std::size_t i) {
  if (e.primitive == "cond")
    return i == 0 || inner.invars.size() + 1 != e.ins.size() ? std::nullopt : std::optional(i - 1);
  return inner.invars.size() == e.ins.size() ? std::optional(i) : std::nullopt;
}

/// Returns whether a jaxpr may write to the reference in `slot`.
inline bool may_write(const jaxpr::body& body, std::uint32_t slot, int depth = 0);

inline bool may_write_by(const jaxpr::equation& e, std::size_t operand, int depth) {
  if (e.primitive == "get" || (e.primitive == "masked_load" && operand == 0)) return false;
  const auto inner_writes = [&](const jaxpr::value& v) {
    if (!v.body) return true;
    if (e.primitive == "run_scoped")
      return operand >= v.body->constvars.size() || may_write(*v.body, v.body->constvars[operand].slot, depth + 1);
    const auto at = parameter_of(e, *v.body, operand);
    return !at || may_write(*v.body, v.body->invars[*at].slot, depth + 1);
  };
  if (const jaxpr::value* branches = e.find("branches")) {
    for (const jaxpr::value& b : branches->items)
      if (inner_writes(b)) return true;
    return false;
  }
  // The operands of while are the constants of its condition, the constants of its body, and the carry.
  if (const jaxpr::value* loop = e.find("body_jaxpr"); loop && loop->body) {
    const jaxpr::value *count = e.find("cond_nconsts"), *test = e.find("cond_jaxpr");
    const std::size_t conditions = count ? static_cast<std::size_t>(std::max<std::int64_t>(count->integer, 0)) : 0;
    const jaxpr::body* inner = operand < conditions ? (test ? test->body : nullptr) : loop->body;
    const std::size_t at = operand < conditions ? operand : operand - conditions;
    return !inner || at >= inner->invars.size() || may_write(*inner, inner->invars[at].slot, depth + 1);
  }
  for (const char* key : {"jaxpr", "call_jaxpr"})
    if (const jaxpr::value* v = e.find(key)) return inner_writes(*v);
  return true;
}

inline bool may_write(const jaxpr::body& body, std::uint32_t slot, int depth) {
  constexpr int deepest = 64;
  if (depth > deepest) return true;
  for (const jaxpr::equation& e : body.equations)
    for (std::size_t i = 0; i < e.ins.size(); ++i)
      if (e.ins[i].slot == slot && may_write_by(e, i, depth)) return true;
  return false;
}

}  // namespace jax2onnx::lower
