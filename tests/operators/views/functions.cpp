// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <vector>

#include <jax2onnx/operators/views/functions.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::operators;
using namespace jax2onnx::ops;

TEST_CASE("functions: nodes that give the same for the same operands, and those that can fail") {
  graph g;
  const auto made_by = [&](const value& v) -> const node& { return g.at(v.record().producer); };
  const value x = g.input({dtype::f32, {2}}, "x"), i = g.input({dtype::i32, {2}}, "i");
  const value c = g.input({dtype::boolean, {}}, "c");
  CHECK(is_function(g, made_by(neg(x))));
  CHECK_FALSE(is_function(g, made_by(g.emit("RandomUniformLike", {x}, x.type()))));
  const auto branch = [&] { return std::vector{neg(x)}; };
  CHECK_FALSE(is_function(g, made_by(if_(c, branch, branch, {x.type()})[0])));
  CHECK_FALSE(can_fail(g, made_by(neg(x))));
  CHECK_FALSE(can_fail(g, made_by(div(x, x))));
  CHECK(can_fail(g, made_by(div(i, i))));
  CHECK(can_fail(g, made_by(gather(x, i, 0))));
}
