// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl.hpp>
#include <jax2onnx/dsl/evaluate/evaluate.hpp>
#include <jax2onnx/dsl/evaluate/number_kernels.hpp>

using namespace jax2onnx;

namespace {

/// The result of a verb for [[0, 1, 2], [3, 4, 5]].
template <class Verb>
std::string of(const Verb& verb, dtype t = dtype::f32) {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  return text(
      evaluate(verb(t == dtype::f32 ? x : cast(x, {.to = t})), {{"x", array_of<float>({2, 3}, {0, 1, 2, 3, 4, 5})}}));
}

}  // namespace

TEST_CASE("number_kernels: products") {
  CHECK(of([](const value& x) { return matmul(x, transpose(x)); }) == "f32[2,2] {5, 14, 14, 50}");
  CHECK(of([](const value& x) { return matmul(x, transpose(x)); }, dtype::i32) == "i32[2,2] {5, 14, 14, 50}");
  CHECK(of([](const value& x) {
          return matmul(unsqueeze(x, {0}), reshape(x, {1, 3, 2}));
        }) == "f32[1,2,2] {10, 13, 28, 40}");
  CHECK(of([](const value& x) {
          return matmul(x, array(x.owner(), dtype::f32, {3}, {1.0f, 2.0f, 3.0f}));
        }) == "f32[2] {8, 26}");
  CHECK(of([](const value& x) {
          return gemm(x, x, array(x.owner(), dtype::f32, {2}, {1.0f, 2.0f}), {.alpha = 2, .transB = true});
        }) == "f32[2,2] {11, 30, 29, 102}");
}

TEST_CASE("number_kernels: reductions") {
  CHECK(of([](const value& x) { return reduce_sum(x); }) == "f32[1,1] {15}");
  CHECK(of([](const value& x) { return reduce_sum(x, {0}, {.keepdims = false}); }) == "f32[3] {3, 5, 7}");
  CHECK(of([](const value& x) { return reduce_mean(x, {1}); }) == "f32[2,1] {1, 4}");
  CHECK(of([](const value& x) { return reduce_max(x, {-1}, {.keepdims = false}); }) == "f32[2] {2, 5}");
  CHECK(of([](const value& x) { return reduce_prod(x + 1, {1}, {.keepdims = false}); }) == "f32[2] {6, 120}");
  CHECK(of([](const value& x) { return reduce_l2(x, {1}, {.keepdims = false}); }).starts_with("f32[2] {2.236"));
  CHECK(of([](const value& x) { return argmax(x, {.axis = 1, .keepdims = false}); }) == "i64[2] {2, 2}");
  CHECK(of([](const value& x) { return cumsum(x, 1); }) == "f32[2,3] {0, 1, 3, 3, 7, 12}");
  CHECK(of([](const value& x) { return cumsum(x, 1, {.exclusive = true, .reverse = true}); }) ==
        "f32[2,3] {3, 2, 0, 9, 5, 0}");
}

TEST_CASE("number_kernels: rows") {
  CHECK(of([](const value& x) { return softmax(x * 0.0f); }).starts_with("f32[2,3] {0.3333333"));
  CHECK(of([](const value& x) {
          return layer_normalization(x, expand(scalar(x.owner(), dtype::f32, 2.0), {3}), {}, {.epsilon = 0}).y;
        }).starts_with("f32[2,3] {-2.449"));
  graph g;
  const value r = range(scalar(g, dtype::i64, 5), scalar(g, dtype::i64, 0), scalar(g, dtype::i64, -2));
  CHECK(text(evaluate(r)) == "i64[3] {5, 3, 1}");
}
