// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/float_bits.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("to_bits, from_bits: BitCast from opset 26 on, except of 8-bit floats") {
  graph g(26);
  const value x = g.input({dtype::f32, {2}}, "x");
  CHECK(op_of(to_bits(x)) == "BitCast");
  CHECK(to_bits(x).dtype() == dtype::u32);
  CHECK(op_of(from_bits(to_bits(x), dtype::f32)) == "BitCast");
  CHECK(op_of(to_bits(g.input({dtype::f8_e5m2, {2}}, "f8"))) != "BitCast");
}

TEST_CASE("to_bits, from_bits: arithmetic before, a Cast of integers") {
  graph g(25);
  const value x = g.input({dtype::f32, {2}}, "x"), i = g.input({dtype::i16, {2}}, "i");
  CHECK(to_bits(x).dtype() == dtype::u32);
  CHECK(from_bits(to_bits(x), dtype::f32).dtype() == dtype::f32);
  for (std::string_view op : op_list(g)) CHECK(op != "BitCast");
  CHECK(op_of(to_bits(i)) == "Cast");
  CHECK(op_of(from_bits(g.input({dtype::u8, {2}}, "u"), dtype::f8_e5m2)) == "Cast");  // of an element of a table
}

TEST_CASE("from_bits: recognizes how JAX makes uniform random numbers") {
  graph g(23);
  const value random = g.input({dtype::u32, {4}}, "random");
  const value pattern = bit_or(bit_shift(random, scalar(g, dtype::u32, 9), "RIGHT"), scalar(g, dtype::u32, 0x3f800000));
  CHECK(op_of(from_bits(pattern, dtype::f32)) == "Add");  // 1 + m 2^-23
  const value other = bit_or(bit_shift(random, scalar(g, dtype::u32, 8), "RIGHT"), scalar(g, dtype::u32, 0x3f800000));
  CHECK(op_of(from_bits(other, dtype::f32)) == "Cast");  // the mantissa has too many bits
}

TEST_CASE("sign_of_float_bits: the sign of the number, not of its pattern") {
  graph g(25);
  for (const dtype t : {dtype::f32, dtype::f64}) {
    const value x = g.input({t, {2}}, "");
    const value sign = detail::sign_of_float_bits(cast(to_bits(x), signed_of(t)));
    REQUIRE(sign);
    CHECK(op_of(sign) == "Less");
    CHECK(sign.dtype() == dtype::boolean);
  }
}

TEST_CASE("sign_of_float_bits: absent for other integers") {
  graph g(25);
  const value i = g.input({dtype::i32, {2}}, "i");
  CHECK(!detail::sign_of_float_bits(i));
  CHECK(!detail::sign_of_float_bits(cast(i, dtype::u32)));
  const value x = g.input({dtype::f64, {2}}, "x"), zero = scalar(g, dtype::f64, 0);
  CHECK(!detail::sign_of_float_bits(
      cast(where(is_nan(x), zero, add(x, where(detail::is_negative(x), x, zero))), dtype::i32)));
}
