// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "typed/types.hpp"

#include <limits>

#include <jax2onnx/dsl/typed/arithmetic.hpp>

using namespace jax2onnx;

TEST_CASE("arithmetic: numbers on either side") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  CHECK((has_type<float, "B"_d, 4>(1.0 - x)));
  CHECK((has_type<float, "B"_d, 4>(x + 1)));
  CHECK((has_type<float, "B"_d, 4>(-x / 2)));
  CHECK((has_type<float, "B"_d, 4>(2 * x)));
  CHECK((has_type<bool, "B"_d, 4>(x > 0)));
  CHECK((has_type<bool, "B"_d, 4>(0 <= x)));
  CHECK((has_type<bool, "B"_d, 4>(x == x)));
  CHECK((has_type<bool, "B"_d, 4>(0.5 == x)));
  CHECK((has_type<bool, "B"_d, 4>(x != 1)));
  CHECK((has_type<float, "B"_d, 4>(x % 2)));
  const auto i = input<std::int64_t, 4>(g, "i");
  CHECK((has_type<std::int64_t, 4>(((i % 3) & (i | 1)) ^ ~i)));
  const auto b = (x > 0) && !(x == 3);
  CHECK((has_type<bool, "B"_d, 4>(b || true)));
}

TEST_CASE("arithmetic: the nodes") {
  graph g;
  const auto x = input<float, "B"_d, 4>(g, "x");
  const value y = 1.0 - x;
  const node& n = g.at(g.at(y.id()).producer);
  CHECK(n.op == "Sub");
  CHECK(g.at(n.inputs[0]).constant >= 0);
  CHECK(n.inputs[1] == x.erased().id());
  CHECK(std::get<std::int64_t>(g.at(g.at(value(x % 2).id()).producer).find("fmod")->value) == 1);
}

TEST_CASE("arithmetic: a number that overflows the type of its tensor is an error") {
  graph g;
  const auto x = input<float, 4>(g, "x");
  const auto u = input<std::uint8_t, 4>(g, "u");
  CHECK_THROWS_AS(x * 1e300, build_error);
  CHECK_THROWS_AS(u + 300, build_error);
  CHECK_NOTHROW(x * std::numeric_limits<double>::infinity());
  CHECK_NOTHROW(x * 3.0e38);
}
