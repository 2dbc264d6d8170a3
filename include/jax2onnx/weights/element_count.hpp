// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <jax2onnx/support/checked_math.hpp>

namespace jax2onnx::detail {

/// Limits of a weight's shape.
inline constexpr std::size_t weight_rank_limit = 64;
inline constexpr std::int64_t weight_extent_limit = std::int64_t{1} << 62;

/// The number of elements of a shape without negative extents; nullopt if it overflows 64 bits.
inline std::optional<std::uint64_t> element_count(const std::vector<std::int64_t>& extents) {
  for (const std::int64_t extent : extents)
    if (extent == 0) return 0;
  std::uint64_t n = 1;
  for (const std::int64_t extent : extents)
    if (mul_overflows(n, static_cast<std::uint64_t>(extent), n)) return std::nullopt;
  return n;
}

}  // namespace jax2onnx::detail
