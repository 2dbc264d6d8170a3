// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include <jax2onnx/read/wire_source.hpp>

namespace jax2onnx::detail {

/// A field of a protobuf message. Only the members of its wire type are valid.
struct wire_field {
  enum wire_type : std::uint8_t { varint = 0, fixed64 = 1, length_delimited = 2, fixed32 = 5 };
  std::uint32_t number = 0;
  wire_type type = varint;
  std::uint64_t scalar = 0;  ///< the value of a varint or of a field of fixed width
  wire_range content = {};   ///< the content of a length-delimited field
};

/// Decodes the fields of a protobuf message one after another; the inverse of wire_writer. Whatever the bytes are, no
/// byte after the message is decoded. Damaged messages throw a file_error.
class wire_reader {
 public:
  wire_reader(wire_source& from, wire_range message) : from_(&from), at_(message.begin), end_(message.end) {}

  /// Reads the next field into `f`. Returns false at the end of the message.
  bool next(wire_field& f);

  /// The content of a field. Throws if the field has another wire type.
  /// @{
  std::int64_t integer(const wire_field& f) const {
    require(f, wire_field::varint);
    return static_cast<std::int64_t>(f.scalar);
  }
  float number(const wire_field& f) const {
    require(f, wire_field::fixed32);
    return std::bit_cast<float>(static_cast<std::uint32_t>(f.scalar));
  }
  wire_range message(const wire_field& f) const {
    require(f, wire_field::length_delimited);
    return f.content;
  }
  /// The content of a field that a message may have once. Protobuf would merge two such fields; no writer writes two.
  wire_range only_message(const wire_field& f) {
    const std::uint64_t bit = std::uint64_t{1} << (f.number & 63);
    if (seen_ & bit) fail();
    seen_ |= bit;
    return message(f);
  }
  std::string text(const wire_field& f) const { return from_->copy(message(f)); }
  /// @}
  /// Calls visit() with the 64 bits of each entry of a repeated number, packed or not.
  template <class Visit>
  void each(const wire_field& f, wire_field::wire_type type, const Visit& visit) const;

 private:
  [[noreturn]] void fail() const { from_->site().malformed("is not an ONNX model, or is damaged"); }
  void require(const wire_field& f, wire_field::wire_type type) const {
    if (f.type != type) fail();
  }
  std::uint64_t read_scalar(wire_field::wire_type type);
  std::uint64_t read_varint();
  std::uint64_t read_fixed(int bytes);

  wire_source* from_;
  std::uint64_t at_, end_;
  std::uint64_t seen_ = 0;  // the fields that only_message() has returned, as bits
};

inline std::uint64_t wire_reader::read_varint() {
  std::uint64_t n = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (at_ == end_) fail();
    const std::uint64_t byte = from_->at(at_++);
    n |= (byte & 0x7f) << shift;
    if (byte < 0x80) return n;
  }
  fail();
}

inline std::uint64_t wire_reader::read_fixed(int bytes) {
  if (end_ - at_ < static_cast<std::uint64_t>(bytes)) fail();
  std::uint64_t n = 0;
  for (int i = 0; i < bytes; ++i) n |= std::uint64_t{from_->at(at_++)} << (8 * i);
  return n;
}

inline std::uint64_t wire_reader::read_scalar(wire_field::wire_type type) {
  switch (type) {
    case wire_field::varint: return read_varint();
    case wire_field::fixed64: return read_fixed(8);
    case wire_field::fixed32: return read_fixed(4);
    default: fail();
  }
}

inline bool wire_reader::next(wire_field& f) {
  if (at_ == end_) return false;
  const std::uint64_t tag = read_varint();
  f.number = static_cast<std::uint32_t>(tag >> 3);
  f.type = static_cast<wire_field::wire_type>(tag & 7);
  if (tag >> 3 == 0 || tag >> 32 != 0) fail();
  if (f.type != wire_field::length_delimited) {
    f.scalar = read_scalar(f.type);
    return true;
  }
  const std::uint64_t length = read_varint();
  if (length > end_ - at_) fail();
  f.content = {at_, at_ + length};
  at_ += length;
  return true;
}

template <class Visit>
void wire_reader::each(const wire_field& f, wire_field::wire_type type, const Visit& visit) const {
  if (f.type == type) return visit(f.scalar);
  wire_reader packed(*from_, message(f));
  while (packed.at_ != packed.end_) visit(packed.read_scalar(type));
}

}  // namespace jax2onnx::detail
