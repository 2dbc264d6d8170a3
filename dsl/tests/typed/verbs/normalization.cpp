// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/normalization.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: normalization") {
  graph g;
  const auto x = input<float, "N"_d, 3, 8, 8>(g, "x");
  const auto s = input<float, 3>(g, "s");
  CHECK((has_type<float, "N"_d, 3, 8, 8>(batch_normalization(x, s, s, s, s).y)));
  CHECK((has_type<float, "N"_d, 3, 8, 8>(instance_normalization(x, s, s, {.epsilon = 1e-3f}))));
  CHECK((has_type<float, "N"_d, 3, 8, 1>(layer_normalization(x, 1.0).mean)));
  CHECK((has_type<bool, "N"_d, 3, 8, 8>(dropout(x).mask)));
}
