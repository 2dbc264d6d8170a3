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

namespace jax2onnx::lower {

/// A printed real number as a double, which is exact: JAX prints the shortest text that reads back. nullopt for other
/// text.
inline std::optional<double> parse_real(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double v = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    return text.find("e-") != text.npos ? 0.0 : (text[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
  return error == std::errc{} ? std::optional(v) : std::nullopt;
}

/// `1j`, `(1+2j)`, `(-0-1e-09j)`, `(inf+nanj)` as real and imaginary part. A real number has the imaginary part 0.
/// nullopt for other text.
inline std::optional<std::pair<double, double>> parse_complex(std::string_view text) {
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  if (text.empty() || text.back() != 'j') {
    const auto re = parse_real(text);
    return re ? std::optional(std::pair(*re, 0.0)) : std::nullopt;
  }
  text.remove_suffix(1);
  std::size_t split = 0;  // the sign between the parts is neither the first character nor an exponent's
  for (std::size_t i = 1; i < text.size(); ++i)
    if ((text[i] == '+' || text[i] == '-') && text[i - 1] != 'e') split = i;
  const auto re = split ? parse_real(text.substr(0, split)) : std::optional(0.0);
  const auto im = parse_real(text.substr(split));
  return re && im ? std::optional(std::pair(*re, *im)) : std::nullopt;
}

/// A printed scalar as a constant of its printed type. Throws unsupported_error at `where` if the text is not a number,
/// such as the `[...]` of an array whose values JAX did not print.
inline jax_value literal_value(graph& g, std::string_view text, const element& type, jaxpr::span where) {
  const dtype t = type.part;
  const auto fail = [&](std::string_view why) {
    throw unsupported_error(detail::message("the literal '{}' of type {} {}", text.substr(0, 40), type.name, why),
                            where);
  };
  if (type.cls == element_class::float0) return scalar(g, t, 0);
  if (text == "[...]") fail("has lost its values: trace without jax_use_simplified_jaxpr_constants");
  if (text == "True" || text == "False") {
    const std::int64_t truth = text == "True";
    return type.cls == element_class::complex ? jax_value(scalar(g, t, truth), scalar(g, t, 0))
                                              : jax_value(scalar(g, t, truth));
  }
  if (type.cls == element_class::complex) {
    const auto v = parse_complex(text);
    if (!v) fail("is no number");
    return {scalar(g, t, v->first), scalar(g, t, v->second)};
  }
  if (type.cls != element_class::plain) fail("is not supported");
  if (is_integer(t) || is_boolean(t)) {
    std::int64_t i = 0;
    const char* end = text.data() + text.size();
    if (const auto r = std::from_chars(text.data(), end, i); r.ptr == end && r.ec == std::errc{})
      return scalar(g, t, i);
    std::uint64_t u = 0;
    if (const auto r = std::from_chars(text.data(), end, u); r.ptr == end && r.ec == std::errc{})
      return scalar(g, t, static_cast<std::int64_t>(u));
  }
  const auto v = parse_real(text);
  if (!v) fail("is no number");
  return scalar(g, t, *v);
}

}  // namespace jax2onnx::lower
