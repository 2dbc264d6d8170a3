// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <jax2onnx/ops/call/flag.hpp>
#include <jax2onnx/ops/call/operand.hpp>

namespace jax2onnx {

/// A node of a model as the operands and attributes of a verb.
struct node_parts {
  graph& g;
  std::vector<value> inputs;
  const std::vector<attribute>& attributes;
  std::size_t results;

  value in(std::size_t i) const { return i < inputs.size() ? inputs[i] : value(); }
  operands rest(std::size_t from) const {
    return operands(std::span<const value>(inputs).subspan(std::min(from, inputs.size())));
  }

  /// An attribute as the member of a verb's struct.
  /// @{
  template <class T>
  T get(std::string_view name, T otherwise) const {
    const attribute* const a = find(name);
    return a ? convert<T>(a->value) : otherwise;
  }
  template <class T>
  T get(std::string_view name) const {
    const attribute* const a = find(name);
    if (a) return convert<T>(a->value);
    if constexpr (std::is_default_constructible_v<T>) return T();
    throw build_error("a required attribute is missing");
  }
  /// @}

 private:
  const attribute* find(std::string_view name) const {
    for (const attribute& a : attributes)
      if (a.name == name) return &a;
    return nullptr;
  }
  template <class T>
  struct plain {
    using type = T;
  };
  template <class T>
  struct plain<std::optional<T>> {
    using type = T;
  };

  template <class T>
  static T convert(const attribute::content& value) {
    using item = typename plain<T>::type;
    if constexpr (std::is_enum_v<item> && !std::is_same_v<item, dtype>) {
      for (int i = 0;; ++i)
        if (name(static_cast<item>(i)) == spelled(std::get<std::string>(value))) return static_cast<item>(i);
    } else if constexpr (std::is_same_v<item, jax2onnx::flag>) {
      return std::get<std::int64_t>(value) != 0;
    } else if constexpr (std::is_same_v<item, dtype>) {
      return static_cast<item>(std::get<std::int64_t>(value));
    } else {
      return std::get<item>(value);
    }
  }
  /// Before opset 20, GridSample used other names for its modes.
  static std::string_view spelled(std::string_view text) {
    if (text == "bilinear") return "linear";
    return text == "bicubic" ? "cubic" : text;
  }
};

/// A verb and the name of its operator.
struct rebuilding {
  std::string_view domain, op;
  std::vector<value> (*call)(const node_parts&);
};

}  // namespace jax2onnx
