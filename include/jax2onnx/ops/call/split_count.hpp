// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <jax2onnx/ops/call/operand.hpp>
#include <jax2onnx/support/error.hpp>

namespace jax2onnx::detail {

/// The number of results of Split: the attribute, or the number of lengths. Throws a build_error if both are unknown.
inline std::size_t split_count(const operand& lengths, const std::optional<std::int64_t>& parts) {
  if (parts && *parts > 0) return static_cast<std::size_t>(*parts);
  if (const auto* list = std::get_if<ints>(&lengths.get())) return list->size();
  const value v = lengths.as_value();
  if (v && v.rank() == 1 && v.extent(0).is_constant()) return static_cast<std::size_t>(v.extent(0).extent());
  throw build_error("Split: state num_outputs, or give lengths whose number is known");
}

}  // namespace jax2onnx::detail
