// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/evaluate/call.hpp>

using namespace jax2onnx;

TEST_CASE("call: attributes have the defaults of the operator's record") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  const value y = g.emit("LeakyRelu", {x}, x.type());
  const ndarray a = array_of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const evaluation::call c{g, g.at(y.record().producer), {&a}};
  CHECK(c.real("alpha") == static_cast<double>(0.01f));
  CHECK_THROWS_WITH(c.from_front(2, 2), "evaluate: LeakyRelu: the axis 2 is out of range for 2 dimensions");
}

TEST_CASE("call: indices into arrays that are broadcast") {
  const ndarray a = array_of<float>({3}, {1, 2, 3});
  CHECK(evaluation::index_of(a, {1, 2}) == 2);
  const ndarray rows = evaluation::picked(a, {2, 3}, [&](const ints& place) { return evaluation::index_of(a, place); });
  CHECK(text(rows) == "f32[2,3] {1, 2, 3, 1, 2, 3}");
  CHECK_THROWS_AS(evaluation::count_of({1 << 20, 1 << 20}), build_error);
}
