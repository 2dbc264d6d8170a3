// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

namespace jax2onnx {

/// A boolean attribute: `{.keepdims = false}`. Also accepts the constants 0 and 1, as ONNX writes flags. Other numbers
/// do not compile. Strings do not compile either, although C++ converts pointers to bool.
struct flag {
  /// A flag that is false.
  constexpr flag() = default;
  /// A bool; types that convert to bool are not accepted.
  template <std::same_as<bool> Bool>
  constexpr flag(Bool v) : value(v) {}
  /// The constant 0 or 1. For any other number, the compiler's message shows the expression of the exception.
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) consteval flag(Integer v) : value(v == 1) {
    if (v != 0 && v != 1) throw "a flag must be true or false, 0 or 1";
  }
  /// Does not compile: a string or pointer is not a flag.
  template <class Text>
  constexpr flag(const Text*) {
    static_assert(std::is_void_v<Text>, "a flag must be true or false, not a string or pointer");
  }
  /// The value.
  constexpr operator bool() const { return value; }
  bool value = false;  ///< the value
};

}  // namespace jax2onnx
