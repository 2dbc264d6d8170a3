// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/support/bytes.hpp>

namespace jax2onnx::detail {

/// Bytes that every read fetches or computes again: read from a file, inflated, permuted, swapped. The first call of
/// view() keeps the bytes if there are at most 4096, so that small weights can be folded.
class streamed_source : public byte_source {
 public:
  std::span<const std::byte> view() const final {
    constexpr std::uint64_t few = 4096;
    if (size() > few) return {};
    std::call_once(viewed_, [this] {
      std::vector<std::byte> all;
      stream([&](std::span<const std::byte> piece) { all.insert(all.end(), piece.begin(), piece.end()); });
      kept_ = std::move(all);
    });
    return kept_;
  }

 private:
  mutable std::once_flag viewed_;
  mutable std::vector<std::byte> kept_;
};

}  // namespace jax2onnx::detail
