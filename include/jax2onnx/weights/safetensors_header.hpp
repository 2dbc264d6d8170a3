// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/support/text_index.hpp>
#include <jax2onnx/weights/element_count.hpp>
#include <jax2onnx/weights/strict_json.hpp>

namespace jax2onnx::detail {

/// One entry of a safetensors header.
struct safetensors_entry {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::vector<std::uint64_t> range;  // begin and end, from the first byte after the header
};

/// The header of a safetensors file: {"name": {"dtype": …, "shape": […], "data_offsets": [begin, end]}, …} and strings
/// under "__metadata__".
class safetensors_header final : public strict_json<safetensors_header> {
 public:
  std::vector<safetensors_entry> entries;
  std::vector<std::pair<std::string, std::string>> metadata;

  bool key(std::string k);
  bool start_object() { return ++depth_ <= 2 ? true : refuse("an object is not expected here"); }
  bool end_object();
  bool string(std::string s);
  bool start_array();
  bool end_array() { return in_list_ = false, true; }
  bool number_unsigned(std::uint64_t n);
  std::string_view place() const {
    if (in_metadata_) return "__metadata__";
    return entries.empty() ? std::string_view() : entries.back().name;
  }

 private:
  enum fields : unsigned { dtype = 1, shape = 2, offsets = 4, all = 7 };

  bool metadata_string(std::string s) {
    metadata.emplace_back(std::move(field_), std::move(s));
    return true;
  }

  int depth_ = 0;
  bool in_metadata_ = false, in_list_ = false, metadata_seen_ = false;
  unsigned seen_ = 0, current_ = 0;
  std::string field_;
  text_index names_, metadata_keys_;
};

inline bool safetensors_header::key(std::string k) {
  if (depth_ == 1) {
    in_metadata_ = k == "__metadata__";
    if (in_metadata_) return std::exchange(metadata_seen_, true) ? refuse("appears twice", failure::unsafe) : true;
    entries.push_back({std::move(k), {}, {}, {}});
    seen_ = 0;
    return names_.add(entries.back().name) ? true : refuse("the tensor appears twice", failure::unsafe);
  }
  if (in_metadata_) {
    if (!metadata_keys_.add(k)) return refuse(message("the key '{}' appears twice", shown(k)), failure::unsafe);
    field_ = std::move(k);
    return true;
  }
  current_ = k == "dtype" ? dtype : k == "shape" ? shape : k == "data_offsets" ? offsets : 0u;
  if (current_ == 0) return refuse(message("the field '{}' is unknown", shown(k)));
  if (seen_ & current_) return refuse(message("the field '{}' appears twice", k), failure::unsafe);
  seen_ |= current_;
  return true;
}

inline bool safetensors_header::end_object() {
  --depth_;
  if (depth_ != 1 || in_metadata_) return true;
  if (seen_ != all) return refuse("lacks dtype, shape or data_offsets");
  return entries.back().range.size() == 2 ? true : refuse("needs two data_offsets");
}

inline bool safetensors_header::string(std::string s) {
  if (depth_ == 2 && in_metadata_) return metadata_string(std::move(s));
  if (depth_ != 2 || in_list_ || current_ != dtype) return refuse("a string is not expected here");
  entries.back().dtype = std::move(s);
  return true;
}

inline bool safetensors_header::start_array() {
  if (depth_ != 2 || in_metadata_ || in_list_ || (current_ != shape && current_ != offsets))
    return refuse("a list is not expected here");
  return in_list_ = true;
}

inline bool safetensors_header::number_unsigned(std::uint64_t n) {
  if (!in_list_) return refuse("a number is not expected here");
  safetensors_entry& e = entries.back();
  if (current_ == offsets) {
    e.range.push_back(n);
    return e.range.size() <= 2 ? true : refuse("needs two data_offsets");
  }
  if (e.shape.size() == weight_rank_limit)
    return refuse(message("has over {} axes", weight_rank_limit), failure::unsafe);
  if (n >= static_cast<std::uint64_t>(weight_extent_limit))
    return refuse("has an extent that is not below 2^62", failure::unsafe);
  e.shape.push_back(static_cast<std::int64_t>(n));
  return true;
}

}  // namespace jax2onnx::detail
