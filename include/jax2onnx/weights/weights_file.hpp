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
  std::vector<std::string> inputs, outputs;           ///< names of the model's inputs and outputs, likewise
};

/// A JSON list of strings, and nothing else.
class json_strings final : public strict_json {
 public:
  std::vector<std::string> strings;
  bool start_array(std::size_t) override {
    return std::exchange(inside_, true) ? refuse("a list is not expected in a list of names") : true;
  }
  bool string(std::string& s) override {
    if (!inside_) return refuse("a list of names is expected, [\"a\", \"b\"]");
    strings.push_back(std::move(s));
    return true;
  }

 private:
  bool inside_ = false;
};

/// The strings in a JSON list: a weights map, or an entry of a file's metadata.
inline std::vector<std::string> parse_names(std::string_view text, const weights_site& site) {
  json_strings list;
  list.read(text, site);
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
    if (found == by_name.end())
      site.at(key).malformed("the file's metadata list this key, but it has no such tensor",
                             "--weights-map FILE gives another list");
    ordered.push_back(*found->second);
  }
  return ordered;
}

}  // namespace jax2onnx
