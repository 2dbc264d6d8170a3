// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/special/values.hpp"

#include <jax2onnx/lower/special/incomplete_beta.hpp>

using namespace jax2onnx;
using test::relative_error;

namespace {

double beta(double a, double b, double x) {
  const auto graph_of = [&](const value& p, const value& q) {
    return lower::betainc(p, q, scalar(p.owner(), dtype::f64, x));
  };
  return test::computed(graph_of, a, b);
}

}  // namespace

TEST_CASE("betainc has the known values and symmetry") {
  CHECK(relative_error(beta(1, 1, 0.3), 0.3) < 1e-13);
  CHECK(relative_error(beta(2, 1, 0.3), 0.09) < 1e-13);
  CHECK(relative_error(beta(0.5, 0.5, 0.25), 1.0 / 3) < 1e-13);
  CHECK(relative_error(beta(2.5, 4, 0.6), 1 - beta(4, 2.5, 0.4)) < 1e-13);
  CHECK(beta(2, 3, 0) == 0);
  CHECK(beta(2, 3, 1) == 1);
  CHECK(std::isnan(beta(2, 3, 1.5)));
}

TEST_CASE("betainc has a step where a parameter vanishes") {
  CHECK(beta(0, 3, 0.5) == 1);
  CHECK(beta(0, 3, 0) == 0);
  CHECK(beta(2, 0, 0.5) == 0);
  CHECK(beta(2, 0, 1) == 1);
  CHECK(std::isnan(beta(0, 0, 0.5)));
}
