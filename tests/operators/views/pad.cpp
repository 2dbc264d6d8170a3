// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/views/pad.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::operators;

TEST_CASE("pad_of: all axes, or those that are named") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x"), fill = scalar(g, dtype::f32, 7.0);
  const auto all = pad_of(g.emit("Pad", {x, int64s(g, {1, 2, 3, -1}), fill}, {dtype::f32, {6, 4}}));
  REQUIRE(all);
  CHECK(all->front == ints{1, 2});
  CHECK(all->behind == ints{3, -1});
  CHECK(all->mode == "constant");
  CHECK(same_value(all->fill, fill));
  const auto some = pad_of(g.emit("Pad", {x, int64s(g, {1, 2}), value(), int64s(g, {-1})}, {dtype::f32, {2, 6}},
                                  {{"mode", std::string("edge")}}));
  REQUIRE(some);
  CHECK(some->front == ints{0, 1});
  CHECK(some->behind == ints{0, 2});
  CHECK(some->mode == "edge");
  CHECK_FALSE(some->fill);
}

TEST_CASE("pad_of: nullopt if the numbers are not constant, or for another operator") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), n = g.input({dtype::i64, {2}}, "n");
  CHECK_FALSE(pad_of(g.emit("Pad", {x, n}, {dtype::f32, {g.dims().parse("N")}})));
  CHECK_FALSE(pad_of(x));
  CHECK_FALSE(pad_of(exp(x)));
}
