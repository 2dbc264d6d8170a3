// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <jax2onnx/lower/site.hpp>

/// The parameter `padding` of convolutions and windows.
namespace jax2onnx::lower {

/// Padding before and after every axis; negative amounts crop.
struct edge_padding {
  shape low, high;
};

/// The parameter `padding`, a list of pairs.
inline edge_padding read_padding(const site& s) {
  edge_padding out;
  for (const shape& axis : s.param<std::vector<shape>>("padding")) {
    out.low.push_back(axis.at(0));
    out.high.push_back(axis.at(1));
  }
  return out;
}

inline bool all_ones(const ints& numbers) {
  for (std::int64_t n : numbers)
    if (n != 1) return false;
  return true;
}
inline bool all_zeros(const ints& numbers) {
  for (std::int64_t n : numbers)
    if (n != 0) return false;
  return true;
}

}  // namespace jax2onnx::lower
