// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The bytes of a constant of strings: for each string, its size as 32 bits, little endian, then its characters.
namespace jax2onnx::detail {

/// Calls visit(string) for each string. Returns false if the bytes end inside of a string.
template <class Visit>
bool for_each_string(std::span<const std::byte> data, const Visit& visit) {
  constexpr std::size_t header = 4;
  while (!data.empty()) {
    if (data.size() < header) return false;
    std::size_t size = 0;
    for (std::size_t i = 0; i < header; ++i) size |= std::to_integer<std::size_t>(data[i]) << (8 * i);
    if (size > data.size() - header) return false;
    visit(std::string_view(reinterpret_cast<const char*>(data.data() + header), size));
    data = data.subspan(header + size);
  }
  return true;
}

/// The number of strings in the bytes; UINT64_MAX if the bytes end inside of a string.
inline std::uint64_t string_count(std::span<const std::byte> data) {
  std::uint64_t count = 0;
  return for_each_string(data, [&](std::string_view) { ++count; }) ? count : UINT64_MAX;
}

/// The bytes of these strings.
inline std::string packed_strings(std::span<const std::string> strings) {
  std::string out;
  for (const std::string& s : strings) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(s.size() >> shift & 0xff);
    out += s;
  }
  return out;
}

}  // namespace jax2onnx::detail
