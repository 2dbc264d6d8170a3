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
  for (std::string_view op : ops(g)) CHECK(op != "BitCast");
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
