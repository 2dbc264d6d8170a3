// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <iterator>

#include <jax2onnx/operators/opset.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("opset: features come with opsets") {
  using detail::feature;
  static_assert(std::size(detail::feature_opsets) == static_cast<std::size_t>(feature::bit_cast) + 1);
  CHECK(detail::opset_with(feature::scatter_extremes) == 18);
  CHECK(detail::opset_with(feature::bitwise) == 18);
  CHECK(detail::opset_with(feature::dilated_average_pool) == 19);
  CHECK(detail::opset_with(feature::dft_axis_as_input) == 20);
  CHECK(detail::opset_with(feature::bit_cast) == 26);
  const graph g(19);
  CHECK(detail::has(g, feature::dilated_average_pool));
  CHECK_FALSE(detail::has(g, feature::reduced_bools));
  CHECK_NOTHROW(detail::require(g, feature::bitwise, "BitwiseAnd"));
  CHECK_THROWS_WITH(detail::require(g, feature::cumulative_product, "CumProd"), "CumProd needs opset 26");
}
