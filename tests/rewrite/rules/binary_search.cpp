// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>

#include <jax2onnx/rewrite/rules/binary_search.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

using search_test = std::function<value(const value& element, const value& searched)>;

/// The position of x in a, by the steps of jnp.searchsorted.
value place(const value& a, const value& x, std::int64_t end, const search_test& test) {
  graph& g = a.owner();
  const value low = broadcast_to(scalar(g, dtype::u32, 0), x.dims());
  const value high = broadcast_to(scalar(g, dtype::u32, end), x.dims());
  const std::int64_t last = a.extent(0).extent() - 1;
  const auto body = [&](const value&, const std::vector<value>& s) {
    const value middle = add(s[0], div(sub(s[1], s[0]), 2));
    const value index = cast(binary("Min", middle, scalar(g, dtype::u32, last)), dtype::i64);
    const value left = test(gather(a, index, 0), x);
    return loop_step{{}, {where(left, s[0], middle), where(left, middle, s[1])}};
  };
  return loop(g, scalar(g, dtype::i64, 3), {}, {low, high}, body).carried[1];
}

value is_left(const value& element, const value& x) { return logical_or(greater(element, x), is_nan(element)); }

}  // namespace

TEST_CASE("search-table: each result of the tests has an entry") {
  model m;
  CHECK(after(place(m.in({4}), m.in({3}), 4, is_left), "search-table") ==
        "Reshape Greater Reshape IsNaN Or Where ReduceSum Gather");
  model n;  // for any size
  CHECK(after(place(n.in({4}), n.in({n.B, 3}), 4, is_left), "search-table") ==
        "Reshape Greater Reshape IsNaN Or Where ReduceSum Gather");
}

TEST_CASE("search-table: what stays") {
  model m;
  CHECK(after(place(m.in({9}), m.in({3}), 9, is_left), "search-table") == "the array has more than 8 elements");
  model n;
  const auto rounded = [](const value& element, const value& x) { return greater(unary("Round", element), x); };
  CHECK(after(place(n.in({4}), n.in({3}), 4, rounded), "search-table") == "the test is not elementwise");
  model o;  // not the whole array
  CHECK(after(place(o.in({4}), o.in({3}), 3, is_left), "search-table") == "Expand Expand Loop");
}
