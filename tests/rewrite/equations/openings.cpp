// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/jax2onnx.hpp>
#include <jax2onnx/rewrite/equations/openings.hpp>
#include <jax2onnx/rewrite/equations/parse.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;

namespace {

const tensor_type f2{dtype::f32, {2}};

/// Returns whether a left side can begin at `root`.
bool admits_at(const std::string& text, const value& root) {
  const equations::parsed_equation e(text);
  return equations::admits(e.view(), equations::surroundings(root));
}

}  // namespace

TEST_CASE("openings: the operator, and what makes operands") {
  graph g;
  const value x = g.input(f2, "x"), one = scalar(g, dtype::f32, 0.0);
  const value sum = g.emit("Add", {x, one}, f2), tanh = g.emit("Tanh", {x}, f2);
  CHECK(admits_at("x + 0 -> x", sum));
  CHECK(admits_at("0 + x -> x", sum));
  CHECK_FALSE(admits_at("x 0 -> x", sum));
  CHECK_FALSE(admits_at("x + 0 -> x", g.emit("Add", {x, tanh}, f2)));
  CHECK(admits_at("x + Tanh(x) -> x", g.emit("Add", {tanh, x}, f2)));
  CHECK_FALSE(admits_at("x - Tanh(x) -> x", g.emit("Sub", {tanh, x}, f2)));
  CHECK_FALSE(admits_at("x + Tanh(x) -> x", sum));
  CHECK(admits_at("x + c -> x for constant(c)", sum));
  CHECK_FALSE(admits_at("x + c -> x for constant(c)", g.emit("Add", {x, x}, f2)));
}

TEST_CASE("openings: choices, names, casts, ones, products") {
  graph g;
  const value x = g.input(f2, "x"), y = g.input(f2, "y");
  const value tanh = g.emit("Tanh", {x}, f2), erf = g.emit("Erf", {x}, f2), cast = g.emit("Cast", {x}, f2);
  const auto sum_with = [&](const value& v) { return g.emit("Add", {y, v}, f2); };
  const std::string choice = "y + t -> x where t = Tanh(x) | Erf(x)";
  CHECK(admits_at(choice, sum_with(tanh)));
  CHECK(admits_at(choice, sum_with(erf)));
  CHECK_FALSE(admits_at(choice, sum_with(cast)));
  CHECK(admits_at("y + cast?(Tanh(x)) -> x", sum_with(cast)));
  CHECK_FALSE(admits_at("y + cast?(Tanh(x)) -> x", sum_with(erf)));
  const value shape = int64s(g, ints{2});
  const value view = g.emit("Reshape", {x, shape}, f2);
  CHECK(admits_at("y + ones?(Tanh(x)) -> x", sum_with(view)));
  CHECK(admits_at("reshaped(x) -> x", view));
  CHECK_FALSE(admits_at("reshaped(Tanh(x)) -> x", view));
  CHECK_FALSE(admits_at("x Tanh(x) y -> x", g.emit("Mul", {x, tanh}, f2)));
  CHECK(admits_at("x Tanh(x) y -> x", g.emit("Mul", {x, g.emit("Mul", {y, tanh}, f2)}, f2)));
}

TEST_CASE("openings: comparisons with exchanged operands; numbers that ranges tell") {
  graph g;
  const tensor_type b2{dtype::boolean, {2}};
  const value x = g.input(f2, "x"), c = g.input(b2, "c");
  const value tanh = g.emit("Tanh", {x}, f2), truth = g.emit("Not", {c}, b2);
  CHECK(admits_at("Tanh(x) < x -> x < x", g.emit("Greater", {x, tanh}, b2)));
  CHECK_FALSE(admits_at("Tanh(x) < x -> x < x", g.emit("Greater", {tanh, x}, b2)));
  CHECK_FALSE(admits_at("Less(Tanh(x), x) -> x < x", g.emit("Greater", {x, tanh}, b2)));
  CHECK(admits_at("Where(filled(1), a, b) -> a", g.emit("Where", {truth, x, tanh}, f2)));
  CHECK_FALSE(admits_at("x filled(1) -> x", g.emit("Mul", {x, tanh}, f2)));
}
