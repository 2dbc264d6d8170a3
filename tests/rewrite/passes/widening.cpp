// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <algorithm>

#include <jax2onnx/rewrite/passes/widening.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::detail;

namespace {

constexpr std::uint32_t mask(std::initializer_list<dtype> types) {
  std::uint32_t bits = 0;
  for (const dtype t : types) bits |= 1u << static_cast<int>(t);
  return bits;
}

}  // namespace

TEST_CASE("widening: bfloat16 is computed in float32, float64 in nothing else") {
  CHECK(stand_in_for(dtype::bf16, element_use::values, mask({dtype::f32})).type == dtype::f32);
  CHECK_FALSE(stand_in_for(dtype::f64, element_use::values, mask({dtype::f32})));
  CHECK(stand_in_for(dtype::u64, element_use::orders, mask({dtype::i64})).biased);
}

TEST_CASE("widening: the nearest type that holds every value") {
  CHECK(stand_in_for(dtype::f16, element_use::values, mask({dtype::f32, dtype::f64})).type == dtype::f32);
  CHECK(stand_in_for(dtype::i8, element_use::values, mask({dtype::i32, dtype::i64})).type == dtype::i32);
  CHECK(stand_in_for(dtype::u8, element_use::values, mask({dtype::i32})).type == dtype::i32);
  CHECK(stand_in_for(dtype::u32, element_use::values, mask({dtype::i32, dtype::i64})).type == dtype::i64);
  CHECK(stand_in_for(dtype::boolean, element_use::values, mask({dtype::u8})).type == dtype::u8);
}

TEST_CASE("widening: none if values would be lost") {
  CHECK_FALSE(stand_in_for(dtype::f64, element_use::values, mask({dtype::f32})));
  CHECK_FALSE(stand_in_for(dtype::i64, element_use::values, mask({dtype::i32})));
  CHECK_FALSE(stand_in_for(dtype::u64, element_use::values, mask({dtype::i64})));
  CHECK_FALSE(stand_in_for(dtype::i32, element_use::values, mask({dtype::f32})));
}

TEST_CASE(
    "widening: unsigned integers as signed ones where arithmetic is modulo 2^n, or biased where they are compared") {
  CHECK(stand_in_for(dtype::u32, element_use::rings, mask({dtype::i32})).type == dtype::i32);
  CHECK(stand_in_for(dtype::u64, element_use::moves, mask({dtype::i64})).type == dtype::i64);
  const stand_in ordered = stand_in_for(dtype::u64, element_use::orders, mask({dtype::i64}));
  CHECK(ordered.type == dtype::i64);
  CHECK(ordered.biased);
}

TEST_CASE("widening: what operators do with their elements") {
  CHECK(use_of("Gather") == element_use::moves);
  CHECK(use_of("MatMul") == element_use::rings);
  CHECK(use_of("TopK") == element_use::orders);
  CHECK(use_of("Div") == element_use::values);
}
