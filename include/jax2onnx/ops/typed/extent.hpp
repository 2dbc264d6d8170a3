#pragma once

#include <cstdint>
#include <string_view>

#include <jax2onnx/graph/dim.hpp>

namespace jax2onnx {

/// An extent as a template argument: `784`, `"B"_d` or `dyn`. It keeps the symbol's name, so that error messages show
/// it.
struct extent {
  /// The longest name of a symbol.
  static constexpr std::size_t longest_name = 15;
  /// The size of `dyn`.
  static constexpr std::int64_t unknown = -1;

  std::int64_t size = 0;               ///< `unknown` for dyn; of no meaning when there is a name
  char symbol[longest_name + 1] = {};  ///< the name; empty: `size` counts

  /// An extent of 0.
  constexpr extent() = default;
  /// A constant.
  constexpr extent(std::int64_t n) : size(n) {}
  /// A symbol. A name that is empty or too long does not compile.
  constexpr explicit extent(std::string_view name) {
    if (name.empty() || name.size() > longest_name) throw "the name of a dimension has 1 to 15 characters";
    for (std::size_t i = 0; i < name.size(); ++i) symbol[i] = name[i];
  }

  /// The symbol's name; empty for a constant and for dyn.
  constexpr std::string_view name() const { return symbol; }
  /// The extent as verbs on erased values know it.
  constexpr operator dim() const {
    if (symbol[0]) return dim::symbol(name());
    return size == unknown ? dim::dyn() : dim(size);
  }
};

/// An extent that is not known while compiling.
inline constexpr extent dyn{extent::unknown};

inline namespace literals {
/// `tensor<float, "B"_d, 784>`
consteval extent operator""_d(const char* text, std::size_t size) { return extent(std::string_view(text, size)); }
}  // namespace literals

}  // namespace jax2onnx
