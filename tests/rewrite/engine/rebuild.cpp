// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/rebuild.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

TEST_CASE("rebuild: nodes are kept, left out or replaced where they stand") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), a = neg(x), b = abs(a), c = exp(b);
  output(c, "y");
  g.at(g.at(b.id()).producer).origin = 7;
  rewrite::rebuild(g, block_id::main, [&](node_id n) {
    if (g.at(n).op == "Neg") return;
    if (g.at(n).op != "Abs") return g.append(n);
    const std::size_t first = g.node_count();
    rewrite::take_place(sqrt(x), b);
    rewrite::give_origin(g, first, n);
  });
  const std::vector<node_id>& nodes = g.at(block_id::main).nodes;
  REQUIRE(nodes.size() == 2);
  CHECK(g.at(nodes[0]).op == "Sqrt");
  CHECK(g.at(nodes[0]).origin == 7);
  CHECK(g.at(nodes[0]).outputs[0] == b.id());
  CHECK(g.at(nodes[1]).inputs[0] == b.id());
}
