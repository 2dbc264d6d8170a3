// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The activation operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of celu.
struct celu_attributes {
  float alpha = 1.0f;
};
/// Computes max(0, x) + min(0, alpha * (exp(x / alpha) - 1)) for each element (Celu).
inline value celu(const operand& x, const celu_attributes& attributes = {}) {
  node_builder n("Celu", {x});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

/// The attributes of elu.
struct elu_attributes {
  float alpha = 1.0f;
};
/// Computes x for x >= 0, else alpha * (exp(x) - 1), for each element (Elu).
inline value elu(const operand& x, const elu_attributes& attributes = {}) {
  node_builder n("Elu", {x});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

/// The attributes of gelu.
struct gelu_attributes {
  chosen<jax2onnx::gelu_approximation> approximate = jax2onnx::gelu_approximation::none;
};
/// Computes x * (1 + erf(x / sqrt(2))) / 2, or its approximation by tanh, for each element (Gelu, opset 20).
inline value gelu(const operand& x, const gelu_attributes& attributes = {}) {
  node_builder n("Gelu", {x});
  n.set("approximate", attributes.approximate.value, jax2onnx::gelu_approximation::none);
  return n.build();
}

/// The attributes of hard_sigmoid.
struct hard_sigmoid_attributes {
  float alpha = 0.2f;
  float beta = 0.5f;
};
/// Computes max(0, min(1, alpha * x + beta)) for each element (HardSigmoid).
inline value hard_sigmoid(const operand& x, const hard_sigmoid_attributes& attributes = {}) {
  node_builder n("HardSigmoid", {x});
  n.set("alpha", attributes.alpha, 0.2f);
  n.set("beta", attributes.beta, 0.5f);
  return n.build();
}

/// Computes x * max(0, min(1, x / 6 + 0.5)) for each element (HardSwish).
inline value hard_swish(const operand& x) {
  node_builder n("HardSwish", {x});
  return n.build();
}

/// The attributes of hardmax.
struct hardmax_attributes {
  std::int64_t axis = -1;
};
/// Returns 1 for the first largest element along an axis, and 0 for all others (Hardmax).
inline value hardmax(const operand& input, const hardmax_attributes& attributes = {}) {
  node_builder n("Hardmax", {input});
  n.set("axis", attributes.axis, -1);
  return n.build();
}

/// The attributes of leaky_relu.
struct leaky_relu_attributes {
  float alpha = 0.01f;
};
/// Computes x for x >= 0, else alpha * x, for each element (LeakyRelu).
inline value leaky_relu(const operand& x, const leaky_relu_attributes& attributes = {}) {
  node_builder n("LeakyRelu", {x});
  n.set("alpha", attributes.alpha, 0.01f);
  return n.build();
}

/// The attributes of log_softmax.
struct log_softmax_attributes {
  std::int64_t axis = -1;
};
/// Computes the logarithm of the softmax along an axis (LogSoftmax).
inline value log_softmax(const operand& input, const log_softmax_attributes& attributes = {}) {
  node_builder n("LogSoftmax", {input});
  n.set("axis", attributes.axis, -1);
  return n.build();
}

/// Computes x * tanh(softplus(x)) for each element (Mish, opset 18).
inline value mish(const operand& x) {
  node_builder n("Mish", {x});
  return n.build();
}

/// Computes x for x >= 0, else slope * x, for each element; the slopes broadcast to x (PRelu).
inline value prelu(const operand& x, const operand& slope) {
  node_builder n("PRelu", {x, slope});
  return n.build();
}

/// Computes max(0, x) for each element (Relu).
inline value relu(const operand& x) {
  node_builder n("Relu", {x});
  return n.build();
}

/// The attributes of selu.
struct selu_attributes {
  float alpha = 1.6732632f;
  float gamma = 1.050701f;
};
/// Computes gamma * x for x > 0, else gamma * (alpha * exp(x) - alpha), for each element (Selu).
inline value selu(const operand& x, const selu_attributes& attributes = {}) {
  node_builder n("Selu", {x});
  n.set("alpha", attributes.alpha, 1.6732632f);
  n.set("gamma", attributes.gamma, 1.050701f);
  return n.build();
}

/// The attributes of shrink.
struct shrink_attributes {
  float bias = 0.0f;
  float lambd = 0.5f;
};
/// Computes x + bias for x < -lambd, x - bias for x > lambd, else 0, for each element (Shrink).
inline value shrink(const operand& input, const shrink_attributes& attributes = {}) {
  node_builder n("Shrink", {input});
  n.set("bias", attributes.bias, 0.0f);
  n.set("lambd", attributes.lambd, 0.5f);
  return n.build();
}

/// Computes 1 / (1 + exp(-x)) for each element (Sigmoid).
inline value sigmoid(const operand& x) {
  node_builder n("Sigmoid", {x});
  return n.build();
}

/// The attributes of softmax.
struct softmax_attributes {
  std::int64_t axis = -1;
};
/// Computes the softmax along an axis: exponentials divided by their sum (Softmax).
inline value softmax(const operand& input, const softmax_attributes& attributes = {}) {
  node_builder n("Softmax", {input});
  n.set("axis", attributes.axis, -1);
  return n.build();
}

/// Computes log(1 + exp(x)) for each element (Softplus).
inline value softplus(const operand& x) {
  node_builder n("Softplus", {x});
  return n.build();
}

/// Computes x / (1 + |x|) for each element (Softsign).
inline value softsign(const operand& input) {
  node_builder n("Softsign", {input});
  return n.build();
}

/// The attributes of swiglu.
struct swiglu_attributes {
  float alpha = 1.0f;
};
/// Computes swish(A) * B, with swish(a) = a * sigmoid(alpha * a) (SwiGLU, opset 28).
inline value swiglu(const operand& a, const operand& b, const swiglu_attributes& attributes = {}) {
  node_builder n("SwiGLU", {a, b});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

/// The attributes of swish.
struct swish_attributes {
  float alpha = 1.0f;
};
/// Computes x * sigmoid(alpha * x) for each element (Swish, opset 24).
inline value swish(const operand& x, const swish_attributes& attributes = {}) {
  node_builder n("Swish", {x});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

/// The attributes of thresholded_relu.
struct thresholded_relu_attributes {
  float alpha = 1.0f;
};
/// Computes x for x > alpha, else 0, for each element (ThresholdedRelu).
inline value thresholded_relu(const operand& x, const thresholded_relu_attributes& attributes = {}) {
  node_builder n("ThresholdedRelu", {x});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

}  // namespace jax2onnx
