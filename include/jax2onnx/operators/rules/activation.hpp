// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/elementwise.hpp>

/// Shape rules of activations.
namespace jax2onnx::rules {

/// Gelu, exact or approximate.
constexpr void gelu(inference& c) {
  c.expect_choice("approximate", {"none", "tanh"}, "approximate must be none or tanh");
  c.set(0, c.in(0));
}

/// PRelu: the slopes broadcast to x.
constexpr void prelu(inference& c) {
  const infer::result slopes = infer::broadcast_to(c.dims(1), c.dims(0), c.differs);
  if (!slopes.ok()) return c.fail("the slopes do not broadcast to x");
  c.result(0, c.dims(0));
}

/// SwiGLU: gate and values have the same shape and do not broadcast.
constexpr void gated(inference& c) {
  if (!c.expect(c.rank(0) == c.rank(1), "the gate has {} dimension{|s}, the values {}", c.rank(0), c.rank(1))) return;
  shape dims;
  for (std::size_t i = 0; i < c.dims(0).size(); ++i) {
    const dim gate = c.dims(0)[i], values = c.dims(1)[i];
    c.expect_equal(gate, values, "the gate has an extent of {} where the values have {}");
    dims.push_back(inference::either(gate, values));
  }
  c.result(0, std::move(dims));
}

/// A result of the operand's shape. Fails if the operand lacks the axis in the attribute.
constexpr void along_axis(inference& c) {
  c.axis(c.integer("axis"), c.rank(0));
  c.result(0, c.dims(0));
}

}  // namespace jax2onnx::rules
