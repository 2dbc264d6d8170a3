// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/reduction.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr formal_attribute attributes[] = {standard("axis", std::int64_t{0}), standard("keepdims", 1)};
constexpr op_record op = record_of(attributes);
constexpr dim B = dim::symbol("B"), dyn = dim::dyn();

static_assert(applied(op, f32({B, 3})).with("axes", {-1}).run(rules::reduce).is({B, 1}));
static_assert(applied(op, f32({B, 3}), i64({1})).known(1, {0}).with("keepdims", 0).run(rules::reduce).is({3}));
static_assert(!applied(op, f32({B, 3}), i64({1})).known(1, {2}).run(rules::reduce).ok());
static_assert(applied(op, f32({B, 3})).run(rules::arg_extreme).is({1, 3}));
static_assert(applied(op, f32({B, 3}), i64({})).known(1, {1}).run(rules::cumulative).is({B, 3}));

}  // namespace

TEST_CASE("reductions take axes as an attribute and as an operand", "[graph]") {
  CHECK(applied(op, f32({2, B, 4})).with("axes", {0, -1}).with("keepdims", 0).run(rules::reduce).is({B}));
  CHECK(applied(op, f32({2, B, 4}), i64({2})).known(1, {0, 1}).run(rules::reduce).is({1, 1, 4}));
  CHECK_FALSE(applied(op, f32({2, 3})).with("axes", {-3}).run(rules::reduce).ok());
  CHECK(applied(op, f32({2, 3})).with("axes", {1, -1}).run(rules::reduce).problem == "the axis {} is named twice");
  CHECK_FALSE(applied(op, f32({2, 3}), i64({1, 1})).run(rules::reduce).ok());
  CHECK_FALSE(applied(op, f32({2, 3}), i64({3})).run(rules::reduce).ok());
}

TEST_CASE("no axes are all axes, or none", "[graph]") {
  CHECK(applied(op, f32({2, 3})).run(rules::reduce).is({1, 1}));
  CHECK(applied(op, f32({2, 3})).with("keepdims", 0).run(rules::reduce).is({}));
  CHECK(applied(op, f32({2, 3}), std::nullopt).with("noop_with_empty_axes", 1).run(rules::reduce).is({2, 3}));
  CHECK(applied(op, f32({2, 3}), i64({0})).known(1, {}).run(rules::reduce).is({1, 1}));
}

TEST_CASE("unknown axes leave the rank where it is kept or counted", "[graph]") {
  CHECK(applied(op, f32({2, 3}), i64({1})).run(rules::reduce).is({dyn, dyn}));
  CHECK(applied(op, f32({2, 3}), i64({1})).with("keepdims", 0).run(rules::reduce).is({dyn}));
  CHECK(applied(op, f32({2, 3}), i64({B})).with("keepdims", 0).run(rules::reduce).is_unranked());
}

TEST_CASE("ArgMax reduces one axis", "[graph]") {
  CHECK(applied(op, f32({B, 3})).with("axis", -1).with("keepdims", 0).run(rules::arg_extreme).is({B}));
  CHECK_FALSE(applied(op, f32({B, 3})).with("axis", 2).run(rules::arg_extreme).ok());
  CHECK_FALSE(applied(op, f32({})).run(rules::arg_extreme).ok());
}

TEST_CASE("CumSum keeps the shape", "[graph]") {
  CHECK(applied(op, f32({B, 3}), i64({1})).run(rules::cumulative).is({B, 3}));
  CHECK_FALSE(applied(op, f32({B, 3}), i64({})).known(1, {-3}).run(rules::cumulative).ok());
  CHECK(applied(op, f32({B, 3}), i64({2})).run(rules::cumulative).problem == "operand {} must have one element");
}

TEST_CASE("attributes of the running program leave what they decide open", "[graph]") {
  CHECK(applied(op, f32({2, 3}), i64({1})).known(1, {0}).attributes_at_run_time().run(rules::reduce).is_unranked());
  CHECK(applied(op, f32({2, 3})).attributes_at_run_time().run(rules::arg_extreme).is_unranked());
  CHECK(applied(op, f32({2, 3})).with("keepdims", 0).attributes_at_run_time().run(rules::arg_extreme).is({dyn}));
}
