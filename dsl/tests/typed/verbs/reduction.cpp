// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/reduction.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: reduction") {
  graph g;
  const auto x = input<float, "B"_d, 4, 3>(g, "x");
  CHECK((has_type<float, "B"_d, 3>(reduce_max<1>(x))));
  CHECK((has_type<float, 1, 1, 1>(reduce_mean(x))));
  CHECK((has_type<float, "B"_d, 1, 3>(reduce_mean<-2>(x, keepdims))));
  CHECK((has_type<std::int64_t, "B"_d, 4>(argmax<2>(x))));
  CHECK((has_type<std::int64_t, "B"_d, 4, 1>(argmin<2>(x, keepdims))));
  CHECK((has_type<float, "B"_d, 4, 3>(cumsum(x, 1))));
}
