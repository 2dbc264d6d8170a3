// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/constant.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: constant") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  CHECK((has_type<float, "B"_d, 4>(eye_like(x))));
  const auto start = input<std::int64_t>(g, "start");
  CHECK((has_type<std::int64_t, dyn>(range(start, 10, 1))));
}
