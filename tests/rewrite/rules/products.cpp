// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/products.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("Gemm: of matrices, with transposed operands") {
  model m;
  CHECK(after({add(matmul(m.in({m.B, 4}), transpose(m.in({5, 4}), {1, 0})), m.in({5}))}, {"Gemm", "Gemm-transposed"}) ==
        "Gemm");
  model n;
  CHECK(after(add(matmul(n.in({2, 3, 4}), n.in({4, 5})), n.in({5})), "Gemm") == "the operands are not matrices");
  model o;
  const value product = matmul(o.in({3, 4}), o.in({4, 5}));
  CHECK(after({add(product, o.in({5})), neg(product)}, {"Gemm"}) == "the product is also read without the bias");
}

TEST_CASE("vector-product: a vector takes the transpose away") {
  model m;
  CHECK(after(matmul(transpose(m.in({4, 2}), {1, 0}), m.in({4})), "vector-product") == "MatMul");
  model n;
  CHECK(after(matmul(n.in({4}), transpose(n.in({3, 2, 4}), {0, 2, 1})), "vector-product") == "MatMul");
  model o;
  CHECK(after(matmul(transpose(o.in({2, 3, 4}), {1, 0, 2}), o.in({4})), "vector-product") == "Transpose MatMul");
}

TEST_CASE("bias-vector: biases of one row") {
  const auto bias_of = [](const model& m, std::size_t i) {
    const node& last = m.g.at(m.g.at(block_id::main).nodes.back());
    return value(const_cast<graph&>(m.g), last.inputs[i]).dims();
  };
  model m;
  CHECK(after({add(matmul(m.in({m.B, 4}), m.in({4, 5})), m.weight({1, 5}))}, {"Gemm", "bias-vector"}) == "Gemm");
  CHECK(bias_of(m, 2) == shape{5});
  model n;
  CHECK(after(add(n.weight({1, 1, 5}), matmul(n.in({2, 3, 4}), n.in({4, 5}))), "bias-vector") == "MatMul Add");
  CHECK(bias_of(n, 1) == shape{5});
  model o;  // a bias for each row
  CHECK(after({add(matmul(o.in({3, 4}), o.in({4, 5})), o.weight({3, 1}))}, {"Gemm", "bias-vector"}) == "Gemm");
  CHECK(bias_of(o, 2) == shape{3, 1});
  model p;  // the bias gives the result its rank
  CHECK(after(add(matmul(p.in({3, 4}), p.in({4, 5})), p.weight({1, 1, 5})), "bias-vector") == "MatMul Add");
  CHECK(bias_of(p, 1) == shape{1, 1, 5});
  model q;  // also read elsewhere
  const value bias = q.weight({1, 1025});
  CHECK(after({neg(bias), add(matmul(q.in({3, 4}), q.in({4, 1025})), bias)}, {"bias-vector"}) == "Neg MatMul Add");
  CHECK(bias_of(q, 1) == shape{1, 1025});
}

TEST_CASE("Gemm-vector: a matrix by a vector") {
  model m;
  CHECK(after(matmul(m.in({m.B, 4}), m.in({4})), "Gemm-vector") == "Unsqueeze Gemm Squeeze");
  model n;
  CHECK(after(matmul(n.in({2, 3, 4}), n.in({4})), "Gemm-vector") == "MatMul");
  model o;
  CHECK(after(matmul(o.in({3, 4}, dtype::i32), o.in({4}, dtype::i32)), "Gemm-vector") == "MatMul");
}

TEST_CASE("Gemm-vector-bias: a matrix by a vector, and a bias") {
  model m;
  CHECK(after(add(m.in({3}), matmul(m.in({3, 4}), m.in({4}))), "Gemm-vector-bias") == "Unsqueeze Gemm Squeeze");
  model n;
  CHECK(after(add(matmul(n.in({3, 4}), n.in({4})), n.in({2, 3})), "Gemm-vector-bias") ==
        "the bias has other extents than the product");
  model o;
  const value product = matmul(o.in({3, 4}), o.in({4}));
  CHECK(after({add(product, o.in({3})), neg(product)}, {"Gemm-vector-bias"}) ==
        "the product is also read without the bias");
  model p;
  CHECK(after(add(matmul(p.in({3, 4}), p.in({4, 2})), p.in({2})), "Gemm-vector-bias") == "MatMul Add");
}

TEST_CASE("Gemm-vector-bias: a matrix of a loop stays a product, which rules of loops know") {
  model m;
  const value v = m.in({4});
  const auto step = [&](const std::vector<value>& s, const std::vector<value>& x) {
    return loop_step{{}, {unary("Tanh", s[0])}, {add(matmul(s[0], v), x[0])}};
  };
  const value y = scan(m.g, {m.in({3, 4})}, {m.in({40, 3})}, step).collected[0];
  CHECK(after(y, "Gemm-vector-bias") == "the value is computed in each step of a loop");
}

TEST_CASE("Gemm-row-bias: the bias of the only row of a product") {
  const auto row = [](model& m) { return m.g.emit("Gemm", {m.in({1, 4}), m.in({4, 3})}, {dtype::f32, {1, 3}}); };
  model m;
  CHECK(after(add(squeeze(row(m), {0}), m.in({3})), "Gemm-row-bias") == "Unsqueeze Gemm Squeeze");
  model n;
  CHECK(after(add(squeeze(row(n), {0}), n.in({2, 3})), "Gemm-row-bias") == "Gemm Squeeze Add");
  model o;
  const value column = o.g.emit("Gemm", {o.in({3, 4}), o.in({4, 1})}, {dtype::f32, {3, 1}});
  CHECK(after(add(squeeze(column, {1}), o.in({3})), "Gemm-row-bias") == "Gemm Squeeze Add");
  model p;
  const value product = squeeze(row(p), {0});
  CHECK(after({add(product, p.in({3})), neg(product)}, {"Gemm-row-bias"}) ==
        "the product is also read without the bias");
}

TEST_CASE("turn-matmul: (a b)^T = b^T a^T where that saves transposes") {
  model m;
  const value a = m.in({2, 3, 4}), b = m.in({2, 5, 3});
  const value turned = transpose(matmul(transpose(a, {0, 2, 1}), transpose(b, {0, 2, 1})), {0, 2, 1});
  CHECK(after({turned}, {"join-transposes", "turn-matmul"}) == "MatMul");
  model n;
  CHECK(after(matmul(transpose(n.in({4, 3}), {1, 0}), n.in({4, 5})), "turn-matmul") == "Transpose MatMul");
}

TEST_CASE("Conv-bias: one number for every output channel") {
  model m;
  const auto conv = [](model& g, std::int64_t extent) {
    return g.g.emit("Conv", {g.in({1, 2, extent, extent}), g.in({4, 2, 1, 1})}, {dtype::f32, {1, 4, extent, extent}});
  };
  CHECK(after({add(conv(m, 5), reshape(m.weight({4}), {4, 1, 1}))}, {"reshape-constant", "Conv-bias"}) == "Conv");
  model n;
  CHECK(after(add(conv(n, 4), n.weight({4})), "Conv-bias") == "the bias is not one number per channel");
}

TEST_CASE("Gemm, Conv-bias: reasons to decline") {
  model m, n, o;
  CHECK(after(add(matmul(m.in({2, 3}, dtype::i32), m.in({3, 4}, dtype::i32)), m.in({4}, dtype::i32)), "Gemm") ==
        "the element type is not floating-point");
  CHECK(after(add(matmul(n.in({2, 3}), n.in({3, 4})), n.in({5, 2, 4})), "Gemm") ==
        "the product is broadcast to the bias");
  const value conv = o.g.emit("Conv", {o.in({1, 2, 5, 5}), o.in({4, 2, 1, 1})}, {dtype::f32, {1, 4, 5, 5}});
  CHECK(after({add(conv, o.in({4, 1, 1})), exp(conv)}, {"Conv-bias"}) ==
        "the convolution is also read without the bias");
}

TEST_CASE("turn-matmul: a product that is also read untransposed stays") {
  model m;
  const value p = matmul(m.in({2, 3}), transpose(m.in({4, 3}), {1, 0}));
  CHECK(after({transpose(p, {1, 0}), exp(p)}, {"turn-matmul"}) == "the product is also read untransposed");
}

TEST_CASE("Gemm-vector-rows: more than two axes are rows") {
  model m;
  CHECK(after(matmul(m.in({m.B, 3, 4}), m.in({4})), "Gemm-vector-rows") == "Unsqueeze Reshape Gemm Reshape");
  model n;
  CHECK(after(matmul(n.in({n.B, n.B, 4}), n.in({4})), "Gemm-vector-rows") == "the shape would be computed at run time");
  model o;
  CHECK(after(matmul(o.in({3, 4}), o.in({4})), "Gemm-vector-rows") == "MatMul");
  model p;
  CHECK(after(matmul(p.in({2, 3, 4}, dtype::i32), p.in({4}, dtype::i32)), "Gemm-vector-rows") == "MatMul");
}

TEST_CASE("dot-batch: many products of a row and a column") {
  model m;
  CHECK(after(matmul(m.in({16, 1, 4}), m.in({16, 4, 1})), "dot-batch") == "Reshape Mul ReduceSum");
  model n;
  CHECK(after(matmul(n.in({7, 1, 4}), n.in({7, 4, 1})), "dot-batch") == "there are few pairs, or the vectors are long");
  model p;
  CHECK(after(matmul(p.in({9, 1, 400}), p.in({9, 400, 1})), "dot-batch") ==
        "there are few pairs, or the vectors are long");
  model q;
  CHECK(after(matmul(q.in({1, 1, 4}), q.in({9, 4, 1})), "dot-batch") == "an operand is broadcast");
  model r;
  CHECK(after(matmul(r.in({9, 1, 4}, dtype::f16), r.in({9, 4, 1}, dtype::f16)), "dot-batch") ==
        "the element type is not float32 or float64");
  const auto of_rows = [](std::int64_t pairs, std::int64_t rows, std::int64_t terms) {
    model o;
    return after(matmul(o.in({pairs, rows, terms}), o.in({pairs, terms, 1})), "dot-batch");
  };
  CHECK(of_rows(16, 3, 4) == "Reshape Mul ReduceSum");
  CHECK(of_rows(15, 3, 4) == "there are few pairs, or the vectors are long");
  CHECK(of_rows(16, 4, 100) == "there are few pairs, or the vectors are long");
  CHECK(of_rows(16, 5, 4) == "MatMul");
}

TEST_CASE("sum-of-products: the axis of a batch joins the terms") {
  model m;
  CHECK(after(reduce("ReduceSum", matmul(m.in({2, 3, 4}), m.in({2, 4, 5})), {0}), "sum-of-products") ==
        "Transpose Reshape Reshape MatMul");
  model n;  // with another batch axis, after a Reshape that keeps the axis
  const value products = matmul(n.in({7, 2, 6, 4}), n.in({7, 2, 4, 5}));
  CHECK(after(reduce("ReduceSum", reshape(products, {7, 2, 3, 2, 5}), {1}), "sum-of-products") ==
        "Transpose Reshape Reshape MatMul Reshape");
}

TEST_CASE("sum-of-products: what stays") {
  const auto summed = [](const value& a, const value& b) { return reduce("ReduceSum", matmul(a, b), {0}); };
  model m, n, o, p;
  CHECK(after(summed(m.in({2, 3, 4}), m.in({4, 5})), "sum-of-products") == "an operand is broadcast");
  CHECK(after(summed(n.in({2, n.B, 4}), n.in({2, 4, 5})), "sum-of-products") ==
        "the shape would be computed at run time");
  CHECK(after(summed(o.in({2, 3, 40}), o.in({2, 40, 5})), "sum-of-products") ==
        "the left operand would be transposed for few columns");
  const value products = matmul(p.in({2, 3, 4}), p.in({2, 4, 5}));
  CHECK(after({reduce("ReduceSum", products, {0}), neg(products)}, {"sum-of-products"}) ==
        "the products are read elsewhere too");
  model e;  // no products
  CHECK(after(summed(e.in({0, 3, 4}), e.in({0, 4, 5})), "sum-of-products").ends_with("ReduceSum"));
  model q;  // the sum is over rows
  CHECK(after(reduce("ReduceSum", matmul(q.in({2, 3, 4}), q.in({2, 4, 5})), {1}), "sum-of-products") ==
        "MatMul ReduceSum");
}

TEST_CASE("order-batches: batches in the order of the operands' axes") {
  const auto ordered = [](const ints& p, const ints& q) {
    model m;
    const value x = m.in({2, 5, 3, 4}), y = m.in({2, 5, 3, 4});
    return after({matmul(transpose(x, p), transpose(y, q))}, {"order-batches"});
  };
  CHECK(ordered({2, 0, 1, 3}, {2, 0, 3, 1}) == "Transpose Transpose MatMul Transpose");
  CHECK(ordered({0, 2, 1, 3}, {0, 2, 3, 1}) == "Transpose Transpose MatMul");  // already in order
  model m;
  const value x = transpose(m.in({2, 5, 3, 4}), {2, 0, 1, 3}), y = transpose(m.in({3, 2, 4, 5}), {0, 1, 2, 3});
  CHECK(after({matmul(x, y)}, {"order-batches"}) == "Transpose MatMul");  // already in order for the other operand
  const value z = transpose(m.in({2, 4, 3, 5}), {2, 0, 1, 3});
  CHECK(after({matmul(x, z), x}, {"order-batches"}) == "the transposed operands are read elsewhere too");
}

TEST_CASE("rows-in-order: columns that were rows of memory") {
  // Grouped queries: weights [batch, heads, queries, groups, keys] by values [batch, keys, heads, 8].
  const auto weighted = [](const ints& perm, std::int64_t size, bool read_twice = false) {
    model m;
    const value values = transpose(m.in({2, 16, 3, size}), {0, 2, 3, 1});
    const value moved = transpose(m.in({2, 3, 5, 4, 16}), perm);
    const value product = matmul(values, reshape(moved, {2, 3, 16, 20}));
    const value y = transpose(reshape(product, {2, 3, size, 4, 5}), {0, 4, 1, 3, 2});
    return read_twice ? after({y, moved}, {"rows-in-order"}) : after(y, "rows-in-order");
  };
  CHECK(weighted({0, 1, 4, 3, 2}, 8) ==
        "Transpose Transpose Reshape MatMul Reshape Transpose Reshape Reshape Transpose");
  CHECK(weighted({0, 1, 4, 3, 2}, 17) == "the other operand would be transposed");
  CHECK(weighted({0, 1, 4, 3, 2}, 8, true) == "the transposed operand is read elsewhere too");
}

TEST_CASE("rows-last: scores of grouped queries") {
  // Keys [batch, heads, 16, 8] by queries [batch, heads, 8, groups * 16].
  const auto scores = [](const ints& order, bool read_twice = false, std::int64_t terms = 8, bool views = true) {
    model m;
    const value keys = views ? transpose(m.in({2, 16, 3, terms}), {0, 2, 1, 3}) : m.in({2, 3, 16, terms});
    const value moved = views ? transpose(m.in({2, 16, 3, 4, terms}), {0, 2, 4, 1, 3}) : m.in({2, 3, terms, 16, 4});
    const value product = matmul(keys, reshape(moved, {2, 3, terms, 64}));
    const value split = neg(reshape(neg(product), {2, 3, 16, 16, 4}));
    const value y = transpose(split, order);
    return read_twice ? after({y, split}, {"rows-last"}) : after(y, "rows-last");
  };
  CHECK(scores({0, 1, 3, 4, 2}) ==
        "Transpose Transpose Reshape Transpose Transpose MatMul Neg Reshape Neg");  // no Transpose of the scores
  CHECK(scores({0, 1, 4, 3, 2}) == "Transpose Transpose Reshape Transpose Transpose MatMul Neg Reshape Neg Transpose");
  CHECK(scores({0, 1, 4, 2, 3}) == "Transpose Transpose Reshape MatMul Neg Reshape Neg Transpose");
  CHECK(scores({0, 1, 4, 3, 2}, true) == "Transpose Transpose Reshape MatMul Neg Reshape Neg Transpose");
  CHECK(scores({0, 1, 4, 3, 2}, false, 8, false) == "Reshape Transpose Transpose MatMul Neg Reshape Neg Transpose");
  CHECK(scores({0, 1, 4, 3, 2}, false, 9, false) ==
        "an operand that is not much smaller than the product would be transposed");
}

TEST_CASE("outer-product: columns by short rows") {
  const auto of = [](const shape& a, const shape& b, target runtime = target::ort, dtype t = dtype::f32) {
    model m;
    return after({mul(m.in(a, t), m.in(b, t))}, {"outer-product"}, runtime);
  };
  CHECK(of({64, 64, 1}, {64, 1, 16}) == "MatMul");
  CHECK(of({64, 1, 16}, {64, 64, 1}) == "MatMul");
  CHECK(of({64, 64, 1}, {64, 1, 16}, target::generic) == "Mul");
  CHECK(of({64, 64, 1}, {64, 1, 16}, target::ort, dtype::f64) == "Mul");
  CHECK(of({64, 64, 1}, {1, 1, 16}) == "Mul");    // the rows are broadcast
  CHECK(of({64, 64, 1}, {64, 1, 33}) == "Mul");   // long rows
  CHECK(of({64, 15, 1}, {64, 1, 32}) == "Mul");   // short columns
  CHECK(of({15, 64, 1}, {15, 1, 16}) == "Mul");   // few numbers
  CHECK(of({64, 64, 16}, {64, 1, 16}) == "Mul");  // no column
}
