#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string_view>

namespace jax2onnx {

/// Receives the progress of long work: `done` of `total` in the phase's unit (equations lowered, bytes written); a
/// total of 0 is unknown. Called often, from the thread that does the work; an exception that it throws ends the work.
using progress_sink = std::function<void(std::string_view phase, std::uint64_t done, std::uint64_t total)>;

namespace detail {

/// An exception of a progress sink while it passes the handlers of a conversion, which are for other exceptions.
struct sink_exception {
  std::exception_ptr thrown;
};

/// Calls a sink that is called during a conversion. Throws sink_exception for whatever it throws.
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
