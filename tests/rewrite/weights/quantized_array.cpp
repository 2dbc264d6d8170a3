// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/weights/quantized_array.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using jax2onnx::rewrite::test::model;

namespace {

value f32(const value& x) { return cast(x, dtype::f32); }

}  // namespace

TEST_CASE("quantized arrays: numbers, zero points and factors") {
  model m;
  const value q = m.weight({4, 6}, dtype::i8), z = m.weight({6}, dtype::i8), s = m.weight({4, 1});
  const auto a = quantized_array_of(mul(sub(f32(q), f32(z)), s));
  REQUIRE(a);
  CHECK(same_value(a->numbers.constant, q));
  CHECK(a->zeros.axes == strided_axes{{4, 0}, {6, 1}});
  CHECK(a->factors.axes == strided_axes{{4, 1}, {6, 0}});
  CHECK_FALSE(quantized_array_of(f32(m.in({4, 6}, dtype::i8))));
  CHECK_FALSE(quantized_array_of(f32(m.weight({4, 6}, dtype::i16))));
  CHECK_FALSE(quantized_array_of(mul(f32(q), m.in({6}))));
  CHECK_FALSE(quantized_array_of(mul(mul(f32(q), s), s)));
  CHECK_FALSE(quantized_array_of(add(f32(q), s)));
}

TEST_CASE("quantized arrays: views of them") {
  model m;
  const value q = m.weight({2, 4, 6}, dtype::i8), s = m.weight({2, 1, 6});
  const value matrix = ops::reshape(mul(f32(q), s), {8, 6});
  auto a = quantized_array_of(transpose(matrix, {1, 0}));
  REQUIRE(a);
  CHECK(a->factors.axes == strided_axes{{6, 1}, {2, 6}, {4, 0}});
  a = transposed(*a, {6, 8});
  REQUIRE(a);
  CHECK(is_row_major(a->numbers.axes));
}

TEST_CASE("quantized arrays: rows of factors that are repeated") {
  model m;
  const value q = m.weight({8, 3}, dtype::i8), s = m.weight({2, 3});
  const auto of = [&](const ints& rows) {
    const value i = array(m.g, dtype::i64, {8}, std::span<const std::int64_t>(rows));
    return quantized_array_of(mul(f32(q), m.g.emit("Gather", {s, i}, {dtype::f32, {8, 3}})));
  };
  const auto a = of({0, 0, 0, 0, 1, 1, 1, 1});
  REQUIRE(a);
  CHECK(a->factors.axes == strided_axes{{2, 3}, {4, 0}, {3, 1}});
  CHECK_FALSE(of({0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST_CASE("quantized arrays: operators that change nothing") {
  model m;
  const value c = m.weight({4}, dtype::i8);
  const value all = greater(c, scalar(m.g, dtype::i8, 0)), none = less(c, scalar(m.g, dtype::i8, 0));
  const auto chosen = [&](const value& condition) {
    return cast(where(condition, cast(c, dtype::i32), scalar(m.g, dtype::i32, -128)), dtype::i8);
  };
  CHECK(same_value(of_quantized::plain(chosen(all)), c));
  CHECK_FALSE(same_value(of_quantized::plain(chosen(none)), c));
}

TEST_CASE("quantized arrays: as DequantizeLinear") {
  model m;
  const value q = m.weight({64, 4}, dtype::i8);
  const auto of = [&](const value& v) { return dequantize(m.g, *quantized_array_of(v), 64, 4, 256); };
  const value columns = of(mul(f32(q), m.weight({4}))), whole = of(f32(q)), rows = of(mul(f32(q), m.weight({64, 1})));
  CHECK(input_of(columns, 1).dims() == shape{4});
  CHECK(axis_of(columns) == 1);
  CHECK(input_of(whole, 1).rank() == 0);
  CHECK_FALSE(rows);
  const value s = m.weight({4, 1, 4}), b = ops::reshape(q, {4, 16, 4});
  const value blocks = of(ops::reshape(mul(f32(b), s), {64, 4}));
  REQUIRE(blocks);
  CHECK(input_of(blocks, 1).dims() == shape{4, 4});
  CHECK(attribute_of<std::int64_t>(blocks, "block_size") == 16);
  CHECK(same_value(input_of(whole, 0), q));
  const value copied = dequantize(m.g, *quantized_array_of(f32(q)), 64, 4, 40);
  CHECK(input_of(copied, 1).dims() == shape{2, 4});
  CHECK(attribute_of<std::int64_t>(copied, "block_size") == 32);
}
