// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conversion_run.hpp"
#include "json_text.hpp"

namespace cli {

/// Describes the result of a conversion in a few lines; with -v also the counts of operators and the times.
std::string summary(const conversion_run& run, const arguments& args);

/// `name f32[B,784]` of every input or output of the model.
std::vector<std::pair<std::string, std::string>> interface_of(const jax2onnx::graph& g,
                                                              const std::vector<jax2onnx::value_id>& values);

/// The same as JSON.
ordered_json interface_json(const jax2onnx::graph& g, const std::vector<jax2onnx::value_id>& values);

/// How often each operator occurs, bodies included, the most frequent first.
std::vector<std::pair<std::string, std::size_t>> operator_counts(const jax2onnx::graph& g);

/// 206.9 KB
std::string readable_size(std::uint64_t bytes);

}  // namespace cli
