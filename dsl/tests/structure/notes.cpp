// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/structure/notes.hpp>
#include <jax2onnx/ops/verbs/elementwise.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("notes: names and texts of nodes") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const value y = describe(name_node(neg(x), "block/neg"), "turns the sign");
  const node_note* note = g.note(g.at(y.id()).producer);
  REQUIRE(note);
  CHECK(note->name == "block/neg");
  CHECK(note->doc == "turns the sign");
  CHECK_THROWS_WITH(name_node(x, "x"), Contains("name_node: no node makes f32[2]"));
}
