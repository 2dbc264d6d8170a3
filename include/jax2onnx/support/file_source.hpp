// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/input_file.hpp>
#include <jax2onnx/support/streamed_source.hpp>

namespace jax2onnx::detail {

/// Sources pass on pieces of this size, so that no element is split.
inline constexpr std::size_t piece_size = std::size_t{1} << 20;

/// Bytes that are stored unchanged in a file.
class file_source final : public streamed_source {
 public:
  /// Requires that the file contains the range.
  file_source(std::shared_ptr<const input_file> file, std::uint64_t offset, std::uint64_t length)
      : file_(std::move(file)), offset_(offset), length_(length) {}

  std::uint64_t size() const override { return length_; }
  std::optional<file_range> location() const override { return file_range{file_->path().string(), offset_, length_}; }
  bool read(std::uint64_t offset, std::span<std::byte> to) const override {
    file_->read(offset_ + offset, to);
    return true;
  }
  void stream(const sink& out) const override {
    std::vector<std::byte> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(piece_size, length_)));
    for (std::uint64_t at = 0; at < length_; at += buffer.size()) {
      const auto piece =
          std::span(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), length_ - at)));
      file_->read(offset_ + at, piece);
      out(piece);
    }
  }

 private:
  std::shared_ptr<const input_file> file_;
  std::uint64_t offset_, length_;
};

/// Fills `to` with the bytes of `data` from `offset` on, without verifying a checksum. Returns false if they have to be
/// streamed.
inline bool read_at(const bytes& data, std::uint64_t offset, std::span<std::byte> to) {
  if (data.source() && data.view().empty()) return data.source()->read(offset, to);
  if (!to.empty()) std::memcpy(to.data(), data.view().data() + offset, to.size());
  return true;
}

/// A range of other bytes, for example one layer of stacked weights. Nothing is copied before it is read.
class range_source final : public streamed_source {
 public:
  /// `whole` contains the range and supports random access.
  range_source(bytes whole, std::uint64_t offset, std::uint64_t length)
      : whole_(std::move(whole)), offset_(offset), length_(length) {}

  std::uint64_t size() const override { return length_; }
  std::size_t depth() const override { return whole_.depth(); }
  std::optional<file_range> location() const override {
    std::optional<file_range> range = whole_.source() ? whole_.source()->location() : std::nullopt;
    if (range) range = file_range{std::move(range->file), range->offset + offset_, length_};
    return range;
  }
  bool read(std::uint64_t offset, std::span<std::byte> to) const override {
    return read_at(whole_, offset_ + offset, to);
  }
  // stream() is inline: otherwise it would be the key function, and GCC would emit the class in every program.
  inline void stream(const sink& out) const override;

 private:
  bytes whole_;
  std::uint64_t offset_, length_;
};

inline void range_source::stream(const sink& out) const {
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min<std::uint64_t>(piece_size, length_)));
  for (std::uint64_t at = 0; at < length_; at += buffer.size()) {
    const std::span<std::byte> piece =
        std::span(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), length_ - at)));
    read(at, piece);
    out(piece);
  }
}

}  // namespace jax2onnx::detail
