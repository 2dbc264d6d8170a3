// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/reshapes.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("reshapes: one symbolic extent is known from the others") {
  model m;
  const dim C = m.g.dims().symbol("C");
  const value x = m.in({m.B, 6, C});
  CHECK(is_static_reshape(x, {m.B, 2, 3, C}));
  CHECK(is_static_reshape(x, {2, 3, m.g.dims().mul(m.B, C)}));
  CHECK_FALSE(is_static_reshape(x, {6, C, m.B}));
  CHECK_FALSE(is_static_reshape(x, {0, 6, C}));
}

TEST_CASE("reshapes: extents of 1") {
  CHECK(adds_leading_ones({2, 3}, {1, 1, 2, 3}));
  CHECK_FALSE(adds_leading_ones({2, 3}, {2, 1, 3}));
  CHECK_FALSE(adds_leading_ones({1, 2, 3}, {2, 3}));
  CHECK(moves_only_ones({2, 1, 3}, {1, 2, 3, 1}));
  CHECK(moves_only_ones({1}, {}));
  CHECK_FALSE(moves_only_ones({2, 3}, {3, 2}));
  CHECK_FALSE(moves_only_ones({2, 3}, {2, 3, 4}));
  CHECK(without_ones({1, 2, 1, 3}) == shape{2, 3});
}

TEST_CASE("reshapes: where an axis was before extents of 1 moved") {
  CHECK(axis_before_ones({2, 1, 3}, {1, 2, 3}, 1) == 0);
  CHECK(axis_before_ones({2, 1, 3}, {1, 2, 3}, 2) == 2);
  CHECK(axis_before_ones({2, 1, 3}, {1, 2, 3}, 0) == -1);
}

TEST_CASE("reshapes: the last axes that stay") {
  model m;
  const value v = reshape(m.in({2, 3, 4, 5}), {6, 4, 5});
  CHECK(keeps_last(v, 2));
  CHECK_FALSE(keeps_last(v, 3));
  CHECK_FALSE(keeps_last(m.in({2}), 1));
}
