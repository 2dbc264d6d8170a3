// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <jax2onnx/graph/scalar.hpp>
#include <jax2onnx/rewrite/weights/rounded_source.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;

namespace {

bytes floats(const std::vector<float>& numbers) {
  return bytes(std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)));
}
template <class T>
std::vector<T> read(const byte_source& source) {
  const std::string raw = in_memory(source);
  CHECK(raw.size() == source.size());
  std::vector<T> out(raw.size() / sizeof(T));
  std::memcpy(out.data(), raw.data(), raw.size());
  return out;
}

}  // namespace

TEST_CASE("rounded weights: float16 and bfloat16") {
  CHECK(read<std::uint16_t>(narrowed_source(floats({1, -2}), dtype::f16)) ==
        std::vector<std::uint16_t>{0x3c00, 0xc000});
  CHECK(read<std::uint16_t>(narrowed_source(floats({1, -2}), dtype::bf16)) ==
        std::vector<std::uint16_t>{0x3f80, 0xc000});
}

TEST_CASE("rounded weights: narrow bits are those of the nearest number") {
  const float smallest = std::numeric_limits<float>::denorm_min();
  for (float x = smallest; x <= 65504; x *= 1.0137F)
    for (const float n : {x, -x}) {
      CHECK(float16_bits(n) == encode_float(dtype::f16, static_cast<double>(n)));
      CHECK(bfloat16_bits(n) == encode_float(dtype::bf16, static_cast<double>(n)));
      if (x < 1e-40F) x += smallest;
    }
  for (const float tie : {1 + 0x1p-11F, 1 + 0x3p-11F, 0x1p-25F, 0x3p-25F, 65504.0F, 0.0F, -0.0F})
    CHECK(float16_bits(tie) == encode_float(dtype::f16, static_cast<double>(tie)));
  CHECK(bfloat16_bits(std::numeric_limits<float>::quiet_NaN()) == 0x7fc0);
  CHECK(bfloat16_bits(std::numeric_limits<float>::infinity()) == 0x7f80);
  CHECK(float16_bits(std::numeric_limits<float>::quiet_NaN()) == 0x7e00);
  CHECK(float16_bits(-std::numeric_limits<float>::infinity()) == 0xfc00);
}

TEST_CASE("rounded weights: int8 with a factor for each column or row") {
  const bytes w = floats({127, 2, -63.6F, -4});
  CHECK(int8_factors(w, 2, 1) == std::vector<float>{1, 4 / 127.0F});
  CHECK(read<std::int8_t>(int8_source(w, int8_factors(w, 2, 1), 1)) == std::vector<std::int8_t>{127, 64, -64, -127});
  CHECK(int8_factors(w, 2, 2) == std::vector<float>{1, 63.6F / 127});
  CHECK(read<std::int8_t>(int8_source(w, int8_factors(w, 2, 2), 2)) == std::vector<std::int8_t>{127, 2, -127, -8});
}

TEST_CASE("rounded weights: zeros, and what is not finite") {
  CHECK(int8_factors(floats({0, 0}), 1, 1) == std::vector<float>{1});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK_FALSE(std::isfinite(int8_factors(floats({nan, 1}), 1, 1)[0]));
  CHECK_FALSE(std::isfinite(int8_factors(floats({1, INFINITY}), 1, 1)[0]));
}

TEST_CASE("rounded weights: int4 in blocks of rows") {
  // Two columns of two blocks of two rows.
  const bytes w = floats({-8, 0, 7, 0, 4, 1, -2, -1});
  const blocks_source numbers(w, 2, 2, blocks_source::part::numbers), factors(w, 2, 2, blocks_source::part::factors);
  const auto f = read<float>(factors);
  CHECK(f[0] == 1);
  CHECK(f[1] == 0);
  const auto packed = read<std::uint8_t>(numbers);
  const auto number = [&](std::size_t i) {
    const int half = packed[i / 2] >> (i % 2 * 4) & 15;
    return static_cast<float>(half < 8 ? half : half - 16);
  };
  CHECK(number(0) == -8);
  CHECK(number(2) == 7);
  CHECK(number(4) * f[2] == Approx(4).margin(0.3));
  CHECK(number(6) * f[2] == Approx(-2).margin(0.3));
}

TEST_CASE("rounded weights: the factor with the least squared error") {
  const std::vector<float> sevenths{7, -7, 1, 3}, eighths{-8, 4, 2, 7};
  CHECK(std::abs(of_int4::factor_of(sevenths)) == 1);
  CHECK(of_int4::factor_of(eighths) == 1);
}
