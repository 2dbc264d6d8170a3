// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <cstdint>
#include <limits>

#include <jax2onnx/support/checked_math.hpp>

using namespace jax2onnx;

static_assert(detail::checked_mul(3, 4) == 12);

TEST_CASE("sums, differences and products that overflow are limit errors") {
  CHECK(detail::checked_add(INT64_MAX - 1, 1) == INT64_MAX);
  CHECK(detail::checked_sub(INT64_MIN + 1, 1) == INT64_MIN);
  CHECK(detail::checked_mul(INT64_MAX / 2, 2) == INT64_MAX - 1);
  CHECK_THROWS_AS(detail::checked_add(INT64_MAX, 1), limit_error);
  CHECK_THROWS_AS(detail::checked_sub(INT64_MIN, 1), limit_error);
  CHECK_THROWS_AS(detail::checked_mul(INT64_MAX / 2 + 1, 2), limit_error);
  CHECK_THROWS_AS(detail::checked_mul(INT64_MIN, -1), limit_error);
}

namespace {

/// Returns whether the functions agree with arithmetic in a wider type for all pairs of the type's values.
template <typename T>
bool agree_with_wider_type() {
  using limits = std::numeric_limits<T>;
  const auto agrees = [](auto operation, T a, T b, int wanted) {
    T got{};
    return operation(a, b, got) ? wanted < limits::min() || wanted > limits::max() : got == wanted;
  };
  for (int a = limits::min(); a <= limits::max(); ++a)
    for (int b = limits::min(); b <= limits::max(); ++b) {
      const auto x = static_cast<T>(a), y = static_cast<T>(b);
      if (!agrees(detail::add_overflows<T>, x, y, a + b) || !agrees(detail::sub_overflows<T>, x, y, a - b) ||
          !agrees(detail::mul_overflows<T>, x, y, a * b))
        return false;
    }
  return true;
}

}  // namespace

TEST_CASE("overflow is found for all pairs of 8-bit integers") {
  CHECK(agree_with_wider_type<std::int8_t>());
  CHECK(agree_with_wider_type<std::uint8_t>());
}

TEST_CASE("overflow is found at the ends of 64-bit integers, and an operand can be the result") {
  std::uint64_t n = UINT64_MAX / 3;
  CHECK_FALSE(detail::mul_overflows(n, std::uint64_t{3}, n));
  CHECK(n == UINT64_MAX);
  CHECK(detail::add_overflows(n, std::uint64_t{1}, n));
  CHECK(n == UINT64_MAX);
  std::int64_t i = INT64_MIN;
  CHECK(detail::mul_overflows(std::int64_t{-1}, i, i));
  CHECK(detail::sub_overflows(std::int64_t{0}, i, i));
  CHECK_FALSE(detail::sub_overflows(std::int64_t{-1}, i, i));
  CHECK(i == INT64_MAX);
}
