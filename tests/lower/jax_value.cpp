// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/jax_value.hpp>

using namespace jax2onnx;

TEST_CASE("from_parts and each_part work on the parts in order") {
  graph g;
  const value x = g.input({dtype::f32, {}}, "x"), y = g.input({dtype::f32, {}}, "y");
  std::vector<std::size_t> order;
  const jax_value pair = from_parts(2, [&](std::size_t p) {
    order.push_back(p);
    return p == 0 ? x : y;
  });
  CHECK(order == std::vector<std::size_t>{0, 1});
  CHECK(pair.count == 2);
  CHECK(same_value(pair.re(), x));
  CHECK(same_value(pair.im(), y));
  const jax_value first = each_part(pair, [&](const value&) { return x; });
  CHECK(first.count == 2);
  CHECK(same_value(first.im(), x));
}

TEST_CASE("a reference is told by its cell") {
  jax_value v;
  CHECK_FALSE(v.is_ref());
  v.cell = 0;
  CHECK(v.is_ref());
}

TEST_CASE("an absent part is an error") {
  graph g;
  const value x = g.input({dtype::f32, {}}, "x");
  jax_value ref;
  ref.cell = 0;
  CHECK_THROWS_WITH(ref.re(), "a mutable reference is used as a value");
  CHECK_THROWS_WITH(jax_value(x).im(), "a value is absent");
  CHECK_THROWS_AS(each_part(jax_value(x, x), jax_value(x), [](const value& a, const value&) { return a; }),
                  build_error);
}
