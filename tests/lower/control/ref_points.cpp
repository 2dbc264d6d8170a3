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

TEST_CASE("elements that an index array selects several times get the sum") {
  graph g;
  const value x = g.input({dtype::f32, {4, 2}}, "x"), rows = g.input({dtype::f32, {5, 2}}, "rows");
  const auto reduction = [&] {
    std::string found;
    for (const node_id n : g.at(block_id::main).nodes)
      if (const attribute* a = g.at(n).find("reduction")) found += std::get<std::string>(a->value);
    return found;
  };
  points(g, {0}, {5}).write(x, rows);
  CHECK(reduction().empty());
  points(g, {0}, {5}).write(x, rows, "add");
  CHECK(reduction() == "add");
}
