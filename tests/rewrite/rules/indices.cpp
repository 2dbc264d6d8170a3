// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/ops/convert_element_type.hpp>
#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/rewrite/rules/indices.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value wrapped(const value& i, int extent) {
  const value raised = add(i, extent);
  return where(less(i, 0), raised, i);
}
value clamped(const value& i, int last) {
  return clip(i, scalar(i.owner(), i.dtype(), 0), scalar(i.owner(), i.dtype(), last));
}

}  // namespace

TEST_CASE("negative-indices: ONNX counts them from the end itself") {
  model m;
  CHECK(after(gather(m.in({5, 2}), wrapped(m.in({3}, dtype::i32), 5), 0), "negative-indices") == "Gather");
  model n;
  CHECK(after(gather(n.in({5, 2}), wrapped(n.in({3}, dtype::i32), 4), 0), "negative-indices") ==
        "the number added is not the extent");
}

TEST_CASE("negative-indices: clamped indices are clamped before they are wrapped") {
  model m;
  CHECK(after(gather(m.in({5, 2}), clamped(wrapped(m.in({3}, dtype::i32), 5), 4), 0), "negative-indices") ==
        "Clip Gather");
  model n;  // clamped to bounds other than those at which ONNX wraps
  CHECK(after(gather(n.in({5, 2}), clamped(wrapped(n.in({3}, dtype::i32), 5), 3), 0), "negative-indices") ==
        "Add Less Where Clip Gather");
}

TEST_CASE("negative-bounds: an index that is out of bounds is so before it is wrapped") {
  model m;
  const value i = wrapped(m.in({3}, dtype::i32), 5);
  CHECK(after(equal(clamped(i, 4), i), "negative-bounds") == "Clip Equal");
  model n;
  CHECK(after(equal(clamped(wrapped(n.in({3}, dtype::i32), 5), 4), n.in({3}, dtype::i32)), "negative-bounds") ==
        "Add Less Where Clip Equal");
}

TEST_CASE("negative-rows: the only component of an index that is not constant") {
  const auto rows = [](model& m, const value& i, std::initializer_list<std::int64_t> component) {
    const ints numbers = component;
    const value row = array(m.g, dtype::i64, {1, std::ssize(numbers)}, std::span<const std::int64_t>(numbers));
    const value update = numbers.size() == 2 ? m.in({1, 2}) : m.in({1, 5, 2});
    return after(scatter_nd(m.in({1, 5, 2}), mul(cast(i, dtype::i64), row), update), "negative-rows");
  };
  model m;
  CHECK(rows(m, wrapped(m.in({}, dtype::i32), 5), {0, 1}) == "Cast Mul ScatterND");
  model n;
  CHECK(rows(n, clamped(wrapped(n.in({}, dtype::i32), 5), 4), {0, 1}) == "Clip Cast Mul ScatterND");
  model k;
  CHECK(rows(k, wrapped(k.in({}, dtype::i32), 4), {0, 1}) == "the number added is not the extent");
  model l;  // the component has more than one number
  CHECK(rows(l, wrapped(l.in({}, dtype::i32), 5), {1, 1}) == "Add Less Where Cast Mul ScatterND");
}

TEST_CASE("negative-indices: a clamped index that others read is not clamped a second time") {
  model m;
  const value i = clamped(wrapped(m.in({3}, dtype::i32), 5), 4);
  CHECK(after({gather(m.in({5, 2}), i, 0), add(i, 1)}, {"negative-indices"}) == "the index is read elsewhere too");
}

TEST_CASE("known-clip: integers within the bounds stay as they are") {
  model m;
  const value i = where(m.in({}, dtype::boolean), scalar(m.g, dtype::i32, 0), scalar(m.g, dtype::i32, 4));
  CHECK(after(clamped(i, 4), "known-clip") == "Where");
  model n;
  const value k = where(n.in({}, dtype::boolean), scalar(n.g, dtype::i32, 0), scalar(n.g, dtype::i32, 5));
  CHECK(after(clamped(k, 4), "known-clip") == "Where Clip");
}

TEST_CASE("pick-one: a lookup of one index that is known to be in range removes the axis itself") {
  const auto picked = [](model& m, std::int64_t larger) {
    const value i = where(m.in({}, dtype::boolean), scalar(m.g, dtype::i32, 0), scalar(m.g, dtype::i32, larger));
    return squeeze(gather(m.in({5, 2}), reshape(i, {1}), 0), {0});
  };
  model m;
  CHECK(after(picked(m, 4), "pick-one") == "Where Gather");
  model n;
  CHECK(after(picked(n, 5), "pick-one") == "the index may be out of range");
  model k;
  const value i = where(k.in({}, dtype::boolean), scalar(k.g, dtype::i32, 0), scalar(k.g, dtype::i32, 4));
  const value at = reshape(i, {1}), x = k.in({5, 2});
  const value one = squeeze(gather(x, at, 0), {0});
  CHECK(after({one, gather(x, at, 1), add(at, 1)}, {"pick-one"}) == "other readers keep the index as a vector");
}

TEST_CASE("all-in-order: all elements in their order") {
  const auto gathered = [](const ints& indices, const shape& of, std::int64_t axis, const shape& dims = {3, 4}) {
    model m;
    return after(unary("Tanh", gather(m.in(dims), reshape(int64s(m.g, indices), of), axis)), "all-in-order");
  };
  CHECK(gathered({0, 1, 2}, {3}, 0) == "Tanh");
  CHECK(gathered({0, 1, 2, 3}, {4, 1}, 1) == "Reshape Tanh");
  CHECK(gathered({0}, {}, 0, {1, 4}) == "Reshape Tanh");
  CHECK(gathered({0, 2, 1}, {3}, 0) == "Gather Tanh");
  CHECK(gathered({0, 1}, {2}, 0) == "Gather Tanh");
}

TEST_CASE("gather-columns: many elements of each row") {
  const auto gathered = [](const shape& of, const shape& indices) {
    model m;
    const value y = gather(m.in(of), m.in(indices, dtype::i64), static_cast<std::int64_t>(of.size()) - 1);
    const shape before = y.dims();
    const std::string nodes = after({y}, {"gather-columns"}, target::ort);
    CHECK(m.g.at(m.g.at(block_id::main).outputs[0]).type.dims == before);
    return nodes;
  };
  CHECK(gathered({8, 255}, {16, 16}) == "Transpose Gather Transpose");
  CHECK(gathered({2, 4, 31}, {32}) == "Transpose Gather Transpose");
  CHECK(gathered({8, 255}, {31}) == "there is one row, or few elements of each row are read");
  CHECK(gathered({8, 255}, {63}) == "there is one row, or few elements of each row are read");
  CHECK(gathered({1, 255}, {16, 16}) == "there is one row, or few elements of each row are read");
  CHECK(gathered({255}, {16, 16}) == "Gather");
  model m;
  CHECK(after(gather(m.in({255, 8}), m.in({64}, dtype::i64), 0), "gather-columns") == "Gather");
}

TEST_CASE("gather-elements: many elements of a vector") {
  const auto gathered = [](const shape& of, const shape& indices, target runtime = target::ort) {
    model m;
    const value y = gather(m.in(of), m.in(indices, dtype::i32), 0);
    const shape before = y.dims();
    const std::string nodes = after({y}, {"gather-elements"}, runtime);
    CHECK(m.g.at(m.g.at(block_id::main).outputs[0]).type.dims == before);
    return nodes;
  };
  CHECK(gathered({50}, {64}) == "GatherElements");
  CHECK(gathered({50}, {16, 16}) == "Reshape GatherElements Reshape");
  CHECK(gathered({50}, {63}) == "there are few indices");
  CHECK(gathered({50}, {8, 31}) == "there are few indices");
  CHECK(gathered({50, 2}, {64}) == "Gather");
  CHECK(gathered({50}, {64}, target::generic) == "Gather");
  model m;
  CHECK(after({gather(m.in({50}), m.in({m.B}, dtype::i32), 0)}, {"gather-elements"}, target::ort) == "Gather");
}

namespace {

/// Points of x[8, 9] at index vectors of `components` along both axes, clamped by `bound`.
template <class Bound>
std::string points(model& m, std::string_view rule, const value& i, const value& j, const Bound& bound,
                   target runtime = target::ort) {
  const value indices = bound(concat({unsqueeze(i, {1}), unsqueeze(j, {1})}, 1));
  return after({gather_nd(m.in({8, 9}), indices)}, {rule}, runtime);
}
value in_bounds(const value& indices) {
  graph& g = indices.owner();
  const ints last{7, 8};
  return minimum(maximum(indices, 0), array(g, dtype::i32, {2}, std::span<const std::int64_t>(last)));
}

}  // namespace

TEST_CASE("flat-points: single elements are elements of a vector") {
  const auto flat = [](int count, const auto& bound, target runtime = target::ort) {
    model m;
    const value i = m.in({count}, dtype::i32), j = m.in({count}, dtype::i32);
    return points(m, "flat-points", i, j, bound, runtime);
  };
  CHECK(flat(256, in_bounds) == "Max Min Max Min Mul Add Reshape GatherElements");
  CHECK(flat(255, in_bounds) == "Unsqueeze Unsqueeze Concat Max Min Cast GatherND");
  CHECK(flat(256, in_bounds, target::generic) == "Unsqueeze Unsqueeze Concat Max Min Cast GatherND");
  CHECK(flat(256, [](const value& v) { return v; }) == "an index may be out of range");
  CHECK(flat(256, [](const value& v) { return clamped(v, 8); }) == "an index may be out of range");
  CHECK(flat(256, [](const value& v) { return maximum(v, 0); }) == "an index may be out of range");
}

TEST_CASE("flat-points: indices that count from the end") {
  const auto flat = [](std::int64_t low_i, std::int64_t low_j) {
    model m;
    const value i = m.in({256}, dtype::i32), j = m.in({256}, dtype::i32);
    const ints low{low_i, low_j}, high{7, 8};
    return points(m, "flat-points", i, j, [&](const value& v) {
      return clip(v, array(m.g, v.dtype(), {2}, std::span<const std::int64_t>(low)),
                  array(m.g, v.dtype(), {2}, std::span<const std::int64_t>(high)));
    });
  };
  CHECK(flat(-8, 0) == "Max Min Max Min Mul Add Reshape GatherElements");
  CHECK(flat(-8, -9) == "Max Min Max Min Mod Mul Add Reshape GatherElements");
  CHECK(flat(-9, 0) == "an index may be out of range");
  CHECK(flat(0, -10) == "an index may be out of range");
}

TEST_CASE("flat-points: indices that were wrapped count from the end before") {
  model m;
  const value i = wrapped(m.in({256}, dtype::i32), 8), j = wrapped(m.in({256}, dtype::i32), 9);
  CHECK(points(m, "flat-points", i, j, in_bounds) == "Max Min Max Min Mod Mul Add Reshape GatherElements");
}

TEST_CASE("flat-points: components that are known to be in range") {
  model m;
  const value i = clamped(m.in({8, 32}, dtype::i32), 7), j = clamped(m.in({8, 32}, dtype::i32), 8);
  const value at = concat({unsqueeze(i, {2}), unsqueeze(j, {2})}, 2);
  CHECK(after({gather_nd(m.in({8, 9}), at)}, {"flat-points"}, target::ort) ==
        "Clip Clip Mul Add Reshape Reshape GatherElements Reshape");
}

TEST_CASE("flat-points: rows are rows of a matrix") {
  const auto rows = [](std::int64_t count) {
    model m;
    const value i = m.in({count, 1}, dtype::i32), j = m.in({count, 1}, dtype::i32);
    return after({gather_nd(m.in({8, 9, 4}), in_bounds(concat({i, j}, 1)))}, {"flat-points"}, target::ort);
  };
  CHECK(rows(256) == "Reshape Max Min Reshape Max Min Mul Add Reshape Gather");
  CHECK(rows(255) == "Concat Max Min Cast GatherND");
}

TEST_CASE("flat-points: index vectors that several nodes read") {
  const auto rows = [](int last, bool has_third_reader) {
    model m;
    const value x = m.in({9, 9, 4}), i = clamped(m.in({256, 2}, dtype::i32), last);
    const ints step{0, 1};
    const value corner = add(i, array(m.g, dtype::i32, {1, 2}, std::span<const std::int64_t>(step)));
    const value y = gather_nd(x, corner), other = add(i, 3), third = has_third_reader ? abs(i) : other;
    return after({y, other, third}, {"flat-points"}, target::ort);
  };
  CHECK(rows(7, true) == "Clip MatMul Add Reshape Gather Add Abs");
  CHECK(rows(7, false) == "Clip Add Cast GatherND Add Identity");
  CHECK(rows(8, true) == "an index may be out of range");
}

TEST_CASE("clip-before-cast: a narrower range before the conversion to integers") {
  const auto clipped = [](dtype t, std::int64_t low, std::int64_t high, bool read_twice = false) {
    model m;
    const value integers = convert_element_type(m.in({3}, t), dtype::i32);
    const value bound = clip(integers, scalar(m.g, dtype::i32, low), scalar(m.g, dtype::i32, high));
    return read_twice ? after({bound, integers}, {"clip-before-cast"}) : after(bound, "clip-before-cast");
  };
  CHECK(clipped(dtype::f32, 0, 14) == "IsNaN Where Clip Cast");
  CHECK(clipped(dtype::f64, -128, 127) == "IsNaN Where Clip Cast");
  CHECK(clipped(dtype::f32, 0, 1 << 25) == "Cast IsNaN Where Clip Cast Clip");
  CHECK(clipped(dtype::f32, 3, 2) == "Cast IsNaN Where Clip Cast Clip");
  CHECK(clipped(dtype::f32, 0, 14, true) == "the integers are read elsewhere too");
}

TEST_CASE("negative-points: components count from the end") {
  const auto negative = [](int i_extent, int j_extent, const auto& bound, target runtime = target::ort) {
    model m;
    const value i = m.in({4}, dtype::i32), j = m.in({4}, dtype::i32);
    return points(m, "negative-points", wrapped(i, i_extent), wrapped(j, j_extent), bound, runtime);
  };
  const auto as_is = [](const value& v) { return v; };
  CHECK(negative(8, 9, as_is) == "Reshape Reshape Concat Cast GatherND");
  CHECK(negative(8, 9, in_bounds) == "Reshape Reshape Concat Max Min Cast GatherND");
  CHECK(negative(8, 5, in_bounds) == "Add Less Where Unsqueeze Reshape Concat Max Min Cast GatherND");
  const std::string unchanged = "Add Less Where Add Less Where Unsqueeze Unsqueeze Concat";
  CHECK(negative(9, 8, as_is) == unchanged + " Cast GatherND");
  CHECK(negative(8, 9, [](const value& v) { return clamped(v, 6); }) == unchanged + " Clip Cast GatherND");
  CHECK(negative(8, 9, as_is, target::generic) == unchanged + " Cast GatherND");
  model m;
  const value i = wrapped(m.in({4}, dtype::i32), 8), at = concat({unsqueeze(i, {1}), unsqueeze(i, {1})}, 1);
  CHECK(after({gather_nd(m.in({8, 9}), in_bounds(at)), equal(at, 0)}, {"negative-points"}, target::ort) ==
        "the index is read elsewhere too");
}
