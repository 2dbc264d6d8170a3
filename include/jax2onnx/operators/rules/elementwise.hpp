// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of elementwise operators.
namespace jax2onnx::rules {

/// A result of the first operand's type.
constexpr void same(inference& c) { c.set(0, c.in(0)); }

/// ONNX's multidirectional broadcasting of all operands.
constexpr void broadcast(inference& c) {
  // Two operands, the usual case, are not copied: for typed handles, this runs while compiling, where copies are slow.
  if (c.arity() == 2) return c.result(0, infer::broadcast(c.dims(0), c.dims(1), c.differs));
  shape dims = c.dims(0);
  for (std::size_t i = 1; i < c.arity(); ++i) {
    infer::result r = infer::broadcast(dims, c.dims(i), c.differs);
    if (!r.ok()) return c.fail(r.problem, r.detail);
    dims = std::move(r.dims);
  }
  c.result(0, std::move(dims));
}

/// Mod: before version 28, remainders of floats have the sign of the dividend.
constexpr void mod(inference& c) {
  if (c.since() < 28 && is_floating(c.in(0).type) && c.known("fmod"))
    c.expect(c.flag("fmod"), "remainders of floats need fmod=1 before opset 28");
  broadcast(c);
}

/// A result of the first operand's shape and another dtype.
constexpr void test(inference& c) { c.result(0, c.dims(0)); }

/// Clip: the operand's type; the bounds are scalars.
constexpr void clip(inference& c) {
  for (std::size_t i = 1; i < c.arity(); ++i)
    if (c.has(i) && c.rank(i) != 0) return c.fail("a bound has {} dimension{|s}; it must be a scalar", c.rank(i));
  c.result(0, c.dims(0));
}

/// Where: the condition and both choices broadcast.
constexpr void where(inference& c) { c.result(0, infer::broadcast(c.dims(0), c.dims(1), c.dims(2), c.differs)); }

}  // namespace jax2onnx::rules
