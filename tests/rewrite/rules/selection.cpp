// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/selection.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value attended(model& m, const value& q, const value& mask = {}, std::vector<attribute> more = {}) {
  more.push_back({"q_num_heads", std::int64_t{2}});
  more.push_back({"kv_num_heads", std::int64_t{2}});
  std::vector<value> inputs{q, m.in({2, 7, 8}), m.in({2, 7, 8})};
  if (mask) inputs.push_back(mask);
  return m.g.emit("Attention", inputs, q.type(), std::move(more));
}
std::string selected(const value& v, std::int64_t axis = 1) {
  return after({gather(v, scalar(v.owner(), dtype::i64, 0), axis)}, {"select-early"});
}

value tanh(const value& x) { return unary("Tanh", x); }

}  // namespace

TEST_CASE("select-early: before products, sums and normalizations") {
  model m;
  value x = matmul(m.in({2, 3, 4}), m.in({4, 8}));
  x = add(add(x, m.in({1, 1, 8})), m.in({2, 3, 8}));
  x = m.g.emit("LayerNormalization", {x, m.in({8})}, x.type(), {{"axis", std::int64_t{2}}});
  const value y = gather(unary("Tanh", x), scalar(m.g, dtype::i64, 2), 1);
  CHECK(after({y}, {"select-early"}) == "Gather MatMul Squeeze Add Gather Add LayerNormalization Tanh");
  for (const node_id n : m.g.at(block_id::main).nodes)
    if (m.g.at(n).op == "LayerNormalization")
      CHECK(m.g.at(n).attributes[0].value == attribute::content(std::int64_t{1}));
  CHECK(m.g.at(m.g.at(block_id::main).outputs[0]).type.dims == shape{2, 8});
}

TEST_CASE("select-early: operands of fewer axes") {
  model m;
  const value x = add(matmul(m.in({2, 3, 4}), m.in({4, 8})), m.in({3, 8}));
  CHECK(selected(x) == "Gather MatMul Gather Add");
  model n;
  const value y = add(matmul(n.in({2, 3, 4}), n.in({4, 8})), n.in({3, 8}));
  CHECK(selected(y, 0) == "Gather MatMul Add");
}

TEST_CASE("select-early: an attention of one query") {
  model m, n, o, p, q;
  CHECK(selected(attended(m, m.in({2, 5, 8}))) == "Gather Unsqueeze Attention Squeeze");
  CHECK(selected(attended(n, n.in({2, 5, 8}), n.in({5, 7}))) == "Gather Gather Unsqueeze Unsqueeze Attention Squeeze");
  CHECK(selected(attended(o, o.in({2, 5, 8}), o.in({1, 7}))) == "Gather Unsqueeze Attention Squeeze");
  CHECK(selected(attended(p, p.in({2, 5, 8})), 0) == "Attention Gather");
  CHECK(selected(attended(q, q.in({2, 5, 8}), {}, {{"is_causal", std::int64_t{1}}})) == "Attention Gather");
}

TEST_CASE("select-early: what stays") {
  model m, n, o, p, q, r;
  const auto product = [](model& of) { return matmul(of.in({2, 3, 4}), of.in({4, 8})); };
  CHECK(selected(product(m), 2) == "MatMul Gather");
  const value x = product(n);
  CHECK(after({gather(x, n.in({2}, dtype::i64), 1)}, {"select-early"}) == "MatMul Gather");
  const value shared = product(o);
  CHECK(after({gather(shared, scalar(o.g, dtype::i64, 0), 1), neg(shared)}, {"select-early"}) == "MatMul Gather Neg");
  CHECK(selected(add(p.in({2, 3, 4}), p.in({2, 3, 4}))) == "Add Gather");
  CHECK(selected(matmul(q.in({2, 3, 4}), q.in({2, 4, 8}))) == "MatMul Gather");
  const value y = r.in({2, 3, 4});
  const value over_two = r.g.emit("LayerNormalization", {y, r.in({3, 4})}, y.type(), {{"axis", std::int64_t{1}}});
  CHECK(selected(over_two) == "LayerNormalization Gather");
}

namespace {

std::string sliced(const value& v, std::int64_t first, std::int64_t last, std::int64_t axis = 0) {
  return after({neg(slice(v, axis, first, last))}, {"select-early"});
}

}  // namespace

TEST_CASE("select-early: a Slice of rows and of batches, before products") {
  model m, n, o, p;
  CHECK(sliced(tanh(add(matmul(m.in({6, 3, 4}), m.in({4, 8})), m.in({8}))), 2, 5) == "Slice MatMul Add Tanh Neg");
  CHECK(sliced(matmul(n.in({6, 3, 4}), n.in({6, 4, 8})), 2, 5) == "Slice Slice MatMul Neg");
  const value x = o.in({6, 3, 4});
  CHECK(sliced(add(x, matmul(tanh(x), o.in({4, 4}))), 0, 5) == "Slice Tanh MatMul Slice Add Neg");  // x is read twice
  CHECK(sliced(attended(p, p.in({2, 5, 8})), 0, 1) == "Slice Slice Slice Attention Neg");
}

TEST_CASE("select-early: a Slice before joins, lookups and views") {
  model m, n, o, p, q;
  const auto product = [](model& of, const value& x) { return matmul(x, of.in({4, 4})); };
  CHECK(sliced(product(m, concat({m.in({1, 4}), m.in({5, 4})}, 0)), 2, 5) == "Slice MatMul Neg");
  CHECK(sliced(product(n, gather(n.in({9, 4}), int64s(n.g, {7, 1, 2, 3}), 0)), 1, 3) == "Gather MatMul Neg");
  CHECK(sliced(product(o, reshape(o.in({12, 4}), {6, 2, 4})), 1, 3) == "Slice Reshape MatMul Neg");
  CHECK(sliced(product(p, transpose(p.in({3, 6, 4}), {1, 0, 2})), 1, 3) == "Slice Transpose MatMul Neg");
  CHECK(sliced(product(q, slice(q.in({9, 4}), 0, 2, 8)), 1, 3) == "Slice MatMul Neg");
}

TEST_CASE("select-early: Slices that stay") {
  model m, n, o;
  CHECK(sliced(tanh(m.in({6, 4})), 2, 5) == "Tanh Slice Neg");  // not worth it
  CHECK(sliced(matmul(n.in({6, 3, 4}), n.in({4, 8})), 2, 5, 2) == "MatMul Slice Neg");
  const value shared = matmul(o.in({6, 4}), o.in({4, 4}));
  CHECK(after({slice(shared, 0, 2, 5), neg(shared)}, {"select-early"}) == "MatMul Slice Neg");
}

TEST_CASE("sum-of-one: the sum of what one index has, and zeros") {
  const auto summed = [](const std::string& truth, const shape& mask, dtype t = dtype::f32, double other = 0) {
    model m;
    const value c = m.g.constant({dtype::boolean, mask}, bytes(std::string(truth)));
    const value v = where(c, m.in({3, 2}, t), scalar(m.g, t, other));
    return after({reduce("ReduceSum", v, {0}, false)}, {"sum-of-one"});
  };
  const std::string second("\0\1\0", 3);
  CHECK(summed(second, {3, 1}) == "Gather Add");  // -0 + 0 is 0
  CHECK(summed(second, {3, 1}, dtype::i32) == "Gather");
  CHECK(summed(std::string("\0\0\1\1\0\0", 6), {3, 2}) == "Gather Add");
  CHECK(summed(std::string("\0\0\1\0\0\0", 6), {3, 2}) ==
        "the condition does not select exactly one index of the axis");
  CHECK(summed(std::string("\0\1\0\0\0\0", 6), {3, 2}) ==
        "the condition does not select exactly one index of the axis");
  CHECK(summed(std::string("\0\0\0\1\0\0", 6), {3, 2}) ==
        "the condition does not select exactly one index of the axis");
  CHECK(summed(std::string("\1\1\0", 3), {3, 1}) == "the condition does not select exactly one index of the axis");
  CHECK(summed(std::string("\0\0\0", 3), {3, 1}) == "the condition does not select exactly one index of the axis");
  CHECK(summed(second, {3, 1}, dtype::f32, 1) == "the condition does not select exactly one index of the axis");
}

TEST_CASE("sum-of-one: all parts of a Concat, and after a Reshape") {
  model m;
  const value second = m.g.constant({dtype::boolean, {3, 1}}, bytes(std::string("\0\1\0", 3)));
  const value first = m.g.constant({dtype::boolean, {3, 1}}, bytes(std::string("\1\0\0", 3)));
  const auto chosen = [&](const value& mask) {
    return unsqueeze(where(mask, m.in({3, 2}), scalar(m.g, dtype::f32, 0)), {1});
  };
  const auto summed = [&](const value& a, const value& b) {
    return after({reduce("ReduceSum", concat({a, b}, 1), {0}, false)}, {"sum-of-one"});
  };
  CHECK(summed(chosen(second), chosen(second)).find("ReduceSum") == std::string::npos);
  CHECK(summed(chosen(second), chosen(first)).find("ReduceSum") != std::string::npos);
}

TEST_CASE("pick-before-transpose: the picked axis is left out of the permutation") {
  const auto picked = [](const ints& perm, std::int64_t axis) {
    model m;
    const value x = m.in({2, 5, 3, 4}), t = transpose(x, perm);
    after({gather(t, scalar(m.g, dtype::i64, 0), axis)}, {"pick-before-transpose"});
    const node& last = m.g.at(m.g.at(block_id::main).nodes.back());
    return last.op == "Transpose" ? std::get<ints>(last.find("perm")->value) : ints();
  };
  CHECK(picked({2, 0, 3, 1}, 0) == ints{0, 2, 1});
  CHECK(picked({3, 2, 1, 0}, 1) == ints{2, 1, 0});
  model n;  // several positions
  const value x = transpose(n.in({2, 5, 3}), {2, 0, 1});
  CHECK(after({gather(x, n.in({2}, dtype::i64), 0)}, {"pick-before-transpose"}) == "Transpose Gather");
}

TEST_CASE("pick-of-split: a part of an axis is a Slice") {
  const auto picked = [](const shape& before, const shape& after_split, std::int64_t k, std::int64_t axis) {
    model m;
    const value x = m.in(before), split = jax2onnx::ops::reshape(x, after_split);
    return after({gather(split, scalar(m.g, dtype::i64, k), axis)}, {"pick-of-split"});
  };
  CHECK(picked({2, 5, 24}, {2, 5, 3, 2, 4}, 1, 2) == "Slice Reshape");
  CHECK(picked({2, 12, 5}, {2, 3, 4, 5}, 2, 1) == "Slice");
  CHECK(picked({2, 5, 24}, {2, 5, 3, 2, 4}, 3, 2) == "Reshape Gather");   // out of range
  CHECK(picked({2, 5, 24}, {2, 5, 3, 2, 4}, -1, 2) == "Reshape Gather");  // counted from the end
  CHECK(picked({2, 5, 24}, {2, 5, 3, 2, 4}, 1, 3) == "Reshape Gather");   // the inner part
  CHECK(picked({2, 5, 24}, {10, 3, 8}, 1, 1) == "Reshape Gather");        // also along other axes
  CHECK(picked({2, 3}, {2, 3, 1}, 1, 1) == "Slice");
  CHECK(picked({2, 3}, {2, 3, 1, 1}, 1, 1) == "Reshape Gather");
  model n;
  const value any = jax2onnx::ops::reshape(n.in({n.B, 12}), {n.B, 3, 4});
  CHECK(after({gather(any, scalar(n.g, dtype::i64, 2), 1)}, {"pick-of-split"}) == "Slice");
}

TEST_CASE("last-of-cumsum: the sum of all elements") {
  const auto sums = [](model& m, dtype t, std::vector<attribute> attributes = {}) {
    const value x = m.in({2, 5}, t);
    return m.g.emit("CumSum", {x, scalar(m.g, dtype::i64, 1)}, x.type(), std::move(attributes));
  };
  const auto at = [](const value& x, std::int64_t i, std::int64_t axis = 1) {
    return gather(x, scalar(x.owner(), dtype::i64, i), axis);
  };
  const std::vector<attribute> reverse{{"reverse", std::int64_t{1}}}, exclusive{{"exclusive", std::int64_t{1}}};
  model m, n, o, p, q, r, s, t, u;
  CHECK(after(at(sums(m, dtype::i8), 4), "last-of-cumsum") == "ReduceSum");
  CHECK(after(at(sums(n, dtype::i32), -1), "last-of-cumsum") == "Cast ReduceSum Cast");  // int32 would saturate
  CHECK(after(at(sums(o, dtype::u32, reverse), 0), "last-of-cumsum") == "ReduceSum");
  CHECK(after(at(sums(u, dtype::i64), 4), "last-of-cumsum") ==
        "an exact sum of 64-bit integers takes more operators than the CumSum");
  CHECK(after(at(sums(p, dtype::i32), 3), "last-of-cumsum") == "the index does not select the total");
  CHECK(after(at(sums(q, dtype::i32, exclusive), 4), "last-of-cumsum") == "CumSum Gather");
  CHECK(after(at(sums(r, dtype::f32), 4), "last-of-cumsum") == "CumSum Gather");
  CHECK(after(at(sums(s, dtype::i32), 1, 0), "last-of-cumsum") == "CumSum Gather");
  const value all = sums(t, dtype::i32);
  CHECK(after({at(all, 4), neg(all)}, {"last-of-cumsum"}) == "the running sums are read elsewhere too");
  for (const dtype of : {dtype::i32, dtype::i64}) {  // of a mask
    model v;
    const value mask = cast(v.in({2, 5}, dtype::boolean), of);
    const value counts = v.g.emit("CumSum", {mask, scalar(v.g, dtype::i64, 1)}, mask.type());
    CHECK(after(at(counts, 4), "last-of-cumsum") == "Cast ReduceSum");
  }
}
