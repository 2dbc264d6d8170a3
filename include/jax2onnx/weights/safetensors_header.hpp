#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <jax2onnx/weights/error.hpp>
#include <jax2onnx/weights/npy_header.hpp>

namespace jax2onnx {

/// One entry of a safetensors header.
struct safetensors_entry {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::vector<std::uint64_t> range;  // begin and end, from the first byte after the header
};

/// The events of a JSON text that may only be what a subclass takes: everything else is refused, with a reason.
class strict_json : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool key(std::string&) override { return refuse("a key is not expected here"); }
  bool null() override { return refuse("null is not allowed"); }
  bool boolean(bool) override { return refuse("true and false are not allowed"); }
  bool number_integer(std::int64_t) override { return refuse("negative numbers are not allowed"); }
  bool number_unsigned(std::uint64_t) override { return refuse("a number is not expected here"); }
  bool number_float(double, const std::string&) override {
    return refuse("only plain integers below 2^64 are allowed");
  }
  bool string(std::string&) override { return refuse("a string is not expected here"); }
  bool binary(nlohmann::json::binary_t&) override { return refuse("binary values are not allowed"); }
  bool start_object(std::size_t) override { return refuse("an object is not expected here"); }
  bool start_array(std::size_t) override { return refuse("a list is not expected here"); }
  bool end_object() override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    return refuse(fmt::format("the JSON text is damaged at byte {}", position));
  }
  /// Reads all of `text`; throws weights_error.
  void read(std::string_view text, const weights_site& site) {
    if (nlohmann::json::sax_parse(text.begin(), text.end(), this)) return;
    const weights_site where = place().empty() ? site : site.at(place());
    where.fail(fault_, reason_.empty() ? "the JSON text is damaged" : reason_);
  }

 protected:
  /// The name of what is being read, for messages.
  virtual std::string_view place() const { return {}; }
  bool refuse(std::string reason, failure why = failure::malformed) {
    if (reason_.empty()) {
      reason_ = std::move(reason);
      fault_ = why;
    }
    return false;
  }

 private:
  std::string reason_;
  failure fault_ = failure::malformed;
};

/// The header of a safetensors file: {"name": {"dtype": …, "shape": […], "data_offsets": [begin, end]}, …} and strings
/// under "__metadata__".
class safetensors_header final : public strict_json {
 public:
  std::vector<safetensors_entry> entries;
  std::map<std::string, std::string> metadata;

  bool key(std::string& k) override;
  bool start_object(std::size_t) override;
  bool end_object() override;
  bool string(std::string& s) override;
  bool start_array(std::size_t) override;
  bool end_array() override { return in_list_ = false, true; }
  bool number_unsigned(std::uint64_t n) override;

 private:
  enum fields : unsigned { dtype = 1, shape = 2, offsets = 4, all = 7 };

  std::string_view place() const override {
    if (in_metadata_) return "__metadata__";
    return entries.empty() ? std::string_view() : entries.back().name;
  }

  bool metadata_string(std::string& s) {
    metadata.emplace(std::move(field_), std::move(s));
    return true;
  }

  int depth_ = 0;
  bool in_metadata_ = false, in_list_ = false, metadata_seen_ = false;
  unsigned seen_ = 0, current_ = 0;
  std::string field_;
  std::unordered_set<std::string> names_;
};

inline bool safetensors_header::key(std::string& k) {
  if (depth_ == 1) {
    in_metadata_ = k == "__metadata__";
    if (in_metadata_) return std::exchange(metadata_seen_, true) ? refuse("appears twice", failure::unsafe) : true;
    entries.push_back({std::move(k), {}, {}, {}});
    seen_ = 0;
    return names_.insert(entries.back().name).second ? true : refuse("the tensor appears twice", failure::unsafe);
  }
  if (in_metadata_) {
    if (metadata.contains(k)) return refuse(fmt::format("the key '{}' appears twice", shown(k)), failure::unsafe);
    field_ = std::move(k);
    return true;
  }
  current_ = k == "dtype" ? dtype : k == "shape" ? shape : k == "data_offsets" ? offsets : 0u;
  if (current_ == 0) return refuse(fmt::format("the unknown field '{}'", shown(k)));
  if (seen_ & current_) return refuse(fmt::format("the field '{}' appears twice", k), failure::unsafe);
  seen_ |= current_;
  return true;
}

inline bool safetensors_header::start_object(std::size_t) {
  return ++depth_ <= 2 ? true : refuse("an object is not expected here");
}

inline bool safetensors_header::end_object() {
  --depth_;
  if (depth_ != 1 || in_metadata_) return true;
  if (seen_ != all) return refuse("lacks dtype, shape or data_offsets");
  return entries.back().range.size() == 2 ? true : refuse("needs two data_offsets");
}

inline bool safetensors_header::string(std::string& s) {
  if (depth_ == 2 && in_metadata_) return metadata_string(s);
  if (depth_ != 2 || in_list_ || current_ != dtype) return refuse("a string is not expected here");
  entries.back().dtype = std::move(s);
  return true;
}

inline bool safetensors_header::start_array(std::size_t) {
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
    return refuse(fmt::format("has over {} axes", weight_rank_limit), failure::unsafe);
  if (n >= static_cast<std::uint64_t>(weight_extent_limit)) return refuse("has an extent over 2^62", failure::unsafe);
  e.shape.push_back(static_cast<std::int64_t>(n));
  return true;
}

}  // namespace jax2onnx
