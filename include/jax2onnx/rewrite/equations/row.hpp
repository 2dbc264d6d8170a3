// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/equations/equation.hpp>
#include <jax2onnx/rewrite/equations/parse.hpp>

/// Rules that are written as equations:
///   equation<"Relu", "Max(x, 0) -> Relu(x) if floating(x)">(stage::fuse)
namespace jax2onnx::rewrite {

namespace equations::detail {

/// A string as a template argument.
template <std::size_t N>
struct literal {
  char text[N] = {};
  constexpr literal(const char (&from)[N]) {
    for (std::size_t i = 0; i < N; ++i) text[i] = from[i];
  }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

/// The first `Count` items of a list, as an array of that size.
template <std::size_t Count, class T, std::size_t Most>
constexpr std::array<T, Count> fitted(const short_list<T, Most>& list) {
  std::array<T, Count> out{};
  for (std::size_t i = 0; i < Count; ++i) out[i] = list[i];
  return out;
}

/// A text without its quoted parts, with one space for each gap and none before commas.
template <std::size_t N>
struct unquoted {
  std::array<char, N> text{};
  std::size_t size = 0;
  constexpr unquoted(std::string_view from) {
    bool inside = false;
    for (const char c : from) {
      if (c == '\'') inside = !inside;
      if (inside || c == '\'' || (c == ' ' && size > 0 && text[size - 1] == ' ')) continue;
      if (c == ',' && size > 0 && text[size - 1] == ' ') --size;
      text[size++] = c;
    }
    while (size > 0 && text[size - 1] == ' ') --size;
  }
  constexpr std::string_view view() const { return {text.data(), size}; }
};

/// The data of an equation, parsed while compiling.
template <literal Text>
struct parsed {
  static constexpr draft all = drafted(Text.view());
  static constexpr auto terms = fitted<all.terms.count>(all.terms);
  static constexpr auto numbers = fitted<all.numbers.count>(all.numbers);
  static constexpr auto attributes = fitted<all.attributes.count>(all.attributes);
  static constexpr auto variables = fitted<all.variables.count>(all.variables);
  static constexpr auto conditions = fitted<all.conditions.count>(all.conditions);
  static constexpr auto forms = fitted<all.forms.count>(all.forms);
  static constexpr auto roots = fitted<all.roots.count>(all.roots);
  static constexpr auto openings = fitted<all.openings.count>(all.openings);
  static constexpr unquoted<Text.view().size() + 1> needs{Text.view().substr(all.conditions_at)};
  static constexpr equation data{Text.view(), terms, numbers, attributes, variables,
                                 conditions,  forms, roots,   openings,   all.apart};
};

constexpr std::string_view trimmed(std::string_view s) {
  while (s.ends_with(' ')) s.remove_suffix(1);
  return s;
}

}  // namespace equations::detail

/// The row of a rule that is an equation.
template <equations::detail::literal Name, equations::detail::literal Text>
consteval rule equation(stage when = stage::tidy) {
  using data = equations::detail::parsed<Text>;
  return {Name.view(),
          equations::detail::trimmed(Text.view().substr(0, data::all.conditions_at)),
          data::needs.view(),
          data::roots,
          nullptr,
          when,
          &data::data};
}

}  // namespace jax2onnx::rewrite
