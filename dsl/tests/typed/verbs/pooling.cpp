// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/verbs/pooling.hpp>

using namespace jax2onnx;

TEST_CASE("typed verbs: pooling") {
  graph g;
  const auto x = input<float, "N"_d, 3, 224, 224>(g, "x");
  CHECK((has_type<float, "N"_d, 3, 1, 1>(global_average_pool(x))));
  const auto [y, indices] = max_pool<max_pool_attributes_of{.kernel_shape = {{2, 2}}, .strides = {2, 2}}>(x);
  CHECK((has_type<float, "N"_d, 3, 112, 112>(y)));
  CHECK((has_type<std::int64_t, "N"_d, 3, 112, 112>(indices)));
  CHECK((has_type<float, "N"_d, 3, dyn, dyn>(average_pool(x, {.kernel_shape = {2, 2}}))));
}
