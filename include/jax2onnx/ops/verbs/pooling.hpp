// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The pooling operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of average_pool.
struct average_pool_attributes {
  required<ints, struct average_pool_needs_kernel_shape> kernel_shape;
  ints strides = {};
  ints pads = {};
  ints dilations = {};
  chosen<jax2onnx::auto_pad> auto_pad = jax2onnx::auto_pad::notset;
  flag ceil_mode = false;
  flag count_include_pad = false;
};
/// Computes the mean of each window (AveragePool).
inline value average_pool(const operand& x, const average_pool_attributes& attributes = {}) {
  node_builder n("AveragePool", {x});
  n.set("kernel_shape", attributes.kernel_shape);
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  n.set("dilations", attributes.dilations);
  n.set("auto_pad", attributes.auto_pad.value, jax2onnx::auto_pad::notset);
  n.set("ceil_mode", attributes.ceil_mode, false);
  n.set("count_include_pad", attributes.count_include_pad, false);
  return n.build();
}

/// Computes the mean of each channel over all spatial axes (GlobalAveragePool).
inline value global_average_pool(const operand& x) {
  node_builder n("GlobalAveragePool", {x});
  return n.build();
}

/// The attributes of global_lp_pool.
struct global_lp_pool_attributes {
  std::int64_t p = 2;
};
/// Computes the Lp norm of each channel over all spatial axes (GlobalLpPool).
inline value global_lp_pool(const operand& x, const global_lp_pool_attributes& attributes = {}) {
  node_builder n("GlobalLpPool", {x});
  n.set("p", attributes.p, 2);
  return n.build();
}

/// Computes the maximum of each channel over all spatial axes (GlobalMaxPool).
inline value global_max_pool(const operand& x) {
  node_builder n("GlobalMaxPool", {x});
  return n.build();
}

/// The attributes of lp_pool.
struct lp_pool_attributes {
  required<ints, struct lp_pool_needs_kernel_shape> kernel_shape;
  ints strides = {};
  ints pads = {};
  ints dilations = {};
  chosen<jax2onnx::auto_pad> auto_pad = jax2onnx::auto_pad::notset;
  flag ceil_mode = false;
  std::int64_t p = 2;
};
/// Computes the Lp norm of each window (LpPool).
inline value lp_pool(const operand& x, const lp_pool_attributes& attributes = {}) {
  node_builder n("LpPool", {x});
  n.set("kernel_shape", attributes.kernel_shape);
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  n.set("dilations", attributes.dilations);
  n.set("auto_pad", attributes.auto_pad.value, jax2onnx::auto_pad::notset);
  n.set("ceil_mode", attributes.ceil_mode, false);
  n.set("p", attributes.p, 2);
  return n.build();
}

/// The attributes of max_pool.
struct max_pool_attributes {
  required<ints, struct max_pool_needs_kernel_shape> kernel_shape;
  ints strides = {};
  ints pads = {};
  ints dilations = {};
  chosen<jax2onnx::auto_pad> auto_pad = jax2onnx::auto_pad::notset;
  flag ceil_mode = false;
  std::int64_t storage_order = 0;
};
/// The results of max_pool.
struct max_pool_outputs {
  value y, indices;
  /// The first result; the others are optional.
  operator const value&() const { return y; }
};
/// Computes the maximum of each window (MaxPool).
inline max_pool_outputs max_pool(const operand& x, const max_pool_attributes& attributes = {}) {
  node_builder n("MaxPool", {x});
  n.set("kernel_shape", attributes.kernel_shape);
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  n.set("dilations", attributes.dilations);
  n.set("auto_pad", attributes.auto_pad.value, jax2onnx::auto_pad::notset);
  n.set("ceil_mode", attributes.ceil_mode, false);
  n.set("storage_order", attributes.storage_order, 0);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of max_roi_pool.
struct max_roi_pool_attributes {
  required<ints, struct max_roi_pool_needs_pooled_shape> pooled_shape;
  float spatial_scale = 1.0f;
};
/// Divides each region of interest into a grid, and computes the maximum of each of its cells (MaxRoiPool).
inline value max_roi_pool(const operand& x, const operand& rois, const max_roi_pool_attributes& attributes = {}) {
  node_builder n("MaxRoiPool", {x, rois});
  n.set("pooled_shape", attributes.pooled_shape);
  n.set("spatial_scale", attributes.spatial_scale, 1.0f);
  return n.build();
}

/// The attributes of max_unpool.
struct max_unpool_attributes {
  required<ints, struct max_unpool_needs_kernel_shape> kernel_shape;
  ints strides = {};
  ints pads = {};
};
/// Inverts MaxPool in part: writes the maxima at their indices, and zeros elsewhere (MaxUnpool).
inline value max_unpool(const operand& x, const operand& i, const operand& output_shape = {},
                        const max_unpool_attributes& attributes = {}) {
  node_builder n("MaxUnpool", {x, i, output_shape});
  n.set("kernel_shape", attributes.kernel_shape);
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  return n.build();
}

/// The attributes of roi_align.
struct roi_align_attributes {
  chosen<jax2onnx::roi_mode> mode = jax2onnx::roi_mode::avg;
  chosen<jax2onnx::coordinate_mode> coordinate_transformation_mode = jax2onnx::coordinate_mode::half_pixel;
  std::int64_t output_height = 1;
  std::int64_t output_width = 1;
  std::int64_t sampling_ratio = 0;
  float spatial_scale = 1.0f;
};
/// Samples each region of interest on a grid by interpolation, as Mask R-CNN does (RoiAlign).
inline value roi_align(const operand& x, const operand& rois, const operand& batch_indices,
                       const roi_align_attributes& attributes = {}) {
  node_builder n("RoiAlign", {x, rois, batch_indices});
  n.set("mode", attributes.mode.value, jax2onnx::roi_mode::avg);
  n.set("coordinate_transformation_mode", attributes.coordinate_transformation_mode.value,
        jax2onnx::coordinate_mode::half_pixel);
  n.set("output_height", attributes.output_height, 1);
  n.set("output_width", attributes.output_width, 1);
  n.set("sampling_ratio", attributes.sampling_ratio, 0);
  n.set("spatial_scale", attributes.spatial_scale, 1.0f);
  return n.build();
}

}  // namespace jax2onnx
