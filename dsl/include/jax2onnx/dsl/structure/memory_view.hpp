// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/support/bytes.hpp>

/// Constants in the memory of the program.
namespace jax2onnx {

namespace detail {

/// Arrays of up to this many bytes are copied: a copy is cheaper than a view, and verbs can compute with a copy.
inline constexpr std::size_t copied_bytes = 4096;

/// Bytes that someone else owns.
class memory_view final : public byte_source {
 public:
  memory_view(std::span<const std::byte> data, std::shared_ptr<const void> owner)
      : data_(data), owner_(std::move(owner)) {}
  std::uint64_t size() const override { return data_.size(); }
  std::span<const std::byte> view() const override { return data_; }
  void stream(const sink& out) const override {
    if (!data_.empty()) out(data_);
  }
  bool read(std::uint64_t offset, std::span<std::byte> to) const override {
    const auto part = data_.subspan(static_cast<std::size_t>(offset), to.size());
    std::copy(part.begin(), part.end(), to.begin());
    return true;
  }

 private:
  std::span<const std::byte> data_;
  std::shared_ptr<const void> owner_;
};

}  // namespace detail

/// The bytes of an array, copied.
template <class T>
requires std::is_trivially_copyable_v<T> bytes copy_of(std::span<const T> numbers) {
  return bytes(std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()));
}

/// The bytes of an array without a copy. The array must stay unchanged until the last model that contains it is
/// written. If anything else reads the constant, the array must stay unchanged as long as the graph lives. `owner`, if
/// given, keeps the array alive. Arrays of up to 4096 bytes are copied.
template <class T>
requires std::is_trivially_copyable_v<T> bytes view_of(std::span<const T> numbers,
                                                       std::shared_ptr<const void> owner = nullptr) {
  if (numbers.size_bytes() <= detail::copied_bytes) return copy_of(numbers);
  return bytes(std::make_shared<const detail::memory_view>(std::as_bytes(numbers), std::move(owner)));
}

/// Refuses a temporary vector, which nobody would keep alive.
template <class T>
bytes view_of(std::vector<T>&&, std::shared_ptr<const void> = nullptr) = delete;

/// The bytes of a vector that the constant takes over. Only vectors of up to 4096 bytes are copied.
template <class T>
requires std::is_trivially_copyable_v<T> bytes moved(std::vector<T>&& numbers) {
  const auto owner = std::make_shared<const std::vector<T>>(std::move(numbers));
  return view_of(std::span<const T>(*owner), owner);
}

}  // namespace jax2onnx
