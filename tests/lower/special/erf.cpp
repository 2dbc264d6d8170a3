// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/special/values.hpp"

#include <jax2onnx/lower/special/erf.hpp>

using namespace jax2onnx;
using test::computed;
using test::relative_error;

TEST_CASE("erf and erfc in double agree with the standard library") {
  for (double x : {-9.0, -3.0, -1.0, -0.3, 0.0, 1e-9, 0.5, 0.999, 1.0, 2.5, 7.9, 8.1, 20.0}) {
    INFO(x);
    CHECK(relative_error(computed(lower::erf, x), std::erf(x)) < 1e-15);
    CHECK(relative_error(computed(lower::erfc, x), std::erfc(x)) < 1e-14);
  }
}

TEST_CASE("erfc in float keeps a small relative error in its tail") {
  for (double x : {-2.0, 0.0, 0.25, 0.75, 3.0, 8.0}) {
    INFO(x);
    CHECK(relative_error(computed(lower::erfc, x, dtype::f32), std::erfc(x)) < 1e-5);
  }
}

TEST_CASE("erf_inv is the inverse of erf, and infinite at -1 and 1") {
  for (double x : {-0.9375, -0.25, 0.0, 1e-8, 0.375, 0.96875, 0.9990234375}) {
    INFO(x);
    CHECK(relative_error(std::erf(computed(lower::erf_inv, x)), x) < 1e-14);
    CHECK(relative_error(std::erf(computed(lower::erf_inv, x, dtype::f32)), x) < 1e-6);
  }
  CHECK(computed(lower::erf_inv, 1) == INFINITY);
  CHECK(computed(lower::erf_inv, -1) == -INFINITY);
}
