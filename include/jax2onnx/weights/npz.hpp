// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/weights/npy.hpp>
#include <jax2onnx/weights/zip_directory.hpp>
#include <jax2onnx/weights/zip_source.hpp>

namespace jax2onnx::detail {

/// The number in one of numpy's default member names: 12 for `arr_12`. Nullopt for any other name.
inline std::optional<std::uint64_t> positional_number(std::string_view name) {
  constexpr std::string_view prefix = "arr_";
  if (!name.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  const bool canonical = error == std::errc() && end == digits.data() + digits.size() && std::to_string(n) == digits;
  return canonical ? std::optional(n) : std::nullopt;
}

/// Reads one member of a .npz archive. Only its header is read now.
inline weight read_npz_member(const std::shared_ptr<const input_file>& file, const zip_member& m) {
  constexpr std::string_view suffix = ".npy";
  const file_site site = file->site().at(m.name);
  if (!m.name.ends_with(suffix) || m.name.size() == suffix.size())
    site.malformed("is not an array: its name does not end in .npy");
  std::string front(static_cast<std::size_t>(std::min<std::uint64_t>(m.size, npy_header::longest)), '\0');
  if (m.deflated) inflater(*file, m, site).read(std::as_writable_bytes(std::span(front)));
  else file->read(m.data, std::as_writable_bytes(std::span(front)));
  const npy_header h = parse_npy_header(front, site);
  if (m.size - h.begin != h.data_bytes)
    site.malformed(message("has {} byte{|s} after its header, but the array needs {}", m.size - h.begin, h.data_bytes));
  weight w = m.deflated ? npy_weight(h, std::make_shared<const deflated_source>(file, m, h.begin))
                        : npy_weight(h, std::make_shared<const stored_source>(file, m, h.begin));
  w.name = m.name.substr(0, m.name.size() - suffix.size());
  w.named = !positional_number(w.name);
  return w;
}

/// Reads a .npz archive: its arrays in file order, or by number if all names are numpy's arr_0, arr_1, ….
inline std::vector<weight> read_npz(const std::shared_ptr<const input_file>& file) {
  std::vector<weight> weights;
  for (const zip_member& m : zip_directory(*file).read()) weights.push_back(read_npz_member(file, m));
  if (item_loops::none_of(weights, [](const weight& w) { return w.named; }))
    std::ranges::sort(weights, {}, [](const weight& w) { return *positional_number(w.name); });
  return weights;
}

}  // namespace jax2onnx::detail
