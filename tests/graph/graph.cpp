// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <utility>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using Catch::Matchers::Contains;

namespace {

bytes floats(std::size_t count, char fill = 0) { return bytes(std::string(4 * count, fill)); }

/// A graph and handles to its contents, as returned by a function that builds a part of a model.
struct built {
  graph g;
  value x, y;
};

built build() {
  graph g(21);
  const dim batch = g.dims().symbol("B");
  const value x = g.input({dtype::f32, {batch, 3}}, "x");
  const value y = g.emit("Neg", {x}, x.type());
  return {std::move(g), x, y};
}

}  // namespace

TEST_CASE("graph: handles survive that it is moved and returned") {
  built b = build();
  CHECK(&b.y.owner() == &b.g);
  CHECK(b.g.opset() == 21);
  CHECK(text(b.y) == "f32[B,3]");
  const value z = b.y.owner().emit("Abs", {b.y}, b.y.type());
  CHECK(b.g.at(block_id::main).nodes.size() == 2);
  CHECK(b.g.at(b.g.at(z.id()).producer).inputs == std::vector{b.y.id()});

  graph elsewhere = std::move(b.g);
  CHECK(&z.owner() == &elsewhere);
  CHECK(same_value(b.x, value(elsewhere, b.x.id())));
  graph assigned;
  const value lost = assigned.input({dtype::f32, {}}, "lost");
  assigned = std::move(elsewhere);
  CHECK(&z.owner() == &assigned);
  CHECK(assigned.dims().text(b.x.dims()) == "[B,3]");
  static_cast<void>(lost);
}

TEST_CASE("graph: open scopes survive that it is moved") {
  graph first, second;  // declared first, so that they outlive the scopes
  const block_scope scope(first);
  second = std::move(first);
  CHECK(second.current() == scope.id());
  {
    graph third;
    const insertion_scope main(second, block_id::main);
    third = std::move(second);
    CHECK(third.current() == block_id::main);
    second = std::move(third);
  }
  CHECK(second.current() == scope.id());
}

TEST_CASE("graph: nothing is built in a graph that was moved from") {
  graph g;
  const graph h = std::move(g);
  const char* const why = "the graph was moved from: use the one that it was moved to";
  CHECK_THROWS_WITH(g.input({dtype::f32, {2}}, "x"), why);  // NOLINT(bugprone-use-after-move)
  CHECK_THROWS_WITH(g.dims(), why);                         // NOLINT(bugprone-use-after-move)
  CHECK_THROWS_WITH(scalar(g, dtype::f32, 1), why);         // NOLINT(bugprone-use-after-move)
}

TEST_CASE("graph: a clone is apart from its original") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  graph twin = g.clone();
  output(unary("Relu", x), "y");
  CHECK(g.node_count() == 1);
  CHECK(twin.node_count() == 0);
  CHECK(twin.at(block_id::main).inputs.size() == 1);
}

TEST_CASE("graph: whether all types are known, within a scope") {
  graph g;
  g.input({dtype::f32, {2, g.dims().symbol("n")}}, "x");
  CHECK_FALSE(g.knows_types());
  {
    const known_types_scope scope(g);
    CHECK(g.knows_types());
    CHECK_FALSE(g.clone().knows_types());
    g.add_value({dtype::i64, {}}, block_id::main);
    CHECK(g.knows_types());
    g.add_value({dtype::f32, {dim::dyn()}}, block_id::main);
    CHECK_FALSE(g.knows_types());
    g.add_value({dtype::i64, {}}, block_id::main);
    CHECK_FALSE(g.knows_types());
  }
  const known_types_scope scope(g);
  CHECK_FALSE(g.knows_types());
}

TEST_CASE("graph: outputs and extents that cannot be are refused") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  CHECK_THROWS_WITH(output(unary("Relu", x), "x"), "another input or output of the model has the name 'x'");
  output(unary("Relu", x), "y");
  CHECK_THROWS_WITH(output(unary("Abs", x), "y"), Contains("the name 'y'"));
  CHECK_THROWS_WITH(g.input({dtype::f32, {-1, 4}}, "z"),
                    "the input 'z' has the negative extent -1: for an extent that is not known, use a symbol such as "
                    "g.dims().symbol(\"n\")");
}

TEST_CASE("graph: the interface of a model is stated outside of bodies, each name once") {
  graph g;
  const value x = g.input({dtype::f32, {}}, "x");
  CHECK_THROWS_WITH(g.input({dtype::f32, {}}, "x"), Contains("another input or output of the model has the name 'x'"));
  value inner;
  {
    const block_scope body(g);
    inner = g.emit("Neg", {x}, x.type());
    CHECK_THROWS_WITH(output(x, "y"), Contains("the output 'y' is declared in a body; declare it after the body"));
  }
  CHECK_THROWS_WITH(output(inner, "y"), Contains("belongs to another body"));
  output(x, "y");
}

TEST_CASE("graph: values of two graphs differ, also where their ids are the same") {
  graph a, b;
  CHECK_FALSE(same_value(a.input({dtype::f32, {}}, "x"), b.input({dtype::f32, {}}, "x")));
}

TEST_CASE("graph: an absent value has no graph, and a tensor no axis beyond its rank") {
  CHECK_FALSE(value());
  CHECK(text(value()) == "(absent)");
  CHECK_THROWS_WITH(value().owner(), Contains("absent"));
  CHECK_THROWS_AS(value().dims(), build_error);
  CHECK_THROWS_WITH(output(value(), "y"),
                    Contains("the output 'y' is absent: its operator computes it only if an attribute requests it"));
  graph g;
  const value x = g.input({dtype::f32, {2, 8}}, "x");
  CHECK_THROWS_WITH(x.extent(4), "extent: f32[2,8] has no axis 4; its rank is 2");
  CHECK_THROWS_WITH(x.extent(-1), Contains("no axis -1"));
}

TEST_CASE("graph: equal small constants are one value") {
  graph g;
  const value a = g.constant({dtype::f32, {2}}, floats(2));
  CHECK(same_value(g.constant({dtype::f32, {2}}, floats(2)), a));
  CHECK_FALSE(same_value(g.constant({dtype::f32, {2}}, floats(2, 1)), a));
  CHECK_FALSE(same_value(g.constant({dtype::i32, {2}}, floats(2)), a));
  CHECK_FALSE(same_value(g.constant({dtype::f32, {2, 1}}, floats(2)), a));
  CHECK_FALSE(same_value(g.constant({dtype::f32, {2}}, floats(2), "w"), a));
  CHECK(same_value(g.constant({dtype::f32, {1024}}, floats(1024)), g.constant({dtype::f32, {1024}}, floats(1024))));
  CHECK_FALSE(
      same_value(g.constant({dtype::f32, {1025}}, floats(1025)), g.constant({dtype::f32, {1025}}, floats(1025))));
  CHECK(a.is_constant());
  CHECK(a.data().size() == 8);
}

TEST_CASE("graph: a constant has as many bytes as its shape says") {
  graph g;
  CHECK_THROWS_WITH(g.constant({dtype::f32, {2}}, floats(3)),
                    Contains("a constant of type f32[2] has 3 numbers (12 bytes); it needs 2 (8)"));
  CHECK_THROWS_WITH(g.constant({dtype::f32, {g.dims().symbol("B")}}, floats(1)), Contains("static shape"));
  CHECK_THROWS_AS(g.constant({dtype::f32, {-1}}, floats(1)), build_error);
  CHECK_THROWS_AS(g.constant({dtype::f32, {dim::limit - 1, dim::limit - 1}}, floats(1)), build_error);
  CHECK(g.constant({dtype::i4, {3}}, bytes(std::string(2, 0))).is_constant());
}

TEST_CASE("graph: references to values outlive the values after them") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  const shape& dims = x.dims();
  for (int i = 0; i < 1000; ++i) g.emit("Neg", {x}, x.type());
  CHECK(&dims == &x.dims());
  CHECK(dims == shape{2, 3});
}

TEST_CASE("graph: nodes go to the current block, and blocks know their parents") {
  graph g;
  const value x = g.input({dtype::f32, {}}, "x");
  block_id inner;
  {
    const block_scope scope(g);
    inner = scope.id();
    g.emit("Neg", {x}, x.type());
    const insertion_scope outside(g, block_id::main);
    g.emit("Abs", {x}, x.type());
  }
  CHECK(g.at(inner).parent == block_id::main);
  REQUIRE(g.at(inner).nodes.size() == 1);
  CHECK(g.at(g.at(inner).nodes[0]).op == "Neg");
  REQUIRE(g.at(block_id::main).nodes.size() == 1);
  CHECK(g.at(g.at(block_id::main).nodes[0]).op == "Abs");
}

TEST_CASE("graph: emit_many has an output for every type") {
  graph g;
  const value x = g.input({dtype::f32, {4}}, "x");
  const std::vector<tensor_type> types{{dtype::f32, {2}}, {dtype::i64, {2}}};
  const std::vector<value> y = g.emit_many("TopK", std::vector{x, value()}, types, {{"axis", std::int64_t{0}}});
  REQUIRE(y.size() == 2);
  CHECK(y[1].type() == types[1]);
  const node& n = g.at(g.at(y[0].id()).producer);
  CHECK(n.outputs == std::vector{y[0].id(), y[1].id()});
  CHECK(n.inputs == std::vector{x.id(), value_id::none});
  CHECK(n.find("axis"));
  CHECK_FALSE(n.find("largest"));
}

TEST_CASE("graph: knows from which axes symbolic extents can be read") {
  graph g;
  dim_table& dims = g.dims();
  const dim a = dims.symbol("A"), b = dims.symbol("B");
  const dim wide = dims.add(dims.mul(a, 2), 1), area = dims.mul(a, b);
  const value x = g.input({dtype::f32, {3, wide, area}}, "x");
  const value y = g.input({dtype::f32, {a, wide}}, "y");
  REQUIRE(g.axis_with_dim(wide));
  CHECK(g.axis_with_dim(wide)->source == x.id());
  CHECK(g.axis_with_dim(wide)->axis == 1);
  CHECK(g.axis_with_dim(a)->source == y.id());
  CHECK(g.axis_with_dim(area)->axis == 2);
  CHECK_FALSE(g.axis_with_dim(b));
  const std::uint32_t first = dims.terms(a)[0].key[0].atom, second = dims.terms(b)[0].key[0].atom;
  REQUIRE(g.equation_of(first));
  CHECK(g.equation_of(first)->extent == wide);  // the first one that determines it
  REQUIRE(g.equation_of(second));
  CHECK(g.equation_of(second)->extent == area);
  CHECK(g.equation_of(second)->factor == a);
  const block_scope inner(g);
  g.input({dtype::f32, {b}}, "z");
  CHECK_FALSE(g.axis_with_dim(b));
}

TEST_CASE("graph: nodes bear the origin that was set before them") {
  graph g;
  const value x = g.input({dtype::f32, {}}, "x");
  g.emit("Neg", {x}, x.type());
  g.set_origin({3, 5, "net.py:1"});
  const value y = g.emit("Abs", {x}, x.type());
  CHECK(g.at(node_id{0}).origin == 0);
  CHECK(g.origins()[g.at(g.at(y.id()).producer).origin].annotation == "net.py:1");
}

TEST_CASE("graph: ids that are not of the graph are refused") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  CHECK_THROWS_WITH(g.emit("Neg", {value(g, value_id{77})}, x.type()),
                    Catch::Matchers::Contains("is not a value of this graph"));
  CHECK_THROWS_WITH(g.emit("If", {x}, x.type(), {{"then_branch", block_id{77}}}),
                    Catch::Matchers::Contains("is not a block of this graph"));
}

TEST_CASE("graph: limits on nodes, bytes and terms") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  g.set_limits({.nodes = 1});
  g.emit("Neg", {x}, x.type());
  CHECK_THROWS_WITH(g.emit("Neg", {x}, x.type()), Catch::Matchers::Contains("over 1 nodes"));
  g.set_limits({.bytes = 5000});
  CHECK_NOTHROW(g.constant({dtype::u8, {1000}}, bytes(std::string(1000, 'a'))));
  CHECK_THROWS_WITH(g.constant({dtype::u8, {4000}}, bytes(std::string(4000, 'a'))),
                    Catch::Matchers::Contains("over 5000 bytes"));
  g.set_limits({.terms = 3});
  CHECK_THROWS_AS(g.dims().parse("a + b + c + d"), limit_error);
}

TEST_CASE("graph: no more blocks inside each other than readers of ONNX follow") {
  graph g;
  const auto nest = [&](auto&& self, int depth) -> void {
    if (depth == 0) return;
    const block_scope inner(g);
    self(self, depth - 1);
  };
  CHECK_NOTHROW(nest(nest, most_nested_blocks));
  CHECK_THROWS_AS(nest(nest, most_nested_blocks + 1), limit_error);
  CHECK_NOTHROW(nest(nest, most_nested_blocks));  // all scopes were left
  CHECK(g.current() == block_id::main);
}
