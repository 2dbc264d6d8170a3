// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <span>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/folding.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

TEST_CASE("folding: sums of small constants") {
  graph g;
  const value x =
      array(g, dtype::i32, {2, 3}, std::span<const std::int64_t>(std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
  const value sums = rewrite::sum_of_elements(x, {0}, {dtype::i32, {3}});
  CHECK(constant_integers(sums) == ints{5, 7, 9});
  const value large = filled(g, dtype::i32, {5000}, 1);
  CHECK_FALSE(rewrite::sum_of_elements(large, {0}, {dtype::i32, {}}));
}

TEST_CASE("folding: n times a number, where that is exact") {
  graph g;
  CHECK(facts::single_number(rewrite::sum_of_equal(scalar(g, dtype::i8, 100), 3)) == 44);
  CHECK(facts::single_number(rewrite::sum_of_equal(scalar(g, dtype::f32, 3), 4)) == 12);
  CHECK_FALSE(rewrite::sum_of_equal(scalar(g, dtype::f32, 0.5), 4));
  CHECK_FALSE(rewrite::sum_of_equal(scalar(g, dtype::boolean, 1), 4));
}
