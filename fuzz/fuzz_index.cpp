// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include <jax2onnx/weights/safetensors_index.hpp>

/// The index of a sharded model. Its shards are left to fuzz_safetensors.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const jax2onnx::detail::file_site site{"input", {}};
  try {
    jax2onnx::detail::safetensors_index index;
    index.read(text, site);
    for (std::size_t i = 0; i < index.shards.size(); ++i) {
      const std::string& shard = index.shards[i];
      if (!index.constvars.empty()) jax2onnx::detail::parse_names(index.constvars, site.at(index.tensors[i]));
      if (jax2onnx::detail::shown(shard).size() > 4 * shard.size() + 3) __builtin_trap();
    }
  } catch (const jax2onnx::file_error&) {}
  return 0;
}
