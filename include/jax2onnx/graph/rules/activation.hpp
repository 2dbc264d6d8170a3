#pragma once

#include <jax2onnx/graph/records/record.hpp>
#include <jax2onnx/graph/rules/elementwise.hpp>

/// Shape rules of activations.
namespace jax2onnx::rules {

/// The slopes broadcast to x.
constexpr void prelu(inference& c) {
  const infer::result slopes = infer::broadcast_to(c.dims(1), c.dims(0), c.differs);
  if (!slopes.ok()) return c.fail("the slopes do not broadcast to x");
  c.result(0, c.dims(0));
}

/// The shape of the operand, which has the axis.
constexpr void along_axis(inference& c) {
  c.axis(c.integer("axis"), c.rank(0));
  c.result(0, c.dims(0));
}

}  // namespace jax2onnx::rules
