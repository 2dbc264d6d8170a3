// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/streamed_source.hpp>

namespace jax2onnx::lower::devices {

/// The same part of each row of bytes. All bytes are read once; the bytes outside of the part are skipped.
class part_source final : public jax2onnx::detail::streamed_source {
 public:
  /// Bytes [first, first + count) of every `row` bytes; the size of `whole` is a multiple of `row`.
  part_source(bytes whole, std::uint64_t row, std::uint64_t first, std::uint64_t count)
      : whole_(std::move(whole)), row_(row), first_(first), count_(count) {}
  std::uint64_t size() const override { return row_ == 0 ? 0 : whole_.size() / row_ * count_; }
  std::uint64_t stored_size() const override { return whole_.stored_size(); }
  std::size_t depth() const override { return whole_.depth(); }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  bytes whole_;
  std::uint64_t row_, first_, count_;
};

inline void part_source::stream(const sink& out) const {
  std::uint64_t at = 0;  // offset in the row
  whole_.stream([&](std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const bool inside = at >= first_ && at < first_ + count_;
      const std::uint64_t end = at < first_ ? first_ : inside ? first_ + count_ : row_;
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), end - at));
      if (inside) out(piece.first(n));
      piece = piece.subspan(n);
      at = at + n == row_ ? 0 : at + n;
    }
  });
}

}  // namespace jax2onnx::lower::devices
