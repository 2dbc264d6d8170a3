// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <type_traits>

#include <jax2onnx/rewrite/engine/match.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

// A composite pattern refers to temporaries, so it can be matched only in the expression that creates it.
static_assert(std::is_constructible_v<pattern, m_op> && !std::is_constructible_v<pattern, m_op&> &&
              !std::is_constructible_v<pattern, const m_op&>);
static_assert(!std::is_copy_constructible_v<m_op> && !std::is_copy_constructible_v<pattern>);
static_assert(!std::is_invocable_v<const m_bind&, const value&> && std::is_invocable_v<m_bind, const value&>);
static_assert(std::is_constructible_v<pattern, m_value&> && std::is_constructible_v<pattern, m_number>);

TEST_CASE("match: operators, operands and their number") {
  model m;
  const value x = m.in({2}), y = m.in({2}), difference = sub(x, y);
  value a, b;
  CHECK(match(difference, m_op("Sub", m_value(a), m_value(b))));
  CHECK(same_value(a, x));
  CHECK(same_value(b, y));
  CHECK_FALSE(match(difference, m_op("Sub", m_same(y), m_same(x))));
  CHECK_FALSE(match(difference, m_op("Sub", m_any{})));
  CHECK_FALSE(match(difference, m_op("Add", m_any{}, m_any{})));
  CHECK_FALSE(match(x, m_op("Sub", m_any{}, m_any{})));
  CHECK_FALSE(match(value(), m_any{}));
}

TEST_CASE("match: operators of other domains are other operators") {
  model m;
  const value x = m.in({2}), y = exp(x);
  m.g.at(m.g.at(y.id()).producer).domain = "com.example";
  CHECK_FALSE(match(y, m_op("Exp", m_any{})));
}

TEST_CASE("match: a commutative operator tries both orders, and binds that which matches") {
  model m;
  const value x = m.in({2}), y = exp(x);
  value a;
  for (const value& product : {mul(x, y), mul(y, x)}) {
    CHECK(match(product, m_commutes("Mul", m_op("Exp", m_any{}), m_value(a))));
    CHECK(same_value(a, x));
  }
}

TEST_CASE("match: a product of three factors, bracketed either way, in any order") {
  model m;
  const value x = m.in({2}), y = exp(m.in({2})), z = log(m.in({2}));
  const auto is_product = [&](const value& v) {
    value a;
    return match(v, m_product(m_value(a), m_same(y), m_same(z))) && same_value(a, x);
  };
  CHECK(is_product(mul(mul(x, y), z)));
  CHECK(is_product(mul(x, mul(y, z))));
  CHECK(is_product(mul(y, mul(z, x))));
  CHECK_FALSE(is_product(mul(y, z)));
}

TEST_CASE("match: alternatives in order, and squares") {
  model m;
  const value x = m.in({2});
  value a;
  CHECK(match(exp(x), m_any_of(m_op("Log", m_any{}), m_op("Exp", m_value(a)))));
  CHECK(same_value(a, x));
  CHECK(match(mul(x, x), m_square(a, m_same(x))));
  CHECK_FALSE(match(mul(x, exp(x)), m_square(a, m_any{})));
}

TEST_CASE("match: nested patterns of one operand stay nested") {
  model m;
  const value x = m.in({2, 3}), once = m.g.emit("Flatten", {x}, {dtype::f32, {1, 6}}),
              twice = m.g.emit("Flatten", {once}, {dtype::f32, {6, 1}});
  value a;
  CHECK(match(twice, m_reshape(m_reshape(m_value(a)))));
  CHECK(same_value(a, x));
  CHECK_FALSE(match(once, m_reshape(m_reshape(m_any{}))));
}

TEST_CASE("match: up to extents of 1, up to casts") {
  model m;
  const value x = m.in({2, 3}), column = reshape(x, {2, 1, 3}), flat = reshape(x, {6});
  CHECK(match(column, m_up_to_ones(m_same(x))));
  CHECK(match(x, m_up_to_ones(m_same(x))));
  CHECK_FALSE(match(flat, m_up_to_ones(m_same(x))));
  CHECK(match(cast(x, dtype::f64), m_up_to_widening(m_same(x))));
  CHECK_FALSE(match(cast(x, dtype::f16), m_up_to_widening(m_same(x))));
  CHECK(match(cast(x, dtype::f16), m_up_to_narrowing(m_same(x))));
  CHECK_FALSE(match(cast(x, dtype::f64), m_up_to_narrowing(m_same(x))));
  CHECK_FALSE(match(cast(x, dtype::i32), m_up_to_widening(m_same(x))));
}

TEST_CASE("match: reductions and transposes bind their attributes") {
  model m;
  const value x = m.in({2, 3, 4});
  reduction r;
  CHECK(match(reduce("ReduceSum", x, {2, 0}, false), m_reduce("ReduceSum", r, m_same(x))));
  CHECK(r == reduction{{0, 2}, false});
  ints perm;
  CHECK(match(transpose(x, {2, 0, 1}), m_transpose(perm, m_same(x))));
  CHECK(perm == ints{2, 0, 1});
}
