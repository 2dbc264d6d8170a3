// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <ranges>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

/// The operands of verbs.
namespace jax2onnx {

namespace detail {

/// A list of integers, as a std::vector or a std::span.
template <class T>
concept integers = std::convertible_to<const T&, std::span<const std::int64_t>>;
/// An array of numbers that is not a list of integers.
template <class T>
concept other_numbers = std::ranges::range<T> && std::is_arithmetic_v<std::ranges::range_value_t<T>> && !integers<T>;

}  // namespace detail

/// An operand of a verb: a value, a number, a list of integers, or nothing. A number gets the dtype that the operator's
/// other operands require, and this dtype must be able to hold the number: 0.5 does not combine with integers, nor true
/// with numbers. A list of integers is a vector: axes, a shape, pads.
class operand {
 public:
  /// The content; std::monostate is an absent optional operand.
  using content = std::variant<std::monostate, value, bool, std::int64_t, double, ints>;

  /// An absent optional operand.
  operand();
  /// A value. A default-constructed value is an absent operand.
  operand(const value& v);
  /// Anything that converts to a value: typed handles, and the results of verbs with several outputs.
  template <class T>
  requires(!std::same_as<T, value> && std::convertible_to<const T&, value>) operand(const T& handle)
      : operand(static_cast<value>(handle)) {}
  /// A number.
  /// @{
  operand(bool truth);
  operand(std::int64_t number);
  operand(double number);
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) operand(Integer number) : operand(static_cast<std::int64_t>(number)) {}
  template <std::floating_point Real>
  operand(Real number) : operand(static_cast<double>(number)) {}
  /// @}
  /// A vector of integers.
  /// @{
  operand(std::initializer_list<std::int64_t> numbers);
  operand(ints numbers);
  template <detail::integers List>
  operand(const List& numbers) : operand(listed(numbers)) {}
  /// @}
  /// Other arrays are not accepted.
  template <detail::other_numbers Numbers>
  operand(const Numbers&) = delete;  // an array is not an operand; make it a constant: constant<float, 4>(g, numbers)
  /// Copies are defined in the implementation header, since each use of a variant's members costs compile time.
  /// @{
  operand(const operand&);
  operand(operand&&) noexcept;
  operand& operator=(const operand&);
  operand& operator=(operand&&) noexcept;
  ~operand();
  /// @}

  /// The content.
  const content& get() const { return content_; }
  /// The value; an absent value if the operand is something else.
  value as_value() const;
  /// Returns whether the operand is given.
  explicit operator bool() const { return content_.index() != 0; }

 private:
  static ints listed(std::span<const std::int64_t> numbers) { return ints(numbers.begin(), numbers.end()); }

  content content_;
};

namespace detail {

/// An operand that must be a list: `{}` is the empty list.
inline operand listed(const operand& o) { return o ? o : operand(ints()); }

}  // namespace detail

/// A required operand: a struct of operands that omits it does not compile. The class is a template so that overload
/// resolution chooses the call before the missing operand is refused; then compilers list no other overloads. `Need` is
/// a class that is only declared; its name in the message says which operand of which verb is missing.
template <class Need>
class required_operand : public operand {
 public:
  /// @cond
  using operand::operand;
  required_operand() { static_assert(std::is_void_v<Need>, "a required operand is missing"); }
  /// @endcond
};

/// The operands of a variadic operator: `concat({a, b}, ...)`. The object is a view of the list that it was made from.
class operands {
 public:
  /// All values of a list.
  /// @{
  operands(std::initializer_list<value> list) : list_(list.begin(), list.size()) {}
  operands(std::span<const value> list) : list_(list) {}
  operands(const std::vector<value>& list) : list_(list) {}
  /// @}
  /// All operands.
  std::span<const value> get() const { return list_; }

 private:
  std::span<const value> list_;
};

/// A required attribute: a call that omits it does not compile, as for required_operand.
template <class T, class Need>
struct required {
  /// Does not compile.
  required() { static_assert(std::is_void_v<Need>, "a required attribute is missing"); }
  /// The attribute's value.
  /// @{
  constexpr required(T v) : value(std::move(v)) {}
  constexpr required(const char* text) requires std::same_as<T, std::string> : value(text) {}
  required(std::initializer_list<std::int64_t> v) requires std::same_as<T, ints> : value(v) {}
  /// @}
  T value;  ///< the value that was given
};

}  // namespace jax2onnx

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/ops/call/operand.inl.hpp>
#endif
