// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/indexing/scatter.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

/// Updates [7, 4, 2] of x[6, 4, 5]: windows x[i, :, j : j + 2] at vectors (j, i).
const scatter_form windows_of_rows{.update_window = {1, 2},
                                   .inserted = {0},
                                   .map = {2, 0},
                                   .operand_batch = {},
                                   .index_batch = {},
                                   .operand_dims = {6, 4, 5},
                                   .update_dims = {7, 4, 2}};

}  // namespace

TEST_CASE("the extents of a window are those of the updates; inserted dimensions have 1") {
  graph g;
  CHECK(windows_of_rows.window_dims() == ints{1, 2});
  CHECK(windows_of_rows.sizes() == shape{1, 4, 2});
  CHECK(windows_of_rows.limits(g) == shape{3, 5});
  CHECK(windows_of_rows.update_batch() == ints{0});
  CHECK(windows_of_rows.is_whole(1));
  CHECK_FALSE(windows_of_rows.is_whole(2));
}

TEST_CASE("a plan puts the indexed dimensions first, and the updates accordingly") {
  graph g;
  const value vectors = g.input({dtype::i64, {7, 2}}, "vectors");
  const scatter_plan plan = plan_scatter(g, {vectors, 2, {}}, windows_of_rows);
  CHECK(plan.operand_perm == ints{0, 2, 1});
  CHECK(plan.indices.dims() == shape{7, 1, 2, 2});
  CHECK(plan.update_perm == ints{0, 2, 1});
  CHECK(plan.update_dims == shape{7, 1, 2, 4});
  CHECK(plan.batch_rank == 1);
}

TEST_CASE("updates that cover the operand still have an index") {
  graph g;
  const scatter_form whole{.update_window = {1},
                           .inserted = {},
                           .map = {},
                           .operand_batch = {},
                           .index_batch = {},
                           .operand_dims = {5},
                           .update_dims = {3, 5}};
  const value vectors = g.input({dtype::i64, {3, 0}}, "vectors");
  const scatter_plan plan = plan_scatter(g, {vectors, 0, {}}, whole);
  CHECK(plan.operand_perm == ints{0});
  CHECK(plan.indices.dims() == shape{3, 5, 1});
}

TEST_CASE("neutral updates change no element") {
  graph g;
  CHECK(same_value(neutral_update(g, scatter_kind::add, dtype::f32), scalar(g, dtype::f32, -0.0)));
  CHECK(same_value(neutral_update(g, scatter_kind::add, dtype::i32), scalar(g, dtype::i32, 0)));
  CHECK(same_value(neutral_update(g, scatter_kind::mul, dtype::i32), scalar(g, dtype::i32, 1)));
  CHECK(same_value(neutral_update(g, scatter_kind::minimum, dtype::i8), scalar(g, dtype::i8, 127)));
  CHECK(same_value(neutral_update(g, scatter_kind::maximum, dtype::i8), scalar(g, dtype::i8, -128)));
}

TEST_CASE("a computation that returns the update replaces the element") {
  const jaxpr::program set = jaxpr::parse("{ lambda ; a:f32[] b:f32[]. let  in (b,) }");
  const jaxpr::program keep = jaxpr::parse("{ lambda ; a:f32[] b:f32[]. let  in (a,) }");
  CHECK(set_kind(set.main) == scatter_kind::set);
  CHECK(set_kind(keep.main) == scatter_kind::other);
  CHECK(set_kind(nullptr) == scatter_kind::set);
}

TEST_CASE("one row or point is read, combined and written at the same index") {
  graph g;
  const value x = g.input({dtype::f32, {4, 5}}, "x"), row = g.input({dtype::f32, {5}}, "row");
  const value i = g.input({dtype::i32, {}}, "i"), ij = g.input({dtype::i32, {2}}, "ij");
  const value number = g.input({dtype::f32, {}}, "number"), column = g.input({dtype::f32, {4}}, "column");
  const auto operand = [&](const value& v, std::size_t k) { return value(g, producer(v).inputs[k]); };
  scatter_form f{.update_window = {},
                 .inserted = {0, 1},
                 .map = {0, 1},
                 .operand_batch = {},
                 .index_batch = {},
                 .operand_dims = {4, 5},
                 .update_dims = {}};
  const value point = scatter_one(scatter_kind::add, x, number, {ij, 2, {}}, f);
  CHECK(op_of(point) == "ScatterND");
  const value old = operand(operand(point, 2), 0);
  CHECK(op_of(old) == "GatherND");
  CHECK(same_value(operand(old, 1), operand(point, 1)));
  f.update_window = {0}, f.inserted = {0}, f.map = {0}, f.update_dims = {5};
  const value of_row = scatter_one(scatter_kind::add, x, row, {i, 1, {}}, f);
  CHECK(op_of(of_row) == "ScatterND");
  CHECK(op_of(operand(operand(of_row, 2), 0)) == "Gather");
  f.inserted = {1}, f.map = {1}, f.update_dims = {4};
  CHECK(op_of(scatter_one(scatter_kind::add, x, column, {i, 1, {}}, f)) == "Concat");
}
