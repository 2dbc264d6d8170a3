// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <vector>

#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using rewrite::recurrence;

namespace {

/// The sum of a state and the inputs xs.
value sum_from(const value& first, const value& xs, const scan_options& options = {}) {
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    return loop_step{{}, {add(s[0], x[0])}, {}};
  };
  return scan(xs.owner(), {first}, {xs}, body, options).carried[0];
}
value summed(model& m, const shape& state, const value& xs, const scan_options& options = {}) {
  return sum_from(m.in(state, xs.dtype()), xs, options);
}

}  // namespace

TEST_CASE("chunks: sizes that suit") {
  model m;
  const rewrite::chunk_limits limits{.least_steps = 8, .most_steps = 16, .most_elements = 6};
  const auto elements = [&](std::int64_t steps, const shape& state, dtype t = dtype::f32) {
    shape all{steps};
    all.append(state);
    return rewrite::elements_for_chunks(*recurrence::of(summed(m, state, m.in(all, t))), 0, limits);
  };
  CHECK(elements(8, {2, 3}) == 6);
  CHECK(elements(16, {}) == 1);
  CHECK_FALSE(elements(7, {2}));
  CHECK_FALSE(elements(17, {2}));
  CHECK_FALSE(elements(8, {7}));
  CHECK_FALSE(elements(8, {m.B}));
  CHECK_FALSE(elements(8, {2}, dtype::f16));
  CHECK_FALSE(elements(8, {2}, dtype::i32));
}

TEST_CASE("chunks: products that are larger than their factors are made where they are needed") {
  model m;
  const value column = m.in({4, 3, 1}), row = m.in({4, 1, 5}), scale = m.in({4, 3, 5});
  const value product = mul(column, row), scaled = mul(scale, product), same = mul(scale, scale);
  CHECK(rewrite::expanded_here(same).id() == same.id());
  CHECK(rewrite::expanded_here(column).id() == column.id());
  CHECK(rewrite::expanded_here(product).id() != product.id());
  const value again = rewrite::expanded_here(scaled);
  CHECK(again.id() != scaled.id());
  CHECK(rewrite::input_of(again, 1).id() != product.id());
  const value by_matmul = matmul(column, row), by_matrix = matmul(scale, transpose(scale, {0, 2, 1}));
  CHECK(rewrite::expanded_here(by_matmul).id() != by_matmul.id());
  CHECK(rewrite::expanded_here(by_matrix).id() == by_matrix.id());
}

TEST_CASE("chunks: the order of the steps") {
  model m;
  const value xs = m.in({8, 2});
  const auto forward = recurrence::of(summed(m, {2}, xs)), back = recurrence::of(summed(m, {2}, xs, {.reverse = true}));
  CHECK(rewrite::in_order_of_steps(*forward, xs).id() == xs.id());
  CHECK(text(rewrite::in_order_of_steps(*back, xs)) == "f32[8,2]");
}

TEST_CASE("chunks: a Scan in a branch is an alternative, one in a loop is none") {
  model m;
  const value xs = m.in({8, 2}), first = m.in({2}), condition = m.in({}, dtype::boolean);
  CHECK_FALSE(rewrite::is_alternative(summed(m, {2}, xs)));
  if_(
      condition,
      [&] {
        const value y = sum_from(first, xs);
        CHECK(rewrite::is_alternative(y));
        return std::vector{y};
      },
      [&] { return std::vector{first}; }, {{dtype::f32, {2}}});
  scan(m.g, {first}, {xs}, [&](const std::vector<value>& s, const std::vector<value>& x) {
    const value y = sum_from(first, xs);
    CHECK_FALSE(rewrite::is_alternative(y));
    return loop_step{{}, {add(add(s[0], x[0]), y)}, {}};
  });
}
