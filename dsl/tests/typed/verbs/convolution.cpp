// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/convolution.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: convolution") {
  graph g;
  const auto x = input<float, "N"_d, 3, 224, "W"_d * 2>(g, "x");
  const auto w = input<float, 16, 3, 3, 3>(g, "w");
  CHECK((has_type<float, "N"_d, 16, 222, "W"_d * 2 - 2>(conv(x, w))));
  CHECK((has_type<float, "N"_d, 16, 224, "W"_d * 2>(conv<conv_attributes_of{.pads = {1, 1, 1, 1}}>(x, w))));
  CHECK((has_type<float, "N"_d, 16, dyn, dyn>(conv(x, w, {}, {.strides = {2, 2}}))));
}
