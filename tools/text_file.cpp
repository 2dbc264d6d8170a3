#include "text_file.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <jax2onnx/support/file_error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cli {

std::string read_text(const std::string& path, std::size_t limit) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const int fd = standard ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) jax2onnx::detail::throw_io(name, "open", errno);
  const auto close = [standard](const int* open) {
    if (!standard) ::close(*open);
  };
  const std::unique_ptr<const int, decltype(close)> closer(&fd, close);
  struct stat status {};
  std::string text;
  const auto check = [&](std::size_t size) {
    if (size > limit)
      throw jax2onnx::file_error(jax2onnx::failure::unsafe, fmt::format("{}: has over {} bytes", name, limit));
  };
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    check(static_cast<std::size_t>(status.st_size));
    text.reserve(static_cast<std::size_t>(status.st_size) + 1);
  }
  constexpr std::size_t piece = 1 << 20;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + std::min(piece, std::max(text.capacity() - size, piece / 16)));
    const ssize_t n = ::read(fd, text.data() + size, text.size() - size);
    text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    check(text.size());
    if (n == 0) return text;
    if (n < 0 && errno != EINTR) jax2onnx::detail::throw_io(name, "read", errno);
  }
}

text_output::text_output(std::string path, const std::vector<std::string>& inputs) : path_(std::move(path)) {
  if (path_ == "-") return;
  jax2onnx::detail::refuse_overwriting(path_, inputs);
  file_.emplace(path_);
}

void text_output::write(const std::string& content) {
  const auto data = std::as_bytes(std::span(content));
  if (!file_) return jax2onnx::detail::write_all(STDOUT_FILENO, data, "standard output");
  jax2onnx::detail::write_all(file_->fd(), data, path_);
  file_->sync();
  file_->commit();
}

}  // namespace cli
