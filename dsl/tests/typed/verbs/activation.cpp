// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/activation.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: activation") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  CHECK((has_type<float, "B"_d, 4>(relu(x))));
  CHECK((has_type<float, "B"_d, 4>(gelu(x, {.approximate = gelu_approximation::tanh}))));
  CHECK((has_type<float, "B"_d, 4>(softmax<-1>(x))));
  CHECK((has_type<float, "B"_d, 4>(log_softmax(x, {.axis = 0}))));
}
