// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string_view>

namespace jax2onnx {

/// Receives the progress of long work: `done` of `total` in the phase's unit (equations lowered, bytes written); total
/// 0 means unknown. Called often, from the thread that does the work; an exception that it throws ends the work.
using progress_sink = std::function<void(std::string_view phase, std::uint64_t done, std::uint64_t total)>;

namespace detail {

/// Wraps an exception of a progress sink, so that the handlers of a conversion for other exceptions let it pass.
struct sink_exception {
  std::exception_ptr thrown;
};

/// Calls a sink during a conversion. Throws sink_exception for any exception of the sink.
inline void tell(const progress_sink& sink, std::string_view phase, std::uint64_t done, std::uint64_t total) {
  if (!sink) return;
  try {
    sink(phase, done, total);
  } catch (...) {
    throw sink_exception{std::current_exception()};
  }
}

}  // namespace detail

}  // namespace jax2onnx
