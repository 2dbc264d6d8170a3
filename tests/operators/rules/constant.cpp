// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <cmath>

#include <jax2onnx/operators/rules/constant.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr formal_attribute attributes[] = {{"value", attribute_kind::tensor}, {"dtype", attribute_kind::integer}};
constexpr op_record op = record_of(attributes);
constexpr dim B = dim::symbol("B"), dyn = dim::dyn();

static_assert(applied(op).with("value", f32({2, 3})).run(rules::constant).are(f32({2, 3})));
static_assert(applied(op, i64({2})).known(0, {B, 3}).run(rules::constant_of_shape).are(f32({B, 3})));
static_assert(
    applied(op, i64({}), i64({}), i64({})).known(0, {0}).known(1, {7}).known(2, {2}).run(rules::range).is({4}));

outcome range(dim start, dim limit, dim step) {
  return applied(op, i64({}), i64({}), i64({})).known(0, {start}).known(1, {limit}).known(2, {step}).run(rules::range);
}

}  // namespace

TEST_CASE("Constant has one value", "[graph]") {
  CHECK(applied(op).with("value_int", 3).run(rules::constant).are(i64({})));
  CHECK(applied(op).with("value_ints", {3, 4}).run(rules::constant).are(i64({2})));
  CHECK(applied(op).list("value_floats", 5).run(rules::constant).are(f32({5})));
  CHECK(applied(op).list("value_strings", 5).run(rules::constant).are(of(dtype::string, {5})));
  CHECK_FALSE(applied(op).with("value_int", 3).with("value_ints", {3}).run(rules::constant).ok());
  CHECK_FALSE(applied(op).run(rules::constant).ok());
  CHECK(applied(op).attributes_at_run_time().run(rules::constant).is_unranked());
}

TEST_CASE("ConstantOfShape reads extents and repeats one element", "[graph]") {
  CHECK(applied(op, i64({2})).with("value", i64({1})).run(rules::constant_of_shape).are(i64({dyn, dyn})));
  CHECK(applied(op, i64({B})).run(rules::constant_of_shape).are(unranked(dtype::f32)));
  CHECK_FALSE(applied(op, i64({1})).known(0, {-1}).run(rules::constant_of_shape).ok());
  CHECK_FALSE(applied(op, i64({1, 1})).run(rules::constant_of_shape).ok());
  CHECK_FALSE(applied(op, i64({1})).with("value", i64({2})).run(rules::constant_of_shape).ok());
}

TEST_CASE("EyeLike makes matrices", "[graph]") {
  CHECK(applied(op, f32({B, 3})).run(rules::eye_like).are(f32({B, 3})));
  CHECK(applied(op, f32({B, 3})).with("dtype", dtype::i64).run(rules::eye_like).are(i64({B, 3})));
  CHECK_FALSE(applied(op, f32({3})).run(rules::eye_like).ok());
}

TEST_CASE("Range counts its steps", "[graph]") {
  CHECK(range(10, 4, -2).is({3}));
  CHECK(range(0, 5, -1).is({0}));
  CHECK(range(dyn, 5, 1).is({dyn}));
  CHECK(range(0, 5, dyn).is({dyn}));
  CHECK_FALSE(range(0, 5, 0).ok());
  CHECK(applied(op, f32({}), f32({}), f32({})).known(2, {1}).run(rules::range).is({dyn}));
  CHECK_FALSE(applied(op, f32({2}), f32({}), f32({})).run(rules::range).ok());
  CHECK(applied(op, f32({}), f32({}), f32({})).known_reals(0, {0}).known_reals(2, {0.5}).run(rules::range).is({dyn}));
  CHECK_FALSE(applied(op, f32({}), f32({}), f32({})).known_reals(2, {0}).run(rules::range).ok());
  CHECK_FALSE(applied(op, f32({}), f32({}), f32({})).known_reals(1, {HUGE_VAL}).run(rules::range).ok());
}
