// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/half_precision.hpp>

using namespace jax2onnx;
using namespace jax2onnx::operators;

TEST_CASE("half precision: products, followers, functions and reductions") {
  CHECK(half_precision_of(node{.op = "MatMul"}) == half_precision::computes);
  CHECK(half_precision_of(node{.op = "Add"}) == half_precision::follows);
  CHECK(half_precision_of(node{.op = "Softmax"}) == half_precision::rounds);
  CHECK(half_precision_of(node{.op = "ReduceSum"}) == half_precision::never);
}

TEST_CASE("half precision: operators of other domains stay in float32") {
  CHECK(half_precision_of(node{.op = "MatMul", .domain = "com.example"}) == half_precision::never);
}
