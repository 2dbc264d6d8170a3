// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/ops/verbs/activation.hpp>
#include <jax2onnx/ops/verbs/elementwise.hpp>

using namespace jax2onnx;

namespace {

std::string only_problem(const graph& g) {
  const auto found = problems_of(g);
  return found.size() == 1 ? found[0].message : std::to_string(found.size()) + " problems";
}

}  // namespace

TEST_CASE("verify: what verbs build is right") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  g.set_outputs(block_id::main, std::vector{jax2onnx::softmax(jax2onnx::relu(x))});
  CHECK_NOTHROW(verify(g));
}

TEST_CASE("verify: a model has an output") {
  graph g;
  g.input({dtype::f32, {2}}, "x");
  CHECK_THROWS_WITH(verify(g), Catch::Matchers::Contains("the model has no outputs"));
}

TEST_CASE("verify: inputs and outputs have names of their own") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), y = g.input({dtype::f32, {2}}, "y");
  g.at(y.id()).name = "x";
  g.set_outputs(block_id::main, std::vector{jax2onnx::add(x, y)});
  CHECK_THROWS_WITH(verify(g), Catch::Matchers::Contains("two inputs or outputs of the model have the name 'x'"));
}

TEST_CASE("verify: nodes that were added by hand are checked") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  SECTION("a type that the rule does not give") {
    g.emit("Relu", {x}, {dtype::f32, {3, 2}});
    CHECK(only_problem(g) == "Relu(X: f32[2,3] 'x'): its result 0 is f32[2,3], but the graph states f32[3,2]");
  }
  SECTION("an operator of another opset") {
    graph old(17);
    old.emit("Gelu", {old.input({dtype::f32, {2}}, "y")}, {dtype::f32, {2}});
    CHECK(only_problem(old) == "Gelu needs opset 20");
  }
  SECTION("a name that ONNX does not have") {
    g.emit(operator_name::unchecked("Rleu"), {x}, x.type());
    CHECK(only_problem(g) == "ONNX has no operator 'Rleu'; did you mean 'Relu'?");
  }
  SECTION("all problems are found, each in its place") {
    for (int i = 0; i < 3; ++i) g.emit("Relu", {x}, {dtype::f32, {i}});
    CHECK(problems_of(g).size() == 3);
    CHECK_THROWS_AS(verify(g), error);
  }
  SECTION("domains of one's own are left alone") {
    const tensor_type type{dtype::f32, {7}};
    g.emit_many(operator_name::unchecked("Fft"), std::vector{x}, std::span(&type, 1), {}, "com.example");
    CHECK(problems_of(g).empty());
  }
}
