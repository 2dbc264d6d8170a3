// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <clocale>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace jaxpr::detail {

/// True if the standard library reads floating-point numbers by from_chars. libc++ supports this from version 20 on.
template <class Real>
concept read_by_from_chars = requires(const char* text, Real& number) {
  std::from_chars(text, text, number);
};

/// The number that strtod reads from all of `text`; nullopt if `text` is not a number. strtod expects the decimal point
/// of the current C locale, which replaces the `.` of `text`.
inline std::optional<double> read_by_strtod(std::string_view text) {
  std::string copy(text);
  if (const std::size_t point = copy.find('.'); point != copy.npos)
    copy.replace(point, 1, std::localeconv()->decimal_point);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  return *end == '\0' ? std::optional(number) : std::nullopt;
}

/// The value of a decimal number, `inf` or `nan`, rounded to nearest; infinity or zero if the number is out of range.
/// nullopt for a text that begins otherwise, or that the standard library does not read to its end.
template <class Real = double>
std::optional<double> read_real(std::string_view text) {
  if (text.empty() || std::string_view("-.0123456789in").find(text.front()) == text.npos) return std::nullopt;
  if constexpr (read_by_from_chars<Real>) {
    Real number = 0;
    const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status == std::errc::invalid_argument || rest != text.data() + text.size()) return std::nullopt;
    if (status != std::errc::result_out_of_range) return number;
    // from_chars does not say whether the number is too small or too large.
    const bool small = text.find("e-") != text.npos || text.find_first_not_of("-0.") > text.find('.');
    const double magnitude = small ? 0.0 : std::numeric_limits<double>::infinity();
    return text.starts_with("-") ? -magnitude : magnitude;
  } else {
    return read_by_strtod(text);
  }
}

}  // namespace jaxpr::detail
