#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/input_file.hpp>
#include <jax2onnx/support/message.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace jax2onnx::detail {

/// Copies all bytes to an unnamed temporary file. Throws a file_error when that is impossible.
inline std::shared_ptr<const input_file> spill(const bytes& content) {
  std::error_code none;
  const std::filesystem::path directory = std::filesystem::temp_directory_path(none);
  const auto fail = [&] {
    file_site{directory.string(), {}}.fail(failure::io,
                                           message("cannot write a temporary file: {}", std::strerror(errno)));
  };
  std::string name = (directory / "jax2onnx-XXXXXX").string();
  file_descriptor fd(::mkostemp(name.data(), O_CLOEXEC));
  if (fd.get() < 0) fail();
  ::unlink(name.c_str());
  content.stream([&](std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const ssize_t n = ::write(fd.get(), piece.data(), piece.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) fail();
      piece = piece.subspan(static_cast<std::size_t>(n));
    }
  });
  return std::make_shared<const input_file>(std::move(fd), directory / "(temporary)");
}

}  // namespace jax2onnx::detail
