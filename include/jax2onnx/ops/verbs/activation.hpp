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
/// Continuously Differentiable Exponential Linear Units (Celu).
inline value celu(const operand& x, const celu_attributes& attributes = {}) {
  node_builder n("Celu", {x});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

/// The attributes of elu.
struct elu_attributes {
  float alpha = 1.0f;
};
/// Elu takes one input data (Tensor) and produces one output data (Tensor) where the function f(x) = alpha * (exp(x)
/// - 1.) for x < 0, f(x) = x for x >= 0., is applied to the tensor elementwise (Elu).
inline value elu(const operand& x, const elu_attributes& attributes = {}) {
  node_builder n("Elu", {x});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

/// The attributes of gelu.
struct gelu_attributes {
  chosen<jax2onnx::gelu_approximation> approximate = jax2onnx::gelu_approximation::none;
};
/// Gelu takes one input data (Tensor) and produces one output data (Tensor) where the gaussian error linear units
/// function, y = 0.5 * x * (1 + erf(x/sqrt(2))) is applied to the tensor elementwise (Gelu, opset 20).
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
/// HardSigmoid takes one input data (Tensor) and produces one output data (Tensor) where the HardSigmoid function, y
/// = max(0, min(1, alpha * x + beta)), is applied to the tensor elementwise (HardSigmoid).
inline value hard_sigmoid(const operand& x, const hard_sigmoid_attributes& attributes = {}) {
  node_builder n("HardSigmoid", {x});
  n.set("alpha", attributes.alpha, 0.2f);
  n.set("beta", attributes.beta, 0.5f);
  return n.build();
}

/// HardSwish takes one input data (Tensor) and produces one output data (Tensor) where the HardSwish function, y = x
/// * max(0, min(1, alpha * x + beta)) = x * HardSigmoid(x), where alpha = 1/6 and beta = 0.5, is applied to the
/// tensor elementwise (HardSwish).
inline value hard_swish(const operand& x) {
  node_builder n("HardSwish", {x});
  return n.build();
}

/// The attributes of hardmax.
struct hardmax_attributes {
  std::int64_t axis = -1;
};
/// The operator computes the hardmax values for the given input (Hardmax).
inline value hardmax(const operand& input, const hardmax_attributes& attributes = {}) {
  node_builder n("Hardmax", {input});
  n.set("axis", attributes.axis, -1);
  return n.build();
}

/// The attributes of leaky_relu.
struct leaky_relu_attributes {
  float alpha = 0.01f;
};
/// LeakyRelu takes input data (Tensor) and an argument alpha, and produces one output data (Tensor) where the
/// function f(x) = alpha * x for x < 0, f(x) = x for x >= 0, is applied to the data tensor elementwise (LeakyRelu).
inline value leaky_relu(const operand& x, const leaky_relu_attributes& attributes = {}) {
  node_builder n("LeakyRelu", {x});
  n.set("alpha", attributes.alpha, 0.01f);
  return n.build();
}

/// The attributes of log_softmax.
struct log_softmax_attributes {
  std::int64_t axis = -1;
};
/// The operator computes the log of softmax values for the given input (LogSoftmax).
inline value log_softmax(const operand& input, const log_softmax_attributes& attributes = {}) {
  node_builder n("LogSoftmax", {input});
  n.set("axis", attributes.axis, -1);
  return n.build();
}

/// x * tanh(softplus(x)), elementwise (Mish, opset 18).
inline value mish(const operand& x) {
  node_builder n("Mish", {x});
  return n.build();
}

/// PRelu takes input data (Tensor) and slope tensor as input, and produces one output data (Tensor) where the
/// function f(x) = slope * x for x < 0, f(x) = x for x >= 0., is applied to the data tensor elementwise (PRelu).
inline value prelu(const operand& x, const operand& slope) {
  node_builder n("PRelu", {x, slope});
  return n.build();
}

/// Relu takes one input data (Tensor) and produces one output data (Tensor) where the rectified linear function, y =
/// max(0, x), is applied to the tensor elementwise (Relu).
inline value relu(const operand& x) {
  node_builder n("Relu", {x});
  return n.build();
}

/// The attributes of selu.
struct selu_attributes {
  float alpha = 1.6732632f;
  float gamma = 1.050701f;
};
/// Selu takes one input data (Tensor) and produces one output data (Tensor) where the scaled exponential linear unit
/// function, y = gamma * (alpha * e^x - alpha) for x <= 0, y = gamma * x for x > 0, is applied to the tensor
/// elementwise (Selu).
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
/// Shrink takes one input data (Tensor) and produces one Tensor output, having same datatype and shape with input
/// (Shrink).
inline value shrink(const operand& input, const shrink_attributes& attributes = {}) {
  node_builder n("Shrink", {input});
  n.set("bias", attributes.bias, 0.0f);
  n.set("lambd", attributes.lambd, 0.5f);
  return n.build();
}

/// Sigmoid takes one input data (Tensor) and produces one output data (Tensor) where the sigmoid function, y = 1 / (1
/// + exp(-x)), is applied to the tensor elementwise (Sigmoid).
inline value sigmoid(const operand& x) {
  node_builder n("Sigmoid", {x});
  return n.build();
}

/// The attributes of softmax.
struct softmax_attributes {
  std::int64_t axis = -1;
};
/// The operator computes the normalized exponential values for the given input (Softmax).
inline value softmax(const operand& input, const softmax_attributes& attributes = {}) {
  node_builder n("Softmax", {input});
  n.set("axis", attributes.axis, -1);
  return n.build();
}

/// Softplus takes one input data (Tensor) and produces one output data (Tensor) where the softplus function, y =
/// ln(exp(x) + 1), is applied to the tensor elementwise (Softplus).
inline value softplus(const operand& x) {
  node_builder n("Softplus", {x});
  return n.build();
}

/// Calculates the softsign (x/(1+|x|)) of the given input tensor element-wise (Softsign).
inline value softsign(const operand& input) {
  node_builder n("Softsign", {input});
  return n.build();
}

/// The attributes of swiglu.
struct swiglu_attributes {
  float alpha = 1.0f;
};
/// SwiGLU is a gated activation that takes two inputs, a gate A and a linear (value) input B, and produces one output
/// Y (SwiGLU, opset 28).
inline value swiglu(const operand& a, const operand& b, const swiglu_attributes& attributes = {}) {
  node_builder n("SwiGLU", {a, b});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

/// The attributes of swish.
struct swish_attributes {
  float alpha = 1.0f;
};
/// Swish function takes one input data (Tensor) and produces one output data (Tensor) of the same shape, where
/// Swish(x) = x * sigmoid(alpha * x) (Swish, opset 24).
inline value swish(const operand& x, const swish_attributes& attributes = {}) {
  node_builder n("Swish", {x});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

/// The attributes of thresholded_relu.
struct thresholded_relu_attributes {
  float alpha = 1.0f;
};
/// ThresholdedRelu takes one input data (Tensor) and produces one output data (Tensor) where the rectified linear
/// function, y = x for x > alpha, y = 0 otherwise, is applied to the tensor elementwise (ThresholdedRelu).
inline value thresholded_relu(const operand& x, const thresholded_relu_attributes& attributes = {}) {
  node_builder n("ThresholdedRelu", {x});
  n.set("alpha", attributes.alpha, 1.0f);
  return n.build();
}

}  // namespace jax2onnx
