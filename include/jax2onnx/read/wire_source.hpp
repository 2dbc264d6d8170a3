// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/file_site.hpp>
#include <jax2onnx/support/file_source.hpp>
#include <jax2onnx/support/input_file.hpp>

namespace jax2onnx::detail {

/// A part of a shared string.
class shared_string_source final : public byte_source {
 public:
  shared_string_source(std::shared_ptr<const std::string> whole, std::uint64_t offset, std::uint64_t length)
      : whole_(std::move(whole)), offset_(offset), length_(length) {}
  std::uint64_t size() const override { return length_; }
  std::span<const std::byte> view() const override {
    return std::as_bytes(std::span(*whole_))
        .subspan(static_cast<std::size_t>(offset_), static_cast<std::size_t>(length_));
  }
  void stream(const sink& out) const override { out(view()); }
  bool read(std::uint64_t offset, std::span<std::byte> to) const override {
    const auto from = view().subspan(static_cast<std::size_t>(offset), to.size());
    std::copy(from.begin(), from.end(), to.begin());
    return true;
  }

 private:
  std::shared_ptr<const std::string> whole_;
  std::uint64_t offset_, length_;
};

/// A part of an encoded model: from its first byte up to the one after its last.
struct wire_range {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
};

/// The bytes of an encoded model, in a file or in memory. Holds only a small window of a file; weights are references
/// to the model.
class wire_source {
 public:
  explicit wire_source(std::shared_ptr<const input_file> file)
      : file_(std::move(file)), site_(file_->site()), size_(file_->size()) {}
  wire_source(std::string model, std::string shown_as)
      : memory_(std::make_shared<const std::string>(std::move(model))),
        site_{std::move(shown_as), {}},
        size_(memory_->size()),
        window_(std::as_bytes(std::span(*memory_))) {}

  /// The model, for messages.
  const file_site& site() const { return site_; }
  wire_range all() const { return {0, size_}; }
  /// The byte at an offset, which must be inside of the model.
  std::uint8_t at(std::uint64_t place) {
    if (place < first_ || place - first_ >= window_.size()) fetch(place);
    return std::to_integer<std::uint8_t>(window_[static_cast<std::size_t>(place - first_)]);
  }
  /// A copy of a part.
  std::string copy(wire_range part);
  /// A part as the bytes of a constant; copied only if they are few.
  bytes refer(wire_range part);

 private:
  static constexpr std::size_t window_size = std::size_t{1} << 16;

  void fetch(std::uint64_t place);

  std::shared_ptr<const input_file> file_;
  std::shared_ptr<const std::string> memory_;
  file_site site_;
  std::uint64_t size_;
  std::vector<std::byte> buffer_;
  std::span<const std::byte> window_;
  std::uint64_t first_ = 0;  // offset of the window
};

inline void wire_source::fetch(std::uint64_t place) {
  buffer_.resize(window_size);
  const auto part =
      std::span(buffer_).first(static_cast<std::size_t>(std::min<std::uint64_t>(window_size, size_ - place)));
  file_->read(place, part);
  window_ = part;
  first_ = place;
}

inline std::string wire_source::copy(wire_range part) {
  const auto size = static_cast<std::size_t>(part.size());
  if (part.begin >= first_ && part.end - first_ <= window_.size())
    return {reinterpret_cast<const char*>(window_.data()) + (part.begin - first_), size};
  return file_->read_string(part.begin, size);
}

inline bytes wire_source::refer(wire_range part) {
  constexpr std::uint64_t few = 4096;
  if (part.size() <= few) return bytes(copy(part));
  if (file_) return bytes(std::make_shared<const file_source>(file_, part.begin, part.size()));
  return bytes(std::make_shared<const shared_string_source>(memory_, part.begin, part.size()));
}

}  // namespace jax2onnx::detail
