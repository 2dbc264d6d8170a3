// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <jax2onnx/dsl/typed/shapes.hpp>

using namespace jax2onnx;

TEST_CASE("shapes: the compiler computes extents") {
  graph g;
  const auto x = input<float, "B"_d, "T"_d, 12>(g, "x");
  CHECK((has_type<float, "T"_d, 12, "B"_d>(transpose<1, 2, 0>(x))));
  CHECK((has_type<float, "B"_d, "T"_d, 3, 4>(reshape<"B"_d, "T"_d, 3, -1>(x))));
  CHECK((has_type<float, "B"_d * "T"_d, 12>(reshape<-1, 12>(x))));
  CHECK((has_type<float, "T"_d * "B"_d * 12>(reshape<"B"_d * "T"_d * 12>(x))));
  CHECK((has_type<float, 2, "B"_d, "T"_d, 12>(expand<2, "B"_d, "T"_d, 12>(x))));
  CHECK((has_type<float, "B"_d, "T"_d, 5>(slice<2, 1, 6>(x))));
  CHECK((has_type<float, "B"_d, "T"_d, 4>(slice<-1, -8, -4>(x))));
  CHECK((has_type<float, "B"_d, "T"_d - 1, 12>(slice<1, 1, to_end>(x))));
  CHECK((has_type<float, "B"_d, "T"_d, 6>(slice<-1, 0, to_end, 2>(x))));
  CHECK((has_type<float, "B"_d, "T"_d * 2, 12>(concat<1>(x, x))));
  CHECK((has_type<float, "B"_d * 3, "T"_d, 12>(tile<3, 1, 1>(x))));
  CHECK((has_type<std::int32_t, "B"_d, "T"_d, 12>(cast<std::int32_t>(x))));
  CHECK((has_type<float, "B"_d, 12>(reduce_sum<1>(x))));
  CHECK((has_type<float, "B"_d, 1, 12>(reduce_sum<1>(x, keepdims))));
  CHECK((has_type<float, "B"_d, 1, "T"_d, 12>(unsqueeze<1>(x))));
  CHECK((has_type<float, "B"_d, "T"_d, 12>(squeeze<1>(unsqueeze<1>(x)))));
  CHECK((has_type<float, "B"_d, "T"_d, 12>(cumsum<-1>(x))));
  CHECK((has_type<float, "B"_d, 12, "T"_d>(einsum<"bti->bit">(x))));
  CHECK((has_type<float, "B"_d, "T"_d, 12>(filled<float, "B"_d, "T"_d, 12>(g, 1.5f))));
  const auto w = input<float, 12, 5>(g, "w");
  const auto b = input<float, 5>(g, "b");
  CHECK((has_type<float, "B"_d, "T"_d, 5>(dense(x, w, b))));
}

TEST_CASE("shapes: numbers of elements that cannot be told apart") {
  graph g;
  const auto empty = input<float, 0, 3>(g, "empty");
  CHECK((has_type<float, 0, 5>(reshape<reshape_attributes_of{.allowzero = true}>(empty, known_integers<0, 5>()))));
  STATIC_REQUIRE(detail::same_count<tensor<float, 0, 3>, tensor<float, 0, 5>>());
  STATIC_REQUIRE(detail::same_count<tensor<float, dyn, 3>, tensor<float, dyn, 4>>());
  STATIC_REQUIRE(detail::same_count<tensor<float, "B"_d, 4, 6>, tensor<float, 24, "B"_d>>());
  STATIC_REQUIRE_FALSE(detail::same_count<tensor<float, "B"_d, 4>, tensor<float, "B"_d, 5>>());
  STATIC_REQUIRE_FALSE(detail::same_count<tensor<float, "B"_d, 4>, tensor<float, "T"_d, 4>>());
}

TEST_CASE("shapes: several results") {
  graph g;
  const auto x = input<float, "B"_d, 12>(g, "x");
  const auto [q, k, v] = split<-1, 3>(x);
  CHECK((has_type<float, "B"_d, 4>(v)));
  const auto [numbers, indices] = top_k<3>(x);
  CHECK((has_type<float, "B"_d, 3>(numbers)));
  CHECK((has_type<std::int64_t, "B"_d, 3>(indices)));
}

TEST_CASE("shapes: typed verbs simplify like verbs on erased values") {
  graph g;
  const auto x = input<float, "B"_d, 12>(g, "x");
  CHECK(same_value(transpose<0, 1>(x).erased(), x.erased()));
  CHECK(same_value(reshape<"B"_d, 12>(x).erased(), x.erased()));
}
