#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace jax2onnx {

/// Hears how far long work has come: `done` of `total` in the phase's unit (equations lowered, bytes written); a total
/// of 0 is not known. Called often; what it throws ends the work.
using progress_sink = std::function<void(std::string_view phase, std::uint64_t done, std::uint64_t total)>;

}  // namespace jax2onnx
