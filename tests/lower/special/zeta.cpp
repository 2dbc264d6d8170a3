// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/special/values.hpp"

#include <jax2onnx/lower/special/zeta.hpp>

using namespace jax2onnx;
using test::computed;
using test::relative_error;

constexpr double pi_squared = 9.8696044010893586;

TEST_CASE("zeta has the known values") {
  CHECK(relative_error(computed(lower::zeta, 2, 1.0), pi_squared / 6) < 1e-14);
  CHECK(relative_error(computed(lower::zeta, 4, 1.0), pi_squared * pi_squared / 90) < 1e-14);
  CHECK(relative_error(computed(lower::zeta, 2, 2.0), pi_squared / 6 - 1) < 1e-14);
  CHECK(computed(lower::zeta, 1, 1.0) == INFINITY);
  CHECK(std::isnan(computed(lower::zeta, 0.5, 1.0)));
}

TEST_CASE("polygamma is digamma and its derivatives") {
  CHECK(relative_error(computed(lower::polygamma, 0, 2.0), 1 - 0.57721566490153286) < 1e-12);
  CHECK(relative_error(computed(lower::polygamma, 1, 1.0), pi_squared / 6) < 1e-13);
  CHECK(std::isnan(computed(lower::polygamma, 0.5, 1.0)));
}
