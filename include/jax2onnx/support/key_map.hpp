// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace jax2onnx::detail {

/// A map from 64-bit keys to 32-bit numbers: open addressing, linear probing. It is not a template, so it compiles
/// faster than the standard maps.
class key_map {
 public:
  static constexpr std::uint32_t none = 0xffffffff;

  /// The number of a key, or `none`.
  std::uint32_t find(std::int64_t key) const { return slots_.empty() ? none : slots_[place(key)].number; }
  /// Sets the number of a key. The number must not be `none`.
  void set(std::int64_t key, std::uint32_t number) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    slot& s = slots_[place(key)];
    if (s.number == none) ++size_;
    s = {key, number};
  }
  void clear() {
    slots_.clear();
    size_ = 0;
  }
  std::size_t size() const { return size_; }

 private:
  struct slot {
    std::int64_t key = 0;
    std::uint32_t number = none;  // `none` if the slot is free
  };

  /// The slot of a key, or the free slot for it.
  std::size_t place(std::int64_t key) const {
    const std::uint64_t mixed = static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15ull;  // 2^64 / golden ratio
    std::size_t i = static_cast<std::size_t>(mixed >> 32);
    for (;; ++i) {
      const slot& s = slots_[i &= slots_.size() - 1];
      if (s.number == none || s.key == key) return i;
    }
  }
  void grow() {
    const std::vector<slot> old = std::exchange(slots_, std::vector<slot>(slots_.empty() ? 16 : 2 * slots_.size()));
    for (const slot& s : old)
      if (s.number != none) slots_[place(s.key)] = s;
  }

  std::vector<slot> slots_;  // their count is a power of two
  std::size_t size_ = 0;
};

}  // namespace jax2onnx::detail
