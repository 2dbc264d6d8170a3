// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/ops/constants.hpp>

using namespace jax2onnx;

TEST_CASE("constant_integers: of every integer type, and bools") {
  graph g;
  CHECK(constant_integers(int64s(g, {1, -2})) == ints{1, -2});
  const std::vector<std::int64_t> numbers{-1, 5};
  for (const dtype t : {dtype::i8, dtype::i16, dtype::i32})
    CHECK(constant_integers(ops::array(g, t, {2}, std::span<const std::int64_t>(numbers))) == ints{-1, 5});
  CHECK(constant_integers(ops::array(g, dtype::u8, {2}, std::span<const std::int64_t>(numbers))) == ints{255, 5});
  CHECK(constant_integers(scalar(g, dtype::boolean, 1)) == ints{1});
  CHECK(constant_integers(int64s(g, std::initializer_list<std::int64_t>{})) == ints{});
}

TEST_CASE("constant_integers: of nothing else") {
  graph g;
  CHECK_FALSE(constant_integers(value()));
  CHECK_FALSE(constant_integers(g.input({dtype::i64, {2}}, "x")));
  CHECK_FALSE(constant_integers(scalar(g, dtype::f32, 1.0)));
  CHECK_FALSE(constant_integers(g.constant({dtype::i4, {2}}, bytes(std::string(1, '\x21')))));
  CHECK_FALSE(constant_integer(int64s(g, {1})));
  CHECK_FALSE(constant_integer(value()));
  CHECK(constant_integer(ops::scalar(g, dtype::u64, -1)) == -1);
}
