// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/views/fuse.hpp>
#include <jax2onnx/rewrite/views/operand_axes.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

const ints to_last{0, 2, 3, 1}, to_second{0, 3, 1, 2};

std::string sunk(const value& v) {
  return after({v}, {"reshape-constant", "join-transposes", "sink-unary", "sink-broadcast", "sink-concat", "sink-axes",
                     "join-transposes-around", "reduce-transposed", "sink-views"});
}

/// Reshape(Transpose(Reshape(x))): the last axis in `groups`, ordered by the index within the group.
value shuffled(const value& x, std::int64_t groups) {
  shape split = x.dims();
  ints perm = iota_axes(x.rank() + 1);
  const std::int64_t channels = split.back().extent();
  split.back() = groups;
  split.push_back(channels / groups);
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  return reshape(transpose(reshape(x, split), perm), x.dims());
}

}  // namespace

TEST_CASE("layout: transposes between channel orders cancel through bias, gate and residual") {
  model m;
  const value x = transpose(m.in({1, 3, 4, 5}), to_last);
  CHECK(sunk(transpose(unary("Relu", add(x, m.weight({3}))), to_second)) == "Add Relu");
  model n;
  const value y = transpose(n.in({1, 3, 4, 5}), to_last);
  CHECK(sunk(transpose(mul(y, unary("Sigmoid", y)), to_second)) == "Sigmoid Mul");
  model o;
  const value a = transpose(o.in({1, 3, 4, 5}), to_last), b = transpose(o.in({1, 3, 4, 5}), to_last);
  CHECK(sunk(add(a, b)) == "Add Transpose");
}

TEST_CASE("layout: a transpose that is read elsewhere stays where it is") {
  model m;
  const value x = transpose(m.in({1, 3, 4, 5}), to_last);
  CHECK(after({exp(x), x}, {"sink-unary"}) == "the transposed value is read elsewhere too");
  model n;
  const value y = transpose(n.in({1, 3, 4, 5}), to_last);
  CHECK(after(add(y, n.in({1, 4, 5, 3})), "sink-broadcast") == "another operand would need a Transpose");
}

TEST_CASE("sink-broadcast: operands whose axes of extent 1 move") {
  model m;
  const value x = transpose(m.in({2, 3, 4, 5}), to_last);
  CHECK(after(mul(x, m.in({2, 1, 1, 3})), "sink-broadcast") == "Reshape Mul Transpose");
  model n;  // along two axes that are swapped
  const value y = transpose(n.in({2, 3, 4, 5}), to_last);
  CHECK(after(mul(y, n.in({1, 4, 1, 3})), "sink-broadcast") == "another operand would need a Transpose");
}

TEST_CASE("sink-broadcast: a Gather of one index keeps no axis, and stays") {
  model m;
  const value x = transpose(m.in({3, 3, 3}), {1, 2, 0}), y = transpose(m.in({3, 3, 3}), {1, 2, 0});
  const value row = unary("Sin", gather(x, scalar(m.g, dtype::i64, 1), 0));
  CHECK(after(add(row, y), "sink-broadcast") == "another operand would need a Transpose");
}

TEST_CASE("layout: a reduction takes the axes where they are") {
  model o;  // the kept axes move by a Reshape, whoever else reads the transposed value
  const value x = transpose(o.in({2, 3, 4, 5}), to_last);
  CHECK(after({reduce("ReduceMean", x, {1, 2}, true), exp(x)}, {"reduce-transposed"}) ==
        "Transpose ReduceMean Reshape Exp");
  model m;
  CHECK(sunk(reduce("ReduceMean", transpose(m.in({2, 3, 4, 5}), to_last), {1, 2})) == "ReduceMean");
  model n;
  CHECK(sunk(reduce("ReduceMean", transpose(n.in({2, 3, 4, 5}), to_last), {1, 2}, true)) == "ReduceMean Reshape");
}

TEST_CASE("layout: concatenation along the moved axis") {
  model m;
  const value x = concat({transpose(m.in({1, 3, 4, 5}), to_last), transpose(m.in({1, 2, 4, 5}), to_last)}, 3);
  CHECK(sunk(transpose(x, to_second)) == "Concat");
}

TEST_CASE("drop-double-reverse: twice is not at all, also around a Transpose") {
  model m;
  const value x = m.in({4, 3, 2, 2});
  CHECK(after(reverse(transpose(reverse(x, {2, 3}), {1, 0, 2, 3}), {2, 3}), "drop-double-reverse") == "Transpose");
  model n;
  CHECK(after(reverse(transpose(reverse(n.in({4, 3, 2}), {0}), {1, 0, 2}), {1}), "drop-double-reverse") == "Transpose");
  model o;
  CHECK(after(reverse(transpose(reverse(o.in({4, 3, 2}), {0}), {1, 0, 2}), {0}), "drop-double-reverse") ==
        "Slice Transpose Slice");
  model p;
  CHECK(after(add(reverse(reverse(p.in({4, 3}), {0}), {0}), 1), "drop-double-reverse") == "Add");
}

TEST_CASE("sink-broadcast, sink-concat, reduce-transposed: a transpose that is read elsewhere stays where it is") {
  const std::string_view elsewhere = "the transposed values are read elsewhere too";
  const auto moved = [](model& m) { return transpose(m.in({1, 3, 4, 5}), to_last); };
  model a, b, c;
  const value x = moved(a), y = moved(b), z = moved(c);
  CHECK(after({add(x, 1), exp(x)}, {"sink-broadcast"}) == elsewhere);
  CHECK(after({concat({y, y}, 3), exp(y)}, {"sink-concat"}) == elsewhere);
  CHECK(after({reduce("ReduceMax", z, {1}, true), exp(z)}, {"reduce-transposed"}) ==
        "the transposed value is read elsewhere too");
}

TEST_CASE("layout: a Slice and a Pad of constant axes") {
  model m, n, o;
  const value x = transpose(m.in({1, 3, 4, 5}), to_last);
  const value cropped =
      m.g.emit("Slice", {x, int64s(m.g, {1}), int64s(m.g, {3}), int64s(m.g, {-2})}, {dtype::f32, {1, 4, 2, 3}});
  CHECK(sunk(transpose(cropped, to_second)) == "Slice");
  CHECK(constant_integers(value(m.g, m.g.at(m.g.at(block_id::main).nodes[0]).inputs[3])) == ints{3});
  const value y = transpose(n.in({1, 3, 4, 5}), to_last);
  const value padded = n.g.emit("Pad", {y, int64s(n.g, {0, 1, 2, 3, 4, 5, 6, 7})}, {dtype::f32, {5, 10, 13, 13}});
  CHECK(sunk(transpose(padded, to_second)) == "Pad");
  CHECK(constant_integers(value(n.g, n.g.at(n.g.at(block_id::main).nodes[0]).inputs[1])) ==
        ints{0, 3, 1, 2, 4, 7, 5, 6});
  const value z = transpose(o.in({1, 3, 4, 5}), to_last);
  const value moving =
      o.g.emit("Slice", {z, int64s(o.g, {1}), int64s(o.g, {3}), o.in({1}, dtype::i64)}, {dtype::f32, {1, 4, 2, 3}});
  CHECK(sunk(moving) == "Transpose Slice");
}

TEST_CASE("layout: slices of what is transposed once") {
  model m, n, o;
  const auto half = [](const value& x, std::int64_t from) {
    graph& g = x.owner();
    return g.emit("Slice", {x, int64s(g, {from}), int64s(g, {from + 2}), int64s(g, {3})}, {dtype::f32, {1, 4, 5, 2}});
  };
  const value x = transpose(m.in({1, 4, 4, 5}), to_last);
  CHECK(sunk(transpose(mul(half(x, 0), unary("Sigmoid", half(x, 2))), to_second)) == "Slice Slice Sigmoid Mul");
  const value y = transpose(n.in({1, 4, 4, 5}), to_last);
  CHECK(sunk(transpose(concat({half(y, 0), half(y, 2), y}, 3), to_second)) == "Slice Slice Concat");
  const value z = transpose(o.in({1, 4, 4, 5}), to_last);
  CHECK(after({exp(z), half(z, 0)}, {"sink-axes"}) == "the transposed value is read elsewhere too");
}

TEST_CASE("layout: copies of pixels and constants between convolutions") {
  model m, n, o, p;
  const value x = transpose(m.in({1, 3, 4, 5}), to_last);
  CHECK(sunk(transpose(m.g.emit("Tile", {x, int64s(m.g, {1, 2, 1, 3})}, {dtype::f32, {1, 8, 5, 9}}), to_second)) ==
        "Tile");
  CHECK(constant_integers(value(m.g, m.g.at(m.g.at(block_id::main).nodes[0]).inputs[1])) == ints{1, 3, 2, 1});
  const value y = transpose(n.in({1, 3, 4, 5}), to_last);
  const value mean = broadcast_to(n.in({1, 1, 1, 2}), {1, 4, 5, 2});
  CHECK(sunk(transpose(concat({y, mean}, 3), to_second)) == "Reshape Expand Concat");
  const value z = transpose(o.in({1, 3, 4, 5}), to_last);
  CHECK(after({transpose(concat({z, o.weight({1, 4, 5, 2})}, 3), to_second)},
              {"join-transposes", "sink-concat", "fold-transpose"}) == "Concat");
  const value w = transpose(p.in({1, 3, 4, 5}), to_last);
  CHECK(after({concat({w, p.in({1, 4, 5, 2})}, 3)}, {"sink-concat"}) == "another operand would need a Transpose");
}

TEST_CASE("sink-views: a shuffle of channels") {
  model m, n, o, p, q;
  CHECK(sunk(transpose(shuffled(transpose(m.in({1, 6, 4, 5}), to_last), 2), to_second)) == "Reshape Transpose Reshape");
  const value moved(m.g, m.g.at(m.g.at(block_id::main).nodes[1]).outputs[0]);
  CHECK(moved.dims() == shape{1, 3, 2, 4, 5});
  const value any = transpose(n.in({n.B, 6, 4, 5}), to_last);
  CHECK(sunk(transpose(shuffled(any, 3), to_second)) == "Reshape Transpose Reshape");
  const value x = transpose(o.in({1, o.B, 4, 5}), to_last);
  const value of_rows = reshape(transpose(reshape(x, {1, 2, 2, 5, o.B}), {0, 2, 1, 3, 4}), x.dims());
  CHECK(sunk(of_rows) == "Reshape Transpose Reshape Transpose");
  const value y = transpose(p.in({1, 6, 4, 6}), to_last);
  CHECK(after({reshape(transpose(reshape(y, {1, 4, 6, 6, 1}), {0, 1, 3, 2, 4}), y.dims())}, {"sink-views"}) ==
        "Transpose Reshape Transpose Reshape");
  const value z = transpose(q.in({1, 6, 4, 5}), to_last);
  CHECK(after({shuffled(z, 2), exp(z)}, {"sink-views"}) == "the transposed value is read elsewhere too");
  model r;
  const value image = r.in({r.B, 6, r.g.dims().symbol("H"), r.g.dims().symbol("W")});
  const value computed = shuffled(transpose(image, to_last), 2);
  CHECK(after({computed}, {"sink-views"}) == "the shape would be computed at run time");
}

TEST_CASE("layout: parts of what is transposed once") {
  model m, n, o, p;
  const value x = transpose(m.in({1, 4, 4, 5}), to_last);
  const std::vector<value> a = parts_of(x, 3, {2, 2});
  CHECK(sunk(transpose(mul(unary("Tanh", a[0]), unary("Sigmoid", a[1])), to_second)) == "Split Tanh Split Sigmoid Mul");
  const value y = transpose(n.in({1, 4, 4, 5}), to_last);
  const std::vector<value> b = parts_of(y, 3, {1, 3});
  CHECK(sunk(transpose(concat({b[1], b[0]}, 3), to_second)) == "Split Split Concat");
  const value z = transpose(o.in({1, 4, 4, 5}), to_last);
  const std::vector<value> c = parts_of(z, 3, {2, 2});  // the second part is also read untransposed
  CHECK(after({transpose(c[0], to_second), exp(c[1])}, {"join-transposes-around"}) == "Transpose Split Split Exp");
  const value w = transpose(p.in({1, 4, 4, 5}), to_last);
  const std::vector<value> d = parts_of(w, 3, {2, 2});
  CHECK(after({mul(d[0], d[0]), exp(d[1])}, {"sink-broadcast"}) == "the transposed values are read elsewhere too");
  model q;
  const value v = transpose(q.in({1, 4, 4, 17}), to_last);
  CHECK(sunk(concat(parts_of(v, 3, ints(17, 1)), 3)) == "Transpose Split Concat");  // too many parts
}

TEST_CASE("sink-axes: running sums") {
  model m, n;
  const auto sums = [](const value& x, const value& axis) { return x.owner().emit("CumSum", {x, axis}, x.type()); };
  const value x = transpose(m.in({1, 3, 4, 5}), to_last);
  CHECK(sunk(transpose(sums(x, scalar(m.g, dtype::i64, -1)), to_second)) == "CumSum");
  CHECK(constant_integer(value(m.g, m.g.at(m.g.at(block_id::main).nodes[0]).inputs[1])) == 1);
  const value y = transpose(n.in({1, 3, 4, 5}), to_last);
  CHECK(sunk(sums(y, n.in({}, dtype::i64))) == "Transpose CumSum");
}

TEST_CASE("operand_axes: what operators name of axes, below a view") {
  model m;
  const value x = m.in({2, 3, 4, 5}), moved = transpose(x, to_last);
  const auto below = [&](const value& v) { return rewrite::below_view(v, x, rewrite::transpose_view.origins(moved)); };
  const auto kept = below(reduce("ReduceMax", moved, {1, 3}, true));
  CHECK(kept->axes == ints{2, 1});
  CHECK(kept->dims == shape{2, 1, 1, 5});
  const auto dropped = below(reduce("ReduceMax", moved, {1, 3}));
  CHECK(dropped->dims == shape{2, 5});
  CHECK(dropped->keeps_order());
  CHECK(below(neg(moved))->order == to_last);
  CHECK_FALSE(below(matmul(moved, m.in({3, 2}))));
}
