// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/views/attributes.hpp>

namespace jax2onnx::operators {

/// x with elements added before and after each axis; negative numbers remove elements.
struct pad_view {
  value x;
  ints front, behind;  ///< the numbers of elements that are added before and after each axis
  std::string mode;    ///< the mode, as ONNX names it
  value fill;          ///< the fill value; absent for zeros
};
/// The Pad that makes `v`; nullopt for any other value, or if the numbers of elements are not constant. Axes are an
/// input since opset 18.
inline std::optional<pad_view> pad_of(const value& v) {
  if (!producer(v, "Pad")) return std::nullopt;
  const std::optional<ints> numbers = constant_integers(input_of(v, 1));
  const value named = input_of(v, 3);
  std::optional<ints> axes = named ? constant_integers(named) : iota_axes(v.rank());
  if (!numbers || !axes || numbers->size() != 2 * axes->size()) return std::nullopt;
  const auto rank = static_cast<std::size_t>(v.rank());
  pad_view p{input_of(v, 0), ints(rank, 0), ints(rank, 0), text_of(v, "mode"), input_of(v, 2)};
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto axis = static_cast<std::size_t>(from_front((*axes)[i], v.rank()));
    p.front[axis] = (*numbers)[i];
    p.behind[axis] = (*numbers)[i + axes->size()];
  }
  return p;
}

}  // namespace jax2onnx::operators
