// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/plain_text.hpp>

/// Checks of the names that operators, their domains and their attributes may have.
namespace jax2onnx::detail {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// True if a name is letters, digits and underscores, and no digit comes first: ONNX requires C identifiers.
constexpr bool is_identifier(std::string_view name) {
  return !name.empty() && !is_digit(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

/// True if a name can be a domain: it is empty, or has only letters, digits, underscores, dots and dashes.
constexpr bool is_domain(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == '-'; });
}

/// Throws a build_error for a name that is not an identifier. `what` is the kind of the named thing, for the message.
inline void require_identifier(std::string_view what, std::string_view name) {
  if (!is_identifier(name))
    throw build_error(message("'{}' is not a valid name of an {}: use letters, digits and underscores, no digit first",
                              shown(name), what));
}

/// Throws a build_error for a name that cannot be a domain.
inline void require_domain(std::string_view name) {
  if (!is_domain(name))
    throw build_error(
        message("'{}' cannot be a domain: use letters, digits, dots, dashes and underscores", shown(name)));
}

}  // namespace jax2onnx::detail
