#include "catch.hpp"

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/graph/sharding.hpp>

using namespace jax2onnx;

TEST_CASE("a node keeps what is stated first of a tensor") {
  graph g;
  const value x = g.input({dtype::f32, {4}}, "x"), y = g.emit("Exp", {x}, x.type());
  const node_id n = g.at(y.id()).producer;
  CHECK(g.shardings(n) == nullptr);
  CHECK(g.device_count() == 0);
  const tensor_sharding halves{{{0, 2}}, {{0}, {1}}};
  g.set_sharding(n, y.id(), halves);
  g.set_sharding(n, y.id(), {{}, {{0, 1}}});
  g.set_device_count(2);
  CHECK(g.shardings(n)->at(y.id()) == halves);
  CHECK(g.clone().shardings(n)->at(y.id()) == halves);
  CHECK(g.clone().device_count() == 2);
}
