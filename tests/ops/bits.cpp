// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/bits.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("bitwise operators need opset 18, except Not") {
  graph old(17), g(18);
  const value x = old.input({dtype::i32, {2}}, "x"), y = g.input({dtype::i32, {2}}, "y");
  CHECK_THROWS_WITH(bit_and(x, x), "BitwiseAnd needs opset 18");
  CHECK_THROWS_WITH(bit_or(x, x), "BitwiseOr needs opset 18");
  CHECK_THROWS_AS(bit_xor(x, x), opset_error);
  CHECK(op_of(bit_not(x)) == "Sub");
  CHECK(op_of(bit_not(y)) == "BitwiseNot");
  CHECK(op_of(bit_xor(y, y)) == "BitwiseXor");
}

TEST_CASE("shifts: by known amounts") {
  graph g;
  const value x = g.input({dtype::i32, {2}}, "x");
  CHECK(same_value(shift_left_by(x, 0), x));
  CHECK(same_value(operand_of(shift_left_by(x, 5), 1), scalar(g, dtype::i32, 32)));
  CHECK(same_value(shift_right_by(x, 0), x));
  const value right = shift_right_by(x, 5);
  CHECK(right.dtype() == dtype::i32);
  CHECK(word(operand_of(right, 0), "direction") == "RIGHT");
  CHECK(operand_of(operand_of(right, 0), 0).dtype() == dtype::u32);
}

TEST_CASE("dtypes of a width") {
  for (dtype t : {dtype::i2, dtype::i4, dtype::i8, dtype::i16, dtype::i32, dtype::i64}) {
    CHECK(signed_of(unsigned_of(t)) == t);
    CHECK(is_unsigned_integer(unsigned_of(t)));
    CHECK(bits(unsigned_of(t)) == bits(t));
  }
}
