// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/structure/functions.hpp>
#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/functions.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using Catch::Matchers::Contains;

namespace {

std::vector<std::string> names_of_nodes(const graph& g, block_id b) {
  std::vector<std::string> out;
  for (node_id n : g.at(b).nodes) out.emplace_back(g.at(n).op);
  return out;
}

value once(const value& a) { return a.owner().emit("Identity", {a}, a.type()); }

}  // namespace

TEST_CASE("optimize: the bodies of functions are rewritten and legalized by themselves") {
  graph g;
  const value x = g.input({dtype::u16, {2}}, "x");
  const auto f = define(g, "com.example", "F", [](const auto& a) {
    const value dead = neg(cast(a, dtype::f32));
    static_cast<void>(dead);
    return maximum(once(once(a)), a);
  });
  const value y = f(x);
  g.set_outputs(block_id::main, std::span(&y, 1));
  optimize(g, {});
  CHECK(names_of_nodes(g, g.functions()[0].body) == std::vector<std::string>{"Cast", "Max", "Cast"});
  CHECK(problems_of(g).empty());
  CHECK(f(x).type() == x.type());
  const value longer = g.input({dtype::u16, {3}}, "longer");
  CHECK_THROWS_WITH(f(longer), Contains("F: it was rewritten and now only accepts operands of types (u16[2])"));
}

TEST_CASE("optimize: functions that are called with several dtypes stay as they are") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), n = g.input({dtype::i32, {2}}, "n");
  const auto f = define(g, "com.example", "F", [](const auto& a) { return once(a); });
  const std::vector<value> y{f(x), f(n)};
  g.set_outputs(block_id::main, y);
  CHECK_FALSE(rewrite::detail::is_rewritable(g, g.functions()[0]));
  optimize(g, {});
  CHECK(names_of_nodes(g, g.functions()[0].body) == std::vector<std::string>{"Identity"});
  CHECK(g.functions()[0].traces.size() == 2);
}

TEST_CASE("optimize: constants that have to be cast are cast where they are used: in the function") {
  graph g;
  const value x = g.input({dtype::u16, {4096}}, "x");
  const value c = g.constant({dtype::u16, {4096}}, bytes(std::string(8192, '\1')), "c");
  const auto f = define(g, "com.example", "F", [&](const auto& a) { return maximum(a, c); });
  const std::vector<value> y{f(x), maximum(x, c)};
  g.set_outputs(block_id::main, y);
  optimize(g, {});
  CHECK(names_of_nodes(g, g.functions()[0].body) == std::vector<std::string>{"Cast", "Cast", "Max", "Cast"});
  CHECK(problems_of(g).empty());
}
