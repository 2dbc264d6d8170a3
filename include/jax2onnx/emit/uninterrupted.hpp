#pragma once

#include <cerrno>
#include <csignal>
#include <exception>

#include <jax2onnx/support/file_error.hpp>

#include <sys/wait.h>
#include <unistd.h>

namespace jax2onnx::detail {

/// Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT during its lifetime.
class held_signals {
 public:
  held_signals() {
    ::sigset_t held;
    ::sigemptyset(&held);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&held, signal);
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~held_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  held_signals(const held_signals&) = delete;
  held_signals& operator=(const held_signals&) = delete;

 private:
  ::sigset_t before_{};
};

/// Runs `work`, a few system calls, to its end, even if this process gets a SIGKILL meanwhile: in a child process that
/// shares the memory while this thread waits for it (vfork). Rethrows what `work` throws. Where no process can be
/// started, `work` runs here.
template <typename Work>
void uninterrupted(const Work& work) {
  const held_signals held;
  std::exception_ptr thrown;
  bool done = false;
  const auto guarded = [&] {
    try {
      work();
    } catch (...) {
      thrown = std::current_exception();
    }
    done = true;
  };
  // NOLINTNEXTLINE(clang-analyzer-security.insecureAPI.vfork): the memory is to be shared
  const pid_t child = ::vfork();
  if (child == 0) {
    ::setsid();  // a signal to the process group does not end it either
    guarded();
    ::_exit(0);
  }
  if (child < 0) guarded();
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {}
  if (thrown) std::rethrow_exception(thrown);
  if (!done) throw file_error(failure::io, "the process that names the output files was killed");
}

}  // namespace jax2onnx::detail
