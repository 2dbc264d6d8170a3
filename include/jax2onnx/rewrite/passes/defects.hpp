// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <climits>

#include <jax2onnx/rewrite/engine/target.hpp>

namespace jax2onnx::rewrite {

/// Defects of releases of ONNX Runtime: models that they do not load, or compute wrongly. docs/onnxruntime-defects.md
/// shows a model for each.
enum class defect : std::uint8_t {
  integer_reciprocal,
  reciprocal_axes,
  reciprocal_of_dropped,
  gelu_axes,
  layer_norm_axes,
  clip_of_relu,
  relu_as_bound,
  zeros_before_max_pool,
  wide_padding,
  transposed_matrix_vector,
  scaled_f64_product,
  cast_transposed,
  expand_to_empty,
  descending_range,
  max_pool_nan,
  max_pool_infinity,
  reduced_nan,
  scattered_nan,
  scattered_f16,
  integer_sums,
  int64_extremes,
  int64_fmod,
  int64_power,
  f16_sign,
  where_zero,
  f64_log_softmax,
  log_sum_exp,
  f8_e5m2_overflow,
  f8_e4m3fn_overflow,
  empty_matmul,
  empty_scan,
  f64_cos,
  f64_transposed_product,
  f64_quick_gelu,
  single_dft,
};

/// The releases that have a defect.
struct defect_row {
  defect what;
  std::string_view name;  ///< the name of the defect in tests/numeric/runtime_defects.py
  int first;              ///< the minor version of the first release with the defect
  int last;               ///< the minor version of the last release with the defect, or `newest`
};

/// The value of defect_row::last if no release without the defect is known.
inline constexpr int newest = INT_MAX;

/// The only list of the releases that need a workaround. tests/numeric/runtime_defects.py compares it with the
/// releases.
inline constexpr defect_row defect_table[] = {
    {defect::integer_reciprocal, "integer-reciprocal", 22, newest},
    {defect::reciprocal_axes, "reciprocal-axes", 22, newest},
    {defect::reciprocal_of_dropped, "reciprocal-of-dropped", 22, newest},
    {defect::gelu_axes, "gelu-axes", 22, newest},
    {defect::layer_norm_axes, "layer-norm-axes", 22, 31},
    {defect::clip_of_relu, "clip-of-relu", 22, newest},
    {defect::relu_as_bound, "relu-as-bound", 22, newest},
    {defect::zeros_before_max_pool, "zeros-before-max-pool", 25, 31},
    {defect::wide_padding, "wide-padding", 25, 31},
    {defect::transposed_matrix_vector, "transposed-matrix-vector", 22, newest},
    {defect::scaled_f64_product, "scaled-f64-product", 26, 31},
    {defect::cast_transposed, "cast-transposed", 22, newest},
    {defect::expand_to_empty, "expand-to-empty", 22, newest},
    {defect::descending_range, "descending-range", 22, newest},
    {defect::max_pool_nan, "max-pool-nan", 22, newest},
    {defect::max_pool_infinity, "max-pool-infinity", 22, newest},
    {defect::reduced_nan, "reduced-nan", 22, newest},
    {defect::scattered_nan, "scattered-nan", 22, newest},
    {defect::scattered_f16, "scattered-f16", 22, newest},
    {defect::integer_sums, "integer-sums", 27, newest},
    {defect::int64_extremes, "int64-extremes", 22, 31},
    {defect::int64_fmod, "int64-fmod", 22, 31},
    {defect::int64_power, "int64-power", 22, newest},
    {defect::f16_sign, "f16-sign", 22, newest},
    {defect::where_zero, "where-zero", 22, newest},
    {defect::f64_log_softmax, "f64-log-softmax", 22, newest},
    {defect::log_sum_exp, "log-sum-exp", 22, newest},
    {defect::f8_e5m2_overflow, "f8-e5m2-overflow", 22, newest},
    {defect::f8_e4m3fn_overflow, "f8-e4m3fn-overflow", 22, newest},
    {defect::empty_matmul, "empty-matmul", 22, 31},
    {defect::empty_scan, "empty-scan", 22, newest},
    {defect::f64_cos, "f64-cos", 22, 28},
    {defect::f64_transposed_product, "f64-transposed-product", 22, 25},
    {defect::f64_quick_gelu, "f64-quick-gelu", 22, 30},
    {defect::single_dft, "single-dft", 22, 26},
};

/// Returns whether the oldest release that has to run models of this opset for `t`, or a newer release, has the defect.
/// False if no release of ONNX Runtime has to run the models.
constexpr bool has_defect(const target& t, int opset, defect d) {
  return is_onnx_runtime(t) && oldest_release(t, opset) <= defect_table[static_cast<std::size_t>(d)].last;
}

}  // namespace jax2onnx::rewrite
