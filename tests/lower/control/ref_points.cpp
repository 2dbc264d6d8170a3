// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/control/ref_points.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

ref_points points(graph& g, const ints& axes, const shape& batch) {
  ref_points out{axes, {}, batch};
  for (std::size_t i = 0; i < axes.size(); ++i) out.index.push_back(g.input({dtype::i32, batch}, ""));
  return out;
}

}  // namespace

TEST_CASE("the dimensions of index arrays are in the place of adjacent axes, otherwise in front") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3, 4}}, "x");
  CHECK(points(g, {1}, {5, 6}).read(x).dims() == shape{2, 5, 6, 4});
  CHECK(points(g, {1, 2}, {5}).read(x).dims() == shape{2, 5});
  CHECK(points(g, {0, 2}, {5}).read(x).dims() == shape{5, 3});
}

TEST_CASE("elements at index arrays are written, and the array keeps its type") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3, 4}}, "x");
  const value row = g.input({dtype::f32, {5, 3}}, "row");
  CHECK(points(g, {0, 2}, {5}).write(x, row).dims() == x.dims());
  const value column = g.input({dtype::f32, {2, 5, 4}}, "column");
  CHECK(points(g, {1}, {5}).write(x, column).dims() == x.dims());
}
