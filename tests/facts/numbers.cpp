// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <cmath>

#include <jax2onnx/facts/numbers.hpp>

using namespace jax2onnx;
using namespace jax2onnx::facts;
using namespace jax2onnx::rewrite::test;

TEST_CASE("splat_number: one number everywhere") {
  model m;
  CHECK(splat_number(scalar(m.g, dtype::f32, 2.5)) == 2.5);
  CHECK(splat_number(scalar(m.g, dtype::bf16, -2.0)) == -2.0);
  CHECK(splat_number(scalar(m.g, dtype::i8, -3)) == -3.0);
  CHECK(splat_number(scalar(m.g, dtype::u64, UINT64_MAX)) == 0x1p64);
  const std::vector<double> fours(6, 4.0);
  CHECK(splat_number(array(m.g, dtype::f32, {2, 3}, std::span<const double>(fours))) == 4.0);
  CHECK_FALSE(splat_number(m.weight({3})));
  CHECK_FALSE(splat_number(m.in({1})));
  CHECK_FALSE(splat_number(value()));
}

TEST_CASE("splat_number: not of long constants, nor of types that are not decoded") {
  model m;
  const std::vector<double> zeros(2000, 0.0);
  CHECK_FALSE(splat_number(array(m.g, dtype::f32, {2000}, std::span<const double>(zeros))));
  CHECK_FALSE(is_decodable(dtype::i4));
  CHECK_FALSE(is_decodable(dtype::f8_e4m3fn));
}

TEST_CASE("single_number: of constants of one element") {
  model m;
  const std::vector<double> fours(2, 4.0);
  CHECK(single_number(scalar(m.g, dtype::f32, 4.0)) == 4.0);
  CHECK(single_number(array(m.g, dtype::f32, {1, 1}, std::span<const double>(fours).first(1))) == 4.0);
  CHECK_FALSE(single_number(array(m.g, dtype::f32, {2}, std::span<const double>(fours))));
}

TEST_CASE("equal_when_rounded: up to one rounding in the dtype") {
  CHECK(equal_when_rounded(dtype::f32, double(float(1.0 / 3)), 1.0 / 3));
  CHECK_FALSE(equal_when_rounded(dtype::f64, double(float(1.0 / 3)), 1.0 / 3));
  CHECK(equal_when_rounded(dtype::f16, 0.7978515625, std::sqrt(0.63661977)));
  CHECK_FALSE(equal_when_rounded(dtype::i32, 3, 3.0001));
}

TEST_CASE("decode_integer: sign extended") {
  CHECK(decode_integer(dtype::i8, 0xff) == -1);
  CHECK(decode_integer(dtype::u8, 0xff) == 255);
  CHECK(decode_integer(dtype::i32, 0x80000000) == INT32_MIN);
}
