// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <jax2onnx/lower/pallas/integer_evaluation.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Determines a kernel's first access to a reference: whether a program sees content that an earlier program has left.
namespace jax2onnx::lower::pallas {

enum class ref_use : std::uint8_t {
  none,
  written,  ///< the memory is written as a whole before it is read
  read,     ///< read first, or possibly not written as a whole
};

/// Returns whether an index selects all of a reference with these extents: [...], [:,:], [0] for one element.
inline bool takes_all(std::string_view index, jaxpr::list<jaxpr::extent> dims) {
  if (!index.starts_with('[') || index.find(']') != index.size() - 1) return false;
  std::string_view rest = index.substr(1, index.size() - 2);
  if (rest.empty() || rest == "...") return true;
  for (const jaxpr::extent& d : dims) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view one = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (!one.empty() && one != ":" && !(one == "0" && !d.symbolic() && d.size == 1)) return false;
  }
  return true;
}

inline bool is_used(const jaxpr::body& body, std::uint32_t slot) {
  const auto same = [&](const jaxpr::atom& a) { return a.slot == slot; };
  return item_loops::any_of(body.results, same) ||
         item_loops::any_of(body.equations, [&](const jaxpr::equation& e) { return item_loops::any_of(e.ins, same); });
}

/// The first access of a jaxpr to the reference in `slot`, given some known scalars.
inline ref_use first_access(const jaxpr::body& body, std::uint32_t slot, const std::vector<known_number>& arguments,
                            const std::vector<known_number>& programs, int depth = 0) {
  constexpr int deepest = 32;
  if (depth > deepest) return ref_use::read;
  integer_evaluation known(body, arguments, programs, depth);
  const auto inside = [&](const jaxpr::value& v, std::size_t operand, std::size_t first, const jaxpr::equation& e) {
    if (!v.body || v.body->invars.size() + first != e.ins.size()) return ref_use::read;
    return first_access(*v.body, v.body->invars[operand - first].slot, known.operands(e, first), programs, depth + 1);
  };
  const auto by = [&](const jaxpr::equation& e, std::size_t operand) {
    if (e.primitive == "swap") {
      const bool old = item_loops::any_of(e.outs, [&](const jaxpr::binder& b) { return is_used(body, b.slot); });
      const bool all = operand == 0 && e.ins[0].annotation && takes_all(e.index, e.ins[0].annotation->dims);
      return all && !old ? ref_use::written : ref_use::read;
    }
    if (e.primitive == "cond" && operand > 0) {
      const jaxpr::value* branches = e.find("branches");
      if (!branches || branches->items.empty()) return ref_use::read;
      const known_number which = known.of(e.ins[0]);
      if (which && *which >= 0 && *which < std::ssize(branches->items))
        return inside(branches->items[static_cast<std::size_t>(*which)], operand, 1, e);
      const ref_use one = inside(branches->items[0], operand, 1, e);
      for (const jaxpr::value& b : branches->items)
        if (inside(b, operand, 1, e) != one) return ref_use::read;
      return one;
    }
    if (e.primitive == "jit" || e.primitive == "pjit" || e.primitive == "closed_call")
      for (const char* key : {"jaxpr", "call_jaxpr"})
        if (const jaxpr::value* v = e.find(key)) return inside(*v, operand, 0, e);
    return ref_use::read;
  };
  for (const jaxpr::equation& e : body.equations) {
    for (std::size_t i = 0; i < e.ins.size(); ++i)
      if (e.ins[i].slot == slot)
        if (const ref_use a = by(e, i); a != ref_use::none) return a;
    known.step(e);
  }
  return ref_use::none;
}

}  // namespace jax2onnx::lower::pallas
