// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>
#include <utility>

#include <jax2onnx/platform/platform.hpp>
#include <jax2onnx/support/bytes.hpp>
#include <jax2onnx/support/input_file.hpp>
#include <jax2onnx/support/message.hpp>

namespace jax2onnx::detail {

/// Copies all bytes to an unnamed temporary file. Throws a file_error if that fails.
inline std::shared_ptr<const input_file> spill(const bytes& content) {
  std::error_code none;
  const std::filesystem::path directory = std::filesystem::temp_directory_path(none);
  const auto fail = [&] {
    file_site{directory.string(), {}}.fail(failure::io,
                                           message("cannot write a temporary file: {}", platform::error_text(errno)));
  };
  file_descriptor fd(platform::create_temporary(directory));
  if (fd.get() < 0) fail();
  content.stream([&](std::span<const std::byte> piece) {
    while (!piece.empty()) {
      const std::int64_t n = platform::write_some(fd.get(), piece);
      if (n < 0) fail();
      piece = piece.subspan(static_cast<std::size_t>(n));
    }
  });
  return std::make_shared<const input_file>(std::move(fd), directory / "(temporary)");
}

}  // namespace jax2onnx::detail
