// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

#include <jax2onnx/graph/graph.hpp>

/// Attributes as template arguments. C++ allows neither vectors nor strings as template arguments.
namespace jax2onnx {

/// A list of up to 16 integers: `{.strides = {2, 2}}`.
struct fixed_integers {
  static constexpr std::size_t most = 16;  ///< the longest list
  std::int64_t items[most] = {};           ///< the first `size` are used
  std::size_t size = 0;                    ///< the number of integers

  /// The empty list.
  constexpr fixed_integers() = default;
  /// A list; more than 16 integers do not compile.
  constexpr fixed_integers(std::initializer_list<std::int64_t> list) {
    if (list.size() > most) throw "an attribute that is a template argument has at most 16 integers";
    for (std::int64_t n : list) items[size++] = n;
  }
  /// The integers in the list.
  constexpr std::span<const std::int64_t> list() const { return {items, size}; }
  /// The integers as the attribute of a node.
  ints vector() const { return ints(items, items + size); }
  friend constexpr bool operator==(const fixed_integers&, const fixed_integers&) = default;
};

/// A string of up to 127 characters.
struct fixed_string {
  static constexpr std::size_t most = 127;  ///< the longest text
  char text[most + 1] = {};                 ///< the characters and a null

  /// The empty string.
  constexpr fixed_string() = default;
  /// A string of at most 127 characters; a longer string does not compile.
  /// @{
  constexpr fixed_string(const char* t) : fixed_string(std::string_view(t)) {}
  constexpr fixed_string(std::string_view t) {
    if (t.size() > most) throw "a string that is a template argument has at most 127 characters";
    for (std::size_t i = 0; i < t.size(); ++i) text[i] = t[i];
  }
  /// @}
  /// The string.
  constexpr std::string_view view() const { return text; }
  friend constexpr bool operator==(const fixed_string&, const fixed_string&) = default;
};

/// A required attribute.
template <class T>
struct fixed_required {
  /// The attribute's value.
  /// @{
  constexpr fixed_required(T v) : value(v) {}
  template <class U>
  requires std::constructible_from<T, U>
  constexpr fixed_required(U v) : value(v) {}
  constexpr fixed_required(std::initializer_list<std::int64_t> v) requires std::same_as<T, fixed_integers> : value(v) {}
  /// @}
  T value;  ///< the value that was given
};

/// An optional attribute.
template <class T>
struct fixed_optional {
  /// The attribute is absent.
  constexpr fixed_optional() = default;
  /// The attribute is given.
  constexpr fixed_optional(T v) : value(v), given(true) {}
  T value = {};        ///< meaningful if `given`
  bool given = false;  ///< false if the attribute is absent
  /// The value in the form of a node's attribute; nullopt if the attribute is absent.
  constexpr std::optional<T> get() const { return given ? std::optional(value) : std::nullopt; }
};

}  // namespace jax2onnx
