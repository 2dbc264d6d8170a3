// SPDX-License-Identifier: Apache-2.0
#include "text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <jax2onnx/platform/platform.hpp>
#include <jax2onnx/support/file_error.hpp>
#include <jax2onnx/support/input_file.hpp>

namespace cli {

namespace platform = jax2onnx::platform;

std::string read_text(const std::string& path, std::size_t limit) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const jax2onnx::detail::file_descriptor opened(standard ? -1 : platform::open_to_read(path, true));
  const int fd = standard ? platform::standard_input : opened.get();
  if (fd < 0) jax2onnx::detail::throw_io(name, "open", errno);
  platform::file_info info;
  std::string text;
  const auto check = [&](std::size_t size) {
    if (size > limit)
      throw jax2onnx::file_error(jax2onnx::failure::unsafe,
                                 fmt::format("{}: is larger than the limit of {} bytes", name, limit));
  };
  if (platform::describe(fd, info) && info.kind == platform::file_kind::regular) {
    check(info.size);
    text.reserve(info.size + 1);
  }
  constexpr std::size_t piece = 1 << 20;
  for (;;) {
    const std::size_t size = text.size();
    text.resize(size + std::min(piece, std::max(text.capacity() - size, piece / 16)));
    const std::int64_t n = platform::read_some(fd, std::as_writable_bytes(std::span(text).subspan(size)));
    text.resize(size + static_cast<std::size_t>(std::max<std::int64_t>(n, 0)));
    check(text.size());
    if (n == 0) return text;
    if (n < 0) jax2onnx::detail::throw_io(name, "read", errno);
  }
}

text_output::text_output(std::string path, const std::vector<std::string>& inputs) : path_(std::move(path)) {
  if (path_ == "-") return;
  jax2onnx::detail::refuse_overwriting(path_, inputs);
  file_.emplace(path_);
}

void text_output::write(const std::string& content) {
  const auto data = std::as_bytes(std::span(content));
  if (!file_) return jax2onnx::detail::write_all(platform::standard_output, data, "standard output");
  jax2onnx::detail::write_all(file_->fd(), data, path_);
  file_->sync();
  file_->commit();
}

}  // namespace cli
