// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/structure/control.hpp>
#include <jax2onnx/dsl/structure/functions.hpp>
#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/graph/functions/inline.hpp>
#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using Catch::Matchers::Contains;

namespace {

std::vector<std::string> names_of_nodes(const graph& g, block_id b = block_id::main) {
  std::vector<std::string> out;
  for (node_id n : g.at(b).nodes) out.emplace_back(g.at(n).op);
  return out;
}
void outputs(graph& g, const std::vector<value>& values) { g.set_outputs(block_id::main, values); }

}  // namespace

TEST_CASE("inline: calls become the nodes of the function, also of functions in functions and in bodies") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), yes = g.input({dtype::boolean, {}}, "yes");
  const auto twice = define(g, "com.example", "Twice", [](const auto& a) { return add(a, a); });
  const auto more = define(g, "com.example", "More", [&](const auto& a) { return mul(twice(a), a); });
  const value y = more(x);
  const value z = if_(
      yes, [&] { return twice(y); }, [&] { return more(y); });
  outputs(g, {z});
  inline_functions(g);
  CHECK(names_of_nodes(g) == std::vector<std::string>{"Add", "Mul", "If"});
  const node& branches = g.at(g.at(z.id()).producer);
  CHECK(names_of_nodes(g, std::get<block_id>(branches.attributes[0].value)) == std::vector<std::string>{"Add"});
  CHECK(names_of_nodes(g, std::get<block_id>(branches.attributes[1].value)) == std::vector<std::string>{"Add", "Mul"});
  CHECK(problems_of(g).empty());
}

TEST_CASE("inline: each call gets the types of its own operands") {
  graph g;
  const auto twice = define(g, "com.example", "Twice", [](const auto& a) { return neg(add(a, a)); });
  const value x = g.input({dtype::f32, {2}}, "x"), n = g.input({dtype::i32, {3, 4}}, "n");
  const value y = twice(x), m = twice(n);
  outputs(g, {y, m});
  inline_functions(g);
  const node& first = g.at(g.at(block_id::main).nodes[0]);
  const node& third = g.at(g.at(block_id::main).nodes[2]);
  CHECK(g.at(first.outputs[0]).type == tensor_type{dtype::f32, {2}});
  CHECK(g.at(third.outputs[0]).type == tensor_type{dtype::i32, {3, 4}});
}

TEST_CASE("inline: results that are operands or constants, and bodies with bodies") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), yes = g.input({dtype::boolean, {}}, "yes");
  const auto f = define(g, "com.example", "F", [&](const value& a, const value& c) {
    const value chosen = if_(
        c, [&] { return neg(a); }, [&] { return a; });
    return std::tuple(a, chosen, chosen, scalar(g, dtype::f32, 1.0));
  });
  const auto [same, chosen, again, one] = f(x, yes);
  outputs(g, {same, chosen, again, one});
  inline_functions(g);
  CHECK(names_of_nodes(g) == std::vector<std::string>{"If", "Identity", "Identity", "Identity"});
  CHECK(problems_of(g).empty());
}

TEST_CASE("inline: attributes of the call, or their defaults") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const auto leaky =
      define(g, "com.example", "Leaky",
             [&](const value& a) { return op(g, "LeakyRelu", {a}, {attribute_of("alpha", "slope", 0.1f)})[0]; },
             {.attributes = {{"slope", 0.1f}}});
  outputs(g, {leaky(x), leaky.with({{"slope", 0.5f}})(x)});
  inline_functions(g);
  const auto alpha = [&](std::size_t i) {
    return std::get<float>(g.at(g.at(block_id::main).nodes[i]).attributes[0].value);
  };
  CHECK(alpha(0) == 0.1f);
  CHECK(alpha(1) == 0.5f);
}
