// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <jax2onnx/convert/conversion.hpp>

namespace jax2onnx::detail {

/// The model of a conversion as the object `graph` of a report: nodes, values, weights, equations, rewrites. Reads all
/// weights. docs/report.schema.json describes the object.
std::string report_graph(const conversion& made);

/// The text of a conversion as the object `source` of a report.
std::string report_source(std::string_view name, std::string_view text);

}  // namespace jax2onnx::detail
