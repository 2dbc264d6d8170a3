// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "json_text.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/convert/conversion.hpp>
#include <jax2onnx/rewrite/engine/target.hpp>

/// Descriptions of models for reports and for the tool.
namespace jax2onnx::detail {

/// `name f32[B,784]` of every input or output of the model.
std::vector<std::pair<std::string, std::string>> interface_of(const graph& g, const std::vector<value_id>& values);

/// The same as JSON.
ordered_json interface_json(const graph& g, const std::vector<value_id>& values);

/// How often each operator occurs, bodies included, the most frequent first.
std::vector<std::pair<std::string, std::size_t>> operator_counts(const graph& g);

/// The obstacles that keep a runtime from running a model that was made or read.
ordered_json obstacles_json(const conversion& made, runtime r);
/// The same of all runtimes, by their names.
ordered_json runs_in_json(const conversion& made);

/// 206.9 KB
std::string readable_size(std::uint64_t bytes);

}  // namespace jax2onnx::detail
