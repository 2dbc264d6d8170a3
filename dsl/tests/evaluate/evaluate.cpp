// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <tuple>
#include <vector>

#include <jax2onnx/dsl.hpp>
#include <jax2onnx/dsl/evaluate/evaluate.hpp>

using namespace jax2onnx;

TEST_CASE("evaluate: a model, and a value inside of it") {
  graph g;
  const auto x = input<float, "B"_d, 3>(g, "x");
  const auto h = matmul(x, constant<float, 3, 2>(g, std::vector<float>{1, 2, 3, 4, 5, 6}));
  output(h + 1.0f, "y");
  const ndarray two = array_of<float>({2, 3}, {1, 0, 0, 0, 0, 1});
  CHECK(text(evaluate(h, {{"x", two}})) == "f32[2,2] {1, 2, 5, 6}");
  CHECK(evaluate(g, {{"x", two}})["y"].as<float>() == std::vector{2.0f, 3.0f, 6.0f, 7.0f});
  CHECK(evaluate(g, {{"x", two}})[0].size() == 4);
  CHECK_THROWS_AS(evaluate(g, {{"x", two}})["z"], build_error);
}

TEST_CASE("evaluate: bodies and functions") {
  graph g;
  const value x = g.input({dtype::f32, {3}}, "x"), flag = g.input({dtype::boolean, {}}, "flag");
  const value chosen = if_(
      flag, [&] { return x + 1.0f; }, [&] { return x - 1.0f; });
  const auto powers = loop(3, x, [&](const value&, const value& a) { return a * 2.0f; });
  const auto [sum, sums] = scan(scalar(g, dtype::f32, 0), x, [](const value& s, const value& item) {
    const value next = s + item;
    return std::pair(next, next);
  });
  const auto doubled = define(g, "com.example", "Twice", [](const auto& a) { return a + a; });
  const value early = while_(
      x, [](const value& a) { return less(reduce_sum(a, {0}, {.keepdims = false}), 20.0f); },
      [](const value& a) { return a * 2.0f; });
  output(chosen, "chosen"), output(powers, "powers"), output(sum, "sum"), output(sums, "sums");
  output(doubled(x), "doubled"), output(early, "early");
  const auto y = evaluate(g, {{"x", array_of<float>({3}, {1, 2, 3})}, {"flag", array_of<bool>({}, {false})}});
  CHECK(text(y["chosen"]) == "f32[3] {0, 1, 2}");
  CHECK(text(y["powers"]) == "f32[3] {8, 16, 24}");
  CHECK(text(y["sum"]) == "f32[] {6}");
  CHECK(text(y["sums"]) == "f32[3] {1, 3, 6}");
  CHECK(text(y["doubled"]) == "f32[3] {2, 4, 6}");
  CHECK(text(y["early"]) == "f32[3] {4, 8, 12}");
}

TEST_CASE("evaluate: arrays that do not fit and unsupported operators are refused") {
  graph g;
  const value x = g.input({dtype::f32, {g.dims().symbol("B"), 2}}, "x");
  const value z = g.input({dtype::f32, {g.dims().symbol("B"), 2}}, "z");
  const ndarray one = array_of<float>({1, 2}, {1, 2}), two = array_of<float>({2, 2}, {1, 2, 3, 4});
  CHECK_THROWS_WITH(evaluate(x + z, {{"x", one}}), "evaluate: the input 'z' has no array");
  CHECK_THROWS_WITH(evaluate(x, {{"y", one}}), "evaluate: the model has no input 'y'");
  CHECK_THROWS_WITH(evaluate(x + z, {{"x", one}, {"z", two}}),
                    "evaluate: the input 'z' is f32[B,2], but its array is f32[2,2] {1, 2, 3, 4}; B is 1 in the array "
                    "of 'x'");
  CHECK_THROWS_WITH(evaluate(x, {{"x", array_of<float>({2}, {1, 2})}}),
                    "evaluate: the input 'x' is f32[B,2], but its array is f32[2] {1, 2}");
  CHECK_THROWS_WITH(evaluate(det(x), {{"x", two}}), "evaluate: Det is not supported: run the model in a runtime");
  const value own = op(g, "my", "Op", {x}, {}, {{dtype::f32, {2}}})[0];
  CHECK_THROWS_WITH(evaluate(own, {{"x", two}}), "evaluate: my.Op is not supported: run the model in a runtime");
}
