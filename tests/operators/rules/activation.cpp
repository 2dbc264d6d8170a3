// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/activation.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr formal_attribute attributes[] = {standard("axis", -1)};
constexpr op_record op = record_of(attributes);
constexpr dim B = dim::symbol("B");

static_assert(applied(op, f32({B, 3}), f32({3})).run(rules::prelu).is({B, 3}));
static_assert(applied(op, f32({B, 3})).run(rules::along_axis).is({B, 3}));
static_assert(!applied(op, f32({B, 3})).with("axis", 2).run(rules::along_axis).ok());

}  // namespace

TEST_CASE("slopes broadcast to x, not x to the slopes", "[graph]") {
  CHECK(applied(op, f32({2, B, 4}), f32({B, 1})).run(rules::prelu).is({2, B, 4}));
  CHECK(applied(op, f32({1}), f32({3})).run(rules::prelu).problem == "the slopes do not broadcast to x");
  CHECK_FALSE(applied(op, f32({3}), f32({2, 3})).run(rules::prelu).ok());
}

TEST_CASE("Softmax needs its axis", "[graph]") {
  CHECK(applied(op, f32({2, 3})).with("axis", -2).run(rules::along_axis).is({2, 3}));
  CHECK_FALSE(applied(op, f32({2, 3})).with("axis", -3).run(rules::along_axis).ok());
  CHECK_FALSE(applied(op, f32({})).run(rules::along_axis).ok());
}

TEST_CASE("SwiGLU does not broadcast", "[graph]") {
  CHECK(applied(op, f32({2, B}), f32({2, B})).run(rules::gated).is({2, B}));
  CHECK(applied(op, f32({dim::dyn(), B}), f32({2, B})).run(rules::gated).is({2, B}));
  CHECK(applied(op, f32({2, 3}), f32({3})).run(rules::gated).problem == "the gate has {} dimension{|s}, the values {}");
  CHECK_FALSE(applied(op, f32({2, 3}), f32({1, 3})).run(rules::gated).ok());
}
