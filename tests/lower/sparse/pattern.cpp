// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/sparse/pattern.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

TEST_CASE("positions in row-major order compare indices that may be out of bounds") {
  graph g;
  const value row = g.input({dtype::i32, {5}}, "row"), column = g.input({dtype::u8, {5}}, "column");
  const row_numbers dropped = row_major(g, {row, column}, {3, 4});
  CHECK(dropped.at.type() == tensor_type{dtype::i64, {5}});
  CHECK(dropped.valid.type() == tensor_type{dtype::boolean, {5}});
  const row_numbers clipped = row_major(g, {row, column}, {3, 4}, bounds_mode::clip);
  CHECK(clipped.at.type() == tensor_type{dtype::i64, {5}});
  CHECK_FALSE(clipped.valid);
}

TEST_CASE("positions of known indices need no comparison") {
  graph g;
  const value known = int64s(g, {0, 2, 1});
  CHECK_FALSE(row_major(g, {known}, {3}).valid);
  CHECK(row_major(g, {known}, {2}).valid);
  CHECK(row_major(g, {}, {}).at.rank() == 0);
}

TEST_CASE("one group needs no offset, several begin at multiples of the rows") {
  graph g;
  const value at = g.input({dtype::i64, {2, 5}}, "at");
  CHECK(same_value(in_groups(at, {1, 1}, 7), at));
  const value moved = in_groups(at, {2, 1}, 7);
  CHECK(op_of(moved) == "Add");
  CHECK(moved.dims() == shape{2, 5});
}

TEST_CASE("rows out of bounds are zeros, and what is added to them is dropped") {
  graph g;
  const value x = g.input({dtype::f32, {4, 2}}, "x"), at = g.input({dtype::i64, {3}}, "at");
  const value valid = g.input({dtype::boolean, {3}}, "valid"), updates = g.input({dtype::f32, {3, 2}}, "updates");
  CHECK(op_of(rows_at(x, {at, {}}, {3})) == "Gather");
  CHECK(op_of(rows_at(x, {at, valid}, {3})) == "Where");
  CHECK(rows_at(x, {scalar(g, dtype::i64, 0), {}}, {2, 3}).dims() == shape{2, 3, 2});
  CHECK(op_of(summed_rows(updates, 1, {at, {}}, 4)) == "ScatterND");
  const value dropped = summed_rows(updates, 1, {at, valid}, 4);
  CHECK(op_of(dropped) == "Slice");
  CHECK(dropped.dims() == shape{4, 2});
  CHECK(op_of(summed_rows(slice(updates, 0, 0, 0), 1, {slice(at, 0, 0, 0), {}}, 4)) != "ScatterND");
}

TEST_CASE("compressed rows and padding keep the extents of their indices") {
  graph g;
  const value firsts = g.input({dtype::i32, {2, 4}}, "firsts");
  CHECK(rows_of_elements(firsts, 5).type() == tensor_type{dtype::i64, {2, 5}});
  CHECK(rows_of_elements(firsts, 0).dims() == shape{2, 0});
  const value index = g.input({dtype::i16, {2, 5}}, "index");
  const sparse_pattern p = with_one_padding(g, {{{2, 3}, 1, 1, 5}, {index}});
  CHECK(p.indices[0].type() == tensor_type{dtype::i16, {2, 5}});
  CHECK(op_of(p.indices[0]) == "Where");
  CHECK(stacked_columns(g, {index, index}, {2, 5}, dtype::i16).dims() == shape{2, 5, 2});
  CHECK(stacked_columns(g, {}, {2, 5}, dtype::i16).dims() == shape{2, 5, 0});
}
