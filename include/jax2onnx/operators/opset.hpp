// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <jax2onnx/graph/graph.hpp>

/// The features of each opset. Only verbs query them.
namespace jax2onnx::detail {

enum class feature : std::uint8_t {
  scatter_extremes,      ///< ScatterND with reduction min or max
  bitwise,               ///< BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseNot
  axes_as_input,         ///< axes of reductions other than ReduceSum
  dilated_average_pool,  ///< AveragePool with dilations
  reduced_bools,         ///< ReduceMax and ReduceMin of bool
  dft_axis_as_input,
  cumulative_product,  ///< CumProd
  bit_cast,            ///< BitCast
};

/// The first opset with each feature.
inline constexpr int feature_opsets[] = {18, 18, 18, 19, 20, 20, 26, 26};

constexpr int opset_with(feature f) { return feature_opsets[static_cast<std::size_t>(f)]; }
inline bool has(const graph& g, feature f) { return g.opset() >= opset_with(f); }
/// Throws an opset_error that names `op` unless the graph's opset has the feature.
inline void require(const graph& g, feature f, std::string_view op) {
  if (!has(g, f)) throw opset_error(op, opset_with(f));
}

/// The first opset whose operators accept a dtype.
constexpr int opset_with(dtype t) {
  switch (t) {
    case dtype::f8_e4m3fn:
    case dtype::f8_e4m3fnuz:
    case dtype::f8_e5m2:
    case dtype::f8_e5m2fnuz: return 19;
    case dtype::i4:
    case dtype::u4: return 21;
    case dtype::f4_e2m1fn: return 23;
    case dtype::f8_e8m0fnu: return 24;
    case dtype::i2:
    case dtype::u2: return 25;
    default: return 1;
  }
}
/// The first opset whose operators accept every dtype.
inline constexpr int opset_of_all_types = 25;
static_assert(opset_of_all_types == std::max(opset_with(dtype::i2), opset_with(dtype::f8_e8m0fnu)));

/// Throws an opset_error that names `t` unless the graph's opset has it.
inline void require(const graph& g, dtype t) {
  if (g.opset() < opset_with(t)) throw opset_error(traits(t).onnx, opset_with(t));
}

}  // namespace jax2onnx::detail
