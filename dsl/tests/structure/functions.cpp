// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <functional>

#include <jax2onnx/dsl/structure/constants.hpp>
#include <jax2onnx/dsl/structure/functions.hpp>
#include <jax2onnx/dsl/structure/own_operators.hpp>
#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/ops/call/operators.hpp>
#include <jax2onnx/ops/verbs/verbs.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

struct model {
  graph g;
  value x = g.input({dtype::f32, {2, 3}}, "x");
  value n = g.input({dtype::i32, {5}}, "n");
};

}  // namespace

TEST_CASE("functions: defined once, called many times, with the types of each call") {
  model m;
  int traced = 0;
  const auto twice = define(m.g, "com.example", "Twice", [&](const auto& a) {
    ++traced;
    return add(a, a);
  });
  CHECK(m.g.functions()[0].body == block_id::none);
  CHECK(twice(m.x).type() == m.x.type());
  CHECK(twice(twice(m.x)).type() == m.x.type());
  const int before = traced;
  CHECK(twice(m.n).type() == m.n.type());
  CHECK(traced == before + 1);
  CHECK(m.g.at(m.g.at(block_id::main).nodes[0]).domain == "com.example");
  CHECK(m.g.at(m.g.at(m.g.functions()[0].body).inputs[0]).type.type == dtype::undefined);
  CHECK(problems_of(m.g).empty());
}

TEST_CASE("functions: extents are read from the operands") {
  graph g;
  g.dims().symbol("B");
  const value x = g.input({dtype::f32, {dim::symbol("B"), 3}}, "x");
  const auto flat = define(g, "com.example", "Flat", [&](const auto& a) {
    const value size = dim_scalar(a.owner(), a.extent(0));
    return add(size, size);
  });
  CHECK(flat(x).dtype() == dtype::i64);
  CHECK(problems_of(g).empty());
}

TEST_CASE("functions: an invalid function is an error that names the function") {
  model m;
  const auto captures = define(m.g, "com.example", "Captures", [&](const auto& a) { return add(a, m.x); });
  CHECK_THROWS_WITH(captures(m.x), Contains("operand 1 of Add: f32[2,3] 'x' belongs to the graph outside"));
  CHECK(m.g.current() == block_id::main);
  CHECK_THROWS_WITH(define(m.g, "com.example", "Captures", [](const auto& a) { return a; }), Contains("defined twice"));
  CHECK_THROWS_WITH(define(m.g, "", "F", [](const auto& a) { return a; }), Contains("needs a domain other than ONNX"));
  CHECK_THROWS_WITH(define(m.g, "com.example", "a b", [](const auto& a) { return a; }),
                    Contains("is not a valid name"));
  const auto by_rank = define(m.g, "com.example", "ByRank", [](const auto& a) {
    return a.rank() == 2 ? transpose(a, {.perm = {1, 0}}) : neg(a);
  });
  by_rank(m.x);
  CHECK_THROWS_WITH(by_rank(m.n),
                    Contains("com.example.ByRank: its body differs for (i32[5]) and (f32[2,3]): Neg instead"));
  std::function<value(const value&)> self;
  const auto recursive = define(m.g, "com.example", "Recursive", [&](const value& a) { return self(a); });
  self = [&](const value& a) { return recursive(a); };
  CHECK_THROWS_WITH(recursive(m.x), Contains("Recursive: it calls itself"));
  CHECK_THROWS_WITH(recursive.with({{"alpha", 1}})(m.x), Contains("it has no attribute 'alpha'"));
  graph other;
  CHECK_THROWS_WITH(by_rank(other.input({dtype::f32, {2, 3}}, "y")), Contains("operand belongs to another graph"));
}

TEST_CASE("onnx_function: a function of C++ defines itself where it is called") {
  const onnx_function gated("com.example", "Gated", [](const auto& a, const auto& b) { return mul(a, sigmoid(b)); });
  for (int n = 0; n < 2; ++n) {
    graph g;
    const value x = g.input({dtype::f32, {2, 4}}, "x");
    const value y = gated(x, gated(x, x));
    output(add(gated(x, x), y), "y");
    verify(g);
    CHECK(g.functions().size() == 1);
  }
}

TEST_CASE("onnx_function: two functions do not share a name in one graph") {
  const onnx_function once("com.example", "F", [](const auto& a) { return neg(a); });
  const onnx_function other("com.example", "F", [](const auto& a) { return abs(a); });
  graph g;
  const value x = g.input({dtype::f32, {2, 4}}, "x");
  once(x);
  CHECK(text(once(x)) == "f32[2,4]");
  CHECK_THROWS_AS(other(x), build_error);
}

TEST_CASE("functions: a body that changes is refused") {
  model m;
  float k = 1;
  const auto scaled = define(m.g, "com.example", "Scaled", [&](const value& a) { return a * k; });
  scaled(m.x);
  k = 5;
  CHECK_THROWS_WITH(scaled(m.x),
                    Contains("com.example.Scaled: this call builds a different function of the same name"));
  const auto counted = define(m.g, "com.example", "Counted", [&](const value& a) { return a * (k += 1); });
  CHECK_THROWS_WITH(counted(m.x), Contains("com.example.Counted: its body does not build the same nodes each time"));
  CHECK_THROWS_WITH(scaled(value()), Contains("absent"));
  const auto named =
      define(m.g, "com.example", "Named", [](const value& a) { return relu(a); }, {.operands = {"a", "b"}});
  const auto late =
      define(m.g, "com.example", "Late", [&](const value& a) { return add(a, m.g.input(a.type(), "late")); });
  CHECK_THROWS_WITH(late(m.x), Contains("com.example.Late: its body declares an input of the model"));
  CHECK_THROWS_WITH(named(m.x), Contains("com.example.Named: it has names for 2 operands, but the call has 1"));
}

TEST_CASE("functions: a function declares the attributes that its body uses, with the same kind") {
  model m;
  const auto leaky = [&](std::string_view slope, std::string_view name) {
    return define(m.g, "com.example", name,
                  [slope](const value& a) {
                    return op(a.owner(), "com.example", "Leaky", {a}, {attribute_of("alpha", slope, 0.1f)},
                              {a.type()})[0];
                  },
                  {.attributes = {{"slope", 0.2f}}});
  };
  CHECK_NOTHROW(leaky("slope", "Leaky1")(m.x));
  CHECK_NOTHROW(leaky("slope", "Leaky2").with({{"slope", 0.3f}})(m.x));
  CHECK_THROWS_WITH(leaky("slpoe", "Leaky3")(m.x),
                    "com.example.Leaky3: its body uses the attribute 'slpoe', which the function does not declare");
  CHECK_THROWS_WITH(leaky("slope", "Leaky4").with({{"slope", "steep"}})(m.x),
                    "com.example.Leaky4: the attribute 'slope' differs in kind from its default");
  const auto whole =
      define(m.g, "com.example", "Whole",
             [](const value& a) {
               return op(a.owner(), "com.example", "Leaky", {a}, {attribute_of("alpha", "slope", 0.1f)}, {a.type()})[0];
             },
             {.attributes = {{"slope", 3}}});
  CHECK_THROWS_WITH(whole(m.x), Contains("its attribute 'slope' differs in kind from the attribute 'alpha' of"));
  CHECK_THROWS_WITH(op(m.g, "com.example", "Leaky", {m.x}, {attribute_of("alpha", "slope", 0.1f)}, {m.x.type()}),
                    "attribute_of: 'alpha' refers to the attribute 'slope' of a function, but is outside of one; see "
                    "define()");
}
