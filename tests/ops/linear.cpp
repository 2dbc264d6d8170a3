// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/linear.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("dense: Gemm of a matrix, MatMul and Add of more dimensions") {
  graph g;
  const value w = g.input({dtype::f32, {4, 5}}, "w"), b = g.input({dtype::f32, {5}}, "b");
  CHECK(op_of(dense(g.input({dtype::f32, {2, 4}}, "x"), w, b)) == "Gemm");
  CHECK(op_of(dense(g.input({dtype::f32, {3, 2, 4}}, "y"), w, b)) == "Add");
}

TEST_CASE("matmul: sums of no terms are zeros") {
  graph g;
  const value y = matmul(g.input({dtype::f32, {2, 0}}, "a"), g.input({dtype::f32, {0, 3}}, "b"));
  CHECK(uniform_number(y) == 0);
  CHECK(y.dims() == shape{2, 3});
}

TEST_CASE("matmul: an empty product is a constant") {
  graph g;
  const value y = matmul(g.input({dtype::f32, {0, 4}}, "a"), g.input({dtype::f32, {4}}, "b"));
  CHECK(y.is_constant());
  CHECK(y.dims() == shape{0});
}

TEST_CASE("dft: the axis is an input from opset 20 on") {
  const auto build = [](int opset) {
    graph g(opset);
    const value y = dft(g.input({dtype::f32, {3, 9, 1}}, "x"), 1, true);
    CHECK(y.dims() == shape{3, 5, 2});
    CHECK(integer(y, "onesided") == 1);
    return producer(y).find("axis") != nullptr;
  };
  CHECK(build(19));
  CHECK_FALSE(build(20));
}
