#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jaxpr/ast.hpp>

namespace jaxpr {

enum class severity : std::uint8_t { error, warning, note };

/// What is wrong (or worth a note) at a place in the text.
struct diagnostic {
  severity level = severity::error;
  std::string code;     ///< stable, listed in docs/diagnostics.md: parse.expected-type
  std::string message;  ///< lower-case, "expected X, found Y"
  span where;
  std::string help;               ///< one line, may be empty
  std::vector<diagnostic> notes;  ///< the calls around it, innermost first
};

/// Thrown by the parser on the first error of a text.
class error : public std::exception {
 public:
  explicit error(diagnostic d) : diagnostic_(std::move(d)) {}
  const diagnostic& details() const noexcept { return diagnostic_; }
  const char* what() const noexcept override { return diagnostic_.message.c_str(); }

 private:
  diagnostic diagnostic_;
};

/// Several results have the name `_` and the text does not tell which of them is read at `where`.
inline diagnostic ambiguous_dropped(span where, std::string_view count = "several") {
  return {severity::error,
          "parse.ambiguous-dropped",
          "expected a variable, found '_' which may be any of " + std::string(count) + " results",
          where,
          "print the jaxpr with jaxpr.pretty_print(custom_pp_eqn_rules=False)",
          {}};
}

struct line_column {
  std::size_t line = 1;    ///< from 1
  std::size_t column = 1;  ///< from 1, in code points
};

/// Where byte `offset` of `text` is. Linear in the text; meant for diagnostics only.
inline line_column locate(std::string_view text, std::size_t offset);

/// `file:line:col: error[code]: message`, the source line with a caret below it, help and notes. Control characters
/// and bidirectional overrides of the text are escaped, long lines are cut around the caret.
inline std::string render(const diagnostic& d, std::string_view text, std::string_view file_name);

}  // namespace jaxpr
