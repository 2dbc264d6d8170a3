// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl.hpp>
#include <jax2onnx/dsl/evaluate/element_functions.hpp>
#include <jax2onnx/dsl/evaluate/evaluate.hpp>

using namespace jax2onnx;

namespace {

template <class Verb>
std::string of_floats(const Verb& verb) {
  graph g(24);
  const value x = g.input({dtype::f32, {4}}, "x");
  return text(evaluate(verb(x), {{"x", array_of<float>({4}, {-2, -0.5f, 0.5f, 3})}}));
}
template <class Verb>
std::string of_integers(const Verb& verb) {
  graph g;
  const value x = g.input({dtype::i32, {4}}, "x");
  return text(evaluate(verb(x), {{"x", array_of<std::int32_t>({4}, {-7, -1, 2, 7})}}));
}

}  // namespace

TEST_CASE("element_functions: activations with their attributes") {
  CHECK(of_floats([](const value& x) { return relu(x); }) == "f32[4] {0, 0, 0.5, 3}");
  CHECK(of_floats([](const value& x) { return leaky_relu(x, {.alpha = 0.5f}); }) == "f32[4] {-1, -0.25, 0.5, 3}");
  CHECK(of_floats([](const value& x) { return hard_sigmoid(x, {.alpha = 0.5f, .beta = 0.25f}); }) ==
        "f32[4] {0, 0, 0.5, 1}");
  CHECK(of_floats([](const value& x) { return thresholded_relu(x, {.alpha = 0.5f}); }) == "f32[4] {0, 0, 0, 3}");
  CHECK(of_floats([](const value& x) { return round(x); }) == "f32[4] {-2, -0, 0, 3}");
  CHECK(of_floats([](const value& x) { return clip(x, -1, 1); }) == "f32[4] {-1, -0.5, 0.5, 1}");
  CHECK(of_floats([](const value& x) { return clip(x, {}, 1); }) == "f32[4] {-2, -0.5, 0.5, 1}");
  CHECK(of_floats([](const value& x) { return pow(x, 2); }) == "f32[4] {4, 0.25, 0.25, 9}");
  CHECK(of_floats([](const value& x) { return max({x, neg(x)}); }) == "f32[4] {2, 0.5, 0.5, 3}");
  CHECK(of_floats([](const value& x) { return mean({x, x, x}); }) == "f32[4] {-2, -0.5, 0.5, 3}");
}

TEST_CASE("element_functions: integers are divided towards zero, remainders have the divisor's sign") {
  CHECK(of_integers([](const value& x) { return div(x, 2); }) == "i32[4] {-3, 0, 1, 3}");
  CHECK(of_integers([](const value& x) { return mod(x, 3); }) == "i32[4] {2, 2, 2, 1}");
  CHECK(of_integers([](const value& x) { return mod(x, 3, {.fmod = true}); }) == "i32[4] {-1, -1, 2, 1}");
  CHECK(of_integers([](const value& x) { return cast(x > 0, {.to = dtype::f32}); }) == "f32[4] {0, 0, 1, 1}");
}
