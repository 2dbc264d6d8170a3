// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/rewrite/rules/operators/remainders.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value truncated(const value& x, const value& d) {
  return x.owner().emit("Mod", {x, d}, x.type(), {{"fmod", std::int64_t{1}}});
}
value truncated_64(const value& x, const value& d) { return sub(x, mul(div(x, d), d)); }

/// The correction of jnp.remainder.
value corrected(const value& r, const value& d, bool negative_divisor = false) {
  value sign = less(r, 0);
  if (negative_divisor) sign = binary("Xor", sign, scalar(r.owner(), dtype::boolean, 1));
  return where(logical_and(sign, logical_not(equal(r, 0))), add(r, d), r);
}

}  // namespace

TEST_CASE("Mod: a remainder with the sign of the divisor") {
  model m, n, o;
  const value three = scalar(m.g, dtype::i32, 3), minus = scalar(n.g, dtype::i32, -3),
              wide = scalar(o.g, dtype::i64, 3);
  CHECK(after(corrected(truncated(m.in({2}, dtype::i32), three), three), "Mod") == "Mod");
  CHECK(after(corrected(truncated(n.in({2}, dtype::i32), minus), minus, true), "Mod") == "Mod");
  CHECK(after(corrected(truncated_64(o.in({2}, dtype::i64), wide), wide), "Mod") == "Mod");
}

TEST_CASE("Mod: what stays") {
  model m;
  const value minus_one = scalar(m.g, dtype::i32, -1);
  CHECK(after(corrected(truncated(m.in({2}, dtype::i32), minus_one), minus_one, true), "Mod") ==
        "the divisor may be 0 or -1");
  model n;  // an unknown divisor
  const value d = n.in({2}, dtype::i32);
  CHECK(after(corrected(truncated(n.in({2}, dtype::i32), d), d), "Mod") != "Mod");
  model o;  // the sign of another divisor
  const value minus = scalar(o.g, dtype::i32, -3);
  CHECK(after(corrected(truncated(o.in({2}, dtype::i32), minus), minus), "Mod") != "Mod");
  model p;  // a different number is added
  const value three = scalar(p.g, dtype::i32, 3), four = scalar(p.g, dtype::i32, 4);
  CHECK(after(corrected(truncated(p.in({2}, dtype::i32), three), four), "Mod") != "Mod");
  model q;
  const value x = q.in({2}), f = scalar(q.g, dtype::f32, 3);
  CHECK(after(corrected(truncated(x, f), f), "Mod") != "Mod");
}

TEST_CASE("fraction: a floating-point remainder of 1") {
  model m, n, o;
  const value one = scalar(m.g, dtype::f32, 1), two = scalar(n.g, dtype::f32, 2), integer = scalar(o.g, dtype::i32, 1);
  CHECK(after(corrected(truncated(m.in({2}), one), one), "fraction") == "Floor Sub");
  CHECK(after(corrected(truncated(n.in({2}), two), two), "fraction") != "Floor Sub");
  CHECK(after(corrected(truncated(o.in({2}, dtype::i32), integer), integer), "fraction") != "Floor Sub");
}

namespace {

/// jnp.floor_divide by a positive constant.
value rounded_down(const value& x, const value& r, const value& d) {
  const value q = div(x, d), below = sub(q, 1), is_above = equal(unary("Sign", x), 1), divides = equal(r, 0);
  return where(logical_or(is_above, divides), q, below);
}

}  // namespace

TEST_CASE("floor-quotient: a quotient that is rounded down") {
  model m, n;
  const value three = scalar(m.g, dtype::i32, 3), x = m.in({2}, dtype::i32);
  CHECK(after(rounded_down(x, truncated(x, three), three), "floor-quotient") == "Mod Div Less Sub Where");
  const value wide = scalar(n.g, dtype::i64, 3), y = n.in({2}, dtype::i64);
  CHECK(after(rounded_down(y, truncated_64(y, wide), wide), "floor-quotient") == "Div Mul Sub Div Less Sub Where");
}

TEST_CASE("floor-quotient: an index has no remainder below zero") {
  model m;
  const value x = m.g.emit("ArgMax", {m.in({4, 9})}, {dtype::i64, {4}}, {{"axis", 1}, {"keepdims", 0}});
  const value d = scalar(m.g, dtype::i32, 3), index = cast(x, dtype::i32);
  CHECK(range_of(less(truncated(index, d), 0)) == interval{0, 0});
}

TEST_CASE("floor-quotient: what stays") {
  model m;  // the quotient of a negative divisor is too large if the remainder is positive
  const value minus = scalar(m.g, dtype::i32, -3), x = m.in({2}, dtype::i32);
  CHECK(after(rounded_down(x, truncated(x, minus), minus), "floor-quotient") == "the divisor may be negative");
  model n;  // the remainder of another divisor
  const value three = scalar(n.g, dtype::i32, 3), four = scalar(n.g, dtype::i32, 4), y = n.in({2}, dtype::i32);
  CHECK(after(rounded_down(y, truncated(y, four), three), "floor-quotient") == "Mod Div Sub Sign Equal Equal Or Where");
}

TEST_CASE("negative-not-zero: what is below zero is not zero") {
  model m, n;
  const value r = m.in({2});
  CHECK(after(logical_and(less(r, 0), logical_not(equal(r, 0))), "negative-not-zero") == "Less");
  const value other = less(n.in({2}), 0);
  CHECK(after(logical_and(other, logical_not(equal(n.in({2}), 0))), "negative-not-zero") == "Less Equal Not And");
}
