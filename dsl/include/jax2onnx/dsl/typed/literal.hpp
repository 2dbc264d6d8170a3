// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include <jax2onnx/dsl/typed/extent.hpp>
#include <jax2onnx/dsl/typed/mismatch.hpp>

/// Names of dimensions as literals. The text is a template argument, so that the compiler can say why the text is not a
/// name.
namespace jax2onnx {

namespace detail {

/// The text of a literal as a template argument.
template <std::size_t N>
struct literal_text {
  char text[N] = {};  // the characters and a null
  consteval literal_text(const char (&t)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = t[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

/// The reason why a literal is not a name of a dimension; empty for a name.
template <literal_text Text>
struct dimension_name {
  static constexpr std::string_view name = Text.view();
  static constexpr problem_text problem() {
    problem_text out;
    const bool fits_extent = !name.empty() && name.size() <= extent::longest_text;
    if (fits_extent && is_symbol_name(name)) return out;
    out.add("_d: '");
    out.add(name.substr(0, 100));
    out.add(fits_extent ? "' begins as a number or has blanks or operators" : "' is not a name of 1 to 63 characters");
    return out;
  }
};

}  // namespace detail

inline namespace literals {
/// The name of a dimension as an extent: `tensor<float, "batch"_d, 784>`. A name has 1 to 63 characters, begins neither
/// with a digit nor with `-`, and contains neither blanks nor any of `*+^,?`. Any other text does not compile.
template <detail::literal_text Text>
consteval extent operator""_d() {
  using refused = refusal<detail::dimension_name<Text>>;
  // A type alias, since Clang would report a statement as a second error.
  using result [[maybe_unused]] = typename refused::result;
  if constexpr (std::same_as<refused, does_not_fit<>>) return extent(Text.view());
  else return dyn;
}
}  // namespace literals

}  // namespace jax2onnx
