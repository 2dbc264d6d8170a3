// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/special/values.hpp"

#include <jax2onnx/lower/special/gamma.hpp>

using namespace jax2onnx;
using test::computed;
using test::relative_error;

TEST_CASE("lgamma agrees with the standard library") {
  for (double x : {-2.5, -0.75, 0.1, 0.5, 1.5, 3.0, 10.25, 171.0, 1e10}) {
    INFO(x);
    CHECK(relative_error(computed(lower::lgamma, x), std::lgamma(x)) < 1e-13);
  }
  CHECK(computed(lower::lgamma, 1e306) == INFINITY);
}

TEST_CASE("digamma has the known values") {
  constexpr double euler = 0.57721566490153286;
  CHECK(relative_error(computed(lower::digamma, 1), -euler) < 1e-13);
  CHECK(relative_error(computed(lower::digamma, 0.5), -euler - 2 * std::log(2)) < 1e-13);
  CHECK(relative_error(computed(lower::digamma, -0.5), -euler - 2 * std::log(2) + 2) < 1e-12);
  CHECK(std::isnan(computed(lower::digamma, -3)));
}
