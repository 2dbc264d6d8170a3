// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/pooling.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("max_pool: states strides, and what else is not the default") {
  graph g;
  const value x = g.input({dtype::f32, {1, 2, 8}}, "x");
  const value plain = max_pool(x, {{3}, {1}, {1}, {0, 0}}, {1, 2, 6});
  CHECK(producer(plain).attributes.size() == 2);
  CHECK(list(plain, "strides") == ints{1});
  const value y = max_pool(x, {{3}, {2}, {2}, {1, 1}}, {1, 2, 3});
  CHECK(list(y, "strides") == ints{2});
  CHECK(list(y, "dilations") == ints{2});
  CHECK(list(y, "pads") == ints{1, 1});
  CHECK(y.dims() == shape{1, 2, 3});
}

TEST_CASE("average_pool: counts padding; dilations need opset 19") {
  graph old(18), g(19);
  const value x = old.input({dtype::f32, {1, 2, 8}}, "x"), y = g.input({dtype::f32, {1, 2, 8}}, "y");
  const value padded = average_pool(x, {{3}, {1}, {1}, {1, 1}}, {1, 2, 8});
  CHECK(integer(padded, "count_include_pad") == 1);
  CHECK(list(padded, "strides") == ints{1});
  CHECK_FALSE(average_pool_dilates(old));
  CHECK_THROWS_WITH(average_pool(x, {{3}, {1}, {2}, {0, 0}}, {1, 2, 4}), "AveragePool with dilations needs opset 19");
  CHECK(average_pool_dilates(g));
  CHECK(list(average_pool(y, {{3}, {1}, {2}, {0, 0}}, {1, 2, 4}), "dilations") == ints{2});
}
