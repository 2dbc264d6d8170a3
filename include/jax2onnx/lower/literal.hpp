// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/jax_value.hpp>
#include <jax2onnx/lower/problem.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/support/message.hpp>
#include <jaxpr/ast.hpp>
#include <jaxpr/detail/real.hpp>

namespace jax2onnx::lower {

/// A printed real number as a double, without loss: JAX prints the shortest text that reads back as the same number.
/// nullopt for other text.
inline std::optional<double> parse_real(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  return jaxpr::detail::read_real(text);
}

/// Parses `1j`, `(1+2j)`, `(-0-1e-09j)`, `(inf+nanj)` into real and imaginary part. A real number has the imaginary
/// part 0. nullopt for other text.
inline std::optional<std::pair<double, double>> parse_complex(std::string_view text) {
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  if (text.empty() || text.back() != 'j') {
    const auto re = parse_real(text);
    return re ? std::optional(std::pair(*re, 0.0)) : std::nullopt;
  }
  text.remove_suffix(1);
  std::size_t split = 0;  // the sign between the parts, which is neither the first character nor an exponent's sign
  for (std::size_t i = 1; i < text.size(); ++i)
    if ((text[i] == '+' || text[i] == '-') && text[i - 1] != 'e') split = i;
  const auto re = split ? parse_real(text.substr(0, split)) : std::optional(0.0);
  const auto im = parse_real(text.substr(split));
  return re && im ? std::optional(std::pair(*re, *im)) : std::nullopt;
}

/// A printed integer that integer type `t` can hold, as its bit pattern if it is 2^63 or more. nullopt for other text.
inline std::optional<std::int64_t> parse_integer(std::string_view text, dtype t) {
  const auto parsed = [&]<class Integer>(Integer lowest, Integer highest) -> std::optional<std::int64_t> {
    Integer i = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), i);
    if (error != std::errc{} || end != text.data() + text.size() || i < lowest || i > highest) return std::nullopt;
    return static_cast<std::int64_t>(i);
  };
  const int unused = 64 - bits(t);
  if (is_unsigned_integer(t)) return parsed(std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max() >> unused);
  const std::int64_t highest = std::numeric_limits<std::int64_t>::max() >> unused;
  return parsed(-highest - 1, highest);
}

/// A printed scalar as a constant of its printed type; False for float0. Throws malformed_error at `where` if the text
/// is not a number of that type. Throws unsupported_error for `[...]`, an array whose values JAX did not print, and for
/// keys and unsupported types.
inline jax_value literal_value(graph& g, std::string_view text, const element& type, jaxpr::span where) {
  const dtype t = type.part;
  const auto message = [&](std::string_view why) {
    return detail::message("the literal '{}' of type {} {}", text.substr(0, 40), type.name, why);
  };
  const auto fail = [&](std::string_view why) { throw malformed_error(message(why), where); };
  if (type.cls == element_class::float0) return scalar(g, t, 0);
  if (text == "[...]")
    throw unsupported_error(message("has lost its values: trace without jax_use_simplified_jaxpr_constants"), where);
  if (type.cls == element_class::complex) {
    const auto v = parse_complex(text);
    if (!v) fail("is not a number");
    return {scalar(g, t, v->first), scalar(g, t, v->second)};
  }
  if (type.cls != element_class::plain) throw unsupported_error(message("is not supported"), where);
  if (is_boolean(t)) {
    if (text != "True" && text != "False") fail("is neither True nor False");
    return scalar(g, t, std::int64_t{text == "True"});
  }
  if (is_integer(t)) {
    const auto i = parse_integer(text, t);
    if (!i) fail("is not an integer that the type can hold");
    return scalar(g, t, *i);
  }
  const auto v = parse_real(text);
  if (!v) fail("is not a number");
  return scalar(g, t, *v);
}

}  // namespace jax2onnx::lower
