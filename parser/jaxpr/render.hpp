// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <jaxpr/config.hpp>
#include <jaxpr/diagnostic.hpp>

namespace jaxpr {

/// A position in a text.
struct line_column {
  std::size_t line = 1;    ///< the number of the line, from 1
  std::size_t column = 1;  ///< the number of the code point in the line, from 1
};

/// The line and column of byte `offset` of `text`. An offset past the end gives the end of the text. Takes time linear
/// in the text, so use it for diagnostics only. Thread-safe.
JAX2ONNX_INLINE line_column locate(std::string_view text, std::size_t offset);

/// The diagnostic as a compiler shows it, ending in a line break: `file:line:col: error[code]: message`, the source
/// line with a caret below it, help and notes. `text` is the text that was parsed; if it is empty, no source line is
/// shown. The result is safe to print (see `escape`), and long lines are cut around the caret. Thread-safe.
JAX2ONNX_INLINE std::string render(const diagnostic& d, std::string_view text, std::string_view file_name);

}  // namespace jaxpr

#ifndef JAX2ONNX_COMPILED
#include <jaxpr/render.inl.hpp>
#endif
