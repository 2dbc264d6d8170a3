// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/views/gemm.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::operators;

TEST_CASE("gemm_of: flags and factors, given or not") {
  graph g;
  const value a = g.input({dtype::f32, {2, 3}}, "a"), b = g.input({dtype::f32, {3, 4}}, "b");
  const auto plain = gemm_of(g.emit("Gemm", {a, b}, {dtype::f32, {2, 4}}));
  REQUIRE(plain);
  CHECK(plain->is_unscaled());
  CHECK_FALSE((plain->transposes_a || plain->transposes_b || plain->c));
  const auto other = gemm_of(g.emit("Gemm", {b, a, b}, {dtype::f32, {4, 2}},
                                    {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}, {"beta", 0.5f}}));
  REQUIRE(other);
  CHECK((other->transposes_a && other->transposes_b && same_value(other->c, b)));
  CHECK_FALSE(other->is_unscaled());
  CHECK_FALSE(gemm_of(a));
  CHECK_FALSE(gemm_of(matmul(a, b)));
}
