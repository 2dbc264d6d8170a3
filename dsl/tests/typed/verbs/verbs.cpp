// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/verbs.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: families together") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  CHECK((has_type<float, "B"_d, 4>(relu(tanh(x)))));
}
