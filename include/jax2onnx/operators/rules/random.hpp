// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of random numbers.
namespace jax2onnx::rules {

/// The dtype in an attribute that has a default; undefined if only the running program knows it.
constexpr dtype stated_type(inference& c) { return c.known("dtype") ? c.type("dtype") : dtype::undefined; }

/// RandomNormal and RandomUniform: shape and dtype are attributes.
constexpr void random(inference& c) {
  if (!c.given("shape")) return c.set(0, unranked(stated_type(c)));
  shape out;
  for (std::int64_t extent : c.integers("shape")) {
    if (!c.expect(extent >= 0, "the extent {} is negative", extent)) return;
    out.push_back(extent);
  }
  c.result(0, stated_type(c), std::move(out));
}

/// RandomNormalLike, RandomUniformLike and Bernoulli: the operand's type, or another dtype.
constexpr void random_like(inference& c) {
  const dtype own = c.known("dtype") ? c.in(0).type : dtype::undefined;
  c.result(0, c.given("dtype") ? c.type("dtype") : own, c.dims(0));
}

/// Multinomial: the result has samples for each row of probabilities.
constexpr void multinomial(inference& c) {
  if (!c.has_rank(0, 2)) return;
  const dim samples = c.number("sample_size");
  c.expect_positive(samples, "the number of samples is {}; it must be positive");
  c.result(0, stated_type(c), {c.dims(0)[0], samples});
}

}  // namespace jax2onnx::rules
