#pragma once

#include <concepts>
#include <type_traits>

namespace jax2onnx {

/// An attribute that is true or false: `{.keepdims = false}`. Constants 0 and 1, as ONNX writes them, are flags, too.
/// Texts are refused, which C++ would take for true: pointers become bool. Other numbers do not compile.
struct flag {
  /// False.
  constexpr flag() = default;
  /// A truth value, and nothing that becomes one.
  template <std::same_as<bool> Bool>
  constexpr flag(Bool v) : value(v) {}
  /// A constant. The message of a number that is none of these is the expression of the exception.
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) consteval flag(Integer v) : value(v == 1) {
    if (v != 0 && v != 1) throw "a flag is true or false, 0 or 1";
  }
  /// No flag.
  template <class Text>
  constexpr flag(const Text*) {
    static_assert(std::is_void_v<Text>, "a flag is true or false, not a text or pointer");
  }
  /// What it says.
  constexpr operator bool() const { return value; }
  bool value = false;  ///< what it says
};

}  // namespace jax2onnx
