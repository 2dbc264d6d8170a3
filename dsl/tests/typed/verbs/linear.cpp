// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/linear.hpp>
#include <jax2onnx/dsl/typed/verbs/shape.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: linear") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const auto w = input<float, 5, 4>(g, "w");
  CHECK((has_type<float, "B"_d, 5>(gemm<gemm_attributes_of{.transB = true}>(x, w))));
  CHECK((has_type<float, "B"_d, 5>(matmul(x, transpose(w)))));
}
