// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/elementwise.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: elementwise") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const auto y = input<float, 4>(g, "y");
  CHECK((has_type<float, "B"_d, 4>(add(x, y))));
  CHECK((has_type<float, "B"_d, 4>(max(x, y, 0.0))));
  CHECK((has_type<float, "B"_d, 4>(clip(x, {}, 6.0))));
  CHECK((has_type<bool, "B"_d, 4>(isnan(x))));
  CHECK((has_type<float, "B"_d, 4>(where(less(x, 0), y, x))));
  CHECK((has_type<float, "B"_d, 4>(mod(x, y, {.fmod = true}))));
}
