// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The random operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of bernoulli.
struct bernoulli_attributes {
  jax2onnx::dtype dtype = jax2onnx::dtype::undefined;
  std::optional<float> seed = std::nullopt;
};
/// Draws 0 or 1 for each element, which is the probability of 1 (Bernoulli).
inline value bernoulli(const operand& input, const bernoulli_attributes& attributes = {}) {
  node_builder n("Bernoulli", {input});
  n.set("dtype", attributes.dtype);
  n.set("seed", attributes.seed);
  return n.build();
}

/// The attributes of multinomial.
struct multinomial_attributes {
  jax2onnx::dtype dtype = jax2onnx::dtype::i32;
  std::int64_t sample_size = 1;
  std::optional<float> seed = std::nullopt;
};
/// Draws samples from multinomial distributions with the given unnormalized log-probabilities (Multinomial).
inline value multinomial(const operand& input, const multinomial_attributes& attributes = {}) {
  node_builder n("Multinomial", {input});
  n.set("dtype", attributes.dtype, jax2onnx::dtype::i32);
  n.set("sample_size", attributes.sample_size, 1);
  n.set("seed", attributes.seed);
  return n.build();
}

/// The attributes of random_normal.
struct random_normal_attributes {
  float scale = 1.0f;
  jax2onnx::dtype dtype = jax2onnx::dtype::f32;
  float mean = 0.0f;
  std::optional<float> seed = std::nullopt;
  required<ints, struct random_normal_needs_shape> shape;
};
/// Draws random numbers from a normal distribution (RandomNormal).
inline value random_normal(graph& g, const random_normal_attributes& attributes = {}) {
  node_builder n(g, "RandomNormal");
  n.set("scale", attributes.scale, 1.0f);
  n.set("dtype", attributes.dtype, jax2onnx::dtype::f32);
  n.set("mean", attributes.mean, 0.0f);
  n.set("seed", attributes.seed);
  n.set("shape", attributes.shape);
  return n.build();
}

/// The attributes of random_normal_like.
struct random_normal_like_attributes {
  float scale = 1.0f;
  jax2onnx::dtype dtype = jax2onnx::dtype::undefined;
  float mean = 0.0f;
  std::optional<float> seed = std::nullopt;
};
/// Draws random numbers from a normal distribution, in the shape of the operand (RandomNormalLike).
inline value random_normal_like(const operand& input, const random_normal_like_attributes& attributes = {}) {
  node_builder n("RandomNormalLike", {input});
  n.set("scale", attributes.scale, 1.0f);
  n.set("dtype", attributes.dtype);
  n.set("mean", attributes.mean, 0.0f);
  n.set("seed", attributes.seed);
  return n.build();
}

/// The attributes of random_uniform.
struct random_uniform_attributes {
  jax2onnx::dtype dtype = jax2onnx::dtype::f32;
  float high = 1.0f;
  float low = 0.0f;
  std::optional<float> seed = std::nullopt;
  required<ints, struct random_uniform_needs_shape> shape;
};
/// Draws random numbers from a uniform distribution (RandomUniform).
inline value random_uniform(graph& g, const random_uniform_attributes& attributes = {}) {
  node_builder n(g, "RandomUniform");
  n.set("dtype", attributes.dtype, jax2onnx::dtype::f32);
  n.set("high", attributes.high, 1.0f);
  n.set("low", attributes.low, 0.0f);
  n.set("seed", attributes.seed);
  n.set("shape", attributes.shape);
  return n.build();
}

/// The attributes of random_uniform_like.
struct random_uniform_like_attributes {
  jax2onnx::dtype dtype = jax2onnx::dtype::undefined;
  float high = 1.0f;
  float low = 0.0f;
  std::optional<float> seed = std::nullopt;
};
/// Draws random numbers from a uniform distribution, in the shape of the operand (RandomUniformLike).
inline value random_uniform_like(const operand& input, const random_uniform_like_attributes& attributes = {}) {
  node_builder n("RandomUniformLike", {input});
  n.set("dtype", attributes.dtype);
  n.set("high", attributes.high, 1.0f);
  n.set("low", attributes.low, 0.0f);
  n.set("seed", attributes.seed);
  return n.build();
}

}  // namespace jax2onnx
