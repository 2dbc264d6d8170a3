// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;

namespace {

struct model {
  graph g;
  dim B = g.dims().symbol("B"), S = g.dims().symbol("S");
  value in(shape dims) { return g.input({dtype::f32, std::move(dims)}, ""); }
};

axis_layout whole_axes(const shape& dims) {
  axis_layout l;
  for (const dim d : dims) l.push_back(whole_axis(std::ssize(l), d));
  return l;
}

}  // namespace

TEST_CASE("axis_parts: a Reshape joins and splits axes") {
  model m;
  const axis_layout l = whole_axes({2, 6, 4});
  CHECK(*reshaped(m.g.dims(), l, {2, 24}) == axis_layout{{{0, 2, 1}}, {{1, 6, 1}, {2, 4, 1}}});
  CHECK(*reshaped(m.g.dims(), l, {2, 3, 1, 2, 4}) ==
        axis_layout{{{0, 2, 1}}, {{1, 3, 2}}, {}, {{1, 2, 1}}, {{2, 4, 1}}});
  CHECK_FALSE(reshaped(m.g.dims(), whole_axes({6, 4}), {4, 6}));
  const axis_layout back = *reshaped(m.g.dims(), *reshaped(m.g.dims(), l, {12, 4}), {2, 6, 4});
  CHECK(back == l);
}

TEST_CASE("axis_parts: symbolic extents") {
  model m;
  const dim two_S = m.g.dims().mul(2, m.S);
  const axis_layout l = whole_axes({m.B, two_S, 4});
  CHECK(*reshaped(m.g.dims(), l, {m.B, m.S, 2, 4}) ==
        axis_layout{{{0, m.B, 1}}, {{1, m.S, 2}}, {{1, 2, 1}}, {{2, 4, 1}}});
  CHECK(*reshaped(m.g.dims(), l, {m.B, 2, m.S, 4}) ==
        axis_layout{{{0, m.B, 1}}, {{1, 2, m.S}}, {{1, m.S, 1}}, {{2, 4, 1}}});
  CHECK_FALSE(reshaped(m.g.dims(), l, {m.S, 2, m.B, 4}));
  CHECK_FALSE(reshaped(m.g.dims(), whole_axes({6}), {0, 6}));
}

TEST_CASE("axis_parts: the same order of elements") {
  model m;
  const axis_parts split = {{0, 3, 4}, {0, 4, 1}, {1, 5, 1}}, whole = {{0, 12, 1}, {1, 5, 1}};
  CHECK(in_same_order(m.g.dims(), split, whole));
  CHECK_FALSE(in_same_order(m.g.dims(), {split[1], split[0], split[2]}, whole));
}

TEST_CASE("axis_parts: layouts after and before Transposes, Reshapes and Expands") {
  model m;
  const value x = m.in({m.B, 5, 3, 4}), t = transpose(x, {0, 2, 1, 3});
  const axis_layout l = whole_axes(x.dims());
  CHECK(*layout_after(t, l) == axis_layout{l[0], l[2], l[1], l[3]});
  CHECK(*layout_before(t, *layout_after(t, l)) == l);
  const value r = jax2onnx::ops::reshape(x, {m.B, 5, 12});
  CHECK(*layout_before(r, *layout_after(r, l)) == l);
  const value wide = broadcast_to(m.in({3, 1, 4}), {2, 3, 5, 4});
  CHECK(*layout_before(wide, whole_axes(wide.dims())) == axis_layout{{{1, 3, 1}}, {}, {{3, 4, 1}}});
  CHECK_FALSE(layout_before(neg(x), l));
  CHECK_FALSE(layout_after(neg(x), l));
}

TEST_CASE("rearranged: a Transpose of the parts") {
  model m;
  const axis_part batch{0, m.B, 1}, outer{1, 3, 4}, inner{1, 4, 1};
  const value x = m.in({m.B, 12});
  CHECK(same_value(rearranged(x, {batch, outer, inner}, {batch, outer, inner}, {m.B, 12}), x));
  const value y = rearranged(x, {batch, outer, inner}, {batch, inner, outer}, {m.B, 4, 3});
  CHECK(y.dims() == shape{m.B, 4, 3});
  CHECK(producer(y, "Transpose"));
}
