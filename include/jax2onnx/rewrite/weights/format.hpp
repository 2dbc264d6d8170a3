// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jax2onnx {

/// How weights are stored: as they are, or by request in fewer bits than the program has.
enum class weight_format : std::uint8_t { kept, float16, bfloat16, int8, int4 };

/// A format as users name it.
struct weight_format_row {
  std::string_view name;
  weight_format format;
};
inline constexpr weight_format_row weight_formats[] = {
    {"float16", weight_format::float16},
    {"bfloat16", weight_format::bfloat16},
    {"int8", weight_format::int8},
    {"int4", weight_format::int4},
};

/// The format of a name; nullopt if there is none.
constexpr std::optional<weight_format> weight_format_named(std::string_view name) {
  const auto* const row = std::ranges::find(weight_formats, name, &weight_format_row::name);
  return row == std::end(weight_formats) ? std::nullopt : std::optional(row->format);
}

/// All names that `weight_format_named` accepts.
inline std::vector<std::string> weight_format_names() {
  std::vector<std::string> names;
  for (const weight_format_row& row : weight_formats) names.emplace_back(row.name);
  return names;
}

}  // namespace jax2onnx
