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
/// Selects slices from an input tensor along a given axis where condition evaluates to True for each axis index
/// (Compress).
inline value compress(const operand& input, const operand& condition, const compress_attributes& attributes = {}) {
  node_builder n("Compress", {input, condition});
  n.set("axis", attributes.axis);
  return n.build();
}

/// The attributes of gather.
struct gather_attributes {
  std::int64_t axis = 0;
};
/// Given data tensor of rank r >= 1, and indices tensor of rank q, gather entries of the axis dimension of data (by
/// default outer-most one as axis=0) indexed by indices, and concatenates them in an output tensor of rank q + (r -
/// 1) (Gather).
inline value gather(const operand& data, const operand& indices, const gather_attributes& attributes = {}) {
  node_builder n("Gather", {data, indices});
  n.set("axis", attributes.axis, 0);
  return n.build();
}

/// The attributes of gather_elements.
struct gather_elements_attributes {
  std::int64_t axis = 0;
};
/// GatherElements takes two inputs data and indices of the same rank r >= 1 and an optional attribute axis that
/// identifies an axis of data (by default, the outer-most axis, that is axis 0) (GatherElements).
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
/// Given data tensor of rank r >= 1, indices tensor of rank q >= 1, and batch_dims integer b, this operator gathers
/// slices of data into an output tensor of rank q + r - indices_shape[-1] - 1 - b (GatherND).
inline value gather_nd(const operand& data, const operand& indices, const gather_nd_attributes& attributes = {}) {
  node_builder n("GatherND", {data, indices});
  n.set("batch_dims", attributes.batch_dims, 0);
  return n.build();
}

/// The attributes of non_max_suppression.
struct non_max_suppression_attributes {
  std::int64_t center_point_box = 0;
};
/// Filter out boxes that have high intersection-over-union (IOU) overlap with previously selected boxes
/// (NonMaxSuppression).
inline value non_max_suppression(const operand& boxes, const operand& scores,
                                 const operand& max_output_boxes_per_class = {}, const operand& iou_threshold = {},
                                 const operand& score_threshold = {},
                                 const non_max_suppression_attributes& attributes = {}) {
  node_builder n("NonMaxSuppression", {boxes, scores, max_output_boxes_per_class, iou_threshold, score_threshold});
  n.set("center_point_box", attributes.center_point_box, 0);
  return n.build();
}

/// Returns the indices of the elements that are non-zero (in row-major order - by dimension) (NonZero).
inline value non_zero(const operand& x) {
  node_builder n("NonZero", {x});
  return n.build();
}

/// The attributes of one_hot.
struct one_hot_attributes {
  std::int64_t axis = -1;
};
/// Produces a one-hot tensor based on inputs (OneHot).
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
/// ScatterElements takes three inputs data, updates, and indices of the same rank r >= 1 and an optional attribute
/// axis that identifies an axis of data (by default, the outer-most axis, that is axis 0) (ScatterElements).
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
/// ScatterND takes three inputs data tensor of rank r >= 1, indices tensor of rank q >= 1, and updates tensor of rank
/// q + r - indices.shape[-1] - 1 (ScatterND).
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
/// TensorScatter is a generic tensor update operation, motivated by the requirements for KV cache updates for
/// Attention ops commonly found in LLMs (TensorScatter, opset 24).
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
/// Retrieve the top-K largest or smallest elements along a specified axis (TopK).
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
/// Find the unique elements of a tensor (Unique).
inline unique_outputs unique(const operand& x, const unique_attributes& attributes = {}) {
  node_builder n("Unique", {x});
  n.set("axis", attributes.axis);
  n.set("sorted", attributes.sorted, true);
  const auto results = n.build(4);
  return {results[0], results[1], results[2], results[3]};
}

}  // namespace jax2onnx
