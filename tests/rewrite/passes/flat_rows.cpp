// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/driver/rule_driver.hpp>
#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/flat_rows.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The operators after the pass and the fusions that follow it.
std::string flattened(std::initializer_list<value> outputs, target runtime = target::ort) {
  graph& g = outputs.begin()->owner();
  for (const value& v : outputs) output(v, "y" + std::to_string(&v - outputs.begin()));
  rewrite::detail::flatten_rows(g, runtime);
  rewrite_report r;
  rewrite::detail::rule_driver driver(g, r);
  for (const std::string_view name : {"Gemm", "reshape-constant", "join-reshapes", "drop-reshape"})
    driver.add(rule_named(name));
  rewrite::detail::dead_code(g).run();
  driver.run(rewrite::stage::exact);
  return op_list(g);
}

value dense(model& m, const value& x, std::int64_t features) {
  const dim inner = x.dims().back();
  return add(matmul(x, m.in({inner, features})), m.in({1, 1, features}));
}
value normalized(model& m, const value& x) {
  const dim features = x.dims().back();
  return m.g.emit("LayerNormalization", {x, m.in({features}), m.in({features})}, x.type(),
                  {{"axis", x.rank() - 1}, {"epsilon", 1e-5f}});
}
/// A transformer block without the attention: the layers after the values, with a residual.
value feed_forward(model& m, const value& x, const value& residual) {
  const value y = normalized(m, add(dense(m, x, 4), residual));
  return add(dense(m, unary("Gelu", dense(m, y, 8)), 4), y);
}

}  // namespace

TEST_CASE("flat-rows: products with biases become Gemms, Reshapes stand around them") {
  model m;
  const value x = m.in({2, 3, 4});
  CHECK(flattened({feed_forward(m, x, x)}) ==
        "Reshape Reshape Gemm Add LayerNormalization Reshape Gemm Gelu Reshape Gemm Add Reshape");
  const node& last = m.g.at(m.g.at(block_id::main).nodes.back());
  CHECK(m.g.at(last.outputs[0]).type.dims == shape{2, 3, 4});
  CHECK(m.g.at(last.inputs[0]).type.dims == shape{6, 4});
}

TEST_CASE("flat-rows: rows in other axes are the same rows") {
  model m;
  const value x = dense(m, m.in({2, 3, 5, 4}), 4);
  const value y = dense(m, reshape(x, {2, 15, 4}), 4);
  CHECK(flattened({add(reshape(y, {2, 3, 5, 4}), x)}) == "Reshape Reshape Gemm Reshape Gemm Add Reshape");
  model n;  // they are also read with their axes
  const value z = reshape(dense(n, n.in({2, 3, 5, 4}), 4), {2, 15, 4});
  CHECK(flattened({dense(n, z, 4), neg(z)}) == "Reshape Reshape Gemm Reshape Reshape Gemm Reshape Neg");
}

TEST_CASE("flat-rows: a symbolic extent, and what is read with its axes too") {
  model m;
  const value x = m.in({m.B, 3, 4}), y = dense(m, unary("Relu", dense(m, dense(m, x, 4), 4)), 4);
  CHECK(flattened({y, neg(y)}) == "Reshape Reshape Gemm Reshape Gemm Relu Reshape Gemm Reshape Neg");
}

TEST_CASE("flat-rows: normalizations over the last axis, reductions, numbers and equal rows") {
  model m;
  const value x = m.in({2, 3, 4});
  value y = dense(m, dense(m, dense(m, x, 4), 4), 4);
  y = mul(sub(y, m.last("ReduceMean", y)), scalar(m.g, dtype::f32, 2));
  y = dense(m, m.g.emit("RMSNormalization", {y, m.in({4})}, y.type(), {{"axis", std::int64_t{-1}}}), 4);
  CHECK(flattened({y}).find("Gemm ReduceMean Sub Mul RMSNormalization") != std::string::npos);
}

TEST_CASE("flat-rows: one product with a bias stays, unless it is large") {
  model m, n;
  CHECK(flattened({dense(m, m.in({2, 3, 4}), 4)}) == "MatMul Add");
  CHECK(flattened({dense(n, n.in({8, 64, 128}), 128)}) == "Reshape Reshape Gemm Reshape");
}

TEST_CASE("flat-rows: products of the same rows pay for one Reshape together") {
  model m, n;
  const value x = m.in({2, 3, 4}), y = n.in({2, 3, 4});
  CHECK(flattened({dense(m, x, 4), dense(m, x, 4)}) == "MatMul Add MatMul Add");
  const auto twice = [&] { return dense(n, dense(n, y, 4), 4); };
  CHECK(flattened({twice(), twice()}) == "Reshape Reshape Gemm Reshape Gemm Reshape Reshape Gemm Reshape Gemm Reshape");
}

TEST_CASE("flat-rows: a Reshape of rows is one already") {
  model m, n;
  const value rows = reshape(m.in({6, 4}), {2, 3, 4});
  CHECK(flattened({reshape(dense(m, rows, 4), {6, 2, 2})}) == "Reshape Gemm Reshape");
  const value split = reshape(n.in({6, 2, 2}), {2, 3, 4});
  CHECK(flattened({dense(n, dense(n, split, 4), 4)}) == "Reshape Reshape Gemm Reshape Gemm Reshape");
}

TEST_CASE("flat-rows: Reshapes of what is a matrix go") {
  model m;
  const value x = reshape(m.in({6, 4}), {2, 3, 4}), y = unary("Relu", x), z = unary("Exp", x);
  CHECK(flattened({reshape(mul(y, z), {6, 4})}) == "Relu Exp Mul");
  model n;  // a sum over all rows is a sum over one axis
  const value a = reshape(n.in({6, 4}), {2, 3, 4}), c = unary("Relu", a), b = mul(c, unary("Exp", a));
  CHECK(flattened({reduce("ReduceSum", b, {0, 1}), reduce("ReduceSum", b, {2})}) ==
        "Relu Exp Mul Reshape ReduceSum ReduceSum");
}

TEST_CASE("flat-rows: large normalized sums, for ONNX Runtime") {
  const auto sum = [](model& m) {
    const value x = m.in({1, 128, 512});
    return normalized(m, add(x, unary("Relu", x)));
  };
  model m, n, o;
  CHECK(flattened({sum(m)}) == "Reshape Relu Add LayerNormalization Reshape");
  CHECK(flattened({sum(n)}, target::generic) == "Relu Add LayerNormalization");
  const value small = o.in({1, 8, 512});
  CHECK(flattened({normalized(o, add(small, unary("Relu", small)))}) == "Relu Add LayerNormalization");
}

TEST_CASE("flat-rows: two symbolic extents, where that saves more than shapes cost") {
  const auto layers = [](model& m, int count) {
    const shape dims{m.B, m.g.dims().symbol("S"), 4};
    const value x = m.in(dims);
    value y = x;
    for (int i = 0; i < count; ++i) y = dense(m, y, 4);
    return y;
  };
  model m, n;
  CHECK(flattened({layers(m, 5)}).ends_with("MatMul Add MatMul Add"));
  CHECK(flattened({layers(n, 6)}).ends_with("Gemm Shape Shape Concat Reshape"));
}

TEST_CASE("flat-rows: what does not work row by row stays") {
  model m, o, p, q;
  const auto chain = [](model& of, const value& x) { return dense(of, dense(of, dense(of, x, 4), 4), 4); };
  const value unknown = m.g.emit("Compress", {m.in({m.B, 4}), m.in({m.B}, dtype::boolean)},
                                 {dtype::f32, {m.g.dims().symbol("N"), m.g.dims().symbol("S"), 4}});
  CHECK(flattened({chain(m, unknown)}).ends_with("MatMul Add MatMul Add MatMul Add"));
  CHECK_FALSE(rewrite::detail::has_static_rows({2, 0, 4}));
  const value x = o.in({2, 3, 4});
  CHECK(flattened({add(matmul(x, o.in({2, 4, 4})), o.in({4}))}) == "MatMul Add");
  const value positions = add(chain(p, p.in({2, 3, 4})), p.in({3, 4}));
  CHECK(flattened({chain(p, positions)}).find("Gemm Reshape Add Reshape") != std::string::npos);
  const value over_two = q.g.emit("LayerNormalization", {chain(q, q.in({2, 3, 4})), q.in({3, 4})},
                                  {dtype::f32, {2, 3, 4}}, {{"axis", std::int64_t{1}}});
  CHECK(flattened({over_two}).ends_with("Gemm Reshape LayerNormalization"));
}

TEST_CASE("flat-rows: integers and shared products make no Gemm") {
  model m, n;
  const auto product = [](model& of, dtype t) { return matmul(of.in({2, 3, 4}, t), of.in({4, 4}, t)); };
  const value whole = product(m, dtype::i32);
  CHECK(flattened({add(add(whole, m.in({4}, dtype::i32)), m.in({4}, dtype::i32))}) == "MatMul Add Add");
  const value shared = product(n, dtype::f32);
  CHECK(flattened({add(shared, n.in({4})), neg(shared)}) == "MatMul Add Neg");
}

TEST_CASE("flat-rows: bodies of loops") {
  model m;
  const block_scope body(m.g);
  const value x = m.in({2, 3, 4});
  m.g.set_outputs(body.id(), std::vector<value>{feed_forward(m, x, x)});
  rewrite::use_counts uses;
  uses.count(m.g);
  std::vector<rewrite_report::event> events;
  rewrite::detail::row_flattener(m.g, body.id(), uses, target::ort, events).run();
  CHECK_FALSE(events.empty());
  CHECK(m.g.at(m.g.at(body.id()).outputs[0]).type.dims == shape{2, 3, 4});
}

TEST_CASE("flat-rows: can be left out") {
  for (const bool off : {false, true}) {
    model m;
    const value x = m.in({2, 3, 4});
    output(feed_forward(m, x, x), "y");
    rewrite_options options;
    if (off) options.disabled.insert("flat-rows");
    CHECK(optimize(m.g, options).applied("flat-rows") == (off ? 0 : 1));
  }
}

TEST_CASE("flat-rows: tells which nodes it made of which") {
  model m;
  const value x = m.in({2, 3, 4}), y = feed_forward(m, x, x);
  output(y, "y");
  const node_id sum = m.g.at(y.id()).producer;
  const std::vector<rewrite_report::event> events = rewrite::detail::flatten_rows(m.g, target::ort);
  REQUIRE_FALSE(events.empty());
  CHECK(events.back().rule == "flat-rows");
  CHECK(events.back().node == sum);
  const auto last = static_cast<node_id>(static_cast<std::uint32_t>(events.back().end) - 1);
  CHECK(m.g.at(y.id()).producer == last);
}

TEST_CASE("flat-rows: the rows of a product may be in other axes than those of its sum") {
  model m;
  const value x = m.in({6, 4, 4}), residual = m.in({2, 3, 4, 4});
  const value product = matmul(unary("Gelu", reshape(x, {2, 12, 4})), m.in({4, 4}));
  const value sum = add(residual, reshape(product, {2, 3, 4, 4}));
  CHECK(flattened({dense(m, dense(m, sum, 8), 4)}) ==
        "Reshape Gelu Reshape Reshape Gemm Reshape Gemm Reshape Gemm Reshape");
}
