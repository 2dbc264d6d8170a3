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
#include <jax2onnx/support/file_source.hpp>
#include <jax2onnx/support/permuted_source.hpp>
#include <jax2onnx/support/streamed_source.hpp>

namespace jax2onnx::rewrite {

/// Weights joined along an axis. Each combination of indices of the axes before the joined axis has a block, which
/// holds a piece of every weight. The bytes are joined when they are read.
class joined_source final : public jax2onnx::detail::streamed_source {
 public:
  /// The size of every part is a multiple of `blocks`, which is not 0.
  joined_source(std::vector<bytes> parts, std::uint64_t blocks) : parts_(std::move(parts)), blocks_(blocks) {
    for (const bytes& part : parts_) {
      size_ += part.size();
      stored_size_ += part.stored_size();
      depth_ = std::max(depth_, part.depth());
      held_bytes_ += sizeof part + (part.in_place() ? part.size() : 0);
    }
  }
  const std::vector<bytes>& parts() const { return parts_; }
  std::uint64_t blocks() const { return blocks_; }
  std::uint64_t size() const override { return size_; }
  std::uint64_t stored_size() const override { return stored_size_; }
  std::size_t depth() const override { return depth_; }
  std::uint64_t held_bytes() const override { return held_bytes_; }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  std::vector<bytes> parts_;
  std::uint64_t blocks_, size_ = 0, stored_size_ = 0, held_bytes_ = 0;
  std::size_t depth_ = 0;
};

/// Weights joined along an axis, in `blocks` blocks. A part that is itself joined in as many blocks is replaced by its
/// parts if they are few: a chain of Concats must not copy a long list again and again.
inline std::shared_ptr<const joined_source> joined(const std::vector<bytes>& parts, std::uint64_t blocks) {
  constexpr std::size_t few = 64;
  std::vector<bytes> all;
  for (const bytes& part : parts) {
    const auto* inner = dynamic_cast<const joined_source*>(part.source());
    if (inner && inner->blocks() == blocks && inner->parts().size() <= few)
      all.insert(all.end(), inner->parts().begin(), inner->parts().end());
    else all.push_back(part);
  }
  return std::make_shared<const joined_source>(std::move(all), blocks);
}

inline void joined_source::stream(const sink& out) const {
  using namespace jax2onnx::detail;
  if (blocks_ == 1) {
    for (const bytes& part : parts_) part.stream(out);
    return;
  }
  std::vector<std::shared_ptr<const byte_source>> sources;
  std::vector<window_reader> readers;
  for (const bytes& part : parts_) readers.emplace_back(*sources.emplace_back(readable(part)));
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(piece_size, size())));
  std::size_t filled = 0;
  const auto copy = [&](window_reader& from, std::uint64_t begin, std::uint64_t end) {
    while (begin < end) {
      const std::span<std::byte> free = std::span(buffer).subspan(filled);
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(free.size(), end - begin));
      from.read(begin, free.first(n));
      begin += n;
      filled += n;
      if (filled < buffer.size()) continue;
      out(buffer);
      filled = 0;
    }
  };
  for (std::uint64_t block = 0; block < blocks_; ++block)
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::uint64_t length = parts_[i].size() / blocks_;
      copy(readers[i], block * length, (block + 1) * length);
    }
  if (filled > 0) out(std::span(buffer).first(filled));
}

}  // namespace jax2onnx::rewrite
