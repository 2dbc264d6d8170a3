// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lower/interpreter.hpp"

#include <cmath>

#include <jax2onnx/ops/ops.hpp>

namespace jax2onnx::test {

/// Evaluates the graph of `f` for scalars.
template <class Function>
double computed(Function f, double x, dtype t = dtype::f64) {
  graph g;
  const value y = f(scalar(g, t, x));
  interpreter run(g);
  run.run();
  return run.number_at(y);
}
template <class Function>
double computed(Function f, double x, double y) {
  graph g;
  const value z = f(scalar(g, dtype::f64, x), scalar(g, dtype::f64, y));
  interpreter run(g);
  run.run();
  return run.number_at(z);
}
inline double relative_error(double found, double expected) {
  return expected == 0 ? std::abs(found) : std::abs(found - expected) / std::abs(expected);
}

}  // namespace jax2onnx::test
