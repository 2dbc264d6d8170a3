// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include <jax2onnx/support/key_map.hpp>

namespace jax2onnx::detail {

/// Numbers texts in the order in which they are added: 0, 1, 2, … Like key_map, on which it builds, it is not a
/// template.
class text_index {
 public:
  static constexpr std::uint32_t none = key_map::none;

  /// The number of a string, or `none`.
  std::uint32_t find(std::string_view text) const {
    std::int64_t key = hash(text);
    for (std::uint32_t n = numbers_.find(key); n != none; n = numbers_.find(++key))
      if (texts_[n] == text) return n;
    return none;
  }
  bool contains(std::string_view text) const { return find(text) != none; }
  /// Adds a string and returns true; returns false if it was added before.
  bool add(std::string_view text) {
    std::int64_t key = hash(text);
    for (std::uint32_t n = numbers_.find(key); n != none; n = numbers_.find(++key))
      if (texts_[n] == text) return false;
    numbers_.set(key, static_cast<std::uint32_t>(texts_.size()));
    texts_.emplace_back(text);
    return true;
  }
  /// The number of a string. Adds the string if necessary.
  std::uint32_t number(std::string_view text) {
    return add(text) ? static_cast<std::uint32_t>(size() - 1) : find(text);
  }
  std::size_t size() const { return texts_.size(); }
  /// The text that has this number. The reference is valid as long as the index lives.
  const std::string& operator[](std::size_t number) const { return texts_[number]; }

 private:
  static std::int64_t hash(std::string_view text) {
    std::uint64_t h = 14695981039346656037ull;  // FNV-1a
    for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    return static_cast<std::int64_t>(h >> 1);  // the shift keeps the next keys from overflowing
  }

  key_map numbers_;  // the keys are hashes, or the next free keys after them
  std::deque<std::string> texts_;
};

}  // namespace jax2onnx::detail
