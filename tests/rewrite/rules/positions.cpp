// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/positions.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// 0, 1, ..., n - 1 as int32.
value positions(graph& g, std::int64_t n) {
  const ints numbers = iota_axes(n);
  return array(g, dtype::i32, {n}, std::span<const std::int64_t>(numbers));
}
/// True where the key is not after the query, for n positions: [n, n].
value causal(graph& g, std::int64_t n) { return greater_equal(reshape(positions(g, n), {n, 1}), positions(g, n)); }

value clamped(const value& i, int last) {
  return clip(i, scalar(i.owner(), i.dtype(), 0), scalar(i.owner(), i.dtype(), last));
}
value wrapped(const value& i, int extent) {
  const value raised = add(i, extent);
  return where(less(i, 0), raised, i);
}
value after_next(const value& p, const value& i) { return less(p, add(i, 1)); }

std::string implied(const value& p, const value& q) { return after(logical_and(p, q), "implied-comparison"); }

}  // namespace

TEST_CASE("gather-of-table: a row of a causal mask compares one position") {
  model m;
  const value i = reshape(clamped(m.in({}, dtype::i32), 5), {1});
  CHECK(after(gather(causal(m.g, 6), i, 0), "gather-of-table") == "Clip Reshape GreaterOrEqual");
  model n;  // except extents of 1
  const value table = reshape(causal(n.g, 6), {1, 1, 6, 6});
  CHECK(after(gather(table, reshape(clamped(n.in({}, dtype::i32), 5), {1}), 2), "gather-of-table") ==
        "Clip Reshape GreaterOrEqual Reshape");
}

TEST_CASE("gather-of-table: positions that may be counted from the end, and other numbers, are looked up") {
  model m;
  const value i = reshape(clip(m.in({}, dtype::i32), scalar(m.g, dtype::i32, -6), scalar(m.g, dtype::i32, 5)), {1});
  CHECK(after(gather(causal(m.g, 6), i, 0), "gather-of-table") == "Clip Reshape Gather GreaterOrEqual");
  model n;
  const value numbers = n.in({6}, dtype::i32);
  const value at = n.in({3}, dtype::i32);
  CHECK(after(gather(mul(reshape(numbers, {6, 1}), n.in({4}, dtype::i32)), at, 1), "gather-of-table") ==
        "Reshape Gather Mul");
}

TEST_CASE("gather-of-table: vectors and floating-point tables stay") {
  model m;
  CHECK(after(gather(mul(m.in({6, 1}), m.in({4})), m.in({3}, dtype::i32), 1), "gather-of-table") == "Mul Gather");
  model n;  // a vector
  CHECK(after(gather(add(n.in({6}, dtype::i32), 1), n.in({3}, dtype::i32), 0), "gather-of-table") == "Add Gather");
  model k;
  const dim C = k.g.dims().symbol("C"), D = k.g.dims().symbol("D");
  const value table = unsqueeze(mul(k.in({k.B, 1}, dtype::i32), k.in({C}, dtype::i32)), {0});
  CHECK(after(gather(table, k.in({D}, dtype::i32), 2), "gather-of-table") == "the shape would be computed at run time");
}

TEST_CASE("slice-of-table: a corner of a causal mask compares fewer positions") {
  model m;
  const value corner = slice(causal(m.g, 6), {0, 1}, {1, 0}, {3, 4}, {1, 1});
  CHECK(after({corner}, {"fold-range", "reshape-constant", "slice-of-table"}) == "GreaterOrEqual");
  model n;  // numbers that do not count up
  const ints even = {2, 4, 6, 8, 10, 12};
  const value table = mul(array(n.g, dtype::i32, {6, 1}, std::span<const std::int64_t>(even)), n.in({4}, dtype::i32));
  CHECK(after(slice(table, 0, 1, 3), "slice-of-table") == "Mul");
  model k;  // computed numbers
  CHECK(after(slice(mul(k.weight({4}, dtype::i32), k.in({6, 1}, dtype::i32)), 0, 1, 3), "slice-of-table") ==
        "Mul Slice");
}

TEST_CASE("positions may begin at any number") {
  const auto later = [](model& m) {  // 5, 6, ..., 10
    const ints numbers = {5, 6, 7, 8, 9, 10};
    return greater_equal(reshape(array(m.g, dtype::i32, {6}, std::span<const std::int64_t>(numbers)), {6, 1}),
                         positions(m.g, 6));
  };
  model m;
  const value i = reshape(clamped(m.in({}, dtype::i32), 5), {1});
  CHECK(after(gather(later(m), i, 0), "gather-of-table") == "Clip Reshape Add GreaterOrEqual");
  model n;
  CHECK(after({slice(later(n), {0, 1}, {1, 1}, {3, 4}, {1, 1})},
              {"fold-range", "reshape-constant", "slice-of-table"}) == "GreaterOrEqual");
}

TEST_CASE("tables of truth values are made of tables") {
  const auto window = [](model& m) {
    const value near = less(add(reshape(positions(m.g, 6), {6, 1}), -3), positions(m.g, 6));
    return logical_and(causal(m.g, 6), near);
  };
  model m;
  const value i = reshape(clamped(m.in({}, dtype::i32), 5), {1});
  CHECK(after(gather(window(m), i, 0), "gather-of-table") == "Clip Reshape GreaterOrEqual Reshape Add Less And");
  model n;
  CHECK(after(slice(window(n), 1, 0, 4), "slice-of-table").find("Slice") == std::string::npos);
  model k;  // masks that are inputs
  CHECK(after(slice(logical_and(causal(k.g, 6), k.in({6, 6}, dtype::boolean)), 1, 0, 4), "slice-of-table")
            .ends_with("Slice"));
}

TEST_CASE("slice-of-table: the reasons to decline") {
  model m;
  const value table = causal(m.g, 6);
  CHECK(after({slice(table, 0, 1, 3), table}, {"slice-of-table"}) == "the whole table is read elsewhere too");
  model n;
  const dim C = n.g.dims().symbol("C");
  const value largest = n.g.emit("Max", {n.in({n.B, 1, 1}, dtype::i32), n.in({C, 1}, dtype::i32), positions(n.g, 8)},
                                 {dtype::i32, {n.B, C, 8}});
  CHECK(after(slice(unsqueeze(largest, {0}), 3, 0, 4), "slice-of-table") == "the shape would be computed at run time");
}

TEST_CASE("implied-comparison: a cache that is filled up to a token needs no causal mask") {
  model m;
  const value i = m.in({}, dtype::i32), p = positions(m.g, 4);
  CHECK(implied(after_next(p, i), greater_equal(clamped(wrapped(i, 6), 5), p)) == "Add Less");
  model n;  // in the other order, after extents of 1
  const value j = n.in({}, dtype::i32), q = positions(n.g, 4);
  const value row = reshape(less_equal(q, clamped(wrapped(j, 6), 5)), {1, 1, 4});
  CHECK(implied(row, greater(add(j, 1), q)) == "Add Greater Reshape");
  model k;
  const value l = k.in({}, dtype::i32), r = positions(k.g, 4);
  CHECK(implied(less_equal(r, l), less_equal(reshape(positions(k.g, 4), {1, 4}), clamped(l, 3))) ==
        "LessOrEqual Reshape");  // two constants
}

TEST_CASE("reshape-of-table: a mask of positions gets its axes where its constants are") {
  model m;
  const value i = m.in({}, dtype::i32);
  const value shown = scalar(m.g, dtype::f32, 0), hidden = scalar(m.g, dtype::f32, -1e9);
  const value filled = where(less(positions(m.g, 4), add(i, 1)), shown, hidden);
  const value mask = reshape(filled, {1, 1, 4});
  CHECK(after({mask}, {"fold-range", "reshape-constant", "reshape-of-table"}) == "Add Less Where");
  CHECK(m.g.at(m.g.at(m.g.at(block_id::main).nodes.back()).outputs[0]).type.dims == shape{1, 1, 4});
  model n;  // after a unary operator
  const value truth = cast(less(n.weight({6}, dtype::i32), n.in({}, dtype::i32)), dtype::f32);
  CHECK(after({reshape(truth, {2, 3})}, {"reshape-constant", "reshape-of-table"}) == "Less Cast");
}

TEST_CASE("reshape-of-table: what is computed, broadcast or read elsewhere stays") {
  model m;
  CHECK(after(reshape(add(m.in({6}), m.weight({6})), {2, 3}), "reshape-of-table") == "Add Reshape");
  model n;
  CHECK(after(reshape(add(n.weight({2, 1}), n.in({3})), {6}), "reshape-of-table") == "Add Reshape");
  model k;
  const value sum = add(k.weight({6}), k.in({}));
  CHECK(after({reshape(sum, {2, 3}), sum}, {"reshape-of-table"}) == "Add Reshape");
  model l;  // a large weight that other nodes also read
  const value w = l.g.constant({dtype::f32, {2048}}, bytes(std::string(8192, 'x')), "w");
  CHECK(after({reshape(add(w, l.in({})), {2, 1024}), neg(w)}, {"reshape-of-table"}) == "Add Reshape Neg");
}

TEST_CASE("implied-comparison: of two masks") {
  model m;
  const value i = m.in({}, dtype::i32), p = positions(m.g, 4);
  const value other = less(add(i, -3), p), seen = less_equal(p, clamped(i, 5));
  CHECK(implied(after_next(p, i), logical_and(seen, other)) == "Add Less Add Less And");
  model n;  // after extents of 1
  const value j = n.in({}, dtype::i32), q = positions(n.g, 4);
  const value near = reshape(less(add(j, -3), q), {1, 4});
  CHECK(implied(reshape(logical_and(near, less_equal(q, clamped(j, 5))), {4}), after_next(q, j)) ==
        "Add Less Reshape Add Less And Reshape");
  model k;  // the other mask hides other axes
  const value l = k.in({}, dtype::i32), r = positions(k.g, 4);
  const value rows = logical_and(less_equal(r, clamped(l, 5)), k.in({4, 1}, dtype::boolean));
  CHECK(implied(after_next(r, l), reshape(rows, {4, 4, 1})).ends_with("And"));
}

TEST_CASE("implied-comparison: a mask that hides more stays") {
  const auto kept = [](auto p_of, auto q_of) {
    model m;
    const value i = m.in({}, dtype::i32), p = positions(m.g, 4);
    return implied(p_of(p, i), q_of(p, i)).ends_with("And");
  };
  const auto filled = [](const value& p, const value& i) { return after_next(p, i); };
  const auto seen = [](const value& p, const value& i) { return less_equal(p, clamped(i, 5)); };
  CHECK_FALSE(kept(filled, seen));
  CHECK(kept(filled, [](const value& p, const value& i) { return less_equal(p, clamped(i, 2)); }));
  CHECK(kept(filled, [](const value& p, const value&) {
    return less_equal(p, clamped(p.owner().input({dtype::i32, {}}, "j"), 5));
  }));
  CHECK(kept([](const value& p, const value& i) { return less(p, add(i, 2)); }, seen));
  CHECK(kept(filled, [](const value& p, const value& i) { return less(p, clamped(i, 5)); }));
  CHECK(kept([](const value& p, const value& i) { return after_next(add(p, -1), i); }, seen));
  CHECK(kept([](const value& p, const value& i) { return greater_equal(p, i); }, seen));
  for (const dtype t : {dtype::boolean, dtype::i8, dtype::u32, dtype::f32})
    CHECK(kept([=](const value& p, const value& i) { return after_next(p, cast(cast(i, t), dtype::i32)); }, seen));
  CHECK(kept(filled, [](const value& p, const value& i) {
    return less_equal(p, cast(cast(clamped(i, 255), dtype::i8), dtype::i32));
  }));
  model n;  // a cast to a larger type changes no number
  const value i = n.in({}, dtype::i32), p = int64s(n.g, iota_axes(4));
  CHECK(implied(after_next(p, cast(i, dtype::i64)), less_equal(p, cast(clamped(i, 5), dtype::i64))).ends_with("Less"));
}
