// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jax2onnx/emit/model_writer.hpp>
#include <jax2onnx/emit/names.hpp>
#include <jax2onnx/emit/options.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/support/checked_math.hpp>
#include <jax2onnx/support/error.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// The location of every initializer, decided before anything is written.
struct external_layout {
  std::vector<external_location> places;  // one for each initializer; name_data_file() sets missing locations
  std::vector<value_id> copied;           // initializers in the data file, in order
  std::uint64_t data_bytes = 0;           // size of the weights in the data file

  /// Sets the location of all initializers in the data file.
  void name_data_file(const std::string& name) {
    for (external_location& place : places)
      if (place.location.empty() && place.length > 0) place.location = name;
  }
};

/// The reason why a system or a runtime refuses `name` as part of an external data location; nullopt if all accept it.
inline std::optional<std::string_view> bad_file_name(std::string_view name) {
  const auto is_reserved = [](std::string_view device) {
    return device == "con" || device == "prn" || device == "aux" || device == "nul";
  };
  const std::string stem = lower_case(name.substr(0, name.find('.')));
  const bool port =
      stem.size() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && stem[3] >= '0' && stem[3] <= '9';
  if (name.empty() || name == "." || name == "..") return "is not a file name";
  if (name.find_first_of("/\\:*?\"<>|") != std::string_view::npos)
    return "has a character that is not allowed on every system";
  if (plain_text(name) != name) return "has a control character or is not UTF-8";
  if (name.back() == '.' || name.back() == ' ') return "ends in a dot or space";
  if (port || is_reserved(stem)) return "is the name of a device on Windows";
  return std::nullopt;
}

/// A hash of a data file, independent of how its bytes are cut into pieces. It only has to tell versions of one model
/// apart, since the file's name also contains the model's name.
class content_hash {
 public:
  void add(std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const std::size_t n = std::min(sizeof word_ - filled_, piece.size());
      std::memcpy(reinterpret_cast<std::byte*>(&word_) + filled_, piece.data(), n);
      piece = piece.subspan(n);
      filled_ += n;
      if (filled_ == sizeof word_) mix();
    }
  }
  void add(std::uint64_t number) { add(std::as_bytes(std::span(&number, 1))); }
  /// Returns 16 hexadecimal digits.
  std::string text() const {
    content_hash all = *this;
    all.mix();
    std::string digits;
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[all.hash_ >> shift & 15];
    return digits;
  }

 private:
  void mix() {
    hash_ = (hash_ ^ word_ ^ filled_) * 0x9e3779b97f4a7c15u;
    hash_ ^= hash_ >> 32;
    word_ = filled_ = 0;
  }

  std::uint64_t hash_ = 0, word_ = 0;
  std::size_t filled_ = 0;  // bytes in word_
};

/// The name of a data file, made from its content: model.onnx.0123456789abcdef.data.
inline std::string data_file_name(const std::filesystem::path& model, const content_hash& content) {
  return message("{}.{}.data", model.filename().string(), content.text());
}

/// Returns whether `name` has the form that data_file_name gives for `model`.
inline bool is_data_file_name(std::string_view name, const std::filesystem::path& model) {
  const std::string first = model.filename().string() + ".";
  if (!name.starts_with(first) || name.size() != data_file_name(model, {}).size() || !name.ends_with(".data"))
    return false;
  return name.substr(first.size(), 16).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// The path of the data file that `settings` name. Throws file_error unless the name is a bare file name other than the
/// model's.
inline std::filesystem::path named_data_file(const std::filesystem::path& model, const external_data& settings) {
  const std::string& name = settings.file;
  if (const auto why = bad_file_name(name))
    throw file_error(failure::unsafe, message("the external data file '{}' {}", plain_text(name), *why),
                     "give a bare file name: the file is written beside the model");
  if (name == model.filename())
    throw file_error(failure::unsafe, message("'{}' cannot be both the model and its external data", name));
  return model.parent_path() / name;
}

/// The location by which a model in `directory` refers to `file`, with links resolved. Throws file_error if the file is
/// not below the directory, if it has several hard links, or if a part of its path is not a plain name. ONNX's checker
/// and runtimes refuse such locations (CVE-2022-25882, CVE-2024-27318, CVE-2026-27489 and later).
inline std::string reference_location(const std::filesystem::path& file, const std::filesystem::path& directory) {
  const auto refuse = [&](std::string_view why) {
    throw file_error(failure::unsafe, message("{}: a model cannot refer to this file: it {}", file.string(), why),
                     "write the model beside this file, or use option external-data to copy the weights");
  };
  std::error_code failed;
  const std::filesystem::path real = std::filesystem::canonical(file, failed);
  if (failed) refuse("cannot be found any more");
  const std::filesystem::path base = std::filesystem::canonical(directory.empty() ? "." : directory, failed);
  if (failed) throw file_error(failure::io, message("{}: no such directory", directory.string()));
  const std::filesystem::path relative = real.lexically_relative(base);
  if (relative.empty() || relative.is_absolute()) refuse("is not below the model's directory");
  for (const std::filesystem::path& part : relative) {
    if (part == "..") refuse("is not below the model's directory");
    if (const auto why = bad_file_name(part.string())) refuse(message("or a directory of its path {}", *why));
  }
  if (std::filesystem::hard_link_count(real, failed) != 1)
    refuse("has several hard links, which ONNX's checker refuses");
  return relative.generic_string();
}

/// Throws file_error if a file ends before the end of the range that a model will refer to.
inline void check_range(const file_range& range) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(range.file, failed);
  if (failed || size < range.offset || size - range.offset < range.length)
    throw file_error(failure::io, range.file + ": was truncated while it was read");
}

inline std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) {
  std::uint64_t end = 0;
  if (alignment == 0 || add_overflows(offset, alignment - 1, end))
    throw limit_error("the size of the external data overflows 64 bits");
  return end - end % alignment;
}

/// Chooses the location of every initializer. Reads no weights.
inline external_layout plan_external(const graph& g, const emission_plan& plan, const external_data& settings,
                                     const std::filesystem::path& model) {
  external_layout layout;
  layout.places.resize(plan.initializers().size());
  if (settings.placement == weights_placement::in_model) return layout;
  // The file of the last weight referred to: most weights are in one file, one after another.
  std::string file, location;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    const value_id v = plan.initializers()[i];
    const bytes& data = g.data(g.at(v));
    const bool strings = g.at(v).type.type == dtype::string;  // ONNX keeps them in the model
    if (data.size() < settings.threshold || data.size() == 0 || strings) continue;
    const auto range =
        settings.placement == weights_placement::reference && data.source() ? data.source()->location() : std::nullopt;
    if (range) {
      if (location.empty() || range->file != file) {
        file = range->file;
        location = reference_location(file, model.parent_path());
      }
      check_range(*range);
      layout.places[i] = {location, range->offset, range->length};
    } else {
      const std::uint64_t begin = aligned(end, settings.alignment);
      if (add_overflows(begin, std::uint64_t{data.size()}, end))
        throw limit_error("the size of the external data overflows 64 bits");
      layout.places[i] = {{}, begin, data.size()};
      layout.copied.push_back(v);
      layout.data_bytes += data.size();
    }
  }
  return layout;
}

}  // namespace jax2onnx::detail
