// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/support/input_file.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>
#include <jax2onnx/support/text_index.hpp>
#include <jax2onnx/weights/safetensors.hpp>

namespace jax2onnx::detail {

/// A model.safetensors.index.json: {"metadata": {…}, "weight_map": {"tensor": "shard.safetensors", …}}.
class safetensors_index final : public strict_json<safetensors_index> {
 public:
  text_index tensors;
  std::vector<std::string> shards;  ///< the file of each tensor, by its number in `tensors`
  std::string constvars;

  bool key(std::string k);
  bool string(std::string s);
  bool null() { return in_metadata(); }
  bool boolean(bool) { return in_metadata(); }
  bool number_negative() { return in_metadata(); }
  bool number_unsigned(std::uint64_t) { return in_metadata(); }
  bool number_float() { return in_metadata(); }
  bool start_object() { return enter(); }
  bool start_array() { return enter(); }
  bool end_object() { return --depth_, true; }
  bool end_array() { return --depth_, true; }
  std::string_view place() const { return depth_ < 2 ? std::string_view() : key_; }

 private:
  enum class part : std::uint8_t { none, metadata, weight_map };
  static constexpr int depth_limit = 4;

  bool enter() {
    if (++depth_ > depth_limit) return refuse("the JSON text is nested too deeply", failure::unsafe);
    return depth_ <= 2 || part_ == part::metadata ? true : refuse("a shard's file name is expected");
  }
  bool in_metadata() {
    return part_ == part::metadata && depth_ >= 2 ? true : refuse("a shard's file name is expected");
  }

  int depth_ = 0;
  part part_ = part::none;
  bool metadata_seen_ = false, weight_map_seen_ = false;
  std::string key_;
};

inline bool safetensors_index::key(std::string k) {
  if (depth_ == 1) {
    part_ = k == "metadata" ? part::metadata : k == "weight_map" ? part::weight_map : part::none;
    if (part_ == part::none) return refuse(message("the key '{}' is unknown", shown(k)));
    bool& seen = part_ == part::metadata ? metadata_seen_ : weight_map_seen_;
    return std::exchange(seen, true) ? refuse(message("the key '{}' appears twice", k), failure::unsafe) : true;
  }
  key_ = std::move(k);
  const bool repeated = part_ == part::weight_map && tensors.contains(key_);
  return repeated ? refuse("the tensor appears twice", failure::unsafe) : true;
}

inline bool safetensors_index::string(std::string s) {
  if (part_ == part::metadata && depth_ == 2 && key_ == "jax2onnx.constvars") constvars = std::move(s);
  else if (part_ == part::weight_map && depth_ == 2 && tensors.add(key_)) shards.push_back(std::move(s));
  else return in_metadata();
  return true;
}

/// Opens a shard by its bare name in the index's directory. A shard may be a link to a file in this directory. If the
/// index is a link, the shard may also be a link into the directory of the link's target: the Hugging Face cache has
/// such links. Throws file_error for other links, and for names that are not bare.
inline std::shared_ptr<const input_file> open_shard(const std::filesystem::path& index, const std::string& shard,
                                                    const file_site& site) {
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != '/' && c != '\\' && c != ':' && c != 0x7f;
  };
  if (shard.empty() || shard == "." || shard == ".." || !item_loops::all_of(shard, plain))
    site.at(shard).unsafe("a shard has to be a bare file name");
  std::error_code failed;
  const std::filesystem::path file = index.parent_path() / shard;
  const std::filesystem::path real = std::filesystem::canonical(file, failed);
  if (failed)
    site.at(shard).fail(failure::io, message("the shard cannot be opened: {}", failed.message()),
                        "all shards have to lie beside the index");
  const std::filesystem::path beside =
      std::filesystem::canonical(index.parent_path().empty() ? "." : index.parent_path());
  if (real.parent_path() != beside && real.parent_path() != std::filesystem::canonical(index).parent_path())
    site.at(shard).unsafe("the shard is a link that leads out of the index's directory");
  return std::make_shared<const input_file>(file);
}

/// Reads a sharded safetensors model: the shards in the order of their names. Throws file_error for a damaged index or
/// shard, and if the tensors of a shard differ from the tensors that the index lists for the shard.
inline weights_file read_safetensors_index(const std::shared_ptr<const input_file>& file) {
  constexpr std::uint64_t index_limit = 100'000'000;
  const file_site site = file->site();
  if (file->size() > index_limit)
    site.unsafe(message("the index has {} bytes, but the limit is {}", file->size(), index_limit));
  safetensors_index index;
  index.read(file->read_string(0, file->size()), site);
  if (index.shards.empty()) site.malformed("the index has no weight_map");
  std::vector<std::string> shards = index.shards;
  std::sort(shards.begin(), shards.end());
  shards.erase(std::unique(shards.begin(), shards.end()), shards.end());
  weights_file result;
  for (const std::string& shard : shards) {
    for (weight& w : read_safetensors(open_shard(file->path(), shard, site)).weights) {
      const std::uint32_t stated = index.tensors.find(w.name);
      if (stated == text_index::none || index.shards[stated] != shard)
        site.at(w.name).malformed(message("is in {}, but the index does not list it there", shown(shard)));
      result.weights.push_back(std::move(w));
    }
  }
  if (result.weights.size() != index.shards.size())
    site.malformed("the shards lack tensors that the index lists: download all shards again");
  if (!index.constvars.empty()) result.constvars = parse_names(index.constvars, site.at("jax2onnx.constvars"));
  return result;
}

}  // namespace jax2onnx::detail
