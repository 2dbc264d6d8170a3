// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/emit/onnx_fields.hpp>
#include <jax2onnx/graph/strings.hpp>
#include <jax2onnx/graph/tensor_type.hpp>
#include <jax2onnx/read/wire_reader.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/file_source.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// The maximum number of dimensions of an array; more are a limit_error.
inline constexpr std::size_t most_dimensions = 256;

/// The dtype with this number in files. Throws a file_error for an unknown number.
inline dtype read_dtype(const file_site& site, std::int64_t number) {
  if (number < 0 || number >= std::ssize(dtype_table))
    site.malformed(message("the element type {} is not known", number));
  return static_cast<dtype>(number);
}

/// A TensorProto.
struct read_tensor {
  std::string name;
  tensor_type type;
  bytes data;
};

/// Reads tensors of a model. Their elements stay in the model's file or in files of external data, unless they are few
/// or have to be decoded.
class tensor_reader {
 public:
  /// External data must be below `directory`; without a directory, external data are refused.
  tensor_reader(wire_source& from, std::optional<std::filesystem::path> directory)
      : from_(from), directory_(std::move(directory)) {}

  read_tensor read(wire_range message);

 private:
  /// The fields of a TensorProto.
  struct fields {
    std::string name;
    std::vector<std::int64_t> extents;
    std::int64_t type = 0;
    std::optional<wire_range> raw;
    std::vector<wire_field> numbers, strings;  // the entries of the typed fields
    std::string location;
    std::optional<std::uint64_t> offset, length;
    bool external = false;
  };
  /// The field that holds the elements of a dtype, and the bytes of one entry there.
  struct typed_field {
    std::uint32_t number;
    wire_field::wire_type type;
    std::uint32_t bytes;
  };

  fields read_fields(wire_range message);
  void read_location(wire_range entry, fields& f);
  std::uint64_t read_number(const file_site& site, const std::string& digits) const;
  static typed_field field_of(dtype t);
  bytes elements(const fields& f, dtype t, std::uint64_t size, const file_site& site);
  bytes decoded(const fields& f, dtype t, std::uint64_t size, const file_site& site);
  bytes strings(const fields& f);
  bytes external(const fields& f, std::uint64_t size, const file_site& site);
  std::shared_ptr<const input_file> open(const std::string& location, const file_site& site);

  wire_source& from_;
  std::optional<std::filesystem::path> directory_;
  std::map<std::string, std::shared_ptr<const input_file>> files_;
};

inline tensor_reader::fields tensor_reader::read_fields(wire_range message) {
  using namespace onnx_fields;
  fields out;
  wire_reader reader(from_, message);
  for (wire_field f; reader.next(f);) switch (f.number) {
      case tensor_dims:
        reader.each(f, wire_field::varint, [&](std::uint64_t n) {
          if (out.extents.size() == most_dimensions) throw limit_error("a tensor has over 256 dimensions");
          out.extents.push_back(static_cast<std::int64_t>(n));
        });
        break;
      case tensor_data_type: out.type = reader.integer(f); break;
      case tensor_name: out.name = reader.text(f); break;
      case tensor_raw_data: out.raw = reader.message(f); break;
      case tensor_string_data: out.strings.push_back(f); break;
      case tensor_float_data:
      case tensor_int32_data:
      case tensor_int64_data:
      case tensor_double_data:
      case tensor_uint64_data: out.numbers.push_back(f); break;
      case tensor_external_data: read_location(reader.message(f), out); break;
      case tensor_data_location: out.external = reader.integer(f) == data_location_external; break;
      default: break;
    }
  return out;
}

inline std::uint64_t tensor_reader::read_number(const file_site& site, const std::string& digits) const {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (error != std::errc() || end != digits.data() + digits.size())
    site.malformed("its external data have an offset or a length that is not a number");
  return n;
}

inline void tensor_reader::read_location(wire_range entry, fields& out) {
  std::string key, value;
  wire_reader reader(from_, entry);
  for (wire_field f; reader.next(f);) {
    if (f.number == onnx_fields::entry_key) key = reader.text(f);
    if (f.number == onnx_fields::entry_value) value = reader.text(f);
  }
  if (key == "location") out.location = value;
  if (key == "offset") out.offset = read_number(from_.site().at(out.name), value);
  if (key == "length") out.length = read_number(from_.site().at(out.name), value);
}

inline tensor_reader::typed_field tensor_reader::field_of(dtype t) {
  using namespace onnx_fields;
  switch (t) {
    case dtype::f32:
    case dtype::c64: return {tensor_float_data, wire_field::fixed32, 4};
    case dtype::f64:
    case dtype::c128: return {tensor_double_data, wire_field::fixed64, 8};
    case dtype::i64: return {tensor_int64_data, wire_field::varint, 8};
    case dtype::u64: return {tensor_uint64_data, wire_field::varint, 8};
    case dtype::u32: return {tensor_uint64_data, wire_field::varint, 4};
    default: return {tensor_int32_data, wire_field::varint, bits(t) < 8 ? 1u : static_cast<std::uint32_t>(bits(t) / 8)};
  }
}

inline read_tensor tensor_reader::read(wire_range message) {
  fields f = read_fields(message);
  const file_site site = from_.site().at(f.name);
  read_tensor out{f.name, {read_dtype(site, f.type), {}}, {}};
  if (out.type.type == dtype::undefined) site.malformed("the tensor has no element type");
  std::uint64_t count = 1, size = 0;
  for (const std::int64_t extent : f.extents) {
    if (extent < 0) site.malformed("the tensor has a negative extent");
    if (mul_overflows(count, static_cast<std::uint64_t>(extent), count))
      site.unsafe("the size of the tensor overflows 64 bits");
    out.type.dims.push_back(extent);
  }
  size = byte_size(out.type.type, count);
  if (out.type.type == dtype::string) {
    if (f.external || f.raw || f.strings.size() != count)
      site.malformed(detail::message("the tensor has {} string{|s}; its shape needs {}", f.strings.size(), count));
    out.data = strings(f);
  } else {
    out.data = elements(f, out.type.type, size, site);
    if (out.data.size() != size)
      site.malformed(detail::message("the tensor has {} byte{|s}; its shape needs {}", out.data.size(), size));
  }
  return out;
}

inline bytes tensor_reader::elements(const fields& f, dtype t, std::uint64_t size, const file_site& site) {
  if (f.external) return external(f, size, site);
  return f.raw ? from_.refer(*f.raw) : decoded(f, t, size, site);
}

inline bytes tensor_reader::decoded(const fields& f, dtype t, std::uint64_t size, const file_site& site) {
  const typed_field field = field_of(t);
  const bool in_order = field.type != wire_field::varint;  // packed numbers of fixed width have the layout of raw data
  if (in_order && f.numbers.size() == 1 && f.numbers[0].type == wire_field::length_delimited &&
      f.numbers[0].number == field.number)
    return from_.refer(f.numbers[0].content);
  std::string out;
  const wire_reader reader(from_, {});
  for (const wire_field& part : f.numbers) {
    if (part.number != field.number) site.malformed("the tensor has data of another element type");
    reader.each(part, field.type, [&](std::uint64_t n) {
      if (out.size() >= size) site.malformed("the tensor has more data than its shape needs");
      for (std::uint32_t i = 0; i < field.bytes; ++i) out += static_cast<char>(n >> (8 * i) & 0xff);
    });
  }
  return bytes(std::move(out));
}

inline bytes tensor_reader::strings(const fields& f) {
  const wire_reader reader(from_, {});
  std::vector<std::string> all;
  for (const wire_field& s : f.strings) all.push_back(reader.text(s));
  return bytes(packed_strings(all));
}

inline bytes tensor_reader::external(const fields& f, std::uint64_t size, const file_site& site) {
  const auto file = open(f.location, site);
  const std::uint64_t offset = f.offset.value_or(0), length = f.length.value_or(size);
  if (!file->contains(offset, length))
    site.malformed(message("its data lie beyond the end of '{}'", shown(f.location)));
  return bytes(std::make_shared<const file_source>(file, offset, length));
}

/// Opens a file of external data. The path must not leave the model's directory, not even through links.
inline std::shared_ptr<const input_file> tensor_reader::open(const std::string& location, const file_site& site) {
  const auto known = files_.find(location);
  if (known != files_.end()) return known->second;
  if (!directory_)
    site.unsafe("its data are in an external file, and a model in memory has no such files",
                "read the model from its file instead");
  const auto refuse = [&] {
    site.unsafe(message("its data are in '{}', outside of the model's directory", shown(location)));
  };
  const std::filesystem::path path = location;
  if (location.empty() || path.is_absolute() || location.find('\0') != std::string::npos) refuse();
  std::error_code failed;
  const std::filesystem::path base = std::filesystem::canonical(directory_->empty() ? "." : *directory_, failed);
  const std::filesystem::path real = failed ? base : std::filesystem::canonical(base / path, failed);
  if (failed) site.fail(failure::io, message("its data are in '{}', which cannot be found", shown(location)));
  const std::filesystem::path relative = real.lexically_relative(base);
  if (relative.empty() || *relative.begin() == "..") refuse();
  return files_[location] = std::make_shared<const input_file>(real);
}

}  // namespace jax2onnx::detail
