// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/rewrite/engine/target.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx {

/// The form in which weights are stored: as they are, or by request in fewer bits than the program has.
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

/// The type in which operators of float32 compute: float32, or by request float16.
enum class compute_type : std::uint8_t { float32, float16 };

/// The type of a name; nullopt if there is none.
constexpr std::optional<compute_type> compute_type_named(std::string_view name) {
  if (name == "float16") return compute_type::float16;
  return name == "float32" ? std::optional(compute_type::float32) : std::nullopt;
}

/// All names that `compute_type_named` accepts.
inline std::vector<std::string> compute_type_names() { return {"float32", "float16"}; }

namespace rewrite::detail {

/// Throws an error if models for a target cannot compute in a type.
inline void require_compute_target(compute_type type, const target& t) {
  constexpr std::uint32_t convert =
      runtimes({runtime::openvino, runtime::mnn, runtime::ncnn, runtime::tensorrt, runtime::coreml, runtime::qnn});
  if (type == compute_type::float32 || !item_loops::contains(other_runtimes, t.runtime)) return;
  std::string able;
  for (const target_row& row : target_table)
    if (!item_loops::contains(other_runtimes, row.target.runtime))
      able.append(able.empty() ? "use one of the targets " : ", ").append(row.name);
  const std::string_view name = name_of(t.runtime);
  throw error(failure::malformed, "rewrite.compute-target",
              jax2onnx::detail::message("option compute=float16 does not go with option target={}", name),
              is_for(convert, t)
                  ? jax2onnx::detail::message("{} has its own setting to compute models of float32 in float16", name)
                  : able);
}

}  // namespace rewrite::detail

}  // namespace jax2onnx
