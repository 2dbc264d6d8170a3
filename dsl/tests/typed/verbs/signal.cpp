// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/signal.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: signal") {
  graph g;
  const auto x = input<float, "N"_d, 3, 8, 8>(g, "x");
  const auto grid = input<float, "N"_d, 5, 6, 2>(g, "grid");
  CHECK((has_type<float, "N"_d, 3, 5, 6>(grid_sample(x, grid))));
}
