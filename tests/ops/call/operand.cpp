// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/ops/call/operand.hpp>

using namespace jax2onnx;

TEST_CASE("operand: values, numbers, lists of integers, or nothing") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  CHECK(same_value(operand(x).as_value(), x));
  CHECK_FALSE(operand());
  CHECK_FALSE(operand(value()));
  const auto is_given = [](const operand& o) { return static_cast<bool>(o); };
  CHECK_FALSE(is_given({}));
  CHECK(std::get<std::int64_t>(operand(3).get()) == 3);
  CHECK(std::get<double>(operand(0.5f).get()) == 0.5);
  CHECK(std::get<bool>(operand(true).get()));
  CHECK(std::get<ints>(operand({1, 2}).get()) == ints{1, 2});
  CHECK_FALSE(operand(3).as_value());
}

TEST_CASE("required: attributes without a default") { CHECK(required<ints, void>({2, 2}).value == ints{2, 2}); }
