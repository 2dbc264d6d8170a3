// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/views/slice.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::operators;

namespace {

value sliced(const value& x, std::initializer_list<std::int64_t> starts, std::initializer_list<std::int64_t> ends,
             std::initializer_list<std::int64_t> axes, std::initializer_list<std::int64_t> steps, const shape& dims) {
  graph& g = x.owner();
  std::vector<value> inputs{x, int64s(g, starts), int64s(g, ends)};
  if (axes.size() > 0) inputs.push_back(int64s(g, axes));
  if (steps.size() > 0) inputs.push_back(int64s(g, steps));
  return g.emit("Slice", inputs, {x.dtype(), dims});
}

}  // namespace

TEST_CASE("slice_of: from the front, whatever the operands count from") {
  graph g;
  const value x = g.input({dtype::f32, {6, 5}}, "x");
  struct row {
    std::int64_t start, step, first;
  };
  for (const row r : {row{1, 1, 1}, row{-2, 1, 4}, row{-9, 1, 0}, row{9, 1, 6}, row{-1, -1, 5}, row{9, -2, 5}}) {
    INFO(r.start << " " << r.step);
    const auto taken = single_slice_of(sliced(x, {r.start}, {3}, {-2}, {r.step}, {2, 5}));
    REQUIRE(taken);
    CHECK(taken->axis == 0);
    CHECK(taken->first == r.first);
    CHECK(taken->step == r.step);
    CHECK(taken->count == dim(2));
  }
}

TEST_CASE("slice_of: axes and steps that are not given") {
  graph g;
  const value x = g.input({dtype::f32, {6, 5}}, "x"), v = sliced(x, {1, 2}, {3, 4}, {}, {}, {2, 2});
  const auto taken = slice_of(v);
  REQUIRE(taken);
  REQUIRE(taken->size() == 2);
  CHECK((*taken)[1].axis == 1);
  CHECK((*taken)[1].first == 2);
  CHECK((*taken)[1].step == 1);
  CHECK(slice_axes_of(v) == ints{0, 1});
  CHECK(slice_steps_of(v) == ints{1, 1});
  CHECK_FALSE(single_slice_of(v));
}

TEST_CASE("slice_of: nothing that is not known") {
  graph g;
  const dim n = g.dims().parse("N");
  const value x = g.input({dtype::f32, {n}}, "x"), at = g.input({dtype::i64, {1}}, "at");
  CHECK(single_slice_of(sliced(x, {1}, {3}, {0}, {}, {2}))->first == 1);
  const value last = sliced(x, {-1}, {INT64_MAX}, {0}, {}, {1});
  CHECK_FALSE(slice_of(last));  // the extent is symbolic
  CHECK(slice_axes_of(last) == ints{0});
  CHECK_FALSE(slice_of(g.emit("Slice", {x, at, at}, {dtype::f32, {2}})));
  CHECK_FALSE(slice_axes_of(g.emit("Slice", {x, at, at, at}, {dtype::f32, {2}})));
  CHECK_FALSE(slice_of(x));
  CHECK_FALSE(slice_steps_of(exp(x)));
}
