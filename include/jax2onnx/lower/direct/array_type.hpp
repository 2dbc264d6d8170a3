// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/jax_value.hpp>

namespace jax2onnx {

/// The type of an array. The element type is given by a dtype or by JAX's name: `{dtype::f32, {2, 3}}`, `{"c64", {3}}`,
/// `{"key<fry>", {}}`.
struct array_type : aval {
  /// An array of a dtype of ONNX.
  /// @{
  array_type(tensor_type t) : aval{element_named(traits(t.type).name), std::move(t.dims)} {}
  array_type(dtype type, shape extents) : array_type(tensor_type{type, std::move(extents)}) {}
  /// @}
  /// An array of the element type that JAX prints as `name`. The characters of `name` must outlive the type.
  array_type(std::string_view name, shape extents) : aval{element_named(name), std::move(extents)} {}
  /// The type of a site's operand or result.
  array_type(aval t) : aval(std::move(t)) {}
};

/// An operand: a value, a typed handle, or all parts of a composite value, `{re, im}` or the words of a key. Four words
/// are a `key<rbg>`, unless the element type is given.
struct jax_operand : jax_value {
  std::string_view element = {};  ///< JAX's name of the element type; empty if it follows from the parts

  /// One tensor.
  jax_operand(const value& v) : jax_value(v) {}
  /// A complex number, or a threefry key of two words.
  jax_operand(const value& re, const value& im) : jax_value(re, im) {}
  /// A composite value, with the name of its element type. The characters of the name must outlive the operand.
  jax_operand(const jax_value& v, std::string_view name = {}) : jax_value(v), element(name) {}
  /// A typed handle, without its static type.
  template <class Typed>
  requires requires(const Typed& v) {
    { v.erased() } -> std::same_as<const value&>;
  }
  jax_operand(const Typed& v) : jax_value(v.erased()) {}
};

/// The operands of a primitive: a braced list, or a range of values.
class jax_operands {
 public:
  /// Makes an empty list.
  jax_operands() = default;
  /// A list in braces: `{x, y, {re, im}}`.
  jax_operands(std::initializer_list<jax_operand> list) : list_(list) {}
  /// A vector or span of values, each of one tensor.
  template <class Values>
  requires std::convertible_to<const Values&, std::span<const value>> jax_operands(const Values& list) {
    for (const value& v : std::span<const value>(list)) list_.emplace_back(v);
  }
  /// A list that the caller has built.
  jax_operands(std::vector<jax_operand> list) : list_(std::move(list)) {}

  /// All operands in order.
  const std::vector<jax_operand>& list() const { return list_; }

 private:
  std::vector<jax_operand> list_;
};

}  // namespace jax2onnx
