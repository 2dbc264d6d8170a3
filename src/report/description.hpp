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

/// The name and type, such as `f32[B,784]`, of each of `values`, the inputs or outputs of the model.
std::vector<std::pair<std::string, std::string>> interface_of(const graph& g, const std::vector<value_id>& values);

/// The names and types of interface_of() as JSON.
ordered_json interface_json(const graph& g, const std::vector<value_id>& values);

/// The number of nodes of each operator, including those in bodies; the most frequent operator comes first.
std::vector<std::pair<std::string, std::size_t>> operator_counts(const graph& g);

/// The obstacles that keep a runtime from running a model that was made or read.
ordered_json obstacles_json(const conversion& made, runtime r);
/// The obstacles of every runtime except ONNX Runtime, by the name of the runtime.
ordered_json runs_in_json(const conversion& made);

/// A size as people read it, such as `206.9 KB`.
std::string readable_size(std::uint64_t bytes);

}  // namespace jax2onnx::detail
