// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <concepts>
#include <tuple>
#include <utility>
#include <vector>

#include <jax2onnx/dsl/structure/bundle.hpp>
#include <jax2onnx/ops/call/operators.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;

namespace {

struct results {
  value first;
  operator const value&() const { return first; }
};

}  // namespace

TEST_CASE("bundle: handles, and tuples, pairs, arrays and vectors of them") {
  static_assert(bundle<value> && bundle<std::tuple<value, std::pair<value, value>>> && bundle<std::vector<value>>);
  static_assert(bundle<std::array<value, 2>> && bundle<std::tuple<>> && !bundle<int> && !bundle<results>);
  graph g;
  std::vector<value> v;
  for (int i = 0; i < 5; ++i) v.push_back(g.input({dtype::f32, {}}, ""));
  using nested = std::tuple<value, std::array<value, 2>, std::vector<value>>;
  const nested n{v[0], {v[1], v[2]}, {v[3], v[4]}};
  const auto same = [](const std::vector<value>& a, const std::vector<value>& b) {
    return std::ranges::equal(a, b, [](const value& l, const value& r) { return same_value(l, r); });
  };
  CHECK(same(values_of(n), v));
  CHECK(same(values_of(bundle_from<nested>(v)), v));
  CHECK(same_value(std::get<0>(items_of(v[0])), v[0]));
  CHECK(same_value(std::get<1>(items_of(std::pair(v[0], v[1]))), v[1]));
  CHECK(same_value(bundled(results{v[2]}), v[2]));
  CHECK(&graph_of(v, "f") == &g);
  CHECK_THROWS_AS(graph_of({}, "f"), build_error);
}

TEST_CASE("bundle: results of C++ operators and structs of results convert to handles") {
  graph g;
  const value x = g.input({dtype::f32, {4}}, "x");
  const auto both = detail::bundled(std::pair(x + 1.0, std::tuple(x * 2.0, x)));
  STATIC_REQUIRE(std::same_as<decltype(both), const std::pair<value, std::tuple<value, value>>>);
  CHECK(detail::values_of(both).size() == 3);
  const auto many = detail::bundled(std::vector<elementwise_result>{x + 1.0, x + 2.0});
  STATIC_REQUIRE(std::same_as<decltype(many), const std::vector<value>>);
  CHECK(many.size() == 2);
  STATIC_REQUIRE(detail::bundle_like<elementwise_result> && !bundle<elementwise_result>);
  STATIC_REQUIRE(!detail::bundle_like<int> && !detail::bundle_like<std::pair<value, int>>);
}
