// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/shape.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: shape") {
  graph g;
  const auto x = input<float, "B"_d, 4, 3>(g, "x");
  CHECK((has_type<float, "B"_d, 12>(flatten<1>(x))));
  CHECK((has_type<float, "B"_d, 4, 6>(concat<-1>(x, x))));
  CHECK((has_type<float, "B"_d, 4, 3, 1>(unsqueeze<-1>(x))));
  CHECK((has_type<std::int64_t, 3>(shape_of(x))));
  CHECK((has_type<float, dyn, dyn, dyn>(transpose(x, {.perm = {2, 1, 0}}))));
  CHECK((has_type<float, 3, 4, "B"_d>(transpose(x))));
}
