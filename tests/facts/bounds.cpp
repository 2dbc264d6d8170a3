// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <limits>

#include <jax2onnx/facts/bounds.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using facts::lower_bound;
using facts::lower_bound_of;

namespace {

struct model {
  graph g;
  value x = g.input({dtype::f32, {4, 6}}, "x");
  value relu = unary("Relu", x), tanh = unary("Tanh", x);
};

}  // namespace

TEST_CASE("lower_bound_of: operators and constants") {
  model m;
  CHECK(lower_bound_of(m.x) == lower_bound::none);
  CHECK(lower_bound_of(m.relu) == lower_bound::zero);
  CHECK(lower_bound_of(m.tanh) == lower_bound::finite);
  CHECK(lower_bound_of(neg(m.relu)) == lower_bound::none);
  const auto number = [&](double n) { return lower_bound_of(scalar(m.g, dtype::f32, n)); };
  CHECK(number(0) == lower_bound::zero);
  CHECK(number(-1) == lower_bound::finite);
  CHECK(number(-std::numeric_limits<double>::infinity()) == lower_bound::none);
  CHECK(number(std::numeric_limits<double>::quiet_NaN()) == lower_bound::none);
}

TEST_CASE("lower_bound_of: elements that are only moved") {
  model m;
  CHECK(lower_bound_of(transpose(reshape(m.relu, {6, 4}), {1, 0})) == lower_bound::zero);
  CHECK(lower_bound_of(slice(m.tanh, {0}, {0}, {2}, {1})) == lower_bound::finite);
}

TEST_CASE("lower_bound_of: the least operand counts, of Max and Clip the greatest") {
  model m;
  CHECK(lower_bound_of(add(m.relu, m.relu)) == lower_bound::zero);
  CHECK(lower_bound_of(add(m.relu, m.tanh)) == lower_bound::none);  // sums of finite numbers can overflow
  CHECK(lower_bound_of(maximum(m.x, m.tanh)) == lower_bound::finite);
  CHECK(lower_bound_of(where(less(m.x, 0), m.relu, m.tanh)) == lower_bound::finite);
  CHECK(lower_bound_of(concat({m.relu, m.tanh}, 0)) == lower_bound::finite);
  const auto clipped = [&](double low) {
    return lower_bound_of(clip(m.x, scalar(m.g, dtype::f32, low), scalar(m.g, dtype::f32, 9)));
  };
  CHECK(clipped(0) == lower_bound::zero);
  CHECK(clipped(-1) == lower_bound::finite);
  const value zero = scalar(m.g, dtype::f32, 0);
  CHECK(lower_bound_of(clip(m.x, zero, scalar(m.g, dtype::f32, -1))) == lower_bound::finite);
  CHECK(lower_bound_of(m.g.emit("Clip", {m.x, zero}, m.x.type())) == lower_bound::zero);
}

TEST_CASE("lower_bound_of: looks at a few nodes only") {
  model m;
  value v = m.relu;
  for (int i = 0; i < 40; ++i) v = add(v, v);
  CHECK(lower_bound_of(v) == lower_bound::none);
}

TEST_CASE("magnitude_of: sums, products and integers") {
  model m;
  using facts::magnitude_of;
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(magnitude_of(m.x) == infinity);
  const float numbers[] = {1, -3, 2};
  const value slopes = array(m.g, dtype::f32, ints{3}, std::span<const float>(numbers));
  CHECK(magnitude_of(mul(slopes, 2)) == 6);
  CHECK(magnitude_of(add(neg(slopes), slopes)) == 6);
  const value positions = m.g.input({dtype::i32, {3}}, "positions");
  CHECK(magnitude_of(mul(slopes, cast(positions, dtype::f32))) == 3 * 0x1p64);
  const value one = scalar(m.g, dtype::u32, 1);
  CHECK(magnitude_of(cast(sub(cast(slopes, dtype::u32), one), dtype::f32)) == 0x1p32);  // 0 - 1 wraps
  const value x = m.g.input({dtype::f32, {3}}, "y"), gate = unary("Sigmoid", x), positive = unary("Softplus", x);
  const value truth = cast(less(x, 1), dtype::f32), one_float = scalar(m.g, dtype::f32, 1);
  CHECK(lower_bound_of(truth) == lower_bound::zero);
  CHECK(lower_bound_of(cast(x, dtype::f64)) == lower_bound::none);
  CHECK(magnitude_of(truth) == 1);
  CHECK(magnitude_of(unary("Tanh", x)) == 1);
  CHECK(magnitude_of(sub(one_float, gate)) == 1);
  CHECK(magnitude_of(sub(one_float, truth)) == 1);
  CHECK(magnitude_of(sub(slopes, gate)) == 4);
  CHECK(magnitude_of(unary("Exp", neg(positive))) == 1);
  CHECK(magnitude_of(unary("Exp", mul(mul(gate, -8), reshape(positive, {3, 1})))) == 1);
  CHECK(magnitude_of(unary("Exp", mul(slopes, positive))) == infinity);
  CHECK(magnitude_of(unary("Exp", mul(neg(positive), neg(positive)))) == infinity);
  CHECK(magnitude_of(unary("Exp", neg(x))) == infinity);
  const float unknown[] = {1, std::numeric_limits<float>::quiet_NaN()};
  CHECK(magnitude_of(array(m.g, dtype::f32, ints{2}, std::span<const float>(unknown))) == infinity);
}
