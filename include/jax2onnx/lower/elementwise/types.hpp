// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>

/// Signatures of elementwise primitives. Source: jax._src.lax.lax, naryop and unop.
namespace jax2onnx::lower {

/// The type of operand `i` with the common shape of all operands.
inline aval like(const site& s, std::size_t i) { return {s.in_type(i).elem, common_shape(s), s.in_type(i).ref}; }

/// The type of the result. All operands and the result have the same element type, of one of the kinds `Allowed`.
template <kinds Allowed>
std::vector<aval> same_elements(const site& s) {
  for (std::size_t i = 0; i < s.arity(); ++i) {
    require_kind(s, i, Allowed);
    require_same_element(s, i, 0);
  }
  return {like(s, 0)};
}

/// The type of the result, which is bool. All operands have the same element type, of one of the kinds `Allowed`.
template <kinds Allowed>
std::vector<aval> truth_of(const site& s) {
  aval t = same_elements<Allowed>(s)[0];
  t.elem = element_named("bool");
  return {t};
}

/// The element type of the parts of a complex type. Any other type is returned unchanged.
inline element real_element(const element& e) {
  return e.cls == element_class::complex ? element_named(name(e.part)) : e;
}

/// abs, real and imag: complex numbers give real numbers.
template <kinds Allowed>
std::vector<aval> real_part_types(const site& s) {
  aval t = same_elements<Allowed>(s)[0];
  t.elem = real_element(t.elem);
  return {t};
}

/// complex and conj: real numbers give complex numbers.
template <kinds Allowed>
std::vector<aval> complex_types(const site& s) {
  aval t = same_elements<Allowed>(s)[0];
  if (t.elem.cls != element_class::complex) t.elem = element_named(t.elem.part == dtype::f64 ? "c128" : "c64");
  return {t};
}

/// pow: the exponent may be an integer.
inline std::vector<aval> pow_types(const site& s) {
  require_kind(s, 0, kinds::number);
  require_kind(s, 1, kinds::number);
  if (!contains(kinds::integer, kind_of(s.in_type(1).elem))) require_same_element(s, 1, 0);
  return {like(s, 0)};
}

/// clamp(least, x, most): the bounds are scalars or have the shape of x.
inline std::vector<aval> clamp_types(const site& s) {
  for (std::size_t i = 0; i < 3; ++i) {
    require_kind(s, i, kinds::data);
    require_same_element(s, i, 1);
    require_scalar_or_shape(s, i, s.in_type(1).dims, "operand 1");
  }
  return {s.in_type(1)};
}

/// select_n(which, cases...): `which` is an integer, or bool if there are at most two cases. `which` is a scalar or has
/// the shape of the cases. If all cases are scalars, `which` may have any shape, which the result gets.
inline std::vector<aval> select_n_types(const site& s) {
  require_kind(s, 0, s.arity() <= 3 ? kinds::bits : kinds::integer);
  aval t = s.in_type(1);
  for (std::size_t i = 2; i < s.arity(); ++i) {
    require_same_element(s, i, 1);
    if (t.rank() == 0) t.dims = s.in_type(i).dims;
  }
  for (std::size_t i = 1; i < s.arity(); ++i) require_scalar_or_shape(s, i, t.dims, "the other cases");
  if (t.rank() == 0) return {{t.elem, s.in_type(0).dims}};
  require_scalar_or_shape(s, 0, t.dims, "the cases");
  return {t};
}

/// The element type in parameter new_dtype of convert_element_type and bitcast_convert_type. Throws unsupported_error
/// for a type that ONNX lacks.
inline element new_element(const site& s) {
  const element wanted = s.param<element>("new_dtype");
  if (wanted.cls == element_class::unsupported)
    s.unsupported(detail::message("ONNX has no element type {}", wanted.name));
  return wanted;
}
inline std::vector<aval> convert_types(const site& s) {
  require_kind(s, 0, kinds::data | kinds::float0);
  return {{s.find("new_dtype") ? new_element(s) : s.out_type().elem, s.in_type(0).dims}};
}

/// The width in bits of an element with all of its parts.
inline std::int64_t width(const element& e) { return std::int64_t{e.parts} * bits(e.part); }

/// bitcast_convert_type adds a last axis if the new element type is narrower, and removes the last axis if it is wider.
inline std::vector<aval> bitcast_types(const site& s) {
  require_kind(s, 0, kinds::data);
  aval t{new_element(s), s.in_type(0).dims};
  const std::int64_t from = width(s.in_type(0).elem), to = width(t.elem);
  if (from > to) t.dims.push_back(from / to);
  if (from < to) {
    if (t.dims.empty() || provably_differ(s.g.dims(), t.dims.back(), to / from))
      s.malformed(detail::message("operand 0 is {}; its last axis must hold the {} bits of an element",
                                  text(s.g.dims(), s.in_type(0)), to));
    t.dims.pop_back();
  }
  return {t};
}

inline constexpr signature float_unary{1, 1, same_elements<kinds::floating>};
inline constexpr signature float_binary{2, 1, same_elements<kinds::floating>};
inline constexpr signature float_ternary{3, 1, same_elements<kinds::floating>};
inline constexpr signature inexact_unary{1, 1, same_elements<kinds::inexact>};
inline constexpr signature number_unary{1, 1, same_elements<kinds::number>};
inline constexpr signature integer_unary{1, 1, same_elements<kinds::integer>};
inline constexpr signature integer_binary{2, 1, same_elements<kinds::integer>};
inline constexpr signature bits_unary{1, 1, same_elements<kinds::bits>};
inline constexpr signature bits_binary{2, 1, same_elements<kinds::bits>};
inline constexpr signature any_unary{1, 1, same_elements<kinds::any>};
inline constexpr signature data_binary{2, 1, same_elements<kinds::data>};
inline constexpr signature comparison{2, 1, truth_of<kinds::ordered>};
inline constexpr signature equality{2, 1, truth_of<kinds::data | kinds::key>};
inline constexpr signature total_order{2, 1, truth_of<kinds::data>};

}  // namespace jax2onnx::lower
