// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <string>

#include <jax2onnx/rewrite/rules/small_updates.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// JAX's index i along an axis of extent n, counted from the end if it is negative.
value wrapped(const value& i, std::int64_t n) {
  const value negative = less(i, 0), moved = add(i, n);
  return where(negative, moved, i);
}
value clamped(const value& i, std::int64_t low, std::int64_t high) {
  return clip(i, scalar(i.owner(), i.dtype(), low), scalar(i.owner(), i.dtype(), high));
}
value scattered(const value& x, const value& i, const value& u) {
  return scatter_nd(x, reshape(cast(i, dtype::i64), {1, 1}), u);
}
/// x[:i], row, x[i + 1:]
value replaced(const value& x, const value& i, const value& row) {
  graph& g = x.owner();
  const value zero = array(g, i.dtype(), {1}, std::vector<std::int64_t>{0}), begin = reshape(i, {1}), end = add(i, 1);
  const value last = array(g, i.dtype(), {1}, std::vector<std::int64_t>{INT32_MAX}), next = reshape(end, {1});
  shape unknown = x.dims();
  unknown[0] = dim::dyn();
  const value before = g.emit("Slice", {x, zero, begin, zero}, {x.dtype(), unknown});
  const value behind = g.emit("Slice", {x, next, last, zero}, {x.dtype(), unknown});
  return g.emit("Concat", {before, row, behind}, x.type(), {{"axis", std::int64_t{0}}});
}
/// x[i] as a row with its axis.
value row_at(const value& x, const value& i) { return gather(x, reshape(i, {1}), 0); }

std::string chosen(const value& v, target t = target::ort) { return after({v}, {"choose-update"}, t); }

struct updated_model : model {
  value x, i, u, w, at, valid;
  explicit updated_model(const shape& dims = {8}, dtype t = dtype::f32)
      : x(in(dims, t)),
        i(in({}, dtype::i32)),
        u(in({1}, t)),
        w(wrapped(i, 8)),
        at(clamped(w, 0, 7)),
        valid(equal(clamped(i, -8, 7), i)) {}
};

}  // namespace

TEST_CASE("choose-update: an element is set where the position is the index") {
  updated_model m;
  CHECK(chosen(where(m.valid, scattered(m.x, m.at, m.u), m.x)) == "Equal Equal Or Where");
  updated_model n;  // the index that was wrapped is compared with the clamped one
  const value is_valid = equal(n.at, n.w);
  CHECK(chosen(where(is_valid, scattered(n.x, n.at, n.u), n.x)) == "Equal Equal Or Where");
  updated_model o({8}, dtype::boolean);
  CHECK(chosen(where(o.valid, scattered(o.x, o.at, o.u), o.x)) == "Equal Equal Or And Not And Or");
}

TEST_CASE("choose-update: an index of several axes is one number") {
  model m;
  const value x = m.in({5}), i = m.in({1, 1}, dtype::i32), u = m.in({1}), at = reshape(i, {});
  const value valid = equal(clamped(at, 0, 4), at);
  CHECK(chosen(where(valid, scattered(x, clamped(at, 0, 4), u), x)) == "Reshape Equal Where");
}

TEST_CASE("choose-update: an index that is not negative has one position") {
  model m;
  const value x = m.in({8}), i = abs(cast(m.in({}, dtype::u8), dtype::i32)), u = m.in({1});
  const value at = minimum(i, scalar(m.g, dtype::i32, 7)), valid = equal(at, i);
  CHECK(chosen(where(valid, scattered(x, at, u), x)) == "Cast Abs Equal Where");
}

TEST_CASE("choose-update: sums, products and other rows") {
  updated_model m;
  const value sum = add(row_at(m.x, m.at), m.u);
  CHECK(chosen(where(m.valid, replaced(m.x, m.at, sum), m.x)) == "Add Equal Equal Or Where");
  updated_model n({8, 3});
  const value product = mul(n.u, row_at(n.x, n.at));
  CHECK(chosen(where(n.valid, replaced(n.x, n.at, product), n.x)) == "Mul Equal Equal Or Where");
  updated_model o;
  CHECK(chosen(where(o.valid, replaced(o.x, o.at, o.u), o.x)) == "Equal Equal Or Where");
  updated_model p;  // the quotient is computed of the element alone
  const value quotient = div(row_at(p.x, p.at), p.u);
  CHECK(chosen(where(p.valid, replaced(p.x, p.at, quotient), p.x)) ==
        "Less Add Where Clip Reshape Gather Div Equal Equal Or Where");
}

TEST_CASE("choose-update: an index for each of two axes") {
  model m;
  const value x = m.in({4, 5}), i = m.in({}, dtype::i32), j = m.in({}, dtype::i32), u = m.in({1});
  const value wi = reshape(wrapped(i, 4), {1}), wj = reshape(wrapped(j, 5), {1}), both = concat({wi, wj}, 0);
  const value raised = maximum(both, scalar(m.g, dtype::i32, 0));
  const value in_range = minimum(raised, array(m.g, dtype::i32, {2}, std::vector<std::int64_t>{3, 4}));
  const value least = reduce("ReduceMin", cast(equal(in_range, both), dtype::i32), {0});
  const value vectors = reshape(cast(in_range, dtype::i64), {1, 2});
  CHECK(chosen(where(cast(least, dtype::boolean), scatter_nd(x, vectors, u), x)) ==
        "Equal Equal Or Equal Equal Or And Where");
}

TEST_CASE("choose-update: the row that a ScatterND writes is a sum of the old row") {
  updated_model m;
  const value sum = add(row_at(m.x, m.at), m.u);
  CHECK(chosen(where(m.valid, scattered(m.x, m.at, sum), m.x)) == "Add Equal Equal Or Where");
  updated_model n({8, 3});
  const value least = minimum(n.u, row_at(n.x, n.at));
  CHECK(chosen(where(n.valid, scattered(n.x, n.at, least), n.x)) == "Min Equal Equal Or Where");
  updated_model o;  // the old element is of another array
  const value other = add(row_at(o.in({8}), o.at), o.u);
  CHECK(chosen(where(o.valid, scattered(o.x, o.at, other), o.x)) ==
        "Less Add Where Clip Reshape Gather Add Equal Equal Or Where");
}

TEST_CASE("choose-update: scatters that add and multiply, of rows and of elements") {
  updated_model m;
  const value vectors = reshape(cast(m.at, dtype::i64), {1, 1});
  CHECK(chosen(where(m.valid, scatter_nd(m.x, vectors, m.u, "add"), m.x)) == "Add Equal Equal Or Where");
  updated_model n;
  const value product = scatter_elements(n.x, reshape(n.at, {1}), n.u, 0, "mul");
  CHECK(chosen(where(n.valid, product, n.x)) == "Mul Equal Equal Or Where");
  updated_model o;
  const value set = scatter_elements(o.x, reshape(o.at, {1}), o.u, 0);
  CHECK(chosen(where(o.valid, set, o.x)) == "Equal Equal Or Where");
  updated_model p;  // ONNX's minimum treats NaN differently
  const value least = scatter_elements(p.x, reshape(p.at, {1}), p.u, 0, "min");
  CHECK(chosen(where(p.valid, least, p.x)).find("ScatterElements") != std::string::npos);
}

TEST_CASE("choose-update: what stays") {
  const auto stays = [](const value& v) { return chosen(v).find("ScatterND") != std::string::npos; };
  model m;
  const value x = m.in({300}), i = abs(cast(m.in({}, dtype::u16), dtype::i32)), u = m.in({1});
  const value at = minimum(i, scalar(m.g, dtype::i32, 299)), valid = equal(at, i);
  CHECK(chosen(where(valid, scattered(x, at, u), x)) == "the array is large");
  updated_model n;
  const value set = scattered(n.x, n.at, n.u);
  CHECK(after({where(n.valid, set, n.x), neg(set)}, {"choose-update"}, target::ort) ==
        "the array with the update is read elsewhere too");
  updated_model o;  // other runtimes
  CHECK(chosen(where(o.valid, scattered(o.x, o.at, o.u), o.x), target::generic).find("ScatterND") != std::string::npos);
  updated_model p;  // another condition
  CHECK(stays(where(less(p.i, 3), scattered(p.x, p.at, p.u), p.x)));
  updated_model q;  // another range
  CHECK(stays(where(equal(clamped(q.i, -8, 6), q.i), scattered(q.x, q.at, q.u), q.x)));
  updated_model r;  // another array
  CHECK(stays(where(r.valid, scattered(r.x, r.at, r.u), r.in({8}))));
  updated_model s;  // another element
  CHECK(stays(where(s.valid, scattered(s.x, clamped(s.w, 0, 6), s.u), s.x)));
  updated_model v({8}, dtype::f16);
  CHECK(stays(where(v.valid, scattered(v.x, v.at, v.u), v.x)));
}

TEST_CASE("combine-in-place: sums and products of an element, a row and a point") {
  const auto combined = [](const value& v, target t = target::ort) { return after({v}, {"combine-in-place"}, t); };
  model m;
  const value x = m.in({8, 3}), i = m.in({}, dtype::i32), u = m.in({3});
  CHECK(combined(scattered(x, i, add(row_at(x, i), u))) == "Cast Reshape Reshape ScatterND");
  model n;
  const value y = n.in({8}), j = n.in({}, dtype::i64), w = n.in({1});
  const value product = scattered(y, j, reshape(mul(reshape(w, {}), gather(y, j, 0)), {1}));
  CHECK(combined(product) == "Reshape ScatterND");
  model o;
  const value z = o.in({4, 5}), both = o.in({1, 2}, dtype::i64), v = o.in({1});
  const value sum = scatter_nd(z, both, add(gather_nd(z, both), v));
  CHECK(combined(sum) == "ScatterND");
  model p;  // a row of one number
  const value a = p.in({8, 3}), k = p.in({}, dtype::i64), one = p.in({1});
  CHECK(combined(scattered(a, k, add(row_at(a, k), one))) == "Reshape Expand ScatterND");
}

TEST_CASE("combine-in-place: what stays") {
  const auto stays = [](const value& v, target t = target::ort) {
    return after({v}, {"combine-in-place"}, t).find("Gather") != std::string::npos;
  };
  model m;
  const value x = m.in({8}), i = m.in({}, dtype::i32), u = m.in({1});
  const value sum = add(row_at(x, i), u), set = scattered(x, i, sum);
  CHECK(after({set, neg(sum)}, {"combine-in-place"}, target::ort) == "the new row is read elsewhere too");
  const auto stays_of = [&](operator_name op, dtype t, target runtime = target::ort) {
    model n;
    const value y = n.in({8}, t), j = n.in({}, dtype::i32), w = n.in({1}, t);
    const value old = row_at(y, j);
    return stays(scattered(y, j, n.g.emit(op, {old, w}, old.type())), runtime);
  };
  CHECK(stays_of("Add", dtype::f32, target::generic));
  CHECK(stays_of("Max", dtype::f32));
  CHECK(stays_of("Sub", dtype::f32));
  CHECK(stays_of("Add", dtype::f16));
  CHECK_FALSE(stays_of("Add", dtype::i32));
  model o;  // another index, another array
  const value z = o.in({8}), j = o.in({}, dtype::i32), k = o.in({}, dtype::i32), w = o.in({1});
  CHECK(stays(scattered(z, j, add(row_at(z, k), w))));
  CHECK(stays(scattered(z, j, add(row_at(o.in({8}), j), w))));
}

TEST_CASE("set-element: the index of an element of a vector stays int32") {
  const auto text = [](const value& v, target t = target::ort) { return after({v}, {"set-element"}, t); };
  model m;
  const value x = m.in({8}), i = m.in({}, dtype::i32), u = m.in({1});
  CHECK(text(scattered(x, i, u)) == "Reshape ScatterElements");
  model n;
  const value y = n.in({8}), j = n.in({}, dtype::i32), w = n.in({1});
  CHECK(text(scatter_nd(y, reshape(cast(j, dtype::i64), {1, 1}), w, "add")) == "Reshape ScatterElements");
  CHECK(operators::text_of(value(n.g, n.g.at(block_id::main).outputs[0]), "reduction") == "add");
}

TEST_CASE("set-element: what stays") {
  const auto stays = [](const value& v, target t = target::ort) {
    return after({v}, {"set-element"}, t).find("ScatterND") != std::string::npos;
  };
  model m;
  CHECK(stays(scattered(m.in({8}), m.in({}, dtype::i32), m.in({1})), target::generic));
  model n;  // an index that is int64
  CHECK(stays(scattered(n.in({8}), n.in({}, dtype::i64), n.in({1}))));
  model o;  // a row
  CHECK(stays(scattered(o.in({8, 3}), o.in({}, dtype::i32), o.in({1, 3}))));
  model p;  // two elements
  CHECK(stays(scatter_nd(p.in({8}), cast(p.in({2, 1}, dtype::i32), dtype::i64), p.in({2}))));
}
