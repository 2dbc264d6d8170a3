#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <jaxpr/diagnostic.hpp>

namespace jax2onnx {

/// An equation asks for something that has no lowering; caught by the driver, which goes on to find all of them.
class unsupported_error : public std::runtime_error {
 public:
  unsupported_error(std::string message, jaxpr::span at, std::string advice = {})
      : std::runtime_error(std::move(message)), where(at), help(std::move(advice)) {}
  jaxpr::span where;
  std::string help;
};

enum class failure : std::uint8_t { malformed, unsupported, unsafe, internal };

/// Why a text was not converted: every problem that was found, in the order of the text.
class conversion_error : public std::runtime_error {
 public:
  conversion_error(failure category, std::vector<jaxpr::diagnostic> found)
      : std::runtime_error(found.empty() ? "conversion failed" : found.front().message),
        kind(category),
        problems(std::move(found)) {}
  failure kind;
  std::vector<jaxpr::diagnostic> problems;
};

/// Ends the conversion with one problem.
[[noreturn]] inline void throw_problem(failure kind, std::string code, std::string message, jaxpr::span where = {},
                                       std::string help = {}) {
  throw conversion_error(kind,
                         {{jaxpr::severity::error, std::move(code), std::move(message), where, std::move(help), {}}});
}

}  // namespace jax2onnx
