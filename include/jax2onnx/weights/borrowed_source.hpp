#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include <jax2onnx/support/bytes.hpp>

namespace jax2onnx {

/// An array in the caller's memory: little endian, row major. It is not copied, so it has to outlive this, and to stay
/// as it is until the model is written.
class borrowed_source final : public byte_source {
 public:
  /// The bytes of the array.
  explicit borrowed_source(std::span<const std::byte> data) : data_(data) {}
  std::uint64_t size() const override { return data_.size(); }
  void stream(const sink& out) const override { out(data_); }
  std::span<const std::byte> view() const override { return data_; }
  bool read(std::uint64_t offset, std::span<std::byte> to) const override {
    std::ranges::copy(data_.subspan(static_cast<std::size_t>(offset), to.size()), to.begin());
    return true;
  }

 private:
  std::span<const std::byte> data_;
};

}  // namespace jax2onnx
