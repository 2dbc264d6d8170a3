// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The loss operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of negative_log_likelihood_loss.
struct negative_log_likelihood_loss_attributes {
  std::optional<std::int64_t> ignore_index = std::nullopt;
  chosen<jax2onnx::loss_reduction> reduction = jax2onnx::loss_reduction::mean;
};
/// Computes the negative log likelihood loss, weighted by class if there are weights (NegativeLogLikelihoodLoss).
inline value negative_log_likelihood_loss(const operand& input, const operand& target, const operand& weight = {},
                                          const negative_log_likelihood_loss_attributes& attributes = {}) {
  node_builder n("NegativeLogLikelihoodLoss", {input, target, weight});
  n.set("ignore_index", attributes.ignore_index);
  n.set("reduction", attributes.reduction.value, jax2onnx::loss_reduction::mean);
  return n.build();
}

/// The attributes of softmax_cross_entropy_loss.
struct softmax_cross_entropy_loss_attributes {
  std::optional<std::int64_t> ignore_index = std::nullopt;
  chosen<jax2onnx::loss_reduction> reduction = jax2onnx::loss_reduction::mean;
};
/// The results of softmax_cross_entropy_loss.
struct softmax_cross_entropy_loss_outputs {
  value output, log_prob;
  /// The first result; the others are optional.
  operator const value&() const { return output; }
};
/// Computes the cross entropy between the softmax of scores and labels (SoftmaxCrossEntropyLoss).
inline softmax_cross_entropy_loss_outputs softmax_cross_entropy_loss(
    const operand& scores, const operand& labels, const operand& weights = {},
    const softmax_cross_entropy_loss_attributes& attributes = {}) {
  node_builder n("SoftmaxCrossEntropyLoss", {scores, labels, weights});
  n.set("ignore_index", attributes.ignore_index);
  n.set("reduction", attributes.reduction.value, jax2onnx::loss_reduction::mean);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of adagrad.
struct adagrad_attributes {
  float epsilon = 1e-06f;
  float decay_factor = 0.0f;
  float norm_coefficient = 0.0f;
};
/// Computes one step of the optimizer Adagrad (ai.onnx.preview.training.Adagrad).
inline std::vector<value> adagrad(const operand& r, const operand& t, const operands& inputs,
                                  const adagrad_attributes& attributes = {}) {
  node_builder n("Adagrad", {r, t}, "ai.onnx.preview.training");
  n.add(inputs);
  n.set("epsilon", attributes.epsilon, 1e-06f);
  n.set("decay_factor", attributes.decay_factor, 0.0f);
  n.set("norm_coefficient", attributes.norm_coefficient, 0.0f);
  return n.build((inputs.get().size() + 2) / 3 * 2);
}

/// The attributes of adam.
struct adam_attributes {
  float epsilon = 1e-06f;
  float alpha = 0.9f;
  float beta = 0.999f;
  float norm_coefficient = 0.0f;
  float norm_coefficient_post = 0.0f;
};
/// Computes one step of the optimizer Adam (ai.onnx.preview.training.Adam).
inline std::vector<value> adam(const operand& r, const operand& t, const operands& inputs,
                               const adam_attributes& attributes = {}) {
  node_builder n("Adam", {r, t}, "ai.onnx.preview.training");
  n.add(inputs);
  n.set("epsilon", attributes.epsilon, 1e-06f);
  n.set("alpha", attributes.alpha, 0.9f);
  n.set("beta", attributes.beta, 0.999f);
  n.set("norm_coefficient", attributes.norm_coefficient, 0.0f);
  n.set("norm_coefficient_post", attributes.norm_coefficient_post, 0.0f);
  return n.build((inputs.get().size() + 3) / 4 * 3);
}

/// The attributes of momentum.
struct momentum_attributes {
  required<std::string, struct momentum_needs_mode> mode;
  required<float, struct momentum_needs_alpha> alpha;
  required<float, struct momentum_needs_beta> beta;
  required<float, struct momentum_needs_norm_coefficient> norm_coefficient;
};
/// Computes one step of stochastic gradient descent with momentum (ai.onnx.preview.training.Momentum).
inline std::vector<value> momentum(const operand& r, const operand& t, const operands& inputs,
                                   const momentum_attributes& attributes = {}) {
  node_builder n("Momentum", {r, t}, "ai.onnx.preview.training");
  n.add(inputs);
  n.set("mode", attributes.mode);
  n.set("alpha", attributes.alpha);
  n.set("beta", attributes.beta);
  n.set("norm_coefficient", attributes.norm_coefficient);
  return n.build((inputs.get().size() + 2) / 3 * 2);
}

}  // namespace jax2onnx
