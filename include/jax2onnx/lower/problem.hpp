// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/support/error.hpp>

namespace jax2onnx {

/// An equation cannot be lowered. The driver catches the error and continues, to find all problems of the program.
class unsupported_error : public error {
 public:
  unsupported_error(std::string message, jaxpr::span where, std::string help = {})
      : error(failure::unsupported, "lower.unsupported", std::move(message), std::move(help), where) {}
};

/// A program was not converted. diagnostics() returns every problem that was found, in the order of the text.
class conversion_error : public error {
 public:
  using error::error;
};

namespace lower {

/// JAX cannot have printed an equation: operands, types and parameters contradict each other. The driver also catches
/// this error.
class malformed_error : public error {
 public:
  malformed_error(std::string message, jaxpr::span where)
      : error(failure::malformed, "lower.malformed", std::move(message),
              "JAX prints no such equation: was the text edited or cut?", where) {}
};

/// A user's lowerer is wrong: it threw, or its results do not fit the text. The driver also catches this error.
class user_lowerer_error : public error {
 public:
  user_lowerer_error(std::string message, jaxpr::span where)
      : error(failure::malformed, "lower.user-lowerer", std::move(message),
              "the program that converts sets this lowerer in options::lowerers; it is not part of jax2onnx", where) {}
};

}  // namespace lower

namespace detail {

/// Ends the conversion with one problem.
[[noreturn]] inline void throw_problem(failure kind, std::string code, std::string message, jaxpr::span where = {},
                                       std::string help = {}) {
  throw conversion_error(kind, std::move(code), std::move(message), std::move(help), where);
}

}  // namespace detail

}  // namespace jax2onnx
