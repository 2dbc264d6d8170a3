// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jaxpr/ast.hpp>

namespace jaxpr {

/// The severity of a diagnostic. A note explains another diagnostic.
enum class severity : std::uint8_t { error, warning, note };

/// An error, a warning or a note about a range of the text. Owns its strings.
struct diagnostic {
  severity level = severity::error;  ///< an error by default
  std::string code;                  ///< a stable name that docs/diagnostics.md lists, such as parse.expected-type
  std::string message;               ///< lower-case, "expected X, found Y"
  span where;                        ///< the range of the text that has the problem; {0, 0} if there is none
  std::string help;                  ///< one line, may be empty
  std::vector<diagnostic> notes;     ///< the enclosing calls, innermost first
};

/// The exception that `parse` throws at the first error of a text.
class error : public std::exception {
 public:
  /// An error with this diagnostic.
  explicit error(diagnostic d, std::string text = {}) : diagnostic_(std::move(d)), text_(std::move(text)) {}
  /// The diagnostic, which lives as long as the error.
  const diagnostic& details() const noexcept { return diagnostic_; }
  /// The text that the caller moved into `parse`, for `render`; empty if the caller has kept it.
  const std::string& text() const noexcept { return text_; }
  /// The message without its position.
  const char* what() const noexcept override { return diagnostic_.message.c_str(); }

 private:
  diagnostic diagnostic_;
  std::string text_;
};

/// The error for a `_` at `where`, an operand or a result of a body, that may be any of `count` results of equations.
inline diagnostic ambiguous_dropped(span where, std::string_view count = "several") {
  std::string message = "expected a variable, found '_' which may be any of ";
  message.append(count).append(" results");
  return {severity::error,
          "parse.ambiguous-dropped",
          std::move(message),
          where,
          "print the jaxpr with jaxpr.pretty_print(custom_pp_eqn_rules=False)",
          {}};
}

}  // namespace jaxpr
