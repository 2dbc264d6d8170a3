// SPDX-License-Identifier: Apache-2.0
#pragma once

// The fuzz targets of the readers share this: the input as a file, and all operations on the result of reading it.

#include <cstdint>
#include <memory>
#include <span>

#include <jax2onnx/support/input_file.hpp>
#include <jax2onnx/weights/read_weights.hpp>

#include <sys/mman.h>
#include <unistd.h>

namespace fuzz {

inline std::shared_ptr<const jax2onnx::detail::input_file> as_file(const std::uint8_t* data, std::size_t size) {
  jax2onnx::detail::file_descriptor fd(::memfd_create("input", MFD_CLOEXEC));
  if (::write(fd.get(), data, size) != static_cast<ssize_t>(size)) return nullptr;
  return std::make_shared<const jax2onnx::detail::input_file>(std::move(fd), "input");
}

/// Reads every byte of every weight, and checks the stated length. Errors that readers throw are expected.
template <typename Reader>
void read(const std::uint8_t* data, std::size_t size, Reader reader) {
  const auto file = as_file(data, size);
  if (!file) return;
  try {
    for (const jax2onnx::weight& w : reader(file)) {
      std::uint64_t count = 0;
      w.data->stream([&](std::span<const std::byte> piece) { count += piece.size(); });
      if (count != w.data->size()) __builtin_trap();
      if (const auto place = w.data->location(); place && !file->contains(place->offset, place->length))
        __builtin_trap();
      const auto view = w.data->view();
      if (!view.empty() && view.size() != count) __builtin_trap();
    }
  } catch (const jax2onnx::file_error&) {}
}

}  // namespace fuzz
