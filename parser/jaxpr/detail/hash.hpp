// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace jaxpr::detail {

inline std::uint64_t mix(std::uint64_t h) {
  h *= 0xff51afd7ed558ccdu;
  return h ^ (h >> 32);
}

inline std::uint64_t hash(std::string_view text) {
  std::uint64_t h = text.size() * 0x9e3779b97f4a7c15u;
  while (text.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    h = mix(h ^ word);
    text.remove_prefix(8);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, text.data(), text.size());
  return mix(h ^ word);
}

inline std::uint64_t hash(const void* node) { return mix(reinterpret_cast<std::uintptr_t>(node) >> 3); }

}  // namespace jaxpr::detail
