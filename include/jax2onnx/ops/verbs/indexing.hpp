// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The indexing operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of compress.
struct compress_attributes {
  std::optional<std::int64_t> axis = std::nullopt;
};
/// Selects the slices along an axis for which a condition is true (Compress).
inline value compress(const operand& input, const operand& condition, const compress_attributes& attributes = {}) {
  node_builder n("Compress", {input, condition});
  n.set("axis", attributes.axis);
  return n.build();
}

/// The attributes of gather.
struct gather_attributes {
  std::int64_t axis = 0;
};
/// Gathers slices along an axis by their indices (Gather).
inline value gather(const operand& data, const operand& indices, const gather_attributes& attributes = {}) {
  node_builder n("Gather", {data, indices});
  n.set("axis", attributes.axis, 0);
  return n.build();
}

/// The attributes of gather_elements.
struct gather_elements_attributes {
  std::int64_t axis = 0;
};
/// Gathers elements by their indices along an axis, one index for each element of the result (GatherElements).
inline value gather_elements(const operand& data, const operand& indices,
                             const gather_elements_attributes& attributes = {}) {
  node_builder n("GatherElements", {data, indices});
  n.set("axis", attributes.axis, 0);
  return n.build();
}

/// The attributes of gather_nd.
struct gather_nd_attributes {
  std::int64_t batch_dims = 0;
};
/// Gathers elements or slices by vectors of indices (GatherND).
inline value gather_nd(const operand& data, const operand& indices, const gather_nd_attributes& attributes = {}) {
  node_builder n("GatherND", {data, indices});
  n.set("batch_dims", attributes.batch_dims, 0);
  return n.build();
}

/// The attributes of non_max_suppression.
struct non_max_suppression_attributes {
  std::int64_t center_point_box = 0;
};
/// Selects boxes by score, without those that overlap a selected box too much (NonMaxSuppression).
inline value non_max_suppression(const operand& boxes, const operand& scores,
                                 const operand& max_output_boxes_per_class = {}, const operand& iou_threshold = {},
                                 const operand& score_threshold = {},
                                 const non_max_suppression_attributes& attributes = {}) {
  node_builder n("NonMaxSuppression", {boxes, scores, max_output_boxes_per_class, iou_threshold, score_threshold});
  n.set("center_point_box", attributes.center_point_box, 0);
  return n.build();
}

/// Returns the indices of all elements that are not 0, in row-major order (NonZero).
inline value non_zero(const operand& x) {
  node_builder n("NonZero", {x});
  return n.build();
}

/// The attributes of one_hot.
struct one_hot_attributes {
  std::int64_t axis = -1;
};
/// Expands indices to one-hot vectors (OneHot).
inline value one_hot(const operand& indices, const operand& depth, const operand& values,
                     const one_hot_attributes& attributes = {}) {
  node_builder n("OneHot", {indices, depth, values});
  n.set("axis", attributes.axis, -1);
  return n.build();
}

/// The attributes of scatter_elements.
struct scatter_elements_attributes {
  std::int64_t axis = 0;
  chosen<jax2onnx::scatter_reduction> reduction = jax2onnx::scatter_reduction::none;
};
/// Copies a tensor and updates elements by their indices along an axis, one index for each update (ScatterElements).
inline value scatter_elements(const operand& data, const operand& indices, const operand& updates,
                              const scatter_elements_attributes& attributes = {}) {
  node_builder n("ScatterElements", {data, indices, updates});
  n.set("axis", attributes.axis, 0);
  n.set("reduction", attributes.reduction.value, jax2onnx::scatter_reduction::none);
  return n.build();
}

/// The attributes of scatter_nd.
struct scatter_nd_attributes {
  chosen<jax2onnx::scatter_reduction> reduction = jax2onnx::scatter_reduction::none;
};
/// Copies a tensor and updates elements or slices by vectors of indices (ScatterND).
inline value scatter_nd(const operand& data, const operand& indices, const operand& updates,
                        const scatter_nd_attributes& attributes = {}) {
  node_builder n("ScatterND", {data, indices, updates});
  n.set("reduction", attributes.reduction.value, jax2onnx::scatter_reduction::none);
  return n.build();
}

/// The attributes of tensor_scatter.
struct tensor_scatter_attributes {
  std::int64_t axis = -2;
  chosen<jax2onnx::cache_mode> mode = jax2onnx::cache_mode::linear;
};
/// Writes updates into a cache along an axis, at a start for each sequence of the batch (TensorScatter, opset 24).
inline value tensor_scatter(const operand& past_cache, const operand& update, const operand& write_indices = {},
                            const tensor_scatter_attributes& attributes = {}) {
  node_builder n("TensorScatter", {past_cache, update, write_indices});
  n.set("axis", attributes.axis, -2);
  n.set("mode", attributes.mode.value, jax2onnx::cache_mode::linear);
  return n.build();
}

/// The attributes of top_k.
struct top_k_attributes {
  std::int64_t axis = -1;
  flag largest = true;
  flag sorted = true;
};
/// The results of top_k.
struct top_k_outputs {
  value values, indices;
};
/// Returns the k largest or smallest elements along an axis, and their indices (TopK).
inline top_k_outputs top_k(const operand& x, const operand& k, const top_k_attributes& attributes = {}) {
  node_builder n("TopK", {x, k});
  n.set("axis", attributes.axis, -1);
  n.set("largest", attributes.largest, true);
  n.set("sorted", attributes.sorted, true);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of unique.
struct unique_attributes {
  std::optional<std::int64_t> axis = std::nullopt;
  flag sorted = true;
};
/// The results of unique.
struct unique_outputs {
  value y, indices, inverse_indices, counts;
  /// The first result; the others are optional.
  operator const value&() const { return y; }
};
/// Returns the unique elements of a tensor, or its unique slices along an axis (Unique).
inline unique_outputs unique(const operand& x, const unique_attributes& attributes = {}) {
  node_builder n("Unique", {x});
  n.set("axis", attributes.axis);
  n.set("sorted", attributes.sorted, true);
  const auto results = n.build(4);
  return {results[0], results[1], results[2], results[3]};
}

}  // namespace jax2onnx
