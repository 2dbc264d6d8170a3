// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <jax2onnx/ops/constants.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("constants: numbers read back") {
  graph g;
  CHECK(constant_integer(scalar(g, dtype::i8, -3)) == -3);
  CHECK(constant_integer(scalar(g, dtype::u8, 253)) == 253);
  CHECK(constant_integer(scalar(g, dtype::boolean, 1)) == 1);
  CHECK_FALSE(constant_integer(scalar(g, dtype::f32, 1)));
  CHECK_FALSE(constant_integer(int64s(g, {1})));
  CHECK_FALSE(constant_integer(g.input({dtype::i32, {}}, "x")));
  CHECK(constant_integers(int64s(g, {1, -2})) == ints{1, -2});
  CHECK(constant_integers(int64s(g, {})) == ints{});
  CHECK_FALSE(constant_integers({}));
  CHECK(constant_integers(array(g, dtype::i32, {2}, std::span<const int>(std::array{5, -6}))) == ints{5, -6});
  CHECK(constant_integers(scalar(g, dtype::i8, 1)) == ints{1});
}

TEST_CASE("uniform_integer, uniform_number: see through what repeats one element") {
  model m;
  CHECK(uniform_integer(filled(m.g, dtype::i16, {m.B, 2}, -7)) == -7);
  CHECK(uniform_number(reshape(filled(m.g, dtype::f16, {m.B, 2}, 0.5), {2, m.B})) == 0.5);
  CHECK_FALSE(uniform_integer(int64s(m.g, {1, 1})));
  CHECK_FALSE(uniform_number(m.x));
  CHECK_FALSE(uniform_number(scalar(m.g, dtype::i32, 1)));
}

TEST_CASE("converted_constant: integers wrap, numbers are rounded") {
  graph g;
  const auto converted = [&](const value& v, dtype to) { return *detail::converted_constant(v, to); };
  CHECK(same_value(converted(scalar(g, dtype::i64, 257), dtype::u8), scalar(g, dtype::u8, 1)));
  CHECK(same_value(converted(scalar(g, dtype::i8, -1), dtype::u32), scalar(g, dtype::u32, 0xffffffffu)));
  CHECK(same_value(converted(scalar(g, dtype::f64, 0.1), dtype::f32), scalar(g, dtype::f32, 0.1)));
  CHECK_FALSE(detail::converted_constant(g.input({dtype::f32, {}}, "x"), dtype::f64));
  CHECK_FALSE(detail::converted_constant(
      g.constant({dtype::u8, {folding_limit + 1}}, bytes(std::string(folding_limit + 1, 0))), dtype::u16));
}

TEST_CASE("identity_element: op(x, e) = x") {
  graph g;
  CHECK(same_value(identity_element(g, "Add", dtype::f32), scalar(g, dtype::f32, -0.0)));
  CHECK(same_value(identity_element(g, "Max", dtype::f32), scalar(g, dtype::f32, -INFINITY)));
  CHECK(same_value(identity_element(g, "Min", dtype::f8_e4m3fn),
                   scalar(g, dtype::f8_e4m3fn, 448.0)));  // without infinities
  CHECK(same_value(identity_element(g, "Add", dtype::i32), scalar(g, dtype::i32, 0)));
  CHECK(same_value(identity_element(g, "Mul", dtype::i32), scalar(g, dtype::i32, 1)));
  CHECK(constant_integer(identity_element(g, "Max", dtype::i16)) == -32768);
  CHECK(constant_integer(identity_element(g, "Min", dtype::u16)) == 65535);
  CHECK(same_value(identity_element(g, "And", dtype::boolean), scalar(g, dtype::boolean, 1)));
  CHECK(same_value(identity_element(g, "Or", dtype::boolean), scalar(g, dtype::boolean, 0)));
}

TEST_CASE("array: types of less than a byte are packed") {
  graph g;
  const value four = array(g, dtype::i4, {3}, {-8, 7, 1});
  CHECK(raw(four) == "\x78\x01");
  CHECK(raw(array(g, dtype::u2, {5}, std::vector<int>{3, 1, 0, 2, 1})) == "\x87\x01");
  CHECK_THROWS_WITH(array(g, dtype::f32, {3}, {1.0f}), Catch::Matchers::Contains("it needs 3 (12)"));
}

TEST_CASE("constants: numbers that the type cannot hold are refused, but where lowerings trust theirs") {
  graph g;
  CHECK_THROWS_WITH(jax2onnx::scalar(g, dtype::u8, 300), "scalar: 300 cannot be represented in u8");
  CHECK_THROWS_WITH(jax2onnx::scalar(g, dtype::f16, 1e9), "scalar: 1e+09 cannot be represented in f16");
  CHECK_THROWS_WITH(jax2onnx::scalar(g, dtype::i32, 2.5), "scalar: 2.5 cannot be represented in i32");
  CHECK_THROWS_WITH(jax2onnx::scalar(g, dtype::boolean, 2), "scalar: 2 cannot be represented in bool");
  CHECK_NOTHROW(jax2onnx::scalar(g, dtype::u64, ~std::uint64_t{0}));
  CHECK_NOTHROW(jax2onnx::scalar(g, dtype::f32, INFINITY));
  CHECK(constant_integer(ops::scalar(g, dtype::u8, 300)) == 44);
  const std::vector<float> numbers{300.f};
  CHECK_THROWS_WITH(jax2onnx::array(g, dtype::i8, {1}, std::span<const float>(numbers)),
                    "array: 300 cannot be represented in i8");
}
