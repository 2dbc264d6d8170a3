// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/ops.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("verbs: what changes nothing returns its operand") {
  model m;
  CHECK(same_value(reshape(m.x, m.x.dims()), m.x));
  CHECK(same_value(transpose(m.x, {0, 1, 2}), m.x));
  CHECK(same_value(cast(m.x, dtype::f32), m.x));
  CHECK(same_value(unsqueeze(m.x, {}), m.x));
  CHECK(same_value(squeeze(m.x, {}), m.x));
  CHECK(same_value(broadcast_to(m.x, {m.B, 4, 6}), m.x));
  CHECK(same_value(slice(m.x, {0, 1}, {0, 0}, {m.B, 4}, {1, 1}), m.x));
  CHECK(same_value(pad(m.x, {0, 0, 0}, {0, 0, 0}, scalar(m.g, dtype::f32, 0)), m.x));
  CHECK(same_value(reverse(m.x, {}), m.x));
  CHECK(same_value(reduce("ReduceSum", m.x, {}), m.x));
  CHECK(same_value(concat({m.x}, 0), m.x));
  CHECK(m.g.node_count() == 0);
}

TEST_CASE("verbs: operands that do not fit are named with their types") {
  model m;
  const value y = m.g.input({dtype::f32, {5}}, "y"), i = m.g.input({dtype::i32, {6}}, "i");
  CHECK_THROWS_WITH(add(m.x, y), "Add(A: f32[B,4,6] 'x', B: f32[5] 'y'): the shapes do not broadcast");
  CHECK_THROWS_WITH(add(m.x, i), "Add(A: f32[B,4,6] 'x', B: i32[6] 'i'): the dtypes differ");
  CHECK_THROWS_WITH(matmul(m.x, m.x), Contains("): the inner dimensions differ"));
  CHECK_THROWS_WITH(transpose(m.x, {0, 1}), Contains("): the permutation needs one entry for each dimension"));
  CHECK_THROWS_WITH(reshape(m.x, {m.B, 23}), Contains("Reshape(data: f32[B,4,6] 'x'): the number of elements differs"));
  CHECK_THROWS_WITH(slice(m.x, 1, 2, 9), Contains("): a bound of axis 1 is out of range"));
  CHECK_THROWS_WITH(slice(m.x, {1, 2}, {1}, {2}, {1}), Contains("): axes, starts, limits and strides differ"));
  CHECK_THROWS_WITH(broadcast_to(m.x, {m.B, 4, 7}), Contains("): only a dimension of 1 can be repeated"));
  CHECK_THROWS_WITH(concat(std::vector<value>(), 0), "Concat needs an operand");
  CHECK_THROWS_WITH(reverse(m.x, {3}), "reverse: the axis 3 is out of range for f32[B,4,6]");
  CHECK_THROWS_WITH(where(m.x, m.x, m.x), Contains("): the condition is not bool"));
}
