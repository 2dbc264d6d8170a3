// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <jax2onnx/graph/dtype.hpp>
#include <jax2onnx/support/bytes.hpp>

namespace jax2onnx::detail {

/// Statistics of a tensor's elements. Bin i counts the finite elements in [(first + i) * width, (first + i + 1) *
/// width), where `width` is the smallest power of two for which the bins hold all finite elements.
struct element_statistics {
  static constexpr std::size_t bins = 40;
  std::uint64_t count = 0, finite = 0, zeros = 0, nans = 0, infinities = 0;
  double least = 0, greatest = 0;  ///< the least and the greatest finite element
  double mean = 0;                 ///< the mean of the finite elements
  double width = 0;                ///< the width of a bin; 0 if there is no finite element, or all are equal
  double first = 0;
  std::array<std::uint64_t, bins> histogram = {};
};

/// The statistics of packed little-endian data. Reads the data once, in bounded memory. Throws what the source of the
/// data throws.
element_statistics statistics_of(dtype type, std::uint64_t elements, const bytes& data);

}  // namespace jax2onnx::detail
