// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The constant operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of constant_of_shape.
struct constant_of_shape_attributes {
  std::optional<tensor_constant> value = std::nullopt;
};
/// Fills a tensor of the given shape with a number (ConstantOfShape).
inline value constant_of_shape(const operand& input, const constant_of_shape_attributes& attributes = {}) {
  node_builder n("ConstantOfShape", {input});
  n.set("value", attributes.value);
  return n.build();
}

/// The attributes of eye_like.
struct eye_like_attributes {
  jax2onnx::dtype dtype = jax2onnx::dtype::undefined;
  std::int64_t k = 0;
};
/// Returns a matrix with ones on a diagonal and zeros elsewhere, in the shape of the operand (EyeLike).
inline value eye_like(const operand& input, const eye_like_attributes& attributes = {}) {
  node_builder n("EyeLike", {input});
  n.set("dtype", attributes.dtype);
  n.set("k", attributes.k, 0);
  return n.build();
}

/// The attributes of range.
struct range_attributes {
  jax2onnx::dtype stash_type = jax2onnx::dtype::f32;
};
/// Returns the numbers from start up to limit, without it, in steps of delta (Range).
inline value range(const operand& start, const operand& limit, const operand& delta,
                   const range_attributes& attributes = {}) {
  node_builder n("Range", {start, limit, delta});
  n.set("stash_type", attributes.stash_type, jax2onnx::dtype::f32);
  return n.build();
}

}  // namespace jax2onnx
