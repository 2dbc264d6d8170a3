// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The reduction operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of argmax.
struct argmax_attributes {
  std::int64_t axis = 0;
  flag keepdims = true;
  flag select_last_index = false;
};
/// Computes the index of the largest element along an axis (ArgMax).
inline value argmax(const operand& data, const argmax_attributes& attributes = {}) {
  node_builder n("ArgMax", {data});
  n.set("axis", attributes.axis, 0);
  n.set("keepdims", attributes.keepdims, true);
  n.set("select_last_index", attributes.select_last_index, false);
  return n.build();
}

/// The attributes of argmin.
struct argmin_attributes {
  std::int64_t axis = 0;
  flag keepdims = true;
  flag select_last_index = false;
};
/// Computes the index of the smallest element along an axis (ArgMin).
inline value argmin(const operand& data, const argmin_attributes& attributes = {}) {
  node_builder n("ArgMin", {data});
  n.set("axis", attributes.axis, 0);
  n.set("keepdims", attributes.keepdims, true);
  n.set("select_last_index", attributes.select_last_index, false);
  return n.build();
}

/// The attributes of cumprod.
struct cumprod_attributes {
  flag exclusive = false;
  flag reverse = false;
};
/// Computes the cumulative product along an axis (CumProd, opset 26).
inline value cumprod(const operand& x, const operand& axis, const cumprod_attributes& attributes = {}) {
  node_builder n("CumProd", {x, axis});
  n.set("exclusive", attributes.exclusive, false);
  n.set("reverse", attributes.reverse, false);
  return n.build();
}

/// The attributes of cumsum.
struct cumsum_attributes {
  flag exclusive = false;
  flag reverse = false;
};
/// Computes the cumulative sum along an axis (CumSum).
inline value cumsum(const operand& x, const operand& axis, const cumsum_attributes& attributes = {}) {
  node_builder n("CumSum", {x, axis});
  n.set("exclusive", attributes.exclusive, false);
  n.set("reverse", attributes.reverse, false);
  return n.build();
}

/// The attributes of reduce_l1.
struct reduce_l1_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the L1 norm along axes (ReduceL1).
inline value reduce_l1(const operand& data, const operand& axes = {}, const reduce_l1_attributes& attributes = {}) {
  node_builder n("ReduceL1", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

/// The attributes of reduce_l2.
struct reduce_l2_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the L2 norm along axes (ReduceL2).
inline value reduce_l2(const operand& data, const operand& axes = {}, const reduce_l2_attributes& attributes = {}) {
  node_builder n("ReduceL2", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

/// The attributes of reduce_log_sum.
struct reduce_log_sum_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the logarithm of the sum along axes (ReduceLogSum).
inline value reduce_log_sum(const operand& data, const operand& axes = {},
                            const reduce_log_sum_attributes& attributes = {}) {
  node_builder n("ReduceLogSum", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

/// The attributes of reduce_log_sum_exp.
struct reduce_log_sum_exp_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the logarithm of the sum of exponentials along axes (ReduceLogSumExp).
inline value reduce_log_sum_exp(const operand& data, const operand& axes = {},
                                const reduce_log_sum_exp_attributes& attributes = {}) {
  node_builder n("ReduceLogSumExp", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

/// The attributes of reduce_max.
struct reduce_max_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the maximum along axes (ReduceMax).
inline value reduce_max(const operand& data, const operand& axes = {}, const reduce_max_attributes& attributes = {}) {
  node_builder n("ReduceMax", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

/// The attributes of reduce_mean.
struct reduce_mean_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the mean along axes (ReduceMean).
inline value reduce_mean(const operand& data, const operand& axes = {}, const reduce_mean_attributes& attributes = {}) {
  node_builder n("ReduceMean", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

/// The attributes of reduce_min.
struct reduce_min_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the minimum along axes (ReduceMin).
inline value reduce_min(const operand& data, const operand& axes = {}, const reduce_min_attributes& attributes = {}) {
  node_builder n("ReduceMin", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

/// The attributes of reduce_prod.
struct reduce_prod_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the product along axes (ReduceProd).
inline value reduce_prod(const operand& data, const operand& axes = {}, const reduce_prod_attributes& attributes = {}) {
  node_builder n("ReduceProd", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

/// The attributes of reduce_sum.
struct reduce_sum_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the sum along axes (ReduceSum).
inline value reduce_sum(const operand& data, const operand& axes = {}, const reduce_sum_attributes& attributes = {}) {
  node_builder n("ReduceSum", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

/// The attributes of reduce_sum_square.
struct reduce_sum_square_attributes {
  flag keepdims = true;
  flag noop_with_empty_axes = false;
};
/// Computes the sum of squares along axes (ReduceSumSquare).
inline value reduce_sum_square(const operand& data, const operand& axes = {},
                               const reduce_sum_square_attributes& attributes = {}) {
  node_builder n("ReduceSumSquare", {data, axes});
  n.set("keepdims", attributes.keepdims, true);
  n.set("noop_with_empty_axes", attributes.noop_with_empty_axes, false);
  return n.build();
}

}  // namespace jax2onnx
