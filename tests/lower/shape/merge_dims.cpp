// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/shape/merge_dims.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

struct model {
  graph g;
  dim B = g.dims().parse("B");
  value x = g.input({dtype::f32, {2, B, 3, 5}}, "x");
};

}  // namespace

TEST_CASE("dimensions are merged; none become an extent of 1, and one is left alone") {
  model m;
  CHECK(merge_dims(m.x, 2, 2).dims() == shape{2, m.B, 15});
  CHECK(merge_dims(m.x, 0, 2).dims() == shape{m.g.dims().mul(m.B, 2), 3, 5});
  CHECK(merge_dims(m.x, 1, 0).dims() == shape{2, 1, m.B, 3, 5});
  CHECK(same_value(merge_dims(m.x, 3, 1), m.x));
}

TEST_CASE("merged axes come first or last, in their order") {
  model m;
  const value first = merge_axes_first(m.x, {3, 0}), last = merge_axes_last(m.x, {2, 0});
  CHECK(first.dims() == shape{10, m.B, 3});
  CHECK(std::get<ints>(m.g.at(m.g.at(producer(first).inputs[0]).producer).find("perm")->value) == ints{3, 0, 1, 2});
  CHECK(last.dims() == shape{m.B, 5, 6});
  CHECK(std::get<ints>(m.g.at(m.g.at(producer(last).inputs[0]).producer).find("perm")->value) == ints{1, 3, 2, 0});
}
