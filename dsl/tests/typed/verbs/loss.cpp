// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/loss.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: loss") {
  graph g;
  const auto x = input<float, "N"_d, 3>(g, "x");
  const auto labels = input<std::int64_t, "N"_d>(g, "labels");
  CHECK((has_type<float>(softmax_cross_entropy_loss(x, labels).output)));
}
