#include "catch.hpp"

#include <jax2onnx/dsl.hpp>

using namespace jax2onnx;

TEST_CASE("dsl: typed and erased handles in one graph") {
  graph g;
  const auto x = input<float, "batch"_d, 8>(g, "x");
  const value e = relu(value(x));
  const tensor<float, "batch"_d, 8> y(e * 2.0 + 1);
  const auto z = where(y > 0, 1.0 - y, y);
  CHECK(text(z.erased()) == "f32[batch,8]");
}

TEST_CASE("dsl: lists in braces are shapes and axes, not operands") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  const value y = squeeze(unsqueeze(reshape(x, {3, 2}), {0, 3}), {0});
  CHECK(text(y) == "f32[3,2,1]");
  CHECK(reshape(x, {2, 3}) == x);
  CHECK(text(reshape(value(input<float, 1>(g, "one")), {})) == "f32[]");
}
