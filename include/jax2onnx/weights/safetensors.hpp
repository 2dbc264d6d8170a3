// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/file_source.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/weights/safetensors_header.hpp>
#include <jax2onnx/weights/weights_file.hpp>

namespace jax2onnx::detail {

struct safetensors_dtype {
  std::string_view name;
  stored_kind kind;
  std::uint32_t bits;
};

/// The element types of safetensors that ONNX supports.
inline constexpr safetensors_dtype safetensors_dtypes[] = {
    {"BOOL", stored_kind::boolean, 8},
    {"I8", stored_kind::signed_integer, 8},
    {"I16", stored_kind::signed_integer, 16},
    {"I32", stored_kind::signed_integer, 32},
    {"I64", stored_kind::signed_integer, 64},
    {"U8", stored_kind::unsigned_integer, 8},
    {"U16", stored_kind::unsigned_integer, 16},
    {"U32", stored_kind::unsigned_integer, 32},
    {"U64", stored_kind::unsigned_integer, 64},
    {"F16", stored_kind::floating, 16},
    {"F32", stored_kind::floating, 32},
    {"F64", stored_kind::floating, 64},
    {"BF16", stored_kind::bfloat16, 16},
    {"F8_E5M2", stored_kind::float8_e5m2, 8},
    {"F8_E4M3", stored_kind::float8_e4m3fn, 8},
    {"F8_E4M3FNUZ", stored_kind::float8_e4m3fnuz, 8},
    {"F8_E5M2FNUZ", stored_kind::float8_e5m2fnuz, 8},
    {"F8_E8M0", stored_kind::float8_e8m0fnu, 8},
    {"F4", stored_kind::raw, 4},
    {"C64", stored_kind::complex, 64},
};

constexpr const safetensors_dtype* find_dtype(std::string_view name) {
  for (const safetensors_dtype& t : safetensors_dtypes)
    if (t.name == name) return &t;
  return nullptr;
}

/// The weight of an entry; the file's data start at offset `base`.
inline weight safetensors_weight(const std::shared_ptr<const input_file>& file, safetensors_entry entry,
                                 std::uint64_t base) {
  const file_site site = file->site().at(entry.name);
  const safetensors_dtype* type = find_dtype(entry.dtype);
  if (!type)
    site.malformed(message("the dtype '{}' is not supported", shown(entry.dtype)),
                   "leave the tensor out, or save it with an element type that ONNX has");
  const auto count = element_count(entry.shape);
  std::uint64_t total_bits = 0;
  if (!count || mul_overflows(*count, std::uint64_t{type->bits}, total_bits))
    site.unsafe("the size of the tensor overflows 64 bits");
  const std::uint64_t length = entry.range[1] - entry.range[0];
  if (total_bits % 8 != 0 || total_bits / 8 != length)
    site.malformed(message("the tensor needs {} bit{|s}, but its data_offsets span {} byte{|s}", total_bits, length));
  weight w{std::move(entry.name),  true,   std::move(entry.dtype), type->kind, type->bits,
           std::move(entry.shape), nullptr};
  w.data = std::make_shared<const file_source>(file, base + entry.range[0], length);
  return w;
}

/// Reads a .safetensors file. The tensors are in the order of their data, which must fill the file without gaps
/// (huggingface/safetensors, README "Format"). Throws file_error for any other file.
inline weights_file read_safetensors(const std::shared_ptr<const input_file>& file) {
  constexpr std::uint64_t header_limit = 100'000'000;
  const file_site site = file->site();
  if (file->size() < 8) site.malformed("is too short for a safetensors file");
  std::uint64_t length = 0;
  file->read(0, std::as_writable_bytes(std::span(&length, 1)));
  if (length > header_limit)
    site.unsafe(message("the safetensors header would have {} bytes, but the limit is {}", length, header_limit));
  if (!file->contains(8, length)) site.malformed("the safetensors header is cut short");
  const std::string text = file->read_string(8, length);
  const std::size_t end = text.find_last_not_of(' ');
  if (!text.starts_with('{') || text[end] != '}')
    site.malformed("the safetensors header is not a JSON object followed by spaces");
  safetensors_header header;
  header.read(std::string_view(text).substr(0, end + 1), site);

  const std::uint64_t base = 8 + length;
  std::stable_sort(header.entries.begin(), header.entries.end(),
                   [](const safetensors_entry& a, const safetensors_entry& b) {
                     return a.range[0] != b.range[0] ? a.range[0] < b.range[0] : a.range[1] < b.range[1];
                   });
  std::uint64_t at = 0;
  weights_file result;
  for (safetensors_entry& e : header.entries) {
    if (e.range[0] != at || e.range[1] < at)
      site.at(e.name).unsafe("its data_offsets leave a gap, overlap another tensor, or run backwards");
    at = e.range[1];
    if (at > file->size() - base) site.at(e.name).malformed("its data_offsets lie beyond the end of the file");
    result.weights.push_back(safetensors_weight(file, std::move(e), base));
  }
  if (at != file->size() - base)
    site.unsafe(message("has {} byte{ that belongs|s that belong} to no tensor", file->size() - base - at));
  for (const auto& [key, list] : header.metadata) {
    if (key == "jax2onnx.constvars") result.constvars = parse_names(list, site.at(key));
    if (key == "jax2onnx.inputs") result.inputs = parse_names(list, site.at(key));
    if (key == "jax2onnx.outputs") result.outputs = parse_names(list, site.at(key));
  }
  return result;
}

}  // namespace jax2onnx::detail
