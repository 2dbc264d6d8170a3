// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/weights/byte_function.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;

namespace {

std::optional<byte_function> of(const value& v, int budget = 64) { return byte_function_of(v, budget); }

value bitwise(operator_name op, const value& x, std::int64_t number) {
  return x.owner().emit(op, {x, scalar(x.owner(), x.dtype(), number)}, x.type());
}

}  // namespace

TEST_CASE("byte functions: bits, comparisons and casts of a constant") {
  rewrite::test::model m;
  const value c = m.weight({4}, dtype::i8);
  const auto low = of(sub(bitwise("BitwiseXor", bitwise("BitwiseAnd", c, 15), 8), scalar(m.g, dtype::i8, 8)));
  REQUIRE(low);
  CHECK(same_value(low->bytes, c));
  CHECK(decode_integer(low->type, low->results[0x2f]) == -1);
  CHECK(decode_integer(low->type, low->results[0xf7]) == 7);
  const value u = cast(c, dtype::u8);
  const auto high = of(m.g.emit("BitShift", {u, scalar(m.g, dtype::u8, 4)}, u.type(), {{"direction", "RIGHT"}}));
  REQUIRE(high);
  CHECK(high->results[0xa5] == 0xa);
}

TEST_CASE("byte functions: what is none") {
  rewrite::test::model m;
  const value c = m.weight({4}, dtype::i8), x = m.in({4}, dtype::i8);
  CHECK_FALSE(of(add(x, x)));
  CHECK_FALSE(of(cumsum(c, 0)));
  CHECK_FALSE(of(m.weight({4}, dtype::i32)));
  CHECK_FALSE(of(bitwise("BitwiseAnd", c, 15), 1));
  CHECK(of(bitwise("BitwiseAnd", c, 15), 3));
}
