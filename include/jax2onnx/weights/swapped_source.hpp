// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/streamed_source.hpp>

namespace jax2onnx::detail {

/// Big-endian elements in little-endian order. A complex element is two words.
class swapped_source final : public streamed_source {
 public:
  swapped_source(std::shared_ptr<const byte_source> big_endian, std::uint32_t word_bytes)
      : inner_(std::move(big_endian)), word_(word_bytes) {}
  std::uint64_t size() const override { return inner_->size(); }
  std::uint64_t stored_size() const override { return inner_->stored_size(); }
  std::size_t depth() const override { return inner_->depth() + 1; }
  void stream(const sink& out) const override {
    std::vector<std::byte> buffer;
    inner_->stream([&](std::span<const std::byte> piece) {
      buffer.assign(piece.begin(), piece.end());
      for (auto word = buffer.begin(); word != buffer.end(); word += word_) std::reverse(word, word + word_);
      out(buffer);
    });
  }

 private:
  std::shared_ptr<const byte_source> inner_;
  std::ptrdiff_t word_;
};

}  // namespace jax2onnx::detail
