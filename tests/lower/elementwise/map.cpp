// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/elementwise/map.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

namespace {

value twice(const value& x) { return add(x, x); }

std::string_view op(const std::string& type, const std::string& operands, lower_fn fn) {
  const lowered_text done("{ lambda ; a:" + type + " b:" + type + ". let c:" + type + " = p " + operands + " in (c,) }",
                          fn);
  REQUIRE(done.problem() == "(none)");
  return op_of(done.results[0].re());  // views a string literal, so it outlives the graph
}

}  // namespace

TEST_CASE("rows of one operator") {
  CHECK(op("f32[2]", "a", map1<"Abs">) == "Abs");
  CHECK(op("f32[2]", "a b", map2<"Sub">) == "Sub");
  CHECK(op("bool[2]", "a b", compare2<"Equal">) == "Equal");
}

TEST_CASE("bool has an operator of its own") {
  CHECK(op("bool[2]", "a b", bool_or<"Or", "Add">) == "Or");
  CHECK(op("i32[2]", "a b", bool_or<"Or", "Add">) == "Add");
}

TEST_CASE("narrow types are computed in float, and only the result is rounded") {
  CHECK(op("f32[2]", "a", apply1<twice>) == "Add");
  CHECK(op("f32[2]", "a", real1<twice>) == "Add");
  CHECK(op("bf16[2]", "a", apply1<twice>) == "Add");
  CHECK(op("bf16[2]", "a", real1<twice>) == "Cast");
}
