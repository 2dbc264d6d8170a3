// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/indexing/gather.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

/// x[i, :, j : j + 2] of x[6, 4, 5] for vectors (j, i) of [7, 2]: [7, 4, 2].
const gather_form rows_and_pairs{.offset = {1, 2},
                                 .collapsed = {0},
                                 .map = {2, 0},
                                 .operand_batch = {},
                                 .index_batch = {},
                                 .sizes = {1, 4, 2},
                                 .operand_dims = {6, 4, 5}};
/// x[b, i] of x[3, 6] for vectors (i) of [3, 2, 1]: [3, 2].
const gather_form batched{.offset = {},
                          .collapsed = {1},
                          .map = {1},
                          .operand_batch = {0},
                          .index_batch = {0},
                          .sizes = {1, 1},
                          .operand_dims = {3, 6}};

}  // namespace

TEST_CASE("limits are the largest starts, in the order of the index vectors") {
  graph g;
  CHECK(rows_and_pairs.limits(g) == shape{3, 5});
  CHECK(batched.limits(g) == shape{5});
}

TEST_CASE("components along dimensions that slices take whole choose nothing") {
  CHECK(rows_and_pairs.choosing_columns() == ints{0, 1});
  gather_form whole = rows_and_pairs;
  whole.sizes = {1, 4, 5};
  CHECK(whole.choosing_columns() == ints{1});
  whole.operand_batch = {2};
  CHECK(whole.choosing_columns() == ints{0, 1});
}

TEST_CASE("labels say which axis of the operand or of the index vectors an axis of the result is") {
  CHECK(rows_and_pairs.result_labels(3) == ints{-1, 1, 2});
  CHECK(batched.result_labels(2) == ints{-1, -2});
  CHECK(batched.unindexed_labels() == ints{-1, 1});
}

TEST_CASE("axes are arranged by their labels") {
  graph g;
  const value x = g.input({dtype::f32, {4, 1, 7}}, "x");
  CHECK(arrange({x, {2, 0, -1}}, {-1, 2}).dims() == shape{7, 4});
  CHECK(arrange({x, {2, 0, -1}}, {-1, 5, 2, 0}).dims() == shape{7, 1, 4, 1});
  CHECK(same_value(arrange({x, {2, 0, -1}}, {2, 0, -1}), x));
}

TEST_CASE("whether a slice is valid broadcasts over its offset dimensions") {
  graph g;
  const value valid = g.input({dtype::boolean, {7}}, "valid");
  CHECK(broadcast_over_offsets(valid, rows_and_pairs, 3).dims() == shape{7, 1, 1});
  gather_form leading = rows_and_pairs;
  leading.offset = {0, 1};
  CHECK(same_value(broadcast_over_offsets(valid, leading, 3), valid));
}

TEST_CASE("printed numbers lose their numpy type") {
  CHECK(number_text("1.5") == "1.5");
  CHECK(number_text("np.float32(1.5)") == "1.5");
  CHECK(number_text("np.int8(-3)") == "-3");
}
