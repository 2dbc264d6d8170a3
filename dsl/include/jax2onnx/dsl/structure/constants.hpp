// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/structure/memory_view.hpp>
#include <jax2onnx/graph/strings.hpp>
#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/extents.hpp>
#include <jax2onnx/support/message.hpp>

/// Constants of strings, constants that are nodes, and tensors as attributes.
namespace jax2onnx {

/// dim_scalar() gives an extent as an int64 scalar: `dim_scalar(g, x.extent(0))`. dim_value() gives an extent as an
/// int64 vector of one number, and shape_value() gives a shape as an int64 vector. Symbols are computed from the shapes
/// of the inputs when the model runs.
/// @{
using ops::dim_scalar;
using ops::dim_value;
using ops::shape_value;
/// @}

/// A constant of strings in row-major order: `strings(g, {2}, {"a", "b"})`. Throws a build_error if the number of
/// strings does not match the extents.
inline value strings(graph& g, const ints& extents, std::span<const std::string> texts, std::string name = {}) {
  return g.constant({dtype::string, shape(extents.begin(), extents.end())}, bytes(detail::packed_strings(texts)),
                    std::move(name));
}
/// A constant of strings from a list in braces: `strings(g, {2}, {"a", "b"})`.
inline value strings(graph& g, const ints& extents, std::initializer_list<std::string> texts, std::string name = {}) {
  return strings(g, extents, std::span(texts.begin(), texts.size()), std::move(name));
}

/// A constant from a list in braces whose numbers may differ in type: `array(g, dtype::f32, {2}, {1.5, 0})`.
value array(graph& g, dtype t, const ints& extents, std::initializer_list<double> numbers);

/// A tensor as an attribute, from numbers in row-major order: `tensor_of<float>(dtype::f32, {2}, numbers)`. Throws a
/// build_error if the count of numbers does not match the extents, or the size of T does not match the dtype.
template <class T>
tensor_constant tensor_of(dtype t, const ints& extents, std::span<const T> numbers) {
  std::uint64_t count = 1;
  for (std::int64_t extent : extents) count *= static_cast<std::uint64_t>(extent);
  if (count != numbers.size() || byte_size(t, count) != numbers.size_bytes())
    throw build_error(
        detail::message("tensor_of: the tensor has {} element{|s} of {}, but the list has {} number{|s} of {} byte{|s}",
                        count, name(t), numbers.size(), sizeof(T)));
  return {{t, shape(extents.begin(), extents.end())}, copy_of(numbers)};
}

/// A tensor as an attribute, from a list in braces. The numbers are converted as array() converts them.
tensor_constant tensor_of(dtype t, const ints& extents, std::initializer_list<double> numbers);

/// The attributes of constant(). Exactly one attribute must be given.
struct constant_attributes {
  /// The value, as the member for its kind.
  /// @{
  std::optional<tensor_constant> value = std::nullopt;
  std::optional<float> value_float = std::nullopt;
  std::vector<float> value_floats = {};
  std::optional<std::int64_t> value_int = std::nullopt;
  ints value_ints = {};
  std::optional<std::string> value_string = std::nullopt;
  std::vector<std::string> value_strings = {};
  /// @}
};
/// A constant as a Constant node; the functions above make initializers. Throws a build_error unless exactly one
/// attribute is given.
inline value constant(graph& g, const constant_attributes& attributes) {
  node_builder n(g, "Constant");
  n.set("value", attributes.value);
  n.set("value_float", attributes.value_float);
  n.set("value_floats", attributes.value_floats);
  n.set("value_int", attributes.value_int);
  n.set("value_ints", attributes.value_ints);
  n.set("value_string", attributes.value_string);
  n.set("value_strings", attributes.value_strings);
  return n.build();
}

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/dsl/structure/constants.inl.hpp>
#endif
