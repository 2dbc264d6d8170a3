// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/message.hpp>

/// Building blocks of type rules: the type checks of jax.lax, with the terms of jax.lax.
namespace jax2onnx {

/// Kinds of element types, as a set.
enum class kinds : std::uint8_t {
  none = 0,
  boolean = 1,
  signed_integer = 2,
  unsigned_integer = 4,
  floating = 8,
  complex = 16,
  key = 32,
  float0 = 64,
  integer = signed_integer | unsigned_integer,
  bits = boolean | integer,      ///< jax.lax: _bool_or_int
  real = integer | floating,     ///< numbers that are ordered
  inexact = floating | complex,  ///< jax.lax: _float | _complex
  number = integer | inexact,    ///< jax.lax: _num
  ordered = boolean | real,      ///< types that can be compared
  data = boolean | number,       ///< all kinds except keys and float0
  any = data | key | float0,
};
/// The union of the sets.
constexpr kinds operator|(kinds a, kinds b) {
  return static_cast<kinds>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
/// Returns whether the sets have a kind in common.
constexpr bool contains(kinds set, kinds member) {
  return (static_cast<std::uint8_t>(set) & static_cast<std::uint8_t>(member)) != 0;
}

/// The kind of an element type; none if ONNX does not have the type.
constexpr kinds kind_of(const element& e) {
  switch (e.cls) {
    case element_class::complex: return kinds::complex;
    case element_class::key: return kinds::key;
    case element_class::float0: return kinds::float0;
    case element_class::unsupported: return kinds::none;
    case element_class::plain: break;
  }
  if (is_boolean(e.part)) return kinds::boolean;
  if (is_floating(e.part)) return kinds::floating;
  return is_signed_integer(e.part) ? kinds::signed_integer : kinds::unsigned_integer;
}

/// The text of a type: `f32[3,B]`, `key<fry>[]`.
inline std::string text(const dim_table& dims, const aval& t) {
  const std::string shown = t.dims.empty() ? "[]" : dims.text(t.dims);
  const std::string array = std::string(t.elem.name) + shown;
  return t.ref ? "Ref{" + array + "}" : array;
}

/// Returns whether two types can be equal.
inline bool agree(dim_table& dims, const aval& a, const aval& b) {
  return a.elem == b.elem && a.ref == b.ref && !provably_differ(dims, a.dims, b.dims);
}

/// Throws malformed_error unless operand i is of one of the kinds.
void require_kind(const site& s, std::size_t i, kinds allowed);
/// Throws malformed_error unless operands i and j have the same element type, and both or neither are mutable
/// references.
void require_same_element(const site& s, std::size_t i, std::size_t j);
/// Throws malformed_error unless operand i can have the shape `dims`; `what` names the owner of the shape.
void require_shape(const site& s, std::size_t i, const shape& dims, std::string_view what);
/// Throws malformed_error unless operand i has the rank.
void require_rank(const site& s, std::size_t i, std::int64_t rank);
/// Throws malformed_error unless operand i is a scalar, or can have the shape `dims`.
void require_scalar_or_shape(const site& s, std::size_t i, const shape& dims, std::string_view what);
/// Returns `types`; throws malformed_error unless there is one type for each result.
std::vector<aval> for_all_results(const site& s, std::vector<aval> types);
/// Throws malformed_error unless `axes` are distinct axes of an array of `rank` dimensions; `what` describes the axes.
void require_axes(const site& s, std::string_view what, const ints& axes, std::int64_t rank);
/// Throws malformed_error unless axes of operand i and axes of operand j can have equal extents, pair by pair.
void require_equal_extents(const site& s, std::size_t i, const ints& axes, std::size_t j, const ints& others);
/// Throws malformed_error unless a nested jaxpr can have these input and result types.
void require_body(const site& s, const jaxpr::body& body, std::span<const aval> inputs, std::span<const aval> results);
/// The common shape of all operands: ranks are equal, extents are equal or 1. Scalars fit every shape. Throws
/// malformed_error if the operands do not fit. Source: jax._src.lax.lax, broadcasting_shape_rule.
shape common_shape(const site& s);

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/lower/typing.inl.hpp>
#endif
