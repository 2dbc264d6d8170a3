// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <jaxpr/ast.hpp>
#include <jaxpr/config.hpp>

/// Functions that walk over a program without modifying the program, so threads may walk the same program. Pointers and
/// views in the results are valid as long as the program's storage (and its text) lives.
namespace jaxpr {

/// Calls `visit(const body&, bool by_name)` for each body in the value, also inside tuples and Python reprs, but not
/// for the bodies in the equations of these bodies. `by_name` is true if the value refers to a shared body by its name
/// instead of printing the body.
template <class Visit>
void for_each_body(const value& v, Visit&& visit) {
  if (v.body) visit(*v.body, !v.text.empty() && v.text.front() != '{' && !v.text.starts_with("let "));
  for (const value& item : v.items) for_each_body(item, visit);
  for (const keyword_value& item : v.keywords) for_each_body(item.val, visit);
}

/// The bodies in the parameters of an equation, in printed order and with repetitions.
JAX2ONNX_INLINE std::vector<const body*> bodies_of(const equation& e);

/// The bodies of the program, each once: first the main body, then the bodies that it contains or refers to, depth
/// first, and last the unused `let` blocks with the bodies that only they contain or refer to. Unused `let` blocks
/// inside Python reprs are left out.
JAX2ONNX_INLINE std::vector<const body*> bodies_of(const program& p);
/// A temporary program is refused, since it would destroy the bodies.
std::vector<const body*> bodies_of(const program&& p) = delete;

/// Calls `visit(const body&)` for each of `bodies_of(p)`.
template <class Visit>
void for_each_body(const program& p, Visit&& visit) {
  for (const body* b : bodies_of(p)) visit(*b);
}

/// Calls `visit(const equation&, const body&)` for each equation of each of `bodies_of(p)`.
template <class Visit>
void for_each_equation(const program& p, Visit&& visit) {
  for (const body* b : bodies_of(p))
    for (const equation& e : b->equations) visit(e, *b);
}

/// A primitive and the number of equations that apply it.
struct primitive_count {
  std::string_view primitive;  ///< its name
  std::size_t count = 0;       ///< the number of equations that apply it
};

/// The number of equations for each primitive, sorted by name. Equations of a shared body count once.
JAX2ONNX_INLINE std::vector<primitive_count> count_primitives(const program& p);
/// A temporary program is refused, since it would destroy the names.
std::vector<primitive_count> count_primitives(const program&& p) = delete;

/// The text at `where`; empty if the span does not lie in the program's text.
JAX2ONNX_INLINE std::string_view text_at(const program& p, span where);
/// A temporary program is refused, since it would destroy the text.
std::string_view text_at(const program&& p, span where) = delete;

}  // namespace jaxpr

#ifndef JAX2ONNX_COMPILED
#include <jaxpr/walk.inl.hpp>
#endif
