// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The normalization operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of batch_normalization.
struct batch_normalization_attributes {
  float epsilon = 1e-05f;
  float momentum = 0.9f;
  flag training_mode = false;
};
/// The results of batch_normalization.
struct batch_normalization_outputs {
  value y, running_mean, running_var;
  /// The first result; the others are optional.
  operator const value&() const { return y; }
};
/// Computes batch normalization (https://arxiv.org/abs/1502.03167) (BatchNormalization).
inline batch_normalization_outputs batch_normalization(const operand& x, const operand& scale, const operand& b,
                                                       const operand& input_mean, const operand& input_var,
                                                       const batch_normalization_attributes& attributes = {}) {
  node_builder n("BatchNormalization", {x, scale, b, input_mean, input_var});
  n.set("epsilon", attributes.epsilon, 1e-05f);
  n.set("momentum", attributes.momentum, 0.9f);
  n.set("training_mode", attributes.training_mode, false);
  auto results = n.build(attributes.training_mode ? 3 : 1);
  results.resize(3);
  return {results[0], results[1], results[2]};
}

/// The attributes of dropout.
struct dropout_attributes {
  std::optional<std::int64_t> seed = std::nullopt;
};
/// The results of dropout.
struct dropout_outputs {
  value output, mask;
  /// The first result; the others are optional.
  operator const value&() const { return output; }
};
/// Sets random elements to 0 and scales the others if training_mode is true, else returns its operand (Dropout).
inline dropout_outputs dropout(const operand& data, const operand& ratio = {}, const operand& training_mode = {},
                               const dropout_attributes& attributes = {}) {
  node_builder n("Dropout", {data, ratio, training_mode});
  n.set("seed", attributes.seed);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of group_normalization.
struct group_normalization_attributes {
  required<std::int64_t, struct group_normalization_needs_num_groups> num_groups;
  float epsilon = 1e-05f;
  jax2onnx::dtype stash_type = jax2onnx::dtype::f32;
};
/// Computes group normalization (https://arxiv.org/abs/1803.08494) (GroupNormalization, opset 18).
inline value group_normalization(const operand& x, const operand& scale, const operand& bias,
                                 const group_normalization_attributes& attributes = {}) {
  node_builder n("GroupNormalization", {x, scale, bias});
  n.set("num_groups", attributes.num_groups);
  n.set("epsilon", attributes.epsilon, 1e-05f);
  n.set("stash_type", attributes.stash_type, jax2onnx::dtype::f32);
  return n.build();
}

/// The attributes of instance_normalization.
struct instance_normalization_attributes {
  float epsilon = 1e-05f;
};
/// Computes instance normalization (https://arxiv.org/abs/1607.08022) (InstanceNormalization).
inline value instance_normalization(const operand& input, const operand& scale, const operand& b,
                                    const instance_normalization_attributes& attributes = {}) {
  node_builder n("InstanceNormalization", {input, scale, b});
  n.set("epsilon", attributes.epsilon, 1e-05f);
  return n.build();
}

/// The attributes of lrn.
struct lrn_attributes {
  float alpha = 0.0001f;
  float beta = 0.75f;
  float bias = 1.0f;
  required<std::int64_t, struct lrn_needs_size> size;
};
/// Computes local response normalization, as AlexNet does (LRN).
inline value lrn(const operand& x, const lrn_attributes& attributes = {}) {
  node_builder n("LRN", {x});
  n.set("alpha", attributes.alpha, 0.0001f);
  n.set("beta", attributes.beta, 0.75f);
  n.set("bias", attributes.bias, 1.0f);
  n.set("size", attributes.size);
  return n.build();
}

/// The attributes of layer_normalization.
struct layer_normalization_attributes {
  std::int64_t axis = -1;
  float epsilon = 1e-05f;
  jax2onnx::dtype stash_type = jax2onnx::dtype::f32;
};
/// The results of layer_normalization.
struct layer_normalization_outputs {
  value y, mean, inv_std_dev;
  /// The first result; the others are optional.
  operator const value&() const { return y; }
};
/// Computes layer normalization over the last axes (https://arxiv.org/abs/1607.06450) (LayerNormalization).
inline layer_normalization_outputs layer_normalization(const operand& x, const operand& scale, const operand& b = {},
                                                       const layer_normalization_attributes& attributes = {}) {
  node_builder n("LayerNormalization", {x, scale, b});
  n.set("axis", attributes.axis, -1);
  n.set("epsilon", attributes.epsilon, 1e-05f);
  n.set("stash_type", attributes.stash_type, jax2onnx::dtype::f32);
  const auto results = n.build(3);
  return {results[0], results[1], results[2]};
}

/// The attributes of lp_normalization.
struct lp_normalization_attributes {
  std::int64_t axis = -1;
  std::int64_t p = 2;
};
/// Divides a tensor by its Lp norm along an axis (LpNormalization).
inline value lp_normalization(const operand& input, const lp_normalization_attributes& attributes = {}) {
  node_builder n("LpNormalization", {input});
  n.set("axis", attributes.axis, -1);
  n.set("p", attributes.p, 2);
  return n.build();
}

/// The attributes of mean_variance_normalization.
struct mean_variance_normalization_attributes {
  ints axes = {0, 2, 3};
};
/// Subtracts the mean along axes, and divides by the standard deviation (MeanVarianceNormalization).
inline value mean_variance_normalization(const operand& x,
                                         const mean_variance_normalization_attributes& attributes = {}) {
  node_builder n("MeanVarianceNormalization", {x});
  n.set("axes", attributes.axes, ints{0, 2, 3});
  return n.build();
}

/// The attributes of rms_normalization.
struct rms_normalization_attributes {
  std::int64_t axis = -1;
  float epsilon = 1e-05f;
  jax2onnx::dtype stash_type = jax2onnx::dtype::f32;
};
/// Computes RMS normalization over the last axes (https://arxiv.org/abs/1910.07467) (RMSNormalization, opset 23).
inline value rms_normalization(const operand& x, const operand& scale,
                               const rms_normalization_attributes& attributes = {}) {
  node_builder n("RMSNormalization", {x, scale});
  n.set("axis", attributes.axis, -1);
  n.set("epsilon", attributes.epsilon, 1e-05f);
  n.set("stash_type", attributes.stash_type, jax2onnx::dtype::f32);
  return n.build();
}

}  // namespace jax2onnx
