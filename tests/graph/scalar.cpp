// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cmath>
#include <limits>

#include <jax2onnx/graph/scalar.hpp>

using namespace jax2onnx;

namespace {

struct row {
  dtype type;
  double number;
  std::uint64_t pattern;
};

constexpr double inf = std::numeric_limits<double>::infinity();

}  // namespace

// The patterns are from ml_dtypes: np.array(number, dtype).view(uint).
TEST_CASE("encode_float: rounds half to even, saturates as the type does") {
  const row rows[] = {
      {dtype::f32, 0.1, 0x3dcccccd},
      {dtype::f32, 1e-45, 1},
      {dtype::f32, -0.0, 0x80000000},
      {dtype::f32, 1e39, 0x7f800000},
      {dtype::f16, 1.0, 0x3c00},
      {dtype::f16, 65504, 0x7bff},
      {dtype::f16, 65519, 0x7bff},
      {dtype::f16, 65520, 0x7c00},
      {dtype::f16, 2049, 0x6800},  // halfway between 2048 and 2050: rounds to the even mantissa
      {dtype::f16, 2051, 0x6802},
      {dtype::f16, 5.9604644775390625e-08, 1},
      {dtype::f16, 2.98023223876953125e-08, 0},
      {dtype::f16, 8.94069671630859375e-08, 2},
      {dtype::f16, -inf, 0xfc00},
      {dtype::bf16, 1.0, 0x3f80},
      {dtype::bf16, 1.00390625, 0x3f80},
      {dtype::bf16, 1.01171875, 0x3f82},
      {dtype::bf16, 0.10009765625, 0x3dcd},
      {dtype::bf16, 3.4e38, 0x7f80},
      {dtype::f8_e4m3fn, 448, 0x7e},
      {dtype::f8_e4m3fn, 464, 0x7e},
      {dtype::f8_e4m3fn, 480, 0x7f},
      {dtype::f8_e4m3fn, 0.001953125, 1},
      {dtype::f8_e4m3fn, -1.5, 0xbc},
      {dtype::f8_e4m3fnuz, 1.0, 0x40},
      {dtype::f8_e4m3fnuz, -0.0, 0},
      {dtype::f8_e4m3fnuz, 1000, 0x80},
      {dtype::f8_e5m2, 57344, 0x7b},
      {dtype::f8_e5m2, 61440, 0x7c},
      {dtype::f8_e5m2, 1.0, 0x3c},
      {dtype::f8_e5m2fnuz, 1.0, 0x40},
      {dtype::f4_e2m1fn, 1.0, 2},
      {dtype::f4_e2m1fn, 6.0, 7},
      {dtype::f4_e2m1fn, -0.5, 9},
  };
  for (const row& r : rows) {
    INFO(name(r.type) << " " << r.number);
    CHECK(encode_float(r.type, r.number) == r.pattern);
  }
}

TEST_CASE("encode_float: NaN is a NaN of the type") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK((encode_float(dtype::f16, nan) & 0x7fff) == 0x7e00);
  CHECK((encode_float(dtype::bf16, nan) & 0x7fff) == 0x7fc0);
  CHECK((encode_float(dtype::f8_e4m3fn, nan) & 0x7f) == 0x7f);
  CHECK(encode_float(dtype::f8_e5m2fnuz, nan) == 0x80);
}

TEST_CASE("scalar_bytes: integers are little endian, sub-byte types are masked") {
  CHECK(scalar_bytes(dtype::i32, std::int64_t{-2}) == std::string("\xfe\xff\xff\xff", 4));
  CHECK(scalar_bytes(dtype::u64, std::int64_t{-1}) == std::string(8, '\xff'));
  CHECK(scalar_bytes(dtype::i4, std::int64_t{-1}) == "\x0f");
  CHECK(scalar_bytes(dtype::boolean, std::int64_t{1}) == "\x01");
  CHECK(scalar_bytes(dtype::i8, 3.0) == "\x03");
  CHECK(scalar_bytes(dtype::f32, std::int64_t{1}) == std::string("\0\0\x80\x3f", 4));
}

TEST_CASE("integer limits") {
  CHECK(smallest_integer(dtype::i8) == -128);
  CHECK(smallest_integer(dtype::i64) == INT64_MIN);
  CHECK(smallest_integer(dtype::u32) == 0);
  CHECK(largest_integer(dtype::i64) == INT64_MAX);
  CHECK(largest_integer(dtype::u64) == UINT64_MAX);
  CHECK(largest_integer(dtype::i4) == 7);
  CHECK(largest_integer(dtype::boolean) == 1);
}
