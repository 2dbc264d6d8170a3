#include "catch.hpp"

#include <jax2onnx/dsl/structure/bundle.hpp>

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
