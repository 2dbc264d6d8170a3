// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "emit/graphs.hpp"

#include <jax2onnx/emit/plan.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using namespace test_graphs;
using Catch::Matchers::Contains;

TEST_CASE("plan: names are unique in all blocks, and outputs get the ones they were given") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const value c = g.input({dtype::boolean, {}}, "c");
  const value w = floats(g, {1, 2}, "x");
  const value y = add(g, x, w), z = add(g, y, y);
  g.at(y.id()).name = "z";
  block_id body;
  {
    const block_scope scope(g);
    body = scope.id();
    const value inner = add(g, y, y);
    g.at(inner.id()).name = "x";
    outputs(g, body, {inner});
  }
  const value r = g.emit("If", {c}, x.type(), {{"then_branch", body}});
  g.at(z.id()).name = "z";
  outputs(g, {z, r});
  const emission_plan plan(g, "g");
  CHECK(plan.name(x.id()) == "x");
  CHECK(plan.name(w.id()) == "x_1");
  CHECK(plan.name(z.id()) == "z");
  CHECK(plan.name(y.id()) == "z_1");
  CHECK(plan.name(r.id()) == "output_0");
  CHECK(plan.outputs(body)[0].name == "x_2");
  CHECK(plan.name(body) == "output_0_then_branch");
}

TEST_CASE("plan: unnamed values are named after their operators") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "");
  const value w = floats(g, {1, 2});
  const value a = add(g, x, w), b = add(g, a, w);
  const tensor_type halves[] = {{dtype::f32, {1}}, {dtype::f32, {1}}};
  const value in[] = {b};
  const auto split = g.emit_many("Split", in, halves);
  outputs(g, {add(g, split[0], split[1])});
  const emission_plan plan(g, "");
  CHECK(plan.name(x.id()) == "input_0");
  CHECK(plan.name(w.id()) == "const_0");
  CHECK(plan.name(a.id()) == "add_0");
  CHECK(plan.name(b.id()) == "add_1");
  CHECK(plan.name(split[0].id()) == "split_0");
  CHECK(plan.name(split[1].id()) == "split_0_1");
  CHECK(plan.name(block_id::main) == "main_graph");
}

TEST_CASE("plan: constants that nothing uses are left out") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const value used = floats(g, {1, 2}, "used");
  floats(g, {3, 4}, "unused");
  outputs(g, {add(g, x, used)});
  CHECK(emission_plan(g, "g").initializers() == std::vector<value_id>{used.id()});
}

TEST_CASE("plan: an output that no node of its block makes, or that is made once for two, is copied") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const value w = floats(g, {1, 2}, "w");
  const value y = add(g, x, w);
  g.at(y.id()).name = "y";
  outputs(g, {x, w, y, y});
  const emission_plan plan(g, "g");
  const auto out = plan.outputs(block_id::main);
  CHECK(out[0].copied);
  CHECK(out[0].name == "x_1");
  CHECK(out[1].copied);
  CHECK(out[1].name == "w_1");
  CHECK_FALSE(out[2].copied);
  CHECK(out[2].name == "y");
  CHECK(out[3].copied);
  CHECK(out[3].name == "y_1");
}

TEST_CASE("plan: a graph that is not in SSA form is an internal error") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  block_id body;
  value inner;
  {
    const block_scope scope(g);
    body = scope.id();
    inner = add(g, x, x);
    outputs(g, body, {inner});
  }
  SECTION("a value of an inner block is used outside") {
    g.emit("If", {x}, x.type(), {{"then_branch", body}});
    const node_id use =
        g.add_node({.op = "Neg", .inputs = {inner.id()}, .outputs = {g.add_value(x.type(), block_id::main)}});
    g.append(use);
    CHECK_THROWS_WITH(emission_plan(g, "g"), Contains("Neg uses the value ''"));
  }
  SECTION("two nodes own a block") {
    outputs(g, {g.emit("If", {x}, x.type(), {{"then_branch", body}, {"else_branch", body}})});
    CHECK_THROWS_WITH(emission_plan(g, "g"), Contains("own the same subgraph"));
  }
  SECTION("a node comes before what it uses") {
    const value y = add(g, x, x), z = add(g, y, y);
    outputs(g, {z});
    std::swap(g.at(block_id::main).nodes[0], g.at(block_id::main).nodes[1]);
    CHECK_THROWS_WITH(emission_plan(g, "g"), Contains("where it is not defined; optimize() may have removed it"));
  }
}

TEST_CASE("plan: nesting over the limit is refused") {
  graph g;
  const value x = g.input({dtype::f32, {}}, "x");
  block_id inner = block_id::none;
  for (int i = 0; i < 1002; ++i) {
    const block_scope scope(g);
    outputs(g, scope.id(),
            {inner == block_id::none ? add(g, x, x) : g.emit("If", {x}, x.type(), {{"then_branch", inner}})});
    inner = scope.id();
  }
  outputs(g, {g.emit("If", {x}, x.type(), {{"then_branch", inner}})});
  CHECK_THROWS_AS(emission_plan(g, "g"), limit_error);
}

TEST_CASE("plan: no more subgraphs inside each other than a reader of protobuf follows") {
  const auto nested = [](int depth) {
    graph g;
    const value c = g.input({dtype::boolean, {}}, "c");
    const auto level = [&](const auto& self, int left) -> value {
      if (left == 0) return g.emit("Not", {c}, c.type());
      const auto branch = [&](int rest) {
        const block_scope scope(g);
        outputs(g, scope.id(), {self(self, rest)});
        return scope.id();
      };
      const block_id then = branch(left - 1), otherwise = branch(0);
      return g.emit("If", {c}, c.type(), {{"then_branch", then}, {"else_branch", otherwise}});
    };
    outputs(g, {level(level, depth)});
    return written(g).graph().node_size();
  };
  CHECK(nested(31) == 1);
  CHECK_THROWS_WITH(nested(32), Contains("nested more than 31 deep"));
}
