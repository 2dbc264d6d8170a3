// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <jaxpr/config.hpp>

namespace jaxpr {

/// Makes `text` safe to print on a terminal. Control characters and characters that hide or reorder text become
/// `\u{…}`, bytes that are not UTF-8 become `\x…`, and a tab becomes a space. Text from files must pass through
/// `escape` before it is shown. Thread-safe.
JAX2ONNX_INLINE std::string escape(std::string_view text);

/// Like `escape`, but keeps line breaks.
JAX2ONNX_INLINE std::string escape_lines(std::string_view text);

}  // namespace jaxpr

#ifndef JAX2ONNX_COMPILED
#include <jaxpr/escape.inl.hpp>
#endif
