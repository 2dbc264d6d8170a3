// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/inference.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

TEST_CASE("a rule sees attributes as given, else their defaults", "[graph]") {
  static constexpr formal_attribute attributes[] = {standard("axis", -1), standard("mode", "constant")};
  static constexpr op_record op = record_of(attributes);
  applied c(op, f32({2}));
  CHECK(c.integer("axis") == -1);
  CHECK(c.text("mode") == "constant");
  CHECK(c.integers("axes").empty());
  c.with("axis", 1).with("mode", "edge").with("axes", {1, 2});
  CHECK(c.integer("axis") == 1);
  CHECK(c.text("mode") == "edge");
  CHECK(c.integers("axes")[1] == 2);
  CHECK(c.given("mode"));
  CHECK_FALSE(c.given("other"));
}

TEST_CASE("an axis counts from either end", "[graph]") {
  static constexpr op_record op = record_of();
  applied c(op);
  CHECK(c.axis(-1, 3) == 2);
  CHECK(c.axis(2, 3) == 2);
  CHECK_FALSE(c.failed());
  c.axis(3, 3);
  CHECK(c.problem() == "the axis {} is out of range for {} dimension{|s}");
  CHECK(c.details()[0] == dim(3));
  c.fail("another");
  CHECK(c.problem() != "another");
}

TEST_CASE("lists of axes count from either end", "[graph]") {
  static constexpr op_record op = record_of();
  applied c(op, f32({2, 3}), i64({2}), i64({}));
  CHECK_FALSE(c.axes_in(1, 2));
  c.known(1, {-1, 0});
  CHECK(c.axes_in(1, 2) == std::vector<std::int64_t>{1, 0});
  CHECK(c.number(2).is_dyn());
  c.known(2, {7});
  CHECK(c.number(2).is(7));
  CHECK_FALSE(c.failed());
  c.axes_in(1, 1);
  CHECK(c.failed());
}

TEST_CASE("the common type of two types", "[graph]") {
  const dim B = dim::symbol("B");
  CHECK(common_type(f32({B, 2}), f32({B, 3})) == f32({B, dim::dyn()}));
  CHECK(common_type(f32({B}), f32({})) == unranked(dtype::f32));
  CHECK(inference::either(B, 3).is(3));
  CHECK(inference::either(dim::dyn(), B) == B);
  CHECK(inference::either(3, B).is(3));
}
