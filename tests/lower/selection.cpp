// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/selection.hpp>

using namespace jax2onnx;

TEST_CASE("an empty selection wants everything") {
  CHECK(wants({}, 7));
  CHECK(wants({false, true}, 1));
  CHECK_FALSE(wants({false, true}, 0));
}
