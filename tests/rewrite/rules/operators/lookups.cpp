// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <limits>
#include <vector>

#include <jax2onnx/rewrite/rules/operators/lookups.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// 1 where the index of the last axis equals the number in the column.
value one_hot(const value& column, std::int64_t classes, dtype t = dtype::f32, std::int64_t first = 0) {
  ints numbers;
  for (std::int64_t i = 0; i < classes; ++i) numbers.push_back(first + i);
  graph& g = column.owner();
  return cast(equal(column, array(g, column.dtype(), {classes}, std::span<const std::int64_t>(numbers))), t);
}

value weights_with(graph& g, double number) {
  std::vector<double> numbers(200 * 2, 0.5);
  numbers[77] = number;
  return array(g, dtype::f32, {200, 2}, std::span<const double>(numbers));
}

}  // namespace

TEST_CASE("one-hot-product: rows of weights") {
  model m, n, o, p;
  CHECK(after(matmul(one_hot(m.in({m.B, 3, 1}, dtype::i32), 200), m.weight({200, 4})), "one-hot-product") ==
        "Reshape Clip Gather Equal Unsqueeze Where");
  const value range =
      n.g.emit("Range", {scalar(n.g, dtype::i32, 0), scalar(n.g, dtype::i32, 200), scalar(n.g, dtype::i32, 1)},
               {dtype::i32, {200}});
  CHECK(after(matmul(cast(equal(range, n.in({3, 1}, dtype::i32)), dtype::f32), n.weight({200, 4})),
              "one-hot-product") == "Reshape Clip Gather Equal Unsqueeze Where");
  const value low = scalar(o.g, dtype::i32, 0), high = scalar(o.g, dtype::i32, 99);
  CHECK(after(matmul(one_hot(clip(o.in({3, 1}, dtype::i32), low, high), 200), o.weight({200, 4})), "one-hot-product") ==
        "Clip Reshape Gather");
  CHECK(after(matmul(one_hot(p.in({3, 1}, dtype::i32), 200, dtype::f32, 1), p.weight({200, 4})), "one-hot-product") ==
        "Equal Cast MatMul");
}

TEST_CASE("one-hot-product: a row") {
  model m, n;
  const value row = reshape(one_hot(m.in({1}, dtype::i32), 200), {1, 200});
  CHECK(after(matmul(row, m.weight({200, 4})), "one-hot-product") == "Clip Gather Equal Unsqueeze Where");
  const value turned = reshape(one_hot(n.in({1}, dtype::i32), 200), {200, 1});
  CHECK(after(matmul(turned, n.weight({1, 4})), "one-hot-product") == "Equal Cast Reshape MatMul");
}

TEST_CASE("one-hot-product: matrices of finite numbers") {
  model m, n, o;
  CHECK(after_if_finite(matmul(one_hot(m.in({3, 1}, dtype::i32), 200), m.in({200, 4})), "one-hot-product") ==
        "Reshape Clip Gather Add Equal Unsqueeze Where");
  CHECK(after_if_finite(matmul(one_hot(n.in({3, 1}, dtype::i32), 200), weights_with(n.g, -0.0)), "one-hot-product") ==
        "Reshape Clip Gather Add Equal Unsqueeze Where");
  CHECK(after_if_finite(matmul(one_hot(o.in({3, 1}, dtype::i32), 200), o.weight({200, 4})), "one-hot-product") ==
        "Reshape Clip Gather Equal Unsqueeze Where");
}

TEST_CASE("one-hot-product: what stays") {
  model h;
  CHECK(after(matmul(one_hot(h.in({3, 1}, dtype::i32), 200, dtype::f16), h.weight({200, 4}, dtype::f16)),
              "one-hot-product") == "the matrix is not float32 or float64");
  model m, n, o, p, q;
  CHECK(after(matmul(one_hot(m.in({3, 1}, dtype::u8), 200), m.weight({200, 4})), "one-hot-product") ==
        "the index is not int32 or int64");
  CHECK(after(matmul(one_hot(n.in({3, 1}, dtype::i32), 200), n.in({200, 4})), "one-hot-product") ==
        "the matrix is not constant and may not be finite (assume_finite permits the rule)");
  CHECK(after(matmul(one_hot(o.in({3, 1}, dtype::i32), 20), o.weight({20, 4})), "one-hot-product") ==
        "with few classes, the product is as fast as a Gather");
  CHECK(after(matmul(one_hot(p.in({3, 1}, dtype::i32), 200), weights_with(p.g, -0.0)), "one-hot-product") ==
        "a weight is infinite, NaN or -0 (assume_finite permits the rule)");
  const value infinite = weights_with(q.g, std::numeric_limits<double>::infinity());
  CHECK(after(matmul(one_hot(q.in({3, 1}, dtype::i32), 200), infinite), "one-hot-product") ==
        "a weight is infinite, NaN or -0 (assume_finite permits the rule)");
}
