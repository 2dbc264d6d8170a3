// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace jax2onnx::detail {

/// A sequence that grows at its end and never moves an element. The size of its chunks is a power of two, so an index
/// costs two loads.
template <class T>
class chunked_vector {
 public:
  chunked_vector() = default;
  chunked_vector(chunked_vector&&) noexcept = default;
  chunked_vector& operator=(chunked_vector&&) noexcept = default;
  chunked_vector(const chunked_vector& other) {
    for (const std::vector<T>& chunk : other.chunks_)
      for (const T& element : chunk) push_back(element);
  }
  chunked_vector& operator=(const chunked_vector& other) { return *this = chunked_vector(other); }
  ~chunked_vector() = default;

  T& operator[](std::size_t i) { return chunks_[i / chunk_size][i % chunk_size]; }
  const T& operator[](std::size_t i) const { return chunks_[i / chunk_size][i % chunk_size]; }
  std::size_t size() const { return size_; }
  T& push_back(T element) {
    if (size_ % chunk_size == 0) chunks_.emplace_back().reserve(chunk_size);
    ++size_;
    return chunks_.back().emplace_back(std::move(element));
  }

 private:
  static constexpr std::size_t chunk_size = 64;

  std::vector<std::vector<T>> chunks_;  // each with the capacity chunk_size
  std::size_t size_ = 0;
};

}  // namespace jax2onnx::detail
