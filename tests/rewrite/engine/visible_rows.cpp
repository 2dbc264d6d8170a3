// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <array>
#include <limits>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/visible_rows.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;

namespace {

struct model {
  graph g;
  value integers(const ints& dims, std::initializer_list<std::int64_t> numbers) {
    return array(g, dtype::i64, dims, std::span<const std::int64_t>(numbers.begin(), numbers.size()));
  }
  value column = integers({3, 1}, {0, 1, 2}), row = integers({3}, {0, 1, 2});
};

}  // namespace

TEST_CASE("has_in_all_rows: comparisons of constants") {
  model m;
  CHECK(has_in_all_rows(greater_equal(m.column, m.row), true));
  CHECK_FALSE(has_in_all_rows(greater(m.column, m.row), true));         // none in row 0
  CHECK_FALSE(has_in_all_rows(greater_equal(m.column, m.row), false));  // all in row 2
  const value window = logical_and(greater_equal(m.column, m.row), less_equal(m.column, m.row));
  CHECK(has_in_all_rows(window, true));
  CHECK(has_in_all_rows(logical_not(greater(m.column, m.row)), true));
  CHECK_FALSE(has_in_all_rows(logical_and(less(m.column, m.row), greater(m.column, m.row)), true));
  CHECK(has_in_all_rows(jax2onnx::ops::reshape(less_equal(m.column, m.row), {1, 3, 3}), true));
  CHECK(has_in_all_rows(jax2onnx::ops::reshape(less_equal(m.column, m.row), {3, 1, 3}), true));
  CHECK_FALSE(has_in_all_rows(jax2onnx::ops::reshape(less(m.column, m.row), {3, 1, 3}), true));
  CHECK(has_in_all_rows(broadcast_to(less_equal(m.column, m.row), {2, 3, 3}), true));
}

TEST_CASE("has_in_all_rows: constants, and what is not known") {
  model m;
  const std::array<bool, 4> some = {true, false, false, true}, half = {true, true, false, false};
  CHECK(has_in_all_rows(array(m.g, dtype::boolean, ints{2, 2}, std::span<const bool>(some)), true));
  CHECK_FALSE(has_in_all_rows(array(m.g, dtype::boolean, ints{2, 2}, std::span<const bool>(half)), true));
  CHECK_FALSE(has_in_all_rows(m.g.input({dtype::boolean, {2, 2}}, "x"), true));
  CHECK_FALSE(has_in_all_rows(gather(less(m.column, m.row), m.integers({3}, {2, 2, 2}), 0), true));
  CHECK_FALSE(has_in_all_rows(less(m.g.input({dtype::i64, {3}}, "y"), m.column), true));
  CHECK_FALSE(has_in_all_rows(m.g.input({dtype::boolean, {m.g.dims().symbol("B")}}, "z"), true));
}

TEST_CASE("has_above_in_all_rows: numbers of constants") {
  model m;
  const float lowest = -std::numeric_limits<float>::infinity();
  const std::array<float, 4> numbers = {0, lowest, lowest, 0}, none = {0, 0, lowest, lowest};
  CHECK(has_above_in_all_rows(array(m.g, dtype::f32, ints{2, 2}, std::span<const float>(numbers)), -1));
  CHECK_FALSE(has_above_in_all_rows(array(m.g, dtype::f32, ints{2, 2}, std::span<const float>(none)), -1));
  CHECK_FALSE(has_above_in_all_rows(m.g.input({dtype::f32, {2, 2}}, "x"), -1));
}
