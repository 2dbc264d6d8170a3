#include "catch.hpp"

#include <cstdint>

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
