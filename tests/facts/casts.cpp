// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/facts/casts.hpp>

using namespace jax2onnx;

TEST_CASE("casts_exactly: every value of the one type is a value of the other") {
  CHECK(casts_exactly(dtype::boolean, dtype::f32));
  CHECK(casts_exactly(dtype::bf16, dtype::f32));
  CHECK(casts_exactly(dtype::u8, dtype::i16));
  CHECK(casts_exactly(dtype::i16, dtype::f32));
  CHECK(casts_exactly(dtype::f8_e5m2, dtype::f16));
  CHECK(casts_exactly(dtype::i32, dtype::f64));
  CHECK_FALSE(casts_exactly(dtype::i32, dtype::f32));
  CHECK_FALSE(casts_exactly(dtype::i8, dtype::u16));
  CHECK_FALSE(casts_exactly(dtype::f16, dtype::bf16));
  CHECK_FALSE(casts_exactly(dtype::f32, dtype::i64));
  CHECK_FALSE(casts_exactly(dtype::i32, dtype::boolean));
}

TEST_CASE("is_half_or_wider: floating-point types of 16 bits and more") {
  CHECK(is_half_or_wider(dtype::f16));
  CHECK_FALSE(is_half_or_wider(dtype::f8_e5m2));
  CHECK_FALSE(is_half_or_wider(dtype::i32));
}
