// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <string>
#include <string_view>

#include <jax2onnx/rewrite/equations/bindings.hpp>
#include <jax2onnx/rewrite/equations/match.hpp>
#include <jax2onnx/rewrite/equations/parse.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

namespace {

/// Returns whether the left side of `text` matches `v`.
bool matches(const std::string& text, const value& v) {
  const equations::parsed_equation parsed(text + " -> Abs(x)");
  const equations::equation e = parsed.view();
  use_counts uses;
  const context c{v.owner(), uses};
  equations::bindings b(c, e, v);
  return equations::matcher(b).run(e.forms[0].left, v);
}

}  // namespace

TEST_CASE("equations: operands commute, comparisons are mirrored, products associate") {
  model m;
  const value x = m.in({2}), y = m.in({2}), z = m.in({2});
  CHECK(matches("x + Neg(y)", add(neg(y), x)));
  CHECK_FALSE(matches("x - Neg(y)", sub(neg(y), x)));
  CHECK(matches("x < 0", greater(scalar(m.g, dtype::f32, 0.0), x)));
  CHECK_FALSE(matches("x < 0", greater(x, 0)));
  CHECK_FALSE(matches("x < 0", greater_equal(scalar(m.g, dtype::f32, 0.0), x)));
  CHECK(matches("Neg(x) Abs(y) z", mul(mul(z, abs(y)), neg(x))));
  CHECK(matches("Neg(x) Abs(y) z", mul(abs(y), mul(neg(x), z))));
  CHECK_FALSE(matches("Neg(x) Abs(y) z", mul(abs(y), neg(x))));
}

TEST_CASE("equations: what fits in another way is found") {
  model m;
  const value x = m.in({2}), y = m.in({2});
  const value e = exp(y);
  CHECK(matches("x Exp(x)", mul(exp(e), e)));
  CHECK(matches("(x + y) Neg(x)", mul(add(y, x), neg(x))));  // x is the second one
  CHECK(matches("Max(x | Neg(x), Abs(x))", maximum(neg(y), abs(y))));
}

TEST_CASE("equations: numbers as they are rounded, signs of zeros, attributes and their defaults") {
  model m;
  const value x = m.in({2}, dtype::f16);
  CHECK(matches("x + 0.1", add(x, 0.1)));
  CHECK_FALSE(matches("x + 0.1", add(x, 0.11)));
  CHECK(matches("x + 0", add(x, -0.0)));
  CHECK_FALSE(matches("x + +0", add(x, -0.0)));
  CHECK(matches("x + -0", add(x, -0.0)));
  const value elu = m.g.emit("Elu", {x}, x.type(), {{"alpha", 1.0f}}),
              other = m.g.emit("Elu", {x}, x.type(), {{"alpha", 2.0f}});
  CHECK(matches("Elu(x)", elu));
  CHECK_FALSE(matches("Elu(x)", other));
  CHECK(matches("Elu(x, alpha=2)", other));
  CHECK(matches("Elu(x, alpha=a)", other));
  CHECK(matches("Elu(x, *)", other));
}

TEST_CASE("equations: reductions over constant axes, views") {
  model m;
  const value x = m.in({2, 3}), last = m.last("ReduceSum", x);
  CHECK(matches("ReduceSum(x, r)", last));
  CHECK(matches("ReduceSum(x, r) / ReduceMax(x, r)", div(last, m.last("ReduceMax", x))));
  CHECK_FALSE(matches("ReduceSum(x, r) / ReduceMax(x, r)", div(last, reduce("ReduceMax", x, {0}, true))));
  CHECK(matches("Neg(ones?(ReduceSum(x, r)))", neg(reshape(last, {2}))));
  CHECK_FALSE(matches("Neg(ReduceSum(x, r))", neg(reshape(last, {2}))));
  CHECK(matches("Neg(reshaped(Abs(x)))", neg(reshape(abs(x), {6}))));
  CHECK_FALSE(matches("Neg(ones?(Abs(x)))", neg(reshape(abs(x), {6}))));
  CHECK(matches("Neg(cast?(Abs(x)))", neg(cast(abs(x), dtype::f16))));
  CHECK_FALSE(matches("Neg(cast?(Abs(x)))", neg(cast(abs(x), dtype::i32))));
  const value narrow = cast(abs(cast(x, dtype::f16)), dtype::f32);
  CHECK_FALSE(matches("Neg(cast?(Abs(x)))", neg(narrow)));
}
