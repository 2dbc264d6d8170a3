// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace jax2onnx::detail {

/// Encodes fields of a protobuf message (protobuf.dev/programming-guides/encoding) at the end of a string. Fields
/// written in the order of their numbers give the same bytes as protobuf's deterministic serialization. Large
/// initializers are streamed after such fields, which protobuf's generated classes cannot do.
class wire_writer {
 public:
  explicit wire_writer(std::string& to) : to_(to) {}

  void integer(std::uint32_t field, std::int64_t n) {
    tag(field, varint_type);
    varint(static_cast<std::uint64_t>(n));
  }
  void number(std::uint32_t field, float f) {
    tag(field, fixed32_type);
    const auto code = std::bit_cast<std::uint32_t>(f);
    for (int shift = 0; shift < 32; shift += 8) to_ += static_cast<char>(code >> shift & 0xff);
  }
  void text(std::uint32_t field, std::string_view s) {
    length(field, s.size());
    to_.append(s);
  }
  /// Writes the tag and length of a field, whose `size` bytes the caller writes.
  void length(std::uint32_t field, std::uint64_t size) {
    tag(field, length_delimited_type);
    varint(size);
  }
  /// Writes bytes of a field whose length has been written.
  void raw(std::span<const std::byte> piece) { to_.append(reinterpret_cast<const char*>(piece.data()), piece.size()); }
  /// The number of bytes in the string so far.
  std::size_t size() const { return to_.size(); }
  /// Writes a nested message, whose fields `fill` writes to this writer.
  template <class Fill>
  void message(std::uint32_t field, const Fill& fill) {
    tag(field, length_delimited_type);
    const std::size_t begin = to_.size();
    fill();
    insert_varint(begin, to_.size() - begin);
  }

 private:
  enum wire_type : std::uint32_t { varint_type = 0, length_delimited_type = 2, fixed32_type = 5 };
  static constexpr std::size_t longest_varint = 10;

  void tag(std::uint32_t field, wire_type type) { varint(std::uint64_t{field} << 3 | type); }
  static std::size_t encode(char* to, std::uint64_t n) {
    std::size_t size = 0;
    for (; n >= 0x80; n >>= 7) to[size++] = static_cast<char>(n | 0x80);
    to[size++] = static_cast<char>(n);
    return size;
  }
  void varint(std::uint64_t n) {
    char code[longest_varint];
    to_.append(code, encode(code, n));
  }
  void insert_varint(std::size_t at, std::uint64_t n) {
    char code[longest_varint];
    to_.insert(at, code, encode(code, n));
  }

  std::string& to_;
};

}  // namespace jax2onnx::detail
