// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/special/values.hpp"

#include <jax2onnx/lower/special/bessel.hpp>

using namespace jax2onnx;
using test::computed;
using test::relative_error;

TEST_CASE("bessel_i0e and bessel_i1e agree with the standard library on both sides of 8") {
  for (double x : {0.015625, 1.0, 5.5, 7.9375, 8.0625, 30.0, 300.0}) {
    INFO(x);
    const double i0e = std::exp(-x) * std::cyl_bessel_i(0, x), i1e = std::exp(-x) * std::cyl_bessel_i(1, x);
    CHECK(relative_error(computed(lower::bessel_i0e, x), i0e) < 1e-13);
    CHECK(relative_error(computed(lower::bessel_i1e, x), i1e) < 1e-13);
    CHECK(relative_error(computed(lower::bessel_i0e, -x), i0e) < 1e-13);
    CHECK(relative_error(computed(lower::bessel_i1e, -x), -i1e) < 1e-13);
    CHECK(relative_error(computed(lower::bessel_i0e, x, dtype::f32), i0e) < 1e-6);
    CHECK(relative_error(computed(lower::bessel_i1e, x, dtype::f32), i1e) < 1e-6);
  }
}
