// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jaxpr/diagnostic.hpp>
#include <jaxpr/escape.hpp>

namespace jax2onnx {

/// A problem: a stable code, a message, its position in the text if it has one, and help.
using diagnostic = jaxpr::diagnostic;

/// The reason for a failure. It determines the exit code of the command line tool.
enum class failure : std::uint8_t {
  malformed,    ///< the text, the weights or the caller's graph are wrong
  unsupported,  ///< ONNX or this library cannot express the program or the model
  io,           ///< the system refuses access to a file
  unsafe,       ///< a limit is exceeded, or it would be unsafe to go on
  internal,     ///< a defect of this library
};

namespace detail {

/// Escapes texts of the diagnostics so that they are safe to show. Line breaks stay: some messages have several lines.
inline std::vector<diagnostic> escaped(std::vector<diagnostic> found) {
  for (diagnostic& d : found) {
    d.message = jaxpr::escape_lines(d.message);
    d.help = jaxpr::escape_lines(d.help);
    d.notes = escaped(std::move(d.notes));
  }
  return found;
}

}  // namespace detail

/// The base class of all exceptions that this library throws deliberately. what() is the message of the first
/// diagnostic. Copying an error does not throw.
class error : public std::runtime_error {
 public:
  /// `found` has at least one entry. Messages are escaped: names in files can contain control characters.
  error(failure kind, std::vector<diagnostic> found)
      : error(kind, std::make_shared<const std::vector<diagnostic>>(detail::escaped(std::move(found)))) {}
  /// An error with one diagnostic.
  error(failure kind, std::string code, std::string message, std::string help = {}, jaxpr::span where = {})
      : error(kind, {{jaxpr::severity::error, std::move(code), std::move(message), where, std::move(help), {}}}) {}

  /// The reason for the failure.
  failure kind() const noexcept { return kind_; }
  /// Every problem that was found, in the order of the text. Valid as long as this error or a copy of it lives.
  std::span<const diagnostic> diagnostics() const noexcept { return *diagnostics_; }

 private:
  error(failure kind, std::shared_ptr<const std::vector<diagnostic>> found)
      : std::runtime_error(found->empty() ? "unknown failure" : found->front().message),
        kind_(kind),
        diagnostics_(std::move(found)) {}

  failure kind_;
  std::shared_ptr<const std::vector<diagnostic>> diagnostics_;
};

/// A graph cannot be built as requested, for example because the operands of an operator do not fit.
class build_error : public error {
 public:
  /// An error with the code build.operands.
  explicit build_error(std::string_view message)
      : error(failure::malformed, "build.operands", jaxpr::escape(message)) {}

 protected:
  /// Derived classes have other codes.
  using error::error;
};

/// An operator is missing from the graph's opset.
class opset_error : public build_error {
 public:
  /// `op` exists from opset `needed` on.
  opset_error(std::string_view op, int needed)
      : build_error(failure::unsupported, "build.opset", std::string(op) + " needs opset " + std::to_string(needed)),
        opset(needed) {}
  int opset;  ///< the first opset that has the operator
};

/// The value of a symbol is needed, but does not follow from the shapes of the inputs.
class symbol_error : public build_error {
 public:
  /// `unknown` is the symbol's name.
  explicit symbol_error(std::string unknown)
      : build_error(failure::unsupported, "build.symbol",
                    "the shapes of the inputs do not determine the symbol '" + unknown + "'"),
        symbol(std::move(unknown)) {}
  std::string symbol;  ///< the symbol's name
};

/// A limit was exceeded: the input is refused before anything of its size is allocated.
class limit_error : public error {
 public:
  /// `message` names the limit.
  explicit limit_error(std::string_view message) : error(failure::unsafe, "limit", jaxpr::escape(message)) {}
};

}  // namespace jax2onnx
