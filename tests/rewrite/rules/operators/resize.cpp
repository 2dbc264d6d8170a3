// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <jax2onnx/rewrite/rules/operators/resize.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The weights of linear interpolation, [before, after].
value interpolation(graph& g, std::int64_t before, std::int64_t after, dtype t = dtype::f32) {
  std::vector<double> weights;
  for (std::int64_t from = 0; from < before; ++from)
    for (std::int64_t to = 0; to < after; ++to) {
      const double position = (double(to) + 0.5) * double(before) / double(after) - 0.5;
      const double inside = std::clamp(position, 0.0, double(before - 1));
      weights.push_back(std::max(0.0, 1 - std::abs(inside - double(from))));
    }
  return array(g, t, {before, after}, std::span<const double>(weights));
}

/// [..., h, w] with twice the rows and columns, by matrix products.
value doubled(const value& x) {
  graph& g = x.owner();
  const std::int64_t h = x.extent(x.rank() - 2).extent(), w = x.extent(x.rank() - 1).extent();
  const value rows = interpolation(g, h, 2 * h, x.dtype()), columns = interpolation(g, w, 2 * w, x.dtype());
  return matmul(transpose(rows, {1, 0}), matmul(x, columns));
}
value doubled_pixels(const value& x) { return doubled(transpose(x, {0, 3, 1, 2})); }

ints repeated(std::int64_t n, std::int64_t times) {
  ints indices;
  for (std::int64_t i = 0; i < n * times; ++i) indices.push_back(i / times);
  return indices;
}
value gathered(const value& x, const ints& indices, std::int64_t axis) {
  shape dims = x.dims();
  dims[static_cast<std::size_t>(axis)] = std::ssize(indices);
  return x.owner().emit("Gather", {x, int64s(x.owner(), indices)}, {x.dtype(), dims}, {{"axis", axis}});
}
value repeated_pixels(const value& x, std::int64_t h, std::int64_t w) {
  return gathered(gathered(x, repeated(x.extent(h).extent(), 2), h), repeated(x.extent(w).extent(), 3), w);
}

}  // namespace

TEST_CASE("Resize-linear: products with weights of interpolation") {
  model m, n, o, p;
  CHECK(after(doubled_pixels(m.in({2, 8, 8, 64})), "Resize-linear") == "Expand MatMul ReduceSum Add Resize Transpose");
  CHECK(after(doubled_pixels(n.in({n.B, 8, 8, 64})), "Resize-linear") ==
        "Expand MatMul ReduceSum Add Resize Transpose");
  CHECK(after(doubled(o.in({3, 128, 128})), "Resize-linear") == "Reshape Expand MatMul ReduceSum Add Resize Reshape");
  const value x = transpose(p.in({2, 64, 64, 64}), {2, 0, 1, 3});  // planes of a convolution, with leading rows
  const value rows = matmul(transpose(interpolation(p.g, 64, 128), {1, 0}), reshape(x, {64, 2 * 64 * 64}));
  const value y = matmul(reshape(rows, {128, 2, 64, 64}), interpolation(p.g, 64, 128));
  CHECK(after(transpose(y, {1, 2, 0, 3}), "Resize-linear") ==
        "Transpose Expand MatMul ReduceSum Add Resize Transpose Transpose");
}

TEST_CASE("Resize-linear: images of finite numbers") {
  model m;
  CHECK(after_if_finite(doubled_pixels(m.in({2, 8, 8, 64})), "Resize-linear") == "Resize Transpose");
}

TEST_CASE("Resize-linear: what stays") {
  model m, n, o, p, r, s;
  CHECK(after(doubled_pixels(m.in({2, 8, 8, 64}, dtype::f64)), "Resize-linear") == "the element type is not float32");
  const value once = matmul(n.in({1, 2, 8}), interpolation(n.g, 8, 16));
  CHECK(after(matmul(reshape(once, {1, 32}), interpolation(n.g, 32, 64)), "Resize-linear") ==
        "the products mix axes, or resample an axis twice");
  CHECK(after(doubled(transpose(o.in({8, 64, 8}), {1, 0, 2})), "Resize-linear") ==
        "the axes are not the height and the width of an image");
  CHECK(after(doubled(p.in({1, 3, 8, 8})), "Resize-linear") == "the products are as fast as Resize");
  const value same = filled(r.g, dtype::f32, {8, 8}, 1.0);
  CHECK(after(matmul(same, matmul(transpose(r.in({2, 8, 8, 64}), {0, 3, 1, 2}), same)), "Resize-linear") ==
        "Resize would use other weights");
  const dim D = s.g.dims().symbol("D");
  const value deep = transpose(s.in({s.B, D, 8, 8, 64}), {0, 1, 4, 2, 3});
  CHECK(after(doubled(deep), "Resize-linear") == "the shape would be computed at run time");
}

TEST_CASE("Resize-nearest: lookups of rows and columns") {
  model m, n, o;
  CHECK(after(repeated_pixels(m.in({2, 3, 4, 5}), 2, 3), "Resize-nearest") == "Resize");
  CHECK(after(repeated_pixels(n.in({n.B, 4, 5, 3}), 1, 2), "Resize-nearest") == "Resize");
  const value x = transpose(o.in({2, 64, 4, 5}, dtype::u8), {0, 2, 3, 1});
  CHECK(after(transpose(repeated_pixels(x, 1, 2), {0, 3, 1, 2}), "Resize-nearest") == "Resize Transpose Transpose");
  model p;  // 5 rows become the nearest 3
  const value rows = gathered(p.in({2, 5, 4}), {0, 2, 4}, 1);
  CHECK(after(gathered(rows, {1, 3}, 2), "Resize-nearest") == "Reshape Resize Reshape");
}

TEST_CASE("Resize-nearest: copies of rows and columns") {
  const auto copied = [](const value& x, shape to) {
    ints extents;
    for (const dim d : to) extents.push_back(d.extent());
    return x.owner().emit("Expand", {x, int64s(x.owner(), extents)}, {x.dtype(), std::move(to)});
  };
  model m, n, o, p;
  const value rows = copied(reshape(m.in({2, 3, 4, 5}), {2, 3, 4, 1, 5}), {2, 3, 4, 2, 5});
  const value both = copied(reshape(rows, {2, 3, 8, 5, 1}), {2, 3, 8, 5, 3});
  CHECK(after(reshape(both, {2, 3, 8, 15}), "Resize-nearest") == "Resize Reshape Reshape");
  const value once = copied(reshape(n.in({2, 3, 4, 5}), {2, 3, 4, 1, 5, 1}), {2, 3, 4, 2, 5, 2});
  CHECK(after(once, "Resize-nearest") == "Resize Reshape");
  const value tiled = copied(reshape(o.in({4, 5}), {1, 4, 5, 1}), {2, 4, 5, 2});
  CHECK(after(tiled, "Resize-nearest") == "the copies are not copies of rows or columns");
  const value twice = copied(reshape(p.in({4, 5}), {4, 5, 1, 1}), {4, 5, 2, 2});
  CHECK(after(twice, "Resize-nearest") == "the copies are not copies of rows or columns");
}

TEST_CASE("Resize-nearest: what stays") {
  model m, n, o, p, q, r;
  CHECK(after(repeated_pixels(m.in({2, 3, 4, 5}, dtype::f64), 2, 3), "Resize-nearest") ==
        "ONNX Runtime has no kernel for the element type");
  CHECK(after(repeated_pixels(n.in({2, 4}), 1, 1), "Resize-nearest") ==
        "the lookups mix axes, or resample an axis twice");
  CHECK(after(repeated_pixels(o.in({4, 2, 4}), 0, 2), "Resize-nearest") ==
        "the axes are not the height and the width of an image");
  CHECK(after(repeated_pixels(p.in({2, 4, 4, 8}), 1, 2), "Resize-nearest") ==
        "with many channels, lookups copy pixels faster than Resize");
  CHECK(after(gathered(gathered(q.in({4, 4}), {1, 0}, 0), {3, 2}, 1), "Resize-nearest") ==
        "Resize reads other pixels than the lookups");
  const dim D = r.g.dims().symbol("D");
  CHECK(after(repeated_pixels(r.in({r.B, D, 4, 4}), 2, 3), "Resize-nearest") == "Resize");
  model s;
  const dim E = s.g.dims().symbol("E");
  CHECK(after(repeated_pixels(s.in({s.B, E, 4, 4, 2}), 2, 3), "Resize-nearest") ==
        "the shape would be computed at run time");
}
