// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/indexing.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: indexing") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const auto i = input<std::int64_t, 2, 5>(g, "i");
  CHECK((has_type<float, "B"_d, 2, 5>(gather<1>(x, i))));
  CHECK((has_type<float, dyn, dyn, dyn>(gather(x, i, {.axis = 1}))));
  CHECK((has_type<std::int64_t, 2, dyn>(non_zero(x))));
}
