// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <limits>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/operators/logit_masks.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;

namespace {

struct model {
  graph g;
  use_counts uses;
  context c{g, uses};
  value number(double n) { return scalar(g, dtype::f32, n); }
  value visible() { return g.input({dtype::boolean, {6}}, ""); }
  value in(shape dims) { return g.input({dtype::f32, std::move(dims)}, ""); }
};

constexpr double lowest = std::numeric_limits<float>::lowest();

}  // namespace

TEST_CASE("finite_mask: the lowest number is replaced, -inf and unknown numbers are refused") {
  model m;
  CHECK(splat_number(finite_mask(m.c, m.number(lowest))) == masked_logit);
  const value mask = where(m.visible(), m.number(0), m.number(lowest));
  CHECK(splat_number(input_of(finite_mask(m.c, mask), 2)) == masked_logit);
  CHECK_FALSE(finite_mask(m.c, m.in({6})));
  CHECK_FALSE(finite_mask(m.c, m.number(-std::numeric_limits<double>::infinity())));
  const value positive = exp(m.in({6}));
  CHECK(same_value(finite_mask(m.c, positive), positive));
}

TEST_CASE("finite_mask: a table that is read with NaN out of bounds") {
  model m;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const value table = where(m.visible(), m.number(1), m.number(2));
  const value filled = sub(table, reshape(where(m.visible(), m.number(0), m.number(nan)), {6}));
  CHECK(same_value(finite_mask(m.c, filled), filled));
  CHECK_FALSE(finite_mask(m.c, sub(table, where(m.visible(), m.number(0), m.in({6})))));
}

TEST_CASE("sum_of_masks: choices and numbers, the innermost first") {
  model m;
  CHECK(producer(sum_of_masks(m.c, {{m.visible(), {}}}), "Where"));
  const value sum = sum_of_masks(m.c, {{{}, exp(m.in({6}))}, {m.visible(), {}}});
  CHECK(producer(sum, "Add"));
  CHECK_FALSE(sum_of_masks(m.c, {{{}, m.in({6})}}));
}

TEST_CASE("sum_of_masks: one mask of -inf that shows a key in every row") {
  model m;
  const float infinity = std::numeric_limits<float>::infinity(), some[] = {0, -infinity, -infinity, 0},
              none[] = {0, 0, -infinity, -infinity};
  const auto constant = [&](std::span<const float> numbers) { return array(m.g, dtype::f32, ints{2, 2}, numbers); };
  CHECK(producer(sum_of_masks(m.c, {{.added = constant(some)}}), "Max"));
  CHECK_FALSE(sum_of_masks(m.c, {{.added = constant(none)}}));
  CHECK_FALSE(sum_of_masks(m.c, {{.added = constant(some)}, {.added = exp(m.in({6, 2, 2}))}}));
  CHECK_FALSE(sum_of_masks(m.c, {{.visible = m.visible(), .number = -infinity}}));
}

TEST_CASE("sum_of_masks: the numbers of finite masks keep their order") {
  model m;
  m.c.assume_finite = true;
  const auto number_of = [&](double number) {
    return splat_number(input_of(sum_of_masks(m.c, {{.visible = m.visible(), .number = number}}), 2));
  };
  CHECK(number_of(-1e9) == masked_logit);
  CHECK(number_of(-2e38) == -2e38f);
  CHECK(number_of(lowest) == lowest_masked_logit);
  CHECK(number_of(-std::numeric_limits<double>::infinity()) == lowest_masked_logit);
  CHECK(splat_number(input_of(sum_of_masks(m.c, {{.added = m.in({6})}}), 1)) == lowest_masked_logit);
  CHECK(lowest_masked_logit > lowest);
}

TEST_CASE("sum_of_masks: of several masks, the greater number stays the greater one") {
  model m;
  const std::vector<logit_mask> masks = {{.visible = m.visible(), .number = -1e10},
                                         {.visible = m.visible(), .number = -1e9},
                                         {.visible = m.visible(), .number = lowest}};
  CHECK(keeps_order_of_hidden(m.c, masks));
  const value outer = sum_of_masks(m.c, masks), middle = input_of(outer, 1);
  CHECK(splat_number(input_of(outer, 2)) == 1.5 * masked_logit);
  CHECK(splat_number(input_of(middle, 2)) == masked_logit);
  CHECK(splat_number(input_of(input_of(middle, 1), 2)) == 1.75 * masked_logit);
}

TEST_CASE("keeps_order_of_hidden: numbers far from each other, nothing that hides among what is added") {
  model m;
  const auto replaced = [&](double number) { return logit_mask{.visible = m.visible(), .number = number}; };
  CHECK_FALSE(keeps_order_of_hidden(m.c, {replaced(-1e9), replaced(-1e9 - 64)}));
  CHECK_FALSE(
      keeps_order_of_hidden(m.c, {replaced(-1e9), replaced(-2e9), replaced(-3e9), replaced(-4e9), replaced(-5e9),
                                  replaced(-6e9), replaced(-7e9), replaced(-8e9), replaced(-9e9)}));
  const auto added = [&](double number) {
    return logit_mask{.added = where(m.visible(), m.number(0), m.number(number))};
  };
  CHECK_FALSE(keeps_order_of_hidden(m.c, {replaced(-1e9), added(-1e10)}));
  CHECK(keeps_order_of_hidden(m.c, {replaced(-1e9), added(-2)}));
  CHECK(keeps_order_of_hidden(m.c, {replaced(-1e9), {.added = exp(m.in({6}))}}));
  CHECK(keeps_order_of_hidden(m.c, {added(-1e9), added(-1e10)}));
  m.c.assume_finite = true;
  CHECK(keeps_order_of_hidden(m.c, {replaced(-1e9), added(-1e10)}));
}

TEST_CASE("is_masked_by_sum: keys that are computed from what the values are computed from") {
  model m;
  const value x = m.in({2, 6, 5});
  const float ones[5 * 12] = {};
  const auto projection = [&] {
    const value w = array(m.g, dtype::f32, ints{5, 12}, std::span<const float>(ones));
    return jax2onnx::ops::reshape(matmul(x, w), {2, 6, 3, 4});
  };
  CHECK(is_masked_by_sum(m.c, projection(), projection(), projection(), 12));
  CHECK_FALSE(is_masked_by_sum(m.c, projection(), m.in({2, 6, 3, 4}), projection(), 12));
  CHECK_FALSE(is_masked_by_sum(m.c, projection(), projection(), m.in({2, 6, 3, 4}), 12));
  CHECK_FALSE(is_masked_by_sum(m.c, projection(), projection(), projection(), 6));  // values for some of the rows
}
