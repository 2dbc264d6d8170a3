// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <numeric>

#include <jax2onnx/rewrite/views/broadcasts.hpp>
#include <jax2onnx/rewrite/views/move.hpp>
#include <jax2onnx/rewrite/views/rows.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("drop-identity: the copy that names an output stays") {
  model m;
  const value x = m.in({2});
  CHECK(after(neg(unary("Identity", x)), "drop-identity") == "Neg");
  model n;
  CHECK(after(unary("Identity", n.in({2})), "drop-identity") == "Identity");
}

TEST_CASE("join-transposes: inverse ones vanish, others become one") {
  model m;
  const value x = m.in({2, 3, 4});
  CHECK(after(neg(transpose(transpose(x, {1, 2, 0}), {2, 0, 1})), "join-transposes") == "Neg");
  model n;
  const value y = transpose(transpose(n.in({2, 3, 4}), {1, 2, 0}), {1, 2, 0});
  CHECK(after(y, "join-transposes") == "Transpose");
  model reversed;  // without a permutation, as is possible in models that were read
  const value x_reversed = reversed.g.emit("Transpose", {reversed.in({2, 3})}, {dtype::f32, {3, 2}});
  CHECK(after(neg(transpose(x_reversed, {1, 0})), "join-transposes") == "Neg");
}

TEST_CASE("transpose-of-ones: moving extents of 1 is a Reshape") {
  model m;
  CHECK(after(transpose(m.in({m.B, 1, 3}), {1, 0, 2}), "transpose-of-ones") == "Reshape");
  model n;
  CHECK(after(transpose(n.in({n.B, 2, 3}), {1, 0, 2}), "transpose-of-ones") == "Transpose");
}

TEST_CASE("join-reshapes: a shape that would have to be computed keeps both") {
  model m;
  CHECK(after(reshape(reshape(m.in({m.B, 6}), {m.B, 2, 3}), {m.B, 3, 2}), "join-reshapes") == "Reshape");
  model n;
  const dim C = n.g.dims().symbol("C");
  const value flat = reshape(n.in({n.B, C, 4}), {n.g.dims().product({n.B, C, 4})});
  CHECK(after(reshape(flat, {C, 4, n.B}), "join-reshapes") == "the shape would be computed at run time");
}

TEST_CASE("reshape-constant: a weight gets its shape without a node, if it is read once") {
  model m;
  CHECK(after(add(m.in({m.B, 2, 3}), reshape(m.weight({6}), {2, 3})), "reshape-constant") == "Add");
  model n;
  const auto twice = [](model& of, const value& w, std::int64_t rows) {
    return add(add(of.in({rows, 100}), reshape(w, {rows, 100})), reshape(w, {100, rows, 1}));
  };
  CHECK(after(twice(n, n.weight({2000}), 20), "reshape-constant") == "the weight would be stored twice, in two shapes");
  model k;
  const value named = k.g.constant({dtype::f32, {1000}}, bytes(std::string(4000, 'x')), "w");
  CHECK(after(twice(k, named, 10), "reshape-constant") == "the weight would be stored twice, in two shapes");
  model l;  // the graph shares constants
  CHECK(after(twice(l, l.weight({1000}), 10), "reshape-constant") == "Add Add");
}

TEST_CASE("drop-broadcast: what the operator broadcasts itself is not expanded") {
  model m;
  const value bias = broadcast_to(reshape(m.in({4}), {1, 4}), {3, 4});
  CHECK(after(add(m.in({3, 4}), bias), "drop-broadcast") == "Add");
  model n;
  const value row = broadcast_to(n.in({1, 4}), {3, 4}), column = broadcast_to(n.in({3, 1}), {3, 4});
  CHECK(after(mul(row, column), "drop-broadcast") == "Mul");
  model o;
  CHECK(after(neg(broadcast_to(o.in({1, 4}), {3, 4})), "drop-broadcast") == "Expand Neg");
  model p;  // no other operand gives the result its 3
  CHECK(after(mul(broadcast_to(p.in({1, 4}), {3, 4}), p.in({1, 4})), "drop-broadcast") == "Expand Mul");
}

TEST_CASE("keep-reduced: axes that are put back are kept") {
  model m;
  const value x = m.in({m.B, 3});
  CHECK(after(sub(x, reshape(reduce("ReduceMax", x, {1}), {m.B, 1})), "keep-reduced") == "ReduceMax Sub");
  model n;
  const value y = n.in({n.B, 3}), sum = reduce("ReduceSum", y, {1});
  CHECK(after({sub(y, reshape(sum, {n.B, 1})), neg(sum)}, {"keep-reduced"}) ==
        "the reduced value is also read without its axes");
}

TEST_CASE("drop-reduced: axes that are removed are not kept") {
  model m;
  CHECK(after(reshape(reduce("ReduceMean", m.in({m.B, 3, 4}), {1, 2}, true), {m.B}), "drop-reduced") == "ReduceMean");
  model n;
  const value x = n.in({n.B, 3}), sum = reduce("ReduceSum", x, {1}, true);
  CHECK(after({reshape(sum, {n.B}), sub(x, sum)}, {"drop-reduced"}) == "the reduced value is also read with its axes");
}

TEST_CASE("pick-slice: one element along an axis is gathered") {
  model m;
  CHECK(after(reshape(slice(m.in({m.B, 7, 3}), 1, 2, 3), {m.B, 3}), "pick-slice") == "Gather");
  model n;
  CHECK(after(reshape(slice(n.in({n.B, 7, 3}), 1, 2, 4), {n.B, 6}), "pick-slice") == "Slice Reshape");
}

TEST_CASE("reduce-of-ones: extents of 1 move to the reduction's result") {
  model m;
  CHECK(after(m.last("ReduceMax", reshape(m.in({2, 3, 4}), {2, 3, 1, 4})), "reduce-of-ones") == "ReduceMax Reshape");
  model n;
  const value x = reshape(n.in({2, 3, 4}), {2, 3, 1, 4});
  CHECK(after({n.last("ReduceMax", x), exp(x)}, {"reduce-of-ones"}) == "the reshaped value is read elsewhere too");
}

TEST_CASE("sink-reshape: a Reshape moves past elementwise operators") {
  model m;
  CHECK(after(exp(reshape(m.in({2, 3, 4}), {2, 12})), "sink-reshape") == "Exp Reshape");
}

TEST_CASE("sink-leading-ones: a broadcast of numbers and leading ones comes last") {
  model m;
  const value scores = m.in({2, 4, 4}), mask = m.in({4, 4}, dtype::boolean);
  const value low = broadcast_to(scalar(m.g, dtype::f32, -1e9), {1, 2, 4, 4});
  CHECK(after(where(mask, reshape(scores, {1, 2, 4, 4}), low), "sink-leading-ones") == "Where Reshape");
}

TEST_CASE("transpose-before-ones: the Reshape moves past the Transpose") {
  model m;
  const value x = reshape(m.in({2, 3, 4}), {2, 3, 1, 4});
  CHECK(after(transpose(x, {1, 0, 2, 3}), "transpose-before-ones") == "Transpose Reshape");
  model n;
  CHECK(after(transpose(reshape(n.in({2, 12}), {2, 3, 4}), {1, 0, 2}), "transpose-before-ones") == "Reshape Transpose");
}

TEST_CASE("join-expands") {
  model m;
  CHECK(after(broadcast_to(broadcast_to(m.in({1, 1}), {3, 1}), {3, 4}), "join-expands") == "Expand");
}

TEST_CASE("one-number: constants with one number everywhere become scalars, weights do not") {
  const auto fours = [](model& m) {
    return array(m.g, dtype::f32, {2, 3}, std::span<const double>(std::vector<double>(6, 4.0)));
  };
  model m;
  const value y = add(m.in({2, 3}), fours(m));
  CHECK(after(y, "one-number") == "Add");
  CHECK(m.g.at(m.g.at(m.g.at(block_id::main).nodes[0]).inputs[1]).type.dims.empty());
  model n;  // the constant gives the result its shape
  const value z = add(n.in({3}), fours(n));
  CHECK(after(z, "one-number") == "Add");
  CHECK(n.g.at(n.g.at(n.g.at(block_id::main).nodes[0]).inputs[1]).type.dims.size() == 2);
}

TEST_CASE("sink-expand: what is computed of one number is computed before the broadcast") {
  model m;
  const value wide = broadcast_to(m.in({2, 1}), {2, 3});
  CHECK(after({mul(neg(mul(wide, 2)), m.in({2, 3}))}, {"drop-broadcast", "sink-expand", "sink-expands"}) ==
        "Mul Neg Mul");
  model o;  // a sum of fewer elements
  const value mask = broadcast_to(o.in({4}), {2, 3, 4});
  CHECK(after(add(mask, o.in({3, 4})), "sink-expands") == "Add Expand");
  model p;  // nothing is saved
  CHECK(after(add(broadcast_to(p.in({4}), {3, 4}), p.in({3, 1})), "sink-expands") == "Expand Add");
  model r;
  r.in({r.B});
  const value any_batch = broadcast_to(r.in({4}), {r.B, 3, 4});
  CHECK(after(add(any_batch, r.in({3, 4})), "sink-expands") == "the shape would be computed at run time");
  model q;
  const value wide_twice = broadcast_to(q.in({4}), {2, 3, 4});
  CHECK(after({add(wide_twice, q.in({3, 4})), log(wide_twice)}, {"sink-expands"}) ==
        "the broadcast value is read elsewhere too");
  model n;
  const value both = broadcast_to(n.in({2, 1}), {2, 3});
  CHECK(after({exp(both), log(both)}, {"sink-expand"}) == "the broadcast value is read elsewhere too");
}

namespace {

constexpr std::string_view computed = "the shape would be computed at run time",
                           reshaped_elsewhere = "the reshaped value is read elsewhere too";

/// An input [B, C, 1, D] and its reshape to [B C, 1, D], whose inverse and other shapes must be computed.
struct merged {
  model m;
  dim C = m.g.dims().symbol("C"), D = m.g.dims().symbol("D"), BC = m.g.dims().mul(m.B, C);
  value x = m.in({m.B, C, 1, D});
  value flat = jax2onnx::ops::reshape(x, {BC, 1, D});
};
/// A reshape of v as a node, even if the verb would omit it.
value raw_reshape(const value& v, const shape& dims) {
  return v.owner().emit("Reshape", {v, shape_value(v.owner(), dims)}, {v.dtype(), dims});
}

}  // namespace

TEST_CASE("drop-reshape: a reshape to the same shape") {
  model m;
  CHECK(after(exp(raw_reshape(m.in({2, 3}), {2, 3})), "drop-reshape") == "Exp");
  model n;
  const value trips = n.g.input({dtype::i64, {}}, "trips");
  const auto body = [](const value&, const std::vector<value>& carried) {
    return loop_step{{}, {carried[0]}, {carried[0]}};
  };
  const value length = n.in({n.g.dims().symbol("T")});
  const tensor_type rows{dtype::f32, {length.extent(0), n.B}};
  const value stacked = loop(n.g, trips, {}, {n.in({n.B})}, body, {.collected_types = {rows}}).collected[0];
  CHECK(after(exp(raw_reshape(stacked, stacked.dims())), "drop-reshape") ==
        "a Loop without iterations loses symbolic extents");
}

TEST_CASE("reshape-constant: a Reshape of a constant becomes a constant") {
  model m;
  CHECK(after(add(m.in({m.B, 2, 3}), raw_reshape(m.weight({6}), {2, 3})), "reshape-constant") == "Add");
}

TEST_CASE("reduce-of-reshaped: over whole axes") {
  model m;
  CHECK(after(reduce("ReduceMax", reshape(m.in({6, 4}), {2, 3, 4}), {2}), "reduce-of-reshaped") == "ReduceMax Reshape");
  model n;
  CHECK(after(reduce("ReduceSum", reshape(n.in({6, 4}), {2, 3, 4}), {0, 1}), "reduce-of-reshaped") == "ReduceSum");
  model o;  // parts of an axis
  CHECK(after(reduce("ReduceSum", reshape(o.in({6, 4}), {2, 3, 4}), {1}), "reduce-of-reshaped") == "Reshape ReduceSum");
  model p;
  const value x = reshape(p.in({6, 4}), {2, 3, 4});
  CHECK(after({reduce("ReduceMax", x, {2}), exp(x)}, {"reduce-of-reshaped"}) == reshaped_elsewhere);
}

TEST_CASE("join-reductions: of one kind") {
  model m;
  CHECK(after(reduce("ReduceSum", reduce("ReduceSum", m.in({2, m.B, 4}), {1}), {1}), "join-reductions") == "ReduceSum");
  model n;
  CHECK(after(n.last("ReduceMax", reduce("ReduceMax", n.in({2, 3, 4}), {0}, true)), "join-reductions") == "ReduceMax");
  model o;  // of an axis that was added
  CHECK(after(reduce("ReduceSum", reshape(reduce("ReduceSum", o.in({2, 3}), {0}), {1, 3}), {0}), "join-reductions") ==
        "ReduceSum");
  model p, q, r;
  const value x = p.last("ReduceSum", p.in({2, 3, 4}));
  CHECK(after({reduce("ReduceSum", x, {0}), exp(x)}, {"join-reductions"}) ==
        "the inner reduction is read elsewhere too");
  CHECK(after(reduce("ReduceMean", reduce("ReduceMean", q.in({2, q.B, 4}), {1}), {1}), "join-reductions") ==
        "the extents are not known");
  CHECK(after(reduce("ReduceMax", reduce("ReduceSum", r.in({2, 3, 4}), {1}), {1}), "join-reductions") ==
        "ReduceSum ReduceMax");
  model s;
  const dim C = s.g.dims().symbol("C"), D = s.g.dims().symbol("D");
  const value kept = reduce("ReduceSum", s.in({s.B, 3, C, D}), {1}, true);
  CHECK(after(reduce("ReduceSum", kept, {3}), "join-reductions") == "ReduceSum Reshape");
}

TEST_CASE("join-transposes-across and join-reshapes-around: one view less") {
  const std::string_view transposed_elsewhere = "the transposed value is read elsewhere too";
  model m;
  const value x = transpose(m.in({4, 3, 4}), {1, 0, 2});
  CHECK(after({transpose(reshape(x, {12, 4}), {1, 0})}, {"join-transposes", "join-transposes-across"}) ==
        "Transpose Reshape");
  model n;
  const value y = transpose(n.in({4, 3, 4}), {1, 0, 2});
  CHECK(after({transpose(reshape(y, {12, 4}), {1, 0}), exp(y)}, {"join-transposes-across"}) == transposed_elsewhere);
  model t;
  const value z = reshape(transpose(t.in({4, 3, 4}), {1, 0, 2}), {12, 4});
  CHECK(after({transpose(z, {1, 0}), exp(z)}, {"join-transposes-across"}) == reshaped_elsewhere);
  const auto around = [](const value& v, const ints& perm, const shape& dims) {
    return jax2onnx::ops::reshape(transpose(v, perm), dims);
  };
  model o;  // whole axes
  CHECK(after(around(reshape(o.in({6, 4}), {2, 3, 4}), {2, 0, 1}, {4, 6}), "join-reshapes-around") == "Transpose");
  model p;  // an extent of 1 more
  CHECK(after(around(reshape(p.in({2, 12}), {2, 3, 4}), {1, 0, 2}, {3, 1, 2, 4}), "join-reshapes-around") ==
        "Reshape Transpose");
  model q, r, s;
  const value moved = transpose(reshape(q.in({6, 4}), {2, 3, 4}), {2, 0, 1});
  CHECK(after({jax2onnx::ops::reshape(moved, {4, 6}), exp(moved)}, {"join-reshapes-around"}) == transposed_elsewhere);
  const value split = reshape(r.in({2, 12}), {2, 3, 4});
  CHECK(after({around(split, {1, 0, 2}, {3, 1, 2, 4}), exp(split)}, {"join-reshapes-around"}) == reshaped_elsewhere);
  CHECK(after(around(jax2onnx::ops::reshape(s.in({s.B, 12}), {s.B, 3, 4}), {1, 0, 2}, {3, 1, s.B, 4}),
              "join-reshapes-around") == computed);
}

TEST_CASE("softmax-of-merged: Transposes that keep the last axis") {
  model m;
  const value x = transpose(m.in({2, 3, 4}), {1, 0, 2});
  CHECK(after(m.g.emit("Softmax", {x}, x.type(), {{"axis", std::int64_t{2}}}), "softmax-of-merged") ==
        "Softmax Transpose");
}

TEST_CASE("views: nothing moves where a shape would be computed at run time") {
  merged a, b, c, d, e, f;
  CHECK(after(transpose(a.m.in({a.m.B, a.C, a.D, 1}), {3, 0, 1, 2}), "transpose-of-ones") == computed);
  const value ones = raw_reshape(b.x, {b.m.B, b.C, b.D});
  CHECK(after(transpose(ones, {1, 0, 2}), "transpose-before-ones") == computed);
  CHECK(after(exp(c.flat), "sink-reshape") == computed);
  CHECK(after(add(d.flat, jax2onnx::ops::reshape(d.m.in({d.m.B, d.C, 1, d.D}), {d.BC, 1, d.D})), "sink-reshapes") ==
        computed);
  const value narrow = e.m.in({e.m.B, e.C, e.D});
  CHECK(after(add(raw_reshape(narrow, {1, e.m.B, e.C, e.D}), e.m.in({e.D})), "sink-leading-ones") == computed);
  const value last = raw_reshape(f.m.in({1, f.m.B, f.C, f.D}), {f.m.B, f.C, f.D});
  CHECK(after(reduce("ReduceMax", last, {2}, false), "reduce-of-ones") == computed);
}

TEST_CASE("views: neither do reductions and Transposes of Transposes") {
  merged a, b;
  const value wide = a.m.in({a.m.B, a.C, a.D, 4});
  CHECK(after(reduce("ReduceMax", jax2onnx::ops::reshape(wide, {a.BC, a.D, 4}), {2}), "reduce-of-reshaped") ==
        computed);
  const value moved = transpose(b.m.in({b.C, b.m.B, b.D}), {1, 0, 2});
  CHECK(after(transpose(jax2onnx::ops::reshape(moved, {b.BC, b.D}), {1, 0}), "join-transposes-across") == computed);
}

TEST_CASE("views: a reshape that is read elsewhere stays where it is") {
  model a, b, c, d;
  const value x = jax2onnx::ops::reshape(a.in({2, 3, 4}), {2, 12}),
              y = jax2onnx::ops::reshape(b.in({2, 3, 4}), {2, 3, 1, 4});
  CHECK(after({exp(x), log(x)}, {"sink-reshape"}) == reshaped_elsewhere);
  CHECK(after({transpose(y, {1, 0, 2, 3}), exp(y)}, {"transpose-before-ones"}) == reshaped_elsewhere);
  const value sliced = slice(c.in({c.B, 7, 3}), 1, 2, 3);
  CHECK(after({jax2onnx::ops::reshape(sliced, {c.B, 3}), exp(sliced)}, {"pick-slice"}) ==
        "the slice is also read with its axis");
  const value wide = broadcast_to(d.in({2, 1}), {2, 3});
  CHECK(after({mul(wide, 2), exp(wide)}, {"sink-expands"}) == "the broadcast value is read elsewhere too");
}

TEST_CASE("sink-reshapes: equal reshapes of the operands become one of the result") {
  model m;
  const auto flat = [&] { return jax2onnx::ops::reshape(m.in({2, 3, 4}), {2, 12}); };
  CHECK(after(add(flat(), flat()), "sink-reshapes") == "Add Reshape");
  model n;  // one of them is the operand of a unary operator
  const value x = jax2onnx::ops::reshape(n.in({2, 3, 4}), {2, 12});
  CHECK(after(mul(x, unary("Sigmoid", x)), "sink-reshapes") == "Sigmoid Mul Reshape");
  model o;  // also read elsewhere
  const value y = jax2onnx::ops::reshape(o.in({2, 3, 4}), {2, 12});
  CHECK(after({mul(y, unary("Sigmoid", y)), exp(y)}, {"sink-reshapes"}) == "Reshape Sigmoid Mul Exp");
}

TEST_CASE("sink-split: a bias of heads becomes one of features") {
  const auto biased = [](model& m, const value& x, const value& bias) {
    return add(jax2onnx::ops::reshape(x, {m.B, 7, 3, 4}), bias);
  };
  model m;
  CHECK(after({biased(m, m.in({m.B, 7, 12}), m.weight({3, 4}))}, {"reshape-constant", "sink-split"}) == "Add Reshape");
  model n;
  CHECK(after({biased(n, n.in({n.B, 7, 12}), n.weight({1, 1, 3, 4}))}, {"reshape-constant", "sink-split"}) ==
        "Add Reshape");
  model o;  // the bias of one head
  CHECK(after(biased(o, o.in({o.B, 7, 12}), o.weight({4})), "sink-split") == "Reshape Add");
  model p;  // the Reshape splits another axis
  CHECK(after(biased(p, p.in({p.B, 21, 4}), p.weight({3, 4})), "sink-split") == "Reshape Add");
  model q;
  const value split = jax2onnx::ops::reshape(q.in({q.B, 7, 12}), {q.B, 7, 3, 4});
  CHECK(after({add(split, q.weight({3, 4})), neg(split)}, {"sink-split"}) ==
        "the reshaped value is read elsewhere too");
  model r;
  const value weight = r.weight({3, 4});
  CHECK(after({biased(r, r.in({r.B, 7, 12}), weight), neg(weight)}, {"sink-split"}) ==
        "the weight would be stored twice, in two shapes");
  model s;
  CHECK(after(add(jax2onnx::ops::reshape(s.in({0, 12}), {0, 3, 4}), s.weight({3, 4})), "sink-split") ==
        "the shape would be computed at run time");
}

TEST_CASE("sink-split: masks of blocks of rows become masks of rows") {
  const auto masked = [](model& m, const value& mask) {
    return where(mask, jax2onnx::ops::reshape(m.in({5, 6, 8}), {5, 2, 3, 8}), scalar(m.g, dtype::f32, 0));
  };
  const auto numbers = [](model& m, const ints& dims) {
    std::vector<std::int64_t> all(24);
    std::iota(all.begin(), all.end(), 0);
    std::size_t size = 1;
    for (const std::int64_t d : dims) size *= static_cast<std::size_t>(d);
    return array(m.g, dtype::i64, dims, std::span<const std::int64_t>(all.data(), size));
  };
  const std::initializer_list<std::string_view> rules = {"reshape-constant", "sink-split"};
  model m, n, o;
  CHECK(after({masked(m, greater_equal(numbers(m, {2, 3, 1}), numbers(m, {1, 1, 8})))}, rules) ==
        "GreaterOrEqual Where Reshape");
  CHECK(after({masked(n, greater_equal(numbers(n, {2, 1, 1}), numbers(n, {1, 1, 8})))}, rules).ends_with("Where"));
  const value mask = greater_equal(numbers(o, {2, 3, 1}), numbers(o, {1, 1, 8}));
  CHECK(after({masked(o, mask), logical_not(mask)}, rules).find("Where Reshape") == std::string::npos);
}

TEST_CASE("sink-split: a vector in the shape of heads") {
  model m;
  const value bias = jax2onnx::ops::reshape(m.in({12}), {1, 1, 3, 4});
  CHECK(after({add(jax2onnx::ops::reshape(m.in({m.B, 7, 12}), {m.B, 7, 3, 4}), bias)},
              {"join-reshapes", "drop-reshape", "sink-split"}) == "Add Reshape");
}

TEST_CASE("slice-of-concat: what was joined is taken apart") {
  model m, n;
  const value joined = concat({m.in({2, 3}), abs(m.in({2, 4}))}, 1);
  CHECK(after(slice(joined, 1, 3, 7), "slice-of-concat") == "Abs");
  const value z = concat({n.in({2, 3}), n.in({2, 4})}, 1);
  CHECK(after(slice(z, 1, 2, 6), "slice-of-concat") == "Concat Slice");
}

TEST_CASE("slice-of-slice: a part of a part") {
  model m, n, o;
  CHECK(after(slice(slice(m.in({2, 9}), 1, 2, 8), 1, 1, 3), "slice-of-slice") == "Slice");
  CHECK(m.g.at(m.g.at(block_id::main).outputs[0]).type.dims == shape{2, 2});
  CHECK(after(slice(slice(n.in({2, 9}), 1, 2, 8), 0, 1, 2), "slice-of-slice") == "Slice Slice");
  CHECK(after(slice(reverse(o.in({2, 9}), {1}), 1, 1, 3), "slice-of-slice") == "Slice Slice");
}

TEST_CASE("slice-of-concat: of many operands, as of few") {
  const auto taken = [](std::int64_t from, std::int64_t to) {
    model m;
    std::vector<value> parts;
    for (std::int64_t i = 0; i < 40; ++i) parts.push_back(m.in({2, i % 3}));
    return after(
        unary("Neg", slice(m.g.emit("Concat", parts, {dtype::f32, {2, 39}}, {{"axis", std::int64_t{1}}}), 1, from, to)),
        "slice-of-concat");
  };
  CHECK(taken(1, 3) == "Neg");
  CHECK(taken(0, 1) == "Neg");
  CHECK(taken(37, 39) == "Neg");
  CHECK(taken(3, 4) == "Neg");
  CHECK(taken(1, 2) == "Concat Slice Neg");
  CHECK(taken(2, 3) == "Concat Slice Neg");
  CHECK(taken(0, 38) == "Concat Slice Neg");
}

TEST_CASE("raise-transpose: operands that are much smaller than the result") {
  const auto of = [](const shape& a, const shape& b) {
    model m;
    return after({transpose(unary("Exp", mul(m.in(a), m.in(b))), {2, 0, 1})}, {"raise-transpose"});
  };
  CHECK(of({1, 32, 64}, {8, 1, 64}) == "Transpose Transpose Mul Exp");
  CHECK(of({64}, {8, 32, 1}) == "Reshape Transpose Transpose Mul Exp");
  CHECK(of({8, 32, 64}, {8, 1, 64}) == "Mul Exp Transpose");
  CHECK(of({1, 2, 64}, {8, 1, 64}) == "Mul Exp Transpose");  // few elements
  model m;
  const value outer = mul(m.in({1, 32, 64}), m.in({8, 1, 64}));
  CHECK(after({outer, transpose(outer, {2, 0, 1})}, {"raise-transpose"}) == "the result is also read untransposed");
  model n;  // sink-broadcast does not undo it
  const value by = mul(transpose(n.in({32, 64}), {1, 0}), n.in({16, 1, 1}));
  CHECK(after({by}, {"sink-broadcast", "raise-transpose"}) == "Transpose Mul");
}

TEST_CASE("raise-transpose: two Transposes around an operator with a small operand are one") {
  const auto around = [](const shape& extents, const shape& small) {
    model m;
    const value x = transpose(m.in(extents), {1, 0, 2});
    return after({transpose(mul(x, m.in(small)), {2, 1, 0})}, {"join-transposes", "raise-transpose"});
  };
  CHECK(around({16, 16, 8}, {16, 16, 1}) == "Transpose Transpose Mul");
  CHECK(around({16, 16, 4}, {16, 16, 1}) == "Transpose Mul Transpose");
  model m;
  const value two = mul(transpose(m.in({2, 4, 8}), {2, 0, 1}), m.in({8, 2, 4}));
  CHECK(after({transpose(two, {2, 1, 0})}, {"raise-transpose"}) == "Transpose Mul Transpose");
  model n;  // a transposed value that is also read elsewhere stays
  const value read_twice = transpose(n.in({2, 4, 8}), {2, 0, 1});
  const value by = transpose(mul(read_twice, n.in({8, 1, 1})), {2, 1, 0});
  CHECK(after({by, read_twice}, {"raise-transpose"}) == "Transpose Mul Transpose");
}

TEST_CASE("softmax-of-last: a Transpose that brings the axis of a Softmax to the end comes before it") {
  const auto of = [](operator_name op, std::int64_t axis, const ints& perm) {
    model m;
    const value x = m.in({2, 3, 4});
    const value y = transpose(x.owner().emit(op, {x}, x.type(), {{"axis", axis}}), perm);
    return after({y}, {"softmax-of-last"});
  };
  CHECK(of("Softmax", 1, {0, 2, 1}) == "Transpose Softmax");
  CHECK(of("LogSoftmax", 0, {1, 2, 0}) == "Transpose LogSoftmax");
  CHECK(of("Softmax", 0, {0, 2, 1}) == "Softmax Transpose");
  CHECK(of("Softmax", 2, {1, 0, 2}) == "Softmax Transpose");
  model m;
  const value x = m.in({2, 3}), y = m.g.emit("Softmax", {x}, x.type(), {{"axis", std::int64_t{0}}});
  CHECK(after({y, transpose(y, {1, 0})}, {"softmax-of-last"}) == "the result is also read untransposed");
}
