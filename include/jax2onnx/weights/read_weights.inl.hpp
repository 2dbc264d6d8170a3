// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include <jax2onnx/support/text_index.hpp>
#include <jax2onnx/weights/npy.hpp>
#include <jax2onnx/weights/npz.hpp>
#include <jax2onnx/weights/read_weights.hpp>
#include <jax2onnx/weights/safetensors.hpp>
#include <jax2onnx/weights/safetensors_index.hpp>
#include <jax2onnx/weights/strict_json.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE weights_file read_weights_file(const std::filesystem::path& path) {
  const auto file = std::make_shared<const detail::input_file>(path);
  const std::string front = file->read_string(0, file->size() < 9 ? file->size() : 9);
  const std::string_view f = front;
  if (f.empty()) file->site().malformed("is empty");
  if (f.starts_with("PK\3\4") || f.starts_with("PK\5\6")) return {detail::read_npz(file), {}, {}, {}};
  if (f.starts_with("\x93NUMPY")) return {{detail::read_npy(file)}, {}, {}, {}};
  if (path.extension() == ".safetensors" || (f.size() == 9 && f[8] == '{')) return detail::read_safetensors(file);
  if (f.front() == '{' && path.extension() == ".json") return detail::read_safetensors_index(file);
  file->site().malformed("is not a .npz, .npy, .safetensors or .safetensors.index.json file (pickles are never read)",
                         "numpy.savez, numpy.save and safetensors.numpy.save_file write such files");
}

JAX2ONNX_INLINE std::vector<weight> read_weights(const std::filesystem::path& path) {
  return in_constvar_order(read_weights_file(path), path.string());
}

JAX2ONNX_INLINE std::vector<weight> in_constvar_order(weights_file file, std::string_view name) {
  if (!file.constvars) return std::move(file.weights);
  detail::text_index names;
  std::vector<const weight*> by_name;
  for (const weight& w : file.weights)
    if (names.add(w.name)) by_name.push_back(&w);
  std::vector<weight> ordered;
  for (const std::string& key : *file.constvars) {
    const std::uint32_t found = names.find(key);
    if (found == detail::text_index::none)
      detail::file_site{std::string(name), key}.malformed(
          "the file's metadata list this key, but the file has no such tensor",
          "option weights-map=FILE gives another list");
    ordered.push_back(*by_name[found]);
  }
  return ordered;
}

JAX2ONNX_INLINE std::vector<std::string> parse_weights_map(std::string_view json, std::string_view name) {
  return detail::parse_names(json, {std::string(name), {}});
}

}  // namespace jax2onnx
