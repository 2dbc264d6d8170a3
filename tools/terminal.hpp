// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <jax2onnx/platform/platform.hpp>

namespace cli {

/// Writes `text` to standard error without escaping it; callers escape text from files. Failures are ignored, since
/// there is nowhere to report them.
inline void say(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

/// True if standard error gets colours: on request, or on a terminal unless NO_COLOR is set (no-color.org).
inline bool use_color(std::string_view wish) {
  if (wish != "auto") return wish == "always";
  const char* no_color = std::getenv("NO_COLOR");
  return (!no_color || !*no_color) && jax2onnx::platform::is_terminal(jax2onnx::platform::standard_error);
}

/// True if standard error is a terminal that can redraw a line.
inline bool can_redraw() {
  const char* kind = std::getenv("TERM");
  return jax2onnx::platform::is_terminal(jax2onnx::platform::standard_error) && kind &&
         std::string_view(kind) != "dumb";
}

/// The width in columns of the terminal to which standard error is connected; 80 if it is unknown.
inline std::size_t terminal_width() {
  const std::size_t width = jax2onnx::platform::terminal_width(jax2onnx::platform::standard_error);
  return width > 0 ? width : 80;
}

}  // namespace cli
