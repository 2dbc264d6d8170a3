// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstdlib>
#include <limits>
#include <span>

#include <jax2onnx/emit/element_text.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;

namespace {

template <class T>
std::string element(dtype type, T value) {
  return element_text(type, std::as_bytes(std::span(&value, 1)), 0);
}

}  // namespace

TEST_CASE("float text: the shortest decimal, never one that reads as an integer") {
  CHECK(float_text(1.0f) == "1.0");
  CHECK(float_text(-0.0f) == "-0.0");
  CHECK(float_text(0.1f) == "0.1");
  CHECK(float_text(0.1) == "0.1");
  CHECK(float_text(-12.5) == "-12.5");
  CHECK(float_text(100000.0f) == "100000.0");
  CHECK(float_text(123456789.0f) == "123456790.0");
  CHECK(float_text(0.00025) == "0.00025");
}

TEST_CASE("float text: exponents below -4 and above 15 stay") {
  CHECK(float_text(0.0001) == "0.0001");
  CHECK(float_text(0.00001) == "1e-05");
  CHECK(float_text(1.25e-7f) == "1.25e-07");
  CHECK(float_text(1e15) == "1000000000000000.0");
  CHECK(float_text(1e16) == "1e+16");
  CHECK(float_text(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
}

TEST_CASE("float text: numbers read back as themselves") {
  for (const float f : {1.17549435e-38f, 1e-45f, 3.4028235e38f, 16777217.0f, 0.3333333f, 5.5e12f})
    CHECK(std::strtof(float_text(f).c_str(), nullptr) == f);
  for (const double d : {5e-324, 1.0 / 3, 9007199254740993.0, 1234567890123456.7})
    CHECK(std::strtod(float_text(d).c_str(), nullptr) == d);
}

TEST_CASE("float text: infinities and NaN") {
  CHECK(float_text(std::numeric_limits<float>::quiet_NaN()) == "nan");
  CHECK(float_text(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(float_text(-std::numeric_limits<float>::infinity()) == "-inf");
}

TEST_CASE("element text: integers with their sign, narrow floats as their code") {
  CHECK(element(dtype::i8, std::int8_t{-3}) == "-3");
  CHECK(element(dtype::u64, ~std::uint64_t{0}) == "18446744073709551615");
  CHECK(element(dtype::i64, std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(element(dtype::f16, std::uint16_t{0x3c00}) == "15360");
  CHECK(element(dtype::f32, 0.5f) == "0.5");
}

TEST_CASE("element text: elements narrower than a byte are packed, the lowest first") {
  const std::uint8_t code = 0xf1;
  const auto data = std::as_bytes(std::span(&code, 1));
  CHECK(element_text(dtype::i4, data, 0) == "1");
  CHECK(element_text(dtype::i4, data, 1) == "-1");
  CHECK(element_text(dtype::u4, data, 1) == "15");
}
