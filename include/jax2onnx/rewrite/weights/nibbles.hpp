// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/streamed_source.hpp>

/// Integers of 4 bits: two in a byte, the first one in its lower half.
namespace jax2onnx::rewrite {

/// Unpacks each half of a byte to the lower half of a byte.
class unpacked_source final : public jax2onnx::detail::streamed_source {
 public:
  /// `count` is the number of halves; the last byte may hold only one.
  unpacked_source(bytes packed, std::uint64_t count) : packed_(std::move(packed)), count_(count) {}
  std::uint64_t size() const override { return count_; }
  std::uint64_t stored_size() const override { return packed_.stored_size(); }
  std::size_t depth() const override { return packed_.depth(); }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  bytes packed_;
  std::uint64_t count_;
};

/// Packs the lower halves of two bytes into one.
class packed_source final : public jax2onnx::detail::streamed_source {
 public:
  explicit packed_source(bytes halves) : halves_(std::move(halves)) {}
  std::uint64_t size() const override { return (halves_.size() + 1) / 2; }
  std::uint64_t stored_size() const override { return halves_.stored_size(); }
  std::size_t depth() const override { return halves_.depth(); }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  bytes halves_;
};

inline constexpr std::byte lower_half{0x0f};
inline constexpr int half_bits = 4;

inline void unpacked_source::stream(const sink& out) const {
  std::vector<std::byte> halves;
  std::uint64_t left = count_;
  packed_.stream([&](std::span<const std::byte> piece) {
    halves.clear();
    for (const std::byte both : piece) {
      halves.push_back(both & lower_half);
      halves.push_back(both >> half_bits);
    }
    const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, halves.size()));
    left -= n;
    out(std::span(halves).first(n));
  });
}

inline void packed_source::stream(const sink& out) const {
  std::vector<std::byte> packed;
  std::byte first{};
  bool has_first = false;
  halves_.stream([&](std::span<const std::byte> piece) {
    packed.clear();
    for (const std::byte half : piece) {
      if (has_first) packed.push_back(first | (half << half_bits));
      else first = half & lower_half;
      has_first = !has_first;
    }
    out(packed);
  });
  if (has_first) out(std::span(&first, 1));
}

}  // namespace jax2onnx::rewrite
