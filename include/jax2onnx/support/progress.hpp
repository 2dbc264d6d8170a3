#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace jax2onnx {

/// Receives the progress of long work: `done` of `total` in the phase's unit (equations lowered, bytes written); a
/// total of 0 is unknown. Called often, from the thread that does the work; an exception that it throws ends the work.
using progress_sink = std::function<void(std::string_view phase, std::uint64_t done, std::uint64_t total)>;

}  // namespace jax2onnx
