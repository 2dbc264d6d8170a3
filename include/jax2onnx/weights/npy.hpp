// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/support/file_source.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/permuted_source.hpp>
#include <jax2onnx/weights/npy_header.hpp>
#include <jax2onnx/weights/swapped_source.hpp>
#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx::detail {

/// The weight that a .npy header describes; `elements` are the bytes as stored.
inline weight npy_weight(const npy_header& h, std::shared_ptr<const byte_source> elements) {
  weight w;
  w.type = h.type;
  w.kind = h.kind;
  w.item_bits = h.item_bytes * 8;
  w.shape = h.shape;
  w.data = std::move(elements);
  // The order matters only if at least two extents are greater than 1.
  const auto longer = std::ranges::count_if(h.shape, [](std::int64_t n) { return n > 1; });
  if (h.fortran_order && longer > 1) {
    const std::vector<std::uint64_t> extents(h.shape.begin(), h.shape.end());
    w.data =
        std::make_shared<const permuted_source>(bytes(w.data), extents, column_major_strides(extents), h.item_bytes);
  }
  const std::uint32_t word = h.kind == stored_kind::complex ? h.item_bytes / 2 : h.item_bytes;
  if (h.big_endian && word > 1) w.data = std::make_shared<const swapped_source>(w.data, word);
  return w;
}

/// Reads a .npy file: one array with the name of the file. Throws file_error if the header is damaged or not supported,
/// or if the file does not have as many bytes as the header states.
inline weight read_npy(const std::shared_ptr<const input_file>& file) {
  const file_site site = file->site();
  const std::string front = file->read_string(0, std::min<std::uint64_t>(file->size(), npy_header::longest));
  const npy_header h = parse_npy_header(front, site);
  if (file->size() - h.begin != h.data_bytes)
    site.malformed(
        message("has {} byte{|s} after the header, but its array needs {}", file->size() - h.begin, h.data_bytes));
  weight w = npy_weight(h, std::make_shared<const file_source>(file, h.begin, h.data_bytes));
  w.name = file->path().stem().string();
  w.named = true;
  return w;
}

}  // namespace jax2onnx::detail
