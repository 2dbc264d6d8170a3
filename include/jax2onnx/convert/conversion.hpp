// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/driver/report.hpp>
#include <jax2onnx/support/error.hpp>
#include <jaxpr/ast.hpp>

namespace jax2onnx {

/// Counts and times of one conversion.
struct statistics {
  std::size_t equations = 0;            ///< equations as printed; each jaxpr counts once
  std::size_t lowered = 0;              ///< equations after calls are inlined
  std::size_t nodes = 0;                ///< nodes of the model
  std::size_t weights = 0;              ///< closed-over arrays that became initializers
  std::uint64_t weight_bytes = 0;       ///< the size of these initializers
  std::size_t constants_as_inputs = 0;  ///< closed-over arrays that became inputs because no weights were given
  std::chrono::nanoseconds parse{};     ///< the time to parse the text
  std::chrono::nanoseconds lower{};     ///< the time to build the graph
  std::chrono::nanoseconds rewrite{};   ///< the time to optimise and legalise the graph
};

/// The result of convert(). Its members may be moved out: `model` keeps the text alive, but `source` is valid only
/// while `text` lives.
struct conversion {
  std::shared_ptr<const std::string> text;  ///< the text, owned or shared with the caller
  jaxpr::program source;                    ///< the syntax tree; warnings and nodes refer to byte offsets in `text`
  graph model;                              ///< the model: it keeps the text, and its weights view their files
  std::vector<diagnostic> warnings;         ///< what the caller may want to know, in the order of the text
  statistics stats;                         ///< counts and times
  rewrite_report rewrites;                  ///< the rules that applied or declined
};

}  // namespace jax2onnx
