// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <jax2onnx/lower/special/in_double.hpp>

using namespace jax2onnx;

TEST_CASE("shifted adds consecutive numbers along a new last axis, which sum_last sums over") {
  graph g;
  const value steps = lower::shifted(scalar(g, dtype::f64, 0.5), 3, 4), total = lower::sum_last(steps);
  CHECK(steps.dims() == shape{4});
  CHECK(total.dims() == shape{});
  test::interpreter run(g);
  run.run();
  CHECK(run.at(steps).floats == std::vector<double>{3.5, 4.5, 5.5, 6.5});
  CHECK(run.number_at(total) == 20);
}
