// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lowered_text.hpp"

#include <jax2onnx/lower/typing.hpp>

using namespace jax2onnx;

TEST_CASE("kinds of element types") {
  static_assert(kind_of(element_named("f32")) == kinds::floating);
  static_assert(kind_of(element_named("u4")) == kinds::unsigned_integer);
  static_assert(kind_of(element_named("c64")) == kinds::complex);
  static_assert(kind_of(element_named("key<fry>")) == kinds::key);
  static_assert(kind_of(element_named("b1")) == kinds::none);
  static_assert(contains(kinds::ordered, kinds::boolean));
  static_assert(!contains(kinds::number, kinds::boolean));
}

TEST_CASE("operands that JAX refuses") {
  const auto problem = [](std::string operands, lower_fn check) {
    return lowered_text(
               "{ lambda ; a:f32[2,3] b:i32[1,3] d:f32[] e:f32[4]. let c:f32[2,3] = p " + operands + " in (c,) }",
               check)
        .problem();
  };
  const auto shapes = [](const site& s) -> jax_values {
    const shape dims = common_shape(s);
    CHECK(dims == shape{2, 3});
    return {s.in(0)};
  };
  CHECK(problem("a b d", shapes) == "(none)");
  CHECK(problem("a e", shapes) ==
        "lower.malformed: primitive 'p': operand 1 is f32[4], but the operands before it have the shape [2,3]");
  CHECK(problem("a b",
                [](const site& s) -> jax_values {
                  require_same_element(s, 1, 0);
                  return {s.in(0)};
                }) ==
        "lower.malformed: primitive 'p': operand 1 is i32[1,3], but operand 0 is f32[2,3]: "
        "their element types must be equal");
  CHECK(problem("a",
                [](const site& s) -> jax_values {
                  require_kind(s, 0, kinds::bits);
                  return {s.in(0)};
                }) ==
        "lower.malformed: primitive 'p': operand 0 is f32[2,3]; it must be bool, signed integer or unsigned integer");
  CHECK(problem("a", [](const site& s) -> jax_values {
          require_rank(s, 0, 3);
          return {s.in(0)};
        }) == "lower.malformed: primitive 'p': operand 0 is f32[2,3]; it must have 3 dimensions");
  CHECK(problem("a", [](const site& s) -> jax_values {
          require_shape(s, 0, {3, 2}, "the result");
          return {s.in(0)};
        }) == "lower.malformed: primitive 'p': operand 0 is f32[2,3], but the shape of the result is [3,2]");
}
