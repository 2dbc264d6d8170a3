// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <jax2onnx/lower/linalg/matrix.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("rows, columns and blocks of batches of matrices") {
  graph g;
  const jax_value a(g.input({dtype::f32, {7, 3, 4}}, "re"), g.input({dtype::f32, {7, 3, 4}}, "im"));
  const value k = int64s(g, {1});
  CHECK(linalg::row_count(a) == dim(3));
  CHECK(linalg::column_count(a) == dim(4));
  CHECK(linalg::shorter_side(a) == dim(3));
  CHECK(linalg::row(a, k).im().dims() == shape{7, 1, 4});
  CHECK(linalg::column(a, k).im().dims() == shape{7, 3, 1});
  CHECK(linalg::row_range(a, 1, 3).re().dims() == shape{7, 2, 4});
  CHECK(linalg::column_range(a, 1, 3).re().dims() == shape{7, 3, 2});
  CHECK(linalg::stacked(a, a).im().dims() == shape{7, 6, 4});
  CHECK(linalg::side_by_side(a, a).im().dims() == shape{7, 3, 8});
  CHECK(linalg::transposed(a).im().dims() == shape{7, 4, 3});
  CHECK(linalg::matrix_dims(a, 5, 6) == shape{7, 5, 6});
  CHECK(linalg::sum(a, -1).re().dims() == shape{7, 3, 1});
  CHECK(linalg::sum(a, -2).re().dims() == shape{7, 1, 4});
  CHECK(linalg::identity_like(a, 3, 3).count == 2);
}

TEST_CASE("widened computes half precision in float and leaves double alone") {
  graph g;
  CHECK(linalg::widened(g.input({dtype::bf16, {2, 2}}, "a")).re().dtype() == dtype::f32);
  CHECK(linalg::widened(g.input({dtype::f64, {2, 2}}, "b")).re().dtype() == dtype::f64);
}

TEST_CASE("pivots are compared by |re| + |im|") {
  graph g;
  const auto number = [&](double x) { return scalar(g, dtype::f64, x); };
  const value complex_size = linalg::pivot_size({number(-3), number(4)}), real_size = linalg::pivot_size(number(-3));
  test::interpreter run(g);
  run.run();
  CHECK(run.number_at(complex_size) == 7);
  CHECK(run.number_at(real_size) == 3);
}

TEST_CASE("the axes of a batch may come last") {
  graph g;
  const jax_value a = g.input({dtype::f32, {7, 5, 3, 4}}, "a");
  const jax_value columns = linalg::columns_first(a), rows = linalg::rows_first(a);
  CHECK(columns.re().dims() == shape{4, 3, 7, 5});
  CHECK(rows.re().dims() == shape{3, 4, 7, 5});
  CHECK(linalg::columns_last(columns).re().dims() == shape{7, 5, 3, 4});
  CHECK(linalg::rows_last(rows).re().dims() == shape{7, 5, 3, 4});
  const value k = scalar(g, dtype::i64, 1);
  CHECK(linalg::item_at(columns, k).re().dims() == shape{3, 7, 5});
  CHECK(linalg::item_kept(columns, k).re().dims() == shape{1, 3, 7, 5});
  CHECK(linalg::unsqueezed(columns, 2).re().dims() == shape{4, 3, 1, 7, 5});
}

TEST_CASE("single matrices: rows, and products that are subtracted") {
  graph g;
  const value a = g.input({dtype::f32, {3, 4}}, "a"), c = g.input({dtype::f32, {4, 4}}, "c");
  CHECK(linalg::minus_product(c, a, a).dims() == shape{4, 4});
  const std::vector<value> rows = linalg::split_rows(a, 1), halves = linalg::split_rows(c, 2);
  REQUIRE(rows.size() == 3);
  CHECK(rows[2].dims() == shape{1, 4});
  REQUIRE(halves.size() == 2);
  CHECK(halves[1].dims() == shape{2, 4});
  CHECK(linalg::diagonal_of(g.input({dtype::f32, {3, 3, 7}}, "batch_last")).dims() == shape{3, 7});
  const value one = g.input({dtype::f32, {1, 4}}, "one");
  CHECK(linalg::split_rows(one, 1)[0].id() == one.id());
}
