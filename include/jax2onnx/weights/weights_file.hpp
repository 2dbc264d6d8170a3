#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <jax2onnx/weights/error.hpp>
#include <jax2onnx/weights/safetensors_header.hpp>
#include <jax2onnx/weights/weight.hpp>

namespace jax2onnx {

/// The arrays of a weights file in its own order.
struct weights_file {
  std::vector<weight> weights;
  std::optional<std::vector<std::string>> constvars;  ///< keys in constvar order, where the file's metadata say so
};

/// A JSON list of strings, and nothing else.
class json_strings final : public strict_json {
 public:
  std::vector<std::string> strings;
  bool key(std::string&) override { return false; }
  bool start_array(std::size_t) override {
    return std::exchange(inside_, true) ? refuse("a list is not expected here") : true;
  }
  bool string(std::string& s) override {
    return inside_ ? (strings.push_back(std::move(s)), true) : refuse("a list of strings is expected");
  }

 private:
  bool inside_ = false;
};

/// The keys of the metadata entry `jax2onnx.constvars`.
inline std::vector<std::string> parse_constvars(std::string_view text, const weights_site& site) {
  json_strings list;
  list.read(text, site.at("jax2onnx.constvars"));
  return std::move(list.strings);
}

/// The weights in constvar order: as the file's metadata have it, else as they are. Keys that are not listed are left
/// out.
inline std::vector<weight> in_constvar_order(weights_file file, const weights_site& site) {
  if (!file.constvars) return std::move(file.weights);
  std::unordered_map<std::string_view, const weight*> by_name;
  for (const weight& w : file.weights) by_name.emplace(w.name, &w);
  std::vector<weight> ordered;
  for (const std::string& key : *file.constvars) {
    const auto found = by_name.find(key);
    if (found == by_name.end()) site.at(key).malformed("the file's metadata list this key, but it has no such tensor");
    ordered.push_back(*found->second);
  }
  return ordered;
}

}  // namespace jax2onnx
