// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <jax2onnx/operators/views/attributes.hpp>
#include <jax2onnx/support/item_loops.hpp>

namespace jax2onnx::operators {

/// The windows that a convolution or a pooling slides over the axes after the channels.
struct window_view {
  ints kernel;              ///< the extents of the window; empty for a convolution whose weight has symbolic extents
  ints strides, dilations;  ///< the strides and dilations along every axis of the window
  ints pads;                ///< the padding before every axis, then after every axis
  bool ceil;                ///< true if a last window may reach beyond the padding
  friend bool operator==(const window_view&, const window_view&) = default;
};
/// The windows of a Conv, MaxPool, AveragePool or any other operator that states windows by the same attributes;
/// nullopt if the operator pads by `auto_pad`.
inline std::optional<window_view> window_of(const value& v) {
  if (text_of(v, "auto_pad") != "NOTSET") return std::nullopt;
  const std::size_t count = input_of(v, 0).dims().size() - 2;
  window_view w{attribute_of<ints>(v, "kernel_shape").value_or(ints()),
                attribute_of<ints>(v, "strides").value_or(ints(count, 1)),
                attribute_of<ints>(v, "dilations").value_or(ints(count, 1)),
                attribute_of<ints>(v, "pads").value_or(ints(2 * count, 0)), flag_of(v, "ceil_mode")};
  if (!w.kernel.empty() || !input_of(v, 1) || !is_static(input_of(v, 1).dims())) return w;
  for (std::size_t i = 0; i < count; ++i) w.kernel.push_back(input_of(v, 1).dims()[i + 2].extent());
  return w;
}

/// True if a window has gaps.
inline bool is_dilated(const value& v) {
  const std::optional<ints> dilations = attribute_of<ints>(v, "dilations");
  return dilations && item_loops::any_of(*dilations, [](std::int64_t d) { return d != 1; });
}

}  // namespace jax2onnx::operators
