// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/sharding.hpp>

using namespace jax2onnx;

TEST_CASE("a graph keeps what is stated, and so does its clone") {
  graph g;
  const value x = g.input({dtype::f32, {4}}, "x"), y = g.emit("Exp", {x}, x.type());
  const node_id n = g.at(y.id()).producer;
  CHECK(g.shardings().empty());
  CHECK(g.device_count() == 0);
  const tensor_sharding halves{{0}, {2}, {0, 1}, 1};
  g.set_shardings({{n, y.id(), halves}}, 2);
  const graph copy = g.clone();
  CHECK(copy.shardings()[0].tensor == y.id());
  CHECK(copy.shardings()[0].sharding == halves);
  CHECK(copy.device_count() == 2);
}
