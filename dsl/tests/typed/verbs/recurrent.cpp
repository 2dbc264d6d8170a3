// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/recurrent.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: recurrent") {
  graph g;
  const auto x = input<float, "T"_d, "B"_d, 4>(g, "x");
  const auto w = input<float, 1, 32, 4>(g, "w");
  const auto r = input<float, 1, 32, 8>(g, "r");
  const auto [y, h, c] = lstm<lstm_attributes_of{.hidden_size = 8}>(x, w, r);
  CHECK((has_type<float, "T"_d, 1, "B"_d, 8>(y)));
  CHECK((has_type<float, 1, "B"_d, 8>(c)));
}
