// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <jax2onnx/graph/dim.hpp>

namespace jax2onnx {

/// An extent as a template argument: `784`, `"batch"_d`, `dyn`, or a polynomial of symbols: `"B"_d * 2`,
/// `"T"_d + 1`. A symbolic extent holds the text of its normal form, as a dim_table does, so equal expressions give the
/// same type, and messages show the text.
struct extent {
  /// The longest text of a symbolic extent.
  static constexpr std::size_t longest_text = 63;
  /// The size of `dyn`.
  static constexpr std::int64_t unknown = INT64_MIN;

  std::int64_t size = 0;  ///< `unknown` for dyn; 0 for a symbolic extent
  /// The normal form of a symbolic extent; empty for all other extents, which `size` defines.
  char symbol[longest_text + 1] = {};

  /// An extent of 0.
  constexpr extent() = default;
  /// A constant.
  constexpr extent(std::int64_t n) : size(n) {}
  /// A symbolic extent from its text, which must be a normal form. An empty string, or a string of more than 63
  /// characters, does not compile.
  constexpr explicit extent(std::string_view text) {
    if (text.empty() || text.size() > longest_text) throw "a symbolic extent has 1 to 63 characters";
    for (std::size_t i = 0; i < text.size(); ++i) symbol[i] = text[i];
  }

  /// Return whether the extent is an expression, unknown, or an integer. Exactly one of the three functions returns
  /// true.
  /// @{
  constexpr bool is_symbolic() const { return symbol[0] != '\0'; }
  constexpr bool is_dyn() const { return size == unknown; }
  constexpr bool is_constant() const { return !is_symbolic() && !is_dyn(); }
  /// @}
  /// The text of a symbolic extent; empty for any other extent.
  constexpr std::string_view name() const { return symbol; }
  /// The extent as a dim, for verbs on erased values.
  constexpr operator dim() const {
    if (is_symbolic()) return dim::symbol(name());
    return is_dyn() ? dim::dyn() : dim(size);
  }
  friend constexpr bool operator==(const extent&, const extent&) = default;
};

/// An extent that is unknown at compile time.
inline constexpr extent dyn{extent::unknown};

namespace detail {

/// The dim of an extent. The dim is computed once for each extent, since the dim of a symbol is a hash of its text.
template <extent E>
inline constexpr dim dim_of = E;

}  // namespace detail

/// Extents, and the dims with which shape rules compute.
struct extent_view {
  const extent* extents = nullptr;  ///< outermost first
  const dim* dims = nullptr;        ///< the same extents as dims
  std::size_t size = 0;             ///< the number of extents
};

/// The extents of a type.
template <extent... E>
struct extent_list {
  static constexpr std::size_t size = sizeof...(E);                      ///< the number of extents
  static constexpr std::array<extent, size> extents{E...};               ///< outermost first
  static constexpr std::array<dim, size> dims{detail::dim_of<E>...};     ///< the same extents as dims
  static constexpr extent_view view{extents.data(), dims.data(), size};  ///< a view of both arrays
};

namespace detail {

/// Returns whether a string can be the name of a symbol: the string is not empty, begins neither with a digit nor with
/// `-`, and contains neither blanks nor any of `*+^,?`.
constexpr bool is_symbol_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9') || text[0] == '-') return false;
  for (char c : text)
    if (c == ' ' || c == '*' || c == '+' || c == '^' || c == ',' || c == '?') return false;
  return true;
}

}  // namespace detail

}  // namespace jax2onnx
