// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/trigonometry.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("trigonometry: an operator for float, a formula for double") {
  const auto nodes = [](auto&& f, dtype t) {
    graph g;
    const value y = f(g.input({t, {2}}, "x"));
    CHECK(y.type() == tensor_type{t, {2}});
    return op_list(g).size();
  };
  const auto both = [&](auto&& f) {
    CHECK(nodes(f, dtype::f32) == 1);
    CHECK(nodes(f, dtype::f64) > 1);
  };
  both([](const value& x) { return accurate::tan(x); });
  both([](const value& x) { return accurate::asin(x); });
  both([](const value& x) { return accurate::acos(x); });
  both([](const value& x) { return accurate::atan(x); });
  both([](const value& x) { return accurate::sinh(x); });
  both([](const value& x) { return accurate::cosh(x); });
  both([](const value& x) { return accurate::asinh(x); });
  both([](const value& x) { return accurate::acosh(x); });
  both([](const value& x) { return accurate::atanh(x); });
}

TEST_CASE("atan2: has the type of its operands") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  CHECK(accurate::atan2(x, x).type() == x.type());
  CHECK(accurate::sign_bit(x).dtype() == dtype::boolean);
}
