// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/axes.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("axes: lists") {
  CHECK(iota_axes(3) == ints{0, 1, 2});
  CHECK(iota_axes(0) == ints{});
  CHECK(complement(5, ints{1, 3}, ints{0}) == ints{2, 4});
  CHECK(joined_axes(ints{2}, ints{0, 1}, ints{}) == ints{2, 0, 1});
  CHECK(inverse_permutation({2, 0, 1}) == ints{1, 2, 0});
  CHECK(extents_at({5, 6, 7}, {2, 0}) == shape{7, 5});
  CHECK_THROWS_AS(extents_at({5}, {1}), build_error);
  CHECK_THROWS_AS(inverse_permutation({3}), build_error);
}
