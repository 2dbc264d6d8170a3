// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include <jax2onnx/graph/operator_names.hpp>

namespace jax2onnx {

namespace detail {

/// The index of a name in records::names; -1 if ONNX has no such operator.
constexpr int operator_number(std::string_view name) {
  std::size_t first = 0, last = std::size(records::names);
  while (first < last) {
    const std::size_t middle = (first + last) / 2;
    const int order = records::names[middle].compare(name);
    if (order == 0) return static_cast<int>(middle);
    if (order < 0) first = middle + 1;
    else last = middle;
  }
  return -1;
}

}  // namespace detail

/// The name of an operator of ai.onnx. A literal that does not name an operator does not compile:
/// operator_name("Rleu").
class operator_name {
 public:
  /// An empty name.
  constexpr operator_name() = default;
  /// The operator that a literal names.
  template <std::size_t Size>
  consteval operator_name(const char (&literal)[Size])
      : text_(literal, Size - 1), number_(static_cast<std::int16_t>(detail::operator_number(text_))) {
    if (number_ < 0) throw "ONNX has no operator of this name";
  }
  /// A name that the caller has checked or that is of another domain. The text must outlive the graph that gets the
  /// name.
  static constexpr operator_name unchecked(std::string_view text) { return operator_name(text); }
  /// The name with this index among the names of ai.onnx.
  static constexpr operator_name numbered(int number) {
    operator_name name;
    name.text_ = records::names[static_cast<std::size_t>(number)];
    name.number_ = static_cast<std::int16_t>(number);
    return name;
  }

  /// The name.
  constexpr std::string_view text() const { return text_; }
  /// The name, for functions that take a string_view.
  constexpr operator std::string_view() const { return text_; }
  /// The index of the name among the names of ai.onnx; -1 if the name is not one of them.
  constexpr int number() const { return number_; }
  friend constexpr bool operator==(operator_name a, operator_name b) {
    return a.number_ == b.number_ && (a.number_ >= 0 || a.text_ == b.text_);
  }
  template <class Text>
  requires std::convertible_to<const Text&, std::string_view>
  friend constexpr bool operator==(operator_name a, const Text& b) { return same(a.text_, std::string_view(b)); }

 private:
  /// Compares the length and the first letter before the rest, since most names differ in these.
  static constexpr bool same(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    return a.empty() || (a.front() == b.front() && a == b);
  }
  explicit constexpr operator_name(std::string_view text)
      : text_(text), number_(static_cast<std::int16_t>(detail::operator_number(text))) {}

  std::string_view text_;
  std::int16_t number_ = -1;
};

}  // namespace jax2onnx
