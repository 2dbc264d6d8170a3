#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace jax2onnx {

/// The runtime whose kernels a model is to use.
enum class target : std::uint8_t {
  ort,          ///< ONNX Runtime's CPU provider
  ort_contrib,  ///< the same, with ONNX Runtime's own operators (com.microsoft) where they are faster
  web,          ///< ONNX Runtime Web, whose releases lack kernels of newer ones
  generic,      ///< any implementation of the operators as the ONNX standard defines them
};

/// The names of the targets, in their order.
inline constexpr std::string_view target_names[] = {"ort", "ort-contrib", "web", "generic"};

/// The target of a name; absent if there is none.
constexpr std::optional<target> target_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(target_names); ++i)
    if (target_names[i] == name) return static_cast<target>(i);
  return {};
}

/// Whether the runtime has the kernels, the fusions and the defects of ONNX Runtime.
constexpr bool is_onnx_runtime(target t) { return t != target::generic; }

}  // namespace jax2onnx
