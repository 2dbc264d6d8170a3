// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/ml.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: ml") {
  graph g;
  const auto x = input<float, "N"_d, 3>(g, "x");
  CHECK((has_type<float, "N"_d, 3>(binarizer(x, {.threshold = 0.5f}))));
}
