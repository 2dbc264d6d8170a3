// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <jax2onnx/support/function_ref.hpp>

namespace jax2onnx {

/// A range of a file that holds a constant's bytes unchanged, so that a model can refer to it.
struct file_range {
  std::string file;          ///< the path of the file
  std::uint64_t offset = 0;  ///< the offset of the first byte
  std::uint64_t length = 0;  ///< the number of bytes
};

/// Provides the bytes of a weight, for example from a range of a file, or from a stream that is inflated when read.
class byte_source {
 public:
  /// Receives pieces of the bytes; the span is valid only during the call.
  using sink = function_ref<void(std::span<const std::byte>)>;
  /// Sources are destroyed through this class.
  virtual ~byte_source() = default;
  /// The number of bytes.
  virtual std::uint64_t size() const = 0;
  /// The number of bytes in a file that the source's bytes are made from: fewer than size() if they are compressed.
  virtual std::uint64_t stored_size() const { return size(); }
  /// The number of other sources in a chain through which the bytes are read. Streaming and destroying recurse along
  /// the chain.
  virtual std::size_t depth() const { return 0; }
  /// The number of bytes of memory that the source holds, without memory that it shares with other sources.
  virtual std::uint64_t held_bytes() const { return 0; }
  /// Passes all bytes on in order, in pieces of bounded size, little endian and row major. Throws on damaged input.
  virtual void stream(const sink& out) const = 0;
  /// All bytes at once if they are in memory or few; empty if they have to be streamed. Throws on damaged input.
  virtual std::span<const std::byte> view() const { return {}; }
  /// The range of a file that holds the bytes unchanged; nullopt if they are computed or inflated.
  virtual std::optional<file_range> location() const { return std::nullopt; }
  /// Fills `to` with the bytes from `offset` on, without verifying a checksum; returns false if they have to be
  /// streamed.
  virtual bool read(std::uint64_t offset, std::span<std::byte> to) const {
    static_cast<void>(offset), static_cast<void>(to);
    return false;
  }
};

/// All bytes of a source, inflated if they are compressed.
inline std::string in_memory(const byte_source& source) {
  std::string out;
  source.stream(
      [&](std::span<const std::byte> piece) { out.append(reinterpret_cast<const char*>(piece.data()), piece.size()); });
  return out;
}

/// A constant's bytes, which are held in place or provided by a source.
class bytes {
 public:
  /// No bytes.
  bytes() = default;
  /// Bytes that are held in place.
  explicit bytes(std::string in_place) : in_place_(std::move(in_place)) {}
  /// The bytes of a source, which is shared and not null.
  explicit bytes(std::shared_ptr<const byte_source> source) : source_(std::move(source)) {}

  /// The number of bytes.
  std::uint64_t size() const { return source_ ? source_->size() : in_place_.size(); }
  /// The number of bytes, in a file or held here, that these bytes are made from.
  std::uint64_t stored_size() const { return source_ ? source_->stored_size() : in_place_.size(); }
  /// The bytes if they are in memory or few; empty for a stream (and for no bytes). Throws what the source throws.
  std::span<const std::byte> view() const {
    return source_ ? source_->view() : std::as_bytes(std::span(in_place_.data(), in_place_.size()));
  }
  /// The number of sources in a chain through which the bytes are read.
  std::size_t depth() const { return source_ ? source_->depth() + 1 : 0; }
  /// Returns whether the bytes are held here, not by a source.
  bool in_place() const { return source_ == nullptr; }
  /// The source; null if the bytes are held here.
  const byte_source* source() const { return source_.get(); }
  /// Passes all bytes on in order, in pieces of bounded size. Throws what the source throws.
  void stream(const byte_source::sink& out) const {
    if (source_) source_->stream(out);
    else out(view());
  }

 private:
  std::string in_place_;
  std::shared_ptr<const byte_source> source_;
};

}  // namespace jax2onnx
