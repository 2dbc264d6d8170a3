// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/linear/dot.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

namespace {

struct model {
  graph g;
  value x = g.input({dtype::f32, {2, 3, 4, 5}}, "x"), y = g.input({dtype::f32, {5, 2, 3, 6}}, "y");
};

}  // namespace

TEST_CASE("contracted pairs are in the order of the left operand") {
  const dot_axes d({{{3, 1}, {0, 2}}, {{0}, {1}}});
  CHECK(d.lhs_contract == ints{1, 3});
  CHECK(d.rhs_contract == ints{2, 0});
  CHECK(d.lhs_batch == ints{0});
  CHECK(d.rhs_batch == ints{1});
}

TEST_CASE("a product has the batch, then the free dimensions of both operands") {
  model m;
  CHECK(dot(m.x, m.y, dot_axes({{{3, 1}, {0, 2}}, {{0}, {1}}})).dims() == shape{2, 4, 6});
  CHECK(dot(m.x, m.y, dot_axes({{{3}, {0}}, {{}, {}}})).dims() == shape{2, 3, 4, 2, 3, 6});
  const value outer = dot(m.x, m.y, dot_axes({{{}, {}}, {{0}, {1}}}));
  CHECK(outer.dims() == shape{2, 3, 4, 5, 5, 3, 6});
  CHECK(op_of(outer) == "Mul");
}

TEST_CASE("products accumulate in the wider type, and in types that MatMul has") {
  CHECK(accumulation_dtype(dtype::f32, dtype::f32) == dtype::f32);
  CHECK(accumulation_dtype(dtype::bf16, dtype::f32) == dtype::f32);
  CHECK(accumulation_dtype(dtype::f32, dtype::bf16) == dtype::f32);
  CHECK(accumulation_dtype(dtype::i8, dtype::i8) == dtype::i32);
  CHECK(accumulation_dtype(dtype::i8, dtype::f32) == dtype::f32);
  CHECK(accumulation_dtype(dtype::f32, dtype::i32) == dtype::f32);
  CHECK(accumulation_dtype(dtype::bf16, dtype::boolean) == dtype::bf16);
  CHECK(accumulation_dtype(dtype::i64, dtype::i32) == dtype::i64);
  CHECK(accumulation_dtype(dtype::boolean, dtype::boolean) == dtype::i32);
  CHECK(accumulation_dtype(dtype::f8_e4m3fn, dtype::f8_e4m3fn) == dtype::f32);
}
