// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>

#include <jax2onnx/platform/platform.hpp>
#include <jax2onnx/support/file_error.hpp>

namespace jax2onnx::detail {

/// Runs `work`, a few system calls, to its end, even if this process is killed meanwhile, as far as
/// platform::run_to_end() can guarantee it. Rethrows what `work` throws.
template <typename Work>
void uninterrupted(const Work& work) {
  struct {
    const Work& work;
    std::exception_ptr thrown;
    bool run() noexcept {
      try {
        work();
      } catch (...) {
        thrown = std::current_exception();
      }
      return !thrown;
    }
  } task{work, {}};
  const bool done =
      platform::run_to_end([](void* object) { return static_cast<decltype(task)*>(object)->run(); }, &task);
  if (task.thrown) std::rethrow_exception(task.thrown);
  if (!done) throw file_error(failure::io, "the process that names the output files was killed");
}

}  // namespace jax2onnx::detail
