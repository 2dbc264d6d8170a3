// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <zlib.h>

#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/file_source.hpp>
#include <jax2onnx/support/streamed_source.hpp>
#include <jax2onnx/weights/zip_directory.hpp>

namespace jax2onnx::detail {

/// The running checksum of a member.
class running_crc {
 public:
  void add(std::span<const std::byte> piece) {
    crc_ = ::crc32_z(crc_, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  }
  void check(const zip_member& m, const file_site& site) const {
    if (crc_ != m.crc) site.malformed("the checksum (CRC-32) differs: the archive is damaged");
  }

 private:
  uLong crc_ = 0;
};

/// Inflates a member from front to back, up to the size that the archive states.
class inflater {
 public:
  inflater(const input_file& file, const zip_member& member, file_site site)
      : file_(file), member_(member), site_(std::move(site)), input_(std::size_t{1} << 16) {
    constexpr int raw_deflate = -15;
    if (::inflateInit2(&z_, raw_deflate) != Z_OK) throw std::bad_alloc();
  }
  ~inflater() { ::inflateEnd(&z_); }
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;

  /// Fills `to`. Throws file_error if the member is damaged or ends early.
  void read(std::span<std::byte> to);
  /// Checks that the compressed and the inflated data end here, and that the checksum is right. Call it after the last
  /// byte. Throws file_error for a damaged member.
  void finish();

 private:
  void refill();
  int step();

  const input_file& file_;
  const zip_member& member_;
  file_site site_;
  std::vector<std::byte> input_;
  std::uint64_t consumed_ = 0;  // bytes taken from the file
  running_crc crc_;
  z_stream z_{};
  bool ended_ = false;
};

inline void inflater::refill() {
  if (z_.avail_in > 0 || consumed_ == member_.compressed) return;
  const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(input_.size(), member_.compressed - consumed_));
  file_.read(member_.data + consumed_, std::span(input_).first(n));
  consumed_ += n;
  z_.next_in = reinterpret_cast<Bytef*>(input_.data());
  z_.avail_in = static_cast<uInt>(n);
}

inline int inflater::step() {
  refill();
  const int status = ::inflate(&z_, Z_NO_FLUSH);
  if (status != Z_OK && status != Z_STREAM_END) site_.malformed("the deflated data are damaged or cut short");
  ended_ = status == Z_STREAM_END;
  return status;
}

inline void inflater::read(std::span<std::byte> to) {
  for (std::size_t at = 0; at < to.size();) {
    if (ended_) site_.malformed("the deflated data end before the array does");
    const std::size_t n = std::min<std::size_t>(to.size() - at, std::size_t{1} << 30);
    z_.next_out = reinterpret_cast<Bytef*>(to.data() + at);
    z_.avail_out = static_cast<uInt>(n);
    step();
    at += n - z_.avail_out;
  }
  crc_.add(to);
}

inline void inflater::finish() {
  Bytef beyond = 0;
  while (!ended_) {
    z_.next_out = &beyond;
    z_.avail_out = 1;
    step();
    if (z_.avail_out == 0) site_.unsafe("the deflated data go on after the end of the array");
  }
  if (z_.avail_in > 0 || consumed_ != member_.compressed)
    site_.malformed("the deflated data end before the member does");
  crc_.check(member_, site_);
}

/// The elements of a deflated array: the member without its .npy header, inflated each time it is read.
class deflated_source final : public streamed_source {
 public:
  deflated_source(std::shared_ptr<const input_file> file, zip_member member, std::uint64_t header_bytes)
      : file_(std::move(file)), member_(std::move(member)), header_(header_bytes) {}
  std::uint64_t size() const override { return member_.size - header_; }
  std::uint64_t stored_size() const override { return member_.compressed; }
  void stream(const sink& out) const override {
    inflater in(*file_, member_, file_->site().at(member_.name));
    std::vector<std::byte> buffer(static_cast<std::size_t>(header_));
    in.read(buffer);
    buffer.resize(static_cast<std::size_t>(std::min<std::uint64_t>(piece_size, size())));
    for (std::uint64_t left = size(); left > 0;) {
      const auto piece =
          std::span(buffer).first(static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left)));
      in.read(piece);
      out(piece);
      left -= piece.size();
    }
    in.finish();
  }

 private:
  std::shared_ptr<const input_file> file_;
  zip_member member_;
  std::uint64_t header_;
};

/// The elements of a stored array. stream() verifies the checksum, and read() does not. A model that only refers to the
/// elements does not read them.
class stored_source final : public streamed_source {
 public:
  stored_source(std::shared_ptr<const input_file> file, zip_member member, std::uint64_t header_bytes)
      : file_(file),
        member_(std::move(member)),
        header_(header_bytes),
        elements_(std::move(file), member_.data + header_, member_.size - header_) {}
  std::uint64_t size() const override { return elements_.size(); }
  std::optional<file_range> location() const override { return elements_.location(); }
  bool read(std::uint64_t offset, std::span<std::byte> to) const override { return elements_.read(offset, to); }
  void stream(const sink& out) const override {
    running_crc crc;
    const std::string header = file_->read_string(member_.data, header_);
    crc.add(std::as_bytes(std::span(header)));
    elements_.stream([&](std::span<const std::byte> piece) {
      crc.add(piece);
      out(piece);
    });
    crc.check(member_, file_->site().at(member_.name));
  }

 private:
  std::shared_ptr<const input_file> file_;
  zip_member member_;
  std::uint64_t header_;
  file_source elements_;
};

}  // namespace jax2onnx::detail
