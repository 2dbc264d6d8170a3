// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <jax2onnx/operators/records/find.hpp>
#include <jax2onnx/operators/views/producer.hpp>

/// Attributes of the node that makes a value, with the defaults from the operator's record.
namespace jax2onnx::operators {

/// The default of an attribute of a node of ai.onnx; null if it has none.
inline const default_value* default_of(const graph& g, const node& n, std::string_view name) {
  const op_record* record = n.domain.empty() ? find_record(n.op, g.opset()) : nullptr;
  const formal_attribute* formal = record ? record->find(name) : nullptr;
  return formal && formal->given == formal_attribute::need::defaulted ? &formal->standard : nullptr;
}

/// True if two nodes have the same attributes, in the same order.
inline bool same_attributes(const node& a, const node& b) {
  return std::ranges::equal(a.attributes, b.attributes, [](const attribute& x, const attribute& y) {
    return x.name == y.name && x.value == y.value;
  });
}

/// The attribute `name` of the node that makes `v`, or its default. nullopt if there is neither, or if the attribute is
/// not a T.
template <class T>
std::optional<T> attribute_of(const value& v, std::string_view name) {
  const node& n = *producer(v);
  if (const attribute* a = n.find(name)) {
    const T* content = std::get_if<T>(&a->value);
    return content ? std::optional<T>(*content) : std::nullopt;
  }
  const default_value* standard = default_of(v.owner(), n, name);
  if (!standard) return std::nullopt;
  if constexpr (std::is_same_v<T, std::int64_t>) return standard->integer;
  else if constexpr (std::is_same_v<T, float>) return static_cast<float>(standard->real);
  else if constexpr (std::is_same_v<T, std::string>) return std::string(standard->text);
  else if constexpr (std::is_same_v<T, ints>) return ints(standard->integers.begin(), standard->integers.end());
  else return std::nullopt;
}

/// The integer attribute `name` of the node that makes `v`, or its default; 0 if there is neither.
inline std::int64_t integer_of(const value& v, std::string_view name) {
  return attribute_of<std::int64_t>(v, name).value_or(0);
}
/// True if the integer attribute `name` of the node that makes `v`, or its default, is not 0.
inline bool flag_of(const value& v, std::string_view name) { return integer_of(v, name) != 0; }
/// The floating-point attribute `name` of the node that makes `v`, or its default; 0 if there is neither.
inline float real_of(const value& v, std::string_view name) { return attribute_of<float>(v, name).value_or(0); }
/// The string attribute `name` of the node that makes `v`, or its default; empty if there is neither.
inline std::string text_of(const value& v, std::string_view name) {
  return attribute_of<std::string>(v, name).value_or(std::string());
}

/// `axis`, counted from the first of `rank` axes.
constexpr std::int64_t from_front(std::int64_t axis, std::int64_t rank) { return axis < 0 ? axis + rank : axis; }
/// `axes`, each counted from the first of `rank` axes.
inline ints from_front(ints axes, std::int64_t rank) {
  for (std::int64_t& axis : axes) axis = from_front(axis, rank);
  return axes;
}

/// The axis of operand 0 that the attribute `axis` of the node that makes `v` names, counted from the front.
inline std::int64_t axis_of(const value& v) { return from_front(integer_of(v, "axis"), input_of(v, 0).rank()); }

}  // namespace jax2onnx::operators
