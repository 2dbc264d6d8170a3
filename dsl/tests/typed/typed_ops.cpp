// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/typed_ops.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: results with several outputs stand for the first") {
  graph g;
  const auto x = input<float, "B"_d, 8>(g, "x");
  const auto s = input<float, 8>(g, "s");
  const auto w = input<float, 8, 3>(g, "w");
  const auto n = layer_normalization(x, s);
  CHECK((has_type<float, "B"_d, 3>(matmul(n, w))));
  CHECK((has_type<float, "B"_d, 8>(n + x)));
  const tensor<float, "B"_d, 8> y = n;
  CHECK(text(y.erased()) == "f32[B,8]");
}

TEST_CASE("typed verbs: lists that are written in place have a length") {
  graph g;
  const auto x = input<float, "B"_d, 8, 3>(g, "x");
  CHECK((has_type<float, dyn, dyn, dyn>(reduce_sum(x, {1}))));
  CHECK((has_type<float, dyn, dyn, dyn, dyn>(unsqueeze(x, {1}))));
}

TEST_CASE("typed verbs: a result whose rank the compiler cannot know is an erased value") {
  graph g;
  const auto x = input<float, "B"_d, 8, 3>(g, "x");
  STATIC_REQUIRE(std::is_same_v<decltype(reduce_sum(x, {1}, {.keepdims = false})), value>);
  CHECK(text(reduce_sum(x, {1}, {.keepdims = false})) == "f32[B,3]");
}

TEST_CASE("typed verbs: an erased operand makes the call an erased call") {
  graph g;
  const auto x = input<float, "B"_d, 8>(g, "x");
  STATIC_REQUIRE(std::is_same_v<decltype(jax2onnx::add(x, value(x))), value>);
}

TEST_CASE("typed verbs: the graph has what the types say") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const value y = concat<0>(x, transpose<1, 0>(transpose<1, 0>(x)));
  CHECK(text(y) == "f32[2*B,4]");
  CHECK(g.at(g.at(y.id()).producer).op == "Concat");
}
