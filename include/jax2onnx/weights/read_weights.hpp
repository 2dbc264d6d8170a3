#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/weights/npy.hpp>
#include <jax2onnx/weights/npz.hpp>
#include <jax2onnx/weights/safetensors.hpp>
#include <jax2onnx/weights/safetensors_index.hpp>
#include <jax2onnx/weights/weights_file.hpp>

namespace jax2onnx {

/// Reads a .npz, .npy, .safetensors or .safetensors.index.json file, told apart by their first bytes. Only headers are
/// read; the weights are views of the file, which stays open as long as they live. Throws weights_error.
inline weights_file read_weights_file(const std::filesystem::path& path) {
  const auto file = std::make_shared<const mapped_file>(path);
  const std::string front = file->read_string(0, std::min<std::uint64_t>(file->size(), 9));
  const std::string_view f = front;
  if (f.empty()) file->site().malformed("is empty");
  if (f.starts_with("PK\3\4") || f.starts_with("PK\5\6")) return {read_npz(file), {}, {}, {}};
  if (f.starts_with("\x93NUMPY")) return {{read_npy(file)}, {}, {}, {}};
  if (path.extension() == ".safetensors" || (f.size() == 9 && f[8] == '{')) return read_safetensors(file);
  if (f.front() == '{' && path.extension() == ".json") return read_safetensors_index(file);
  file->site().malformed("is no .npz, .npy, .safetensors or .safetensors.index.json file (pickles are never read)",
                         "numpy.savez, numpy.save and safetensors.numpy.save_file write such files");
}

/// The same in constvar order, where the file's metadata say one.
inline std::vector<weight> read_weights(const std::filesystem::path& path) {
  return in_constvar_order(read_weights_file(path), {path.string(), {}});
}

}  // namespace jax2onnx
