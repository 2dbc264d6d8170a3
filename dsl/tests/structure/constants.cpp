// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/structure/constants.hpp>
#include <jax2onnx/facts/verify.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("constants: of strings") {
  graph g;
  const value s = strings(g, {2}, {"a", "bc"}, "names");
  CHECK(s.type() == tensor_type{dtype::string, {2}});
  CHECK(detail::string_count(s.data().view()) == 2);
  CHECK_THROWS_AS(strings(g, {3}, {"a", "bc"}), build_error);
}

TEST_CASE("constants: nodes with one attribute") {
  graph g;
  const float numbers[] = {1, 2};
  CHECK(constant(g, {.value = tensor_of<float>(dtype::f32, {2}, numbers)}).type() == tensor_type{dtype::f32, {2}});
  CHECK(constant(g, {.value_float = 1.0f}).type() == tensor_type{dtype::f32, {}});
  CHECK(constant(g, {.value_floats = {1, 2, 3}}).type() == tensor_type{dtype::f32, {3}});
  CHECK(constant(g, {.value_int = 1}).type() == tensor_type{dtype::i64, {}});
  CHECK(constant(g, {.value_ints = {1, 2}}).type() == tensor_type{dtype::i64, {2}});
  CHECK(constant(g, {.value_string = "a"}).type() == tensor_type{dtype::string, {}});
  CHECK(constant(g, {.value_strings = {"a", "b"}}).type() == tensor_type{dtype::string, {2}});
  CHECK_THROWS_WITH(constant(g, {}), Contains("Constant"));
  CHECK_THROWS_WITH(constant(g, {.value_float = 1.0f, .value_int = 1}), Contains("Constant"));
  CHECK_THROWS_WITH(tensor_of<float>(dtype::f32, {3}, numbers),
                    Contains("the tensor has 3 elements of f32, but the list has 2 numbers of 4 bytes"));
  CHECK(constant(g, {.value = tensor_of(dtype::i8, {2}, {1, 2})}).type() == tensor_type{dtype::i8, {2}});
  CHECK_THROWS_WITH(tensor_of(dtype::f32, {3}, {1, 2.5}), Contains("has 2 numbers (8 bytes); it needs 3"));
  CHECK(problems_of(g).empty());
}
