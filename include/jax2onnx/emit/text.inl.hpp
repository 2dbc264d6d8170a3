// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/emit/expanded.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/emit/text_printer.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE std::string to_text(const graph& g, const emit_options& options, text_options style) {
  if (detail::expands(g, options)) return to_text(detail::expanded(g), detail::kept(options), style);
  return detail::text_printer(g, options, style).print();
}

}  // namespace jax2onnx
