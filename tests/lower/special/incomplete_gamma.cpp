// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/special/values.hpp"

#include <jax2onnx/lower/special/incomplete_gamma.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using test::computed;
using test::relative_error;

namespace {

value lower_gamma(const value& a, const value& x) { return lower::igamma(a, x, true); }
value upper_gamma(const value& a, const value& x) { return lower::igammac(a, x, true); }
value lower_slope(const value& a, const value& x) { return lower::igamma_slope<lower::gamma_part::derivative>(a, x); }
value old_upper_gamma(const value& a, const value& x) { return lower::igammac(a, x, false); }

}  // namespace

TEST_CASE("igamma of order 1 is 1 - exp(-x), of order 1/2 erf(sqrt(x)); igammac is its complement") {
  for (double x : {0.1, 0.9, 2.0, 12.0}) {
    INFO(x);
    CHECK(relative_error(computed(lower_gamma, 1, x), -std::expm1(-x)) < 1e-13);
    CHECK(relative_error(computed(lower_gamma, 0.5, x), std::erf(std::sqrt(x))) < 1e-13);
    CHECK(relative_error(computed(upper_gamma, 1, x), std::exp(-x)) < 1e-13);
  }
  CHECK(computed(lower_gamma, 2, 0.0) == 0);
  CHECK(std::isnan(computed(lower_gamma, 2, -1.0)));
}

TEST_CASE("an order of 0 was outside the domain of igammac before JAX 0.5") {
  CHECK(computed(upper_gamma, 0, 2.0) == 0);
  CHECK(computed(old_upper_gamma, 0, 2.0) == 1);
}

TEST_CASE("igamma_grad_a is the derivative with respect to the order") {
  constexpr double h = 1e-5;
  for (double x : {0.5, 6.0}) {
    const double slope = (computed(lower_gamma, 2 + h, x) - computed(lower_gamma, 2 - h, x)) / (2 * h);
    CHECK(relative_error(computed(lower_slope, 2, x), slope) < 1e-7);
  }
}

TEST_CASE("less precise sums have fewer terms") {
  const auto coarse = [](const value& a, const value& x) { return lower::igamma(a, x, true, 1e-2); };
  const double exact = computed(lower_gamma, 3, 2.9), found = computed(+coarse, 3, 2.9);
  CHECK(found != exact);
  CHECK(relative_error(found, exact) < 1e-1);
}
