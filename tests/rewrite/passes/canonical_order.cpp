// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "emit/graphs.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/rewrite/passes/canonical_order.hpp>

using namespace jax2onnx;
using namespace test_graphs;

namespace {

/// (a + b) * (a - b), then its square root and negation, one after the other in the text. The operands of an equation
/// are made in either order, as by different compilers.
std::string made(bool left_first) {
  graph g;
  const value a = g.input({dtype::f32, {2}}, "a"), b = g.input({dtype::f32, {2}}, "b");
  const tensor_type t = a.type();
  g.set_origin({0, 1, {}});
  value sum, difference;
  if (left_first) sum = g.emit("Add", {a, b}, t);
  difference = g.emit("Sub", {a, b}, t);
  if (!left_first) sum = g.emit("Add", {a, b}, t);
  const value product = g.emit("Mul", {sum, difference}, t);
  g.set_origin({2, 3, {}});
  const value root = g.emit("Sqrt", {product}, t);
  g.set_origin({4, 5, {}});
  const value negative = g.emit("Neg", {product}, t);
  outputs(g, {negative, root});
  rewrite::detail::canonical_order(g).run();
  return to_text(g);
}

/// The same computation as the body of a function of the model, whose nodes are made in the order of the text or not.
std::vector<std::string> operators_of_function(bool in_order) {
  graph g;
  const value a = g.input({dtype::f32, {2}}, "a");
  const tensor_type t = a.type();
  model_function& f = g.add_function("test", "F");
  {
    const function_scope scope(g);
    const value x = g.input(t, "x");
    const value sum = g.emit("Add", {x, x}, t), product = g.emit("Mul", {sum, x}, t);
    const std::vector<value> results{product};
    g.set_outputs(scope.id(), results);
    f.body = scope.id();
  }
  if (!in_order) std::ranges::reverse(g.at(f.body).nodes);
  const std::vector<value> called =
      g.emit_many(operator_name::unchecked("F"), std::vector<value>{a}, std::vector<tensor_type>{t}, {}, f.domain);
  outputs(g, {called[0]});
  rewrite::detail::canonical_order(g).run();
  std::vector<std::string> out;
  for (const node_id n : g.at(f.body).nodes) out.emplace_back(g.at(n).op.text());
  return out;
}

}  // namespace

TEST_CASE("canonical_order: nodes of functions are also sorted") {
  CHECK(operators_of_function(false) == std::vector<std::string>{"Add", "Mul"});
  CHECK(operators_of_function(true) == operators_of_function(false));
}

TEST_CASE("canonical_order: in which order operands were made does not matter") { CHECK(made(true) == made(false)); }

TEST_CASE("canonical_order: equations stay in the order of the text") {
  const std::string text = made(true);
  CHECK(text.find("Add") < text.find("Sub"));
  CHECK(text.find("Mul") < text.find("Sqrt"));
  CHECK(text.find("Sqrt") < text.find("Neg"));
}

TEST_CASE("canonical_order: what a block captures comes before the node that has the block") {
  graph g;
  const value a = g.input({dtype::f32, {}}, "a"), condition = g.input({dtype::boolean, {}}, "c");
  std::vector<attribute> bodies;
  const value late = g.emit("Exp", {a}, a.type());
  for (const char* branch : {"then_branch", "else_branch"}) {
    const block_scope scope(g);
    const value inner = g.emit("Neg", {late}, a.type());
    g.set_outputs(scope.id(), std::span(&inner, 1));
    bodies.push_back({branch, scope.id()});
  }
  outputs(g, {g.emit("If", {condition}, a.type(), bodies)});
  auto& nodes = g.at(block_id::main).nodes;
  std::swap(nodes[0], nodes[1]);
  rewrite::detail::canonical_order(g).run();
  CHECK(g.at(nodes[0]).op == "Exp");
  CHECK(g.at(nodes[1]).op == "If");
}
