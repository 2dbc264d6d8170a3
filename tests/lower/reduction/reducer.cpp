// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"

#include <limits>

#include <jax2onnx/lower/reduction/reducer.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

reducer reducer_of_text(const std::string& type, const std::string& equation) {
  const jaxpr::program p =
      jaxpr::parse("{ lambda ; a:" + type + "[] b:" + type + "[]. let c:" + type + "[] = " + equation + " in (c,) }");
  return reducer_of(*p.main, {element_named(type), {}});
}

}  // namespace

TEST_CASE("a computation of one equation of both parameters is a reducer") {
  CHECK(reducer_of_text("f32", "add a b") == reducer::sum);
  CHECK(reducer_of_text("f32", "mul b a") == reducer::product);
  CHECK(reducer_of_text("i32", "max a b") == reducer::maximum);
  CHECK(reducer_of_text("i32", "min a b") == reducer::minimum);
  CHECK(reducer_of_text("f32", "sub a b") == reducer::other);
  CHECK(reducer_of_text("f32", "add a a") == reducer::other);
}

TEST_CASE("and, or, max and min of booleans; sums of complex numbers") {
  CHECK(reducer_of_text("bool", "and a b") == reducer::all);
  CHECK(reducer_of_text("bool", "or a b") == reducer::any);
  CHECK(reducer_of_text("bool", "max a b") == reducer::any);
  CHECK(reducer_of_text("bool", "min a b") == reducer::all);
  CHECK(reducer_of_text("i32", "and a b") == reducer::other);
  CHECK(reducer_of_text("c64", "add a b") == reducer::sum);
  CHECK(reducer_of_text("c64", "mul a b") == reducer::other);
}

TEST_CASE("identity elements") {
  graph g;
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(same_value(identity_element(g, reducer::sum, dtype::f32), scalar(g, dtype::f32, 0)));
  CHECK(same_value(identity_element(g, reducer::product, dtype::i32), scalar(g, dtype::i32, 1)));
  CHECK(same_value(identity_element(g, reducer::maximum, dtype::f32), scalar(g, dtype::f32, -infinity)));
  CHECK(same_value(identity_element(g, reducer::minimum, dtype::f32), scalar(g, dtype::f32, infinity)));
  CHECK(same_value(identity_element(g, reducer::maximum, dtype::i8), scalar(g, dtype::i8, -128)));
  CHECK(same_value(identity_element(g, reducer::minimum, dtype::u8), scalar(g, dtype::u8, 255)));
  CHECK(same_value(identity_element(g, reducer::maximum, dtype::f8_e4m3fn), scalar(g, dtype::f8_e4m3fn, -448.0)));
  CHECK(same_value(identity_element(g, reducer::all, dtype::boolean), scalar(g, dtype::boolean, 1)));
  CHECK(same_value(identity_element(g, reducer::any, dtype::boolean), scalar(g, dtype::boolean, 0)));
}

TEST_CASE("an initial value that is the identity element is dropped") {
  graph g;
  const value y = g.input({dtype::f32, {3}}, "y");
  CHECK(same_value(with_init(reducer::sum, y, scalar(g, dtype::f32, 0)), y));
  CHECK_FALSE(same_value(with_init(reducer::sum, y, scalar(g, dtype::f32, 1)), y));
  CHECK_FALSE(is_identity(reducer::sum, g.input({dtype::f32, {}}, "init")));
}
