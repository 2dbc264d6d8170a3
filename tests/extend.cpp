// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/extend.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::ops;

TEST_CASE("extend: lowerers of one's own, verbs and lowerings without a text come with one include") {
  const user_lowerers lowerers{{"double", [](const site& s) { return jax_values{jax_value(add(s.in(0), s.in(0)))}; }}};
  CHECK(lowerers.contains("double"));
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  CHECK(text(lower_primitive("tanh", g, {neg(x)})[0]) == "f32[2,3]");
}
