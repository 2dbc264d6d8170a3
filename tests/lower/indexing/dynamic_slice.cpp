// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/indexing/dynamic_slice.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

namespace {

struct model {
  graph g;
  dim B = g.dims().parse("B");
  value x = g.input({dtype::f32, {6, 4}}, "x"), i = g.input({dtype::i32, {}}, "i");
};

}  // namespace

TEST_CASE("starts are clamped so that the slice is in bounds") {
  model m;
  const auto start = [&](const interval& range, dim limit) { return clamped_start(m.g, range, limit); };
  CHECK(start(only(2), 3) == dim(2));
  CHECK(start(only(5), 3) == dim(3));
  CHECK(start(only(-5), 3) == dim(0));
  CHECK(start(only(0), m.B) == dim(0));
  CHECK(start(only(-1), m.B) == dim(0));
  CHECK_FALSE(start(only(1), m.g.dims().sub(m.B, 1)).has_value());
  CHECK_FALSE(start({0, 1}, 3).has_value());
}

TEST_CASE("slices at known starts, at a computed one, and of one element") {
  model m;
  CHECK(same_value(slice_at(m.x, {}), m.x));
  const value known = slice_at(m.x, {{0, 2, 1, {}}}), computed = slice_at(m.x, {{0, 2, 0, m.i}, {1, 3, 1, {}}});
  CHECK(known.dims() == shape{2, 4});
  CHECK(op_of(known) == "Slice");
  CHECK(computed.dims() == shape{2, 3});
  const value row = slice_at(m.x, {{0, 1, 0, m.i}});
  CHECK(op_of(row) == "Gather");
  CHECK(row.dims() == shape{1, 4});
  const value part = slice_at(m.x, {{0, 1, 0, m.i}, {1, 3, 1, {}}});
  CHECK(op_of(part) == "Slice");
  CHECK(op_of({m.g, producer(part).inputs[0]}) == "Gather");
  CHECK(part.dims() == shape{1, 3});
}

TEST_CASE("a vector of starts is int32 only if all are computed as int32") {
  model m;
  CHECK(starts_vector(m.g, {{0, 1, 0, m.i}, {1, 1, 0, m.i}}).dtype() == dtype::i32);
  CHECK(starts_vector(m.g, {{0, 1, 0, m.i}, {1, 1, 2, {}}}).dtype() == dtype::i64);
}

TEST_CASE("one row along leading axes is scattered, other slices are spliced") {
  model m;
  const value row = m.g.input({dtype::f32, {1, 4}}, "row"), column = m.g.input({dtype::f32, {6, 1}}, "column");
  CHECK(op_of(update_at(m.x, row, {{0, 1, 0, m.i}})) == "ScatterND");
  CHECK(op_of(update_at(m.x, column, {{1, 1, 0, m.i}})) == "Concat");
  CHECK(op_of(update_at(m.x, row, {{0, 1, 3, {}}})) == "Concat");
  CHECK(update_at(m.x, row, {{0, 1, 3, {}}}).dims() == m.x.dims());
  CHECK(same_value(update_at(m.x, m.x, {}), m.x));
  const value cache = m.g.input({dtype::f32, {1, 6, 4}}, "cache"), token = m.g.input({dtype::f32, {1, 1, 4}}, "token");
  const value one = update_at(cache, token, {{1, 1, 0, m.i}}),
              two = update_at(cache, slice(token, 2, 0, 1), {{1, 1, 0, m.i}, {2, 1, 2, {}}});
  CHECK(op_of(one) == "ScatterND");
  CHECK(op_of({m.g, producer(one).inputs[1]}) == "Mul");
  CHECK(value(m.g, producer(two).inputs[1]).dims() == shape{1, 3});
}
