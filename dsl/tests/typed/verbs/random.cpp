// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/random.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: random") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  CHECK((has_type<float, 2, 3>(random_normal<random_normal_attributes_of{.shape = {{2, 3}}}>(g))));
  CHECK((has_type<float, "B"_d, 4>(random_uniform_like(x))));
}
