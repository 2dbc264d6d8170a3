// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <cmath>

#include <jax2onnx/lower/linalg/three_by_three.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("largest_cubic_root: 2 cos(acos(h / 2) / 3)") {
  for (int i = 0; i <= 20; ++i) {
    const double h = i / 10.0;
    graph g;
    const value root = linalg::largest_cubic_root(scalar(g, dtype::f64, h));
    test::interpreter run(g);
    run.run();
    INFO(h);
    CHECK(std::abs(run.number_at(root) - 2 * std::cos(std::acos(h / 2) / 3)) < 1e-12);
  }
}

TEST_CASE("symmetric_eigenvalues_3x3: a row of values for each matrix") {
  graph g;
  const value a = g.input({dtype::f64, {7, 2, 3, 3}}, "a");
  CHECK(linalg::symmetric_eigenvalues_3x3(a, true).type() == tensor_type{dtype::f64, {7, 2, 1, 3}});
  CHECK(linalg::symmetric_eigenvalues_3x3(a, false).type() == tensor_type{dtype::f64, {7, 2, 1, 3}});
}
