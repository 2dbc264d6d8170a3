// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>

#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/equations/bindings.hpp>
#include <jax2onnx/rewrite/equations/build.hpp>
#include <jax2onnx/rewrite/equations/conditions.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>
#include <jax2onnx/rewrite/equations/match.hpp>
#include <jax2onnx/rewrite/equations/openings.hpp>

/// Applies equations as rules.
namespace jax2onnx::rewrite::equations {

/// The value of a number in a condition. NaN if the value is not known, such as a symbolic size: no comparison with NaN
/// holds except `!=`.
inline double number_of(const bindings& b, const quantity& q) {
  graph& g = b.root().owner();
  if (q.what == quantity::kind::literal) return q.number;
  if (q.what == quantity::kind::opset) return g.opset();
  if (q.what == quantity::kind::rank) return static_cast<double>(b.at(q.a).rank());
  if (q.what == quantity::kind::variable) return b.number(q.a);
  if (q.what == quantity::kind::filled)
    return splat_number(b.at(q.a)).value_or(std::numeric_limits<double>::quiet_NaN());
  const dim size = g.dims().product(extents_at(b.at(q.a).dims(), b.axes(q.b).axes));
  return size.is_constant() ? static_cast<double>(size.extent()) : std::numeric_limits<double>::quiet_NaN();
}

inline bool holds(const bindings& b, const condition& c) {
  if (c.predicate >= 0) return predicates[static_cast<std::uint8_t>(c.predicate)].holds(arguments(b, c));
  const double x = number_of(b, c.operands[0]), y = number_of(b, c.operands[1]);
  switch (c.compared) {
    case condition::relation::equal: return x == y;
    case condition::relation::different: return x != y;
    case condition::relation::less: return x < y;
    default: return x <= y;
  }
}

/// True if a form binds all variables of a condition.
inline bool concerns(const bindings& b, const condition& c) {
  for (const quantity& q : c.operands)
    if ((q.a >= 0 && !b.is_bound(q.a)) || (q.b >= 0 && !b.is_bound(q.b))) return false;
  return true;
}

/// The first condition that does not hold; null if all do. Conditions on variables that are not bound are left out.
inline const condition* failing(const bindings& b) {
  for (const condition& c : b.of().conditions)
    if (concerns(b, c) && !holds(b, c)) return &c;
  return nullptr;
}

/// Builds the right side of a form. If the operands of a node do not fit, or if the result does not have the type and
/// shape of the root, removes the new nodes and returns an absent value. Throws symbol_error if an extent is needed
/// whose value the inputs do not determine.
inline value replacement(const bindings& b, const form& f) {
  graph& g = b.root().owner();
  const std::size_t size = g.at(g.current()).nodes.size();
  value made;
  try {
    made = builder(b).run(f.right, b.root().dtype());
  } catch (const symbol_error&) {
    throw;
  } catch (const build_error&) {  // shapes or types do not fit
  }
  if (made && made.dtype() == b.root().dtype() && made.dims() == b.root().dims()) return made;
  g.at(g.current()).nodes.resize(size);
  return {};
}

/// Tries the forms of an equation at a node with these surroundings. Returns the replacement by the first form that
/// applies. If none applies, declines with the reason of the first condition that failed, if any.
inline outcome apply(const equation& e, const context& c, const value& root, const surroundings& s) {
  std::string_view reason;
  int tried = -1;
  for (const opening& o : e.openings) {
    if (o.form == tried || !admits(o, s)) continue;
    tried = o.form;
    const form& f = e.forms[o.form];
    bindings b(c, e, root);
    if (!matcher(b).run(f.left, root)) continue;
    if (const condition* const why = failing(b)) {
      if (reason.empty()) reason = why->reason;
    } else if (const value made = replacement(b, f)) {
      return made;
    }
  }
  return reason.empty() ? outcome() : decline(reason);
}
inline outcome apply(const equation& e, const context& c, const value& root) {
  return apply(e, c, root, surroundings(root));
}

}  // namespace jax2onnx::rewrite::equations
