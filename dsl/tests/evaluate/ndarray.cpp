// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <vector>

#include <jax2onnx/dsl/evaluate/ndarray.hpp>

using namespace jax2onnx;

TEST_CASE("ndarray: elements go in and come out as C++ has them") {
  const ndarray a = array_of<float>({2, 2}, {1, -2, 0.5f, 4});
  CHECK(a.as<float>() == std::vector{1.0f, -2.0f, 0.5f, 4.0f});
  CHECK(a.numbers()[1] == -2);
  CHECK(text(a) == "f32[2,2] {1, -2, 0.5, 4}");
  CHECK(text(array_of<std::int64_t>({}, {-7})) == "i64[] {-7}");
  CHECK(text(array_of<bool>({2}, {true, false})) == "bool[2] {1, 0}");
  CHECK(text(array_of<std::uint8_t>({20}, std::vector<std::uint8_t>(20))).ends_with("0, 0, ...}"));
}

TEST_CASE("ndarray: what does not fit is an error") {
  CHECK_THROWS_WITH(array_of<float>({3}, {1, 2}), "an array has 2 elements instead of 3");
  CHECK_THROWS_WITH(array_of<float>({1}, {1}).as<double>(), "an array of f32 has no elements of f64");
}
