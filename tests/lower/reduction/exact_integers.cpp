// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/reduction/exact_integers.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

namespace {

struct model {
  graph g;
  value i8 = g.input({dtype::i8, {4}}, "i8"), i32 = g.input({dtype::i32, {4}}, "i32");
  value i64 = g.input({dtype::i64, {2, 40}}, "i64"), f32 = g.input({dtype::f32, {4}}, "f32");
};

}  // namespace

TEST_CASE("integers cast from a narrower type need fewer bits") {
  model m;
  CHECK(significant_bits(m.i8) == 8);
  CHECK(significant_bits(cast(m.i8, dtype::i64)) == 8);
  CHECK(significant_bits(cast(m.i32, dtype::i8)) == 8);
  CHECK(significant_bits(cast(m.f32, dtype::i32)) == 32);
  CHECK(significant_bits(m.g.input({dtype::u32, {}}, "u")) == 33);
  CHECK(is_wide_integer(m.i64));
  CHECK_FALSE(is_wide_integer(cast(m.i32, dtype::i64)));
}

TEST_CASE("extremes of wide integers are compared exactly") {
  model m;
  CHECK(op_of(extreme("Max", m.i64, m.i64)) == "Where");
  CHECK(op_of(extreme("Max", m.i32, m.i32)) == "Max");
  const value wide = reduce_to_extreme("ReduceMax", m.i64, {0});
  CHECK(wide.dims() == shape{40});
  CHECK(op_of({m.g, producer(wide).inputs[0]}) == "TopK");
  CHECK(op_of(reduce_to_extreme("ReduceMax", m.i32, {0})) == "ReduceMax");
}

TEST_CASE("sums of wide integers are made of halves, those of int32 in int64") {
  model m;
  CHECK(op_of(exact_sum(m.i64, {1})) == "Add");
  CHECK(op_of(exact_sum(cast(m.i32, dtype::i64), {0})) == "ReduceSum");
  CHECK(op_of(exact_sum(m.i32, {0})) == "Cast");
  CHECK(op_of(exact_sum(cast(m.i8, dtype::i32), {0})) == "ReduceSum");
  CHECK(op_of(exact_sum(m.f32, {0})) == "ReduceSum");
}

TEST_CASE("products that may exceed 32 bits are scanned") {
  model m;
  CHECK(op_of(reduce_to_product(m.i64, {1})) == "Scan");
  CHECK(reduce_to_product(m.i64, {1}).dims() == shape{2});
  CHECK(op_of(reduce_to_product(m.i8, {0})) == "ReduceProd");
  CHECK(op_of(reduce_to_product(m.f32, {0})) == "ReduceProd");
}
