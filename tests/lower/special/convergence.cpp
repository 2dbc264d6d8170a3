// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <jax2onnx/lower/special/convergence.hpp>

using namespace jax2onnx;

TEST_CASE("any holds if some element of the mask does") {
  for (const bool second : {false, true}) {
    graph g;
    const value mask = g.input({dtype::boolean, {3}}, "mask"), some = lower::any(mask);
    CHECK(some.type() == tensor_type{dtype::boolean, {}});
    test::interpreter run(g);
    run.bind(mask, {dtype::boolean, {3}, {}, {0, second, 0}});
    run.run();
    CHECK(run.integer_at(some) == second);
  }
}
