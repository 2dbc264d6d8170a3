// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/whole_steps.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using rewrite::recurrence;
using rewrite::whole_steps;

namespace {

/// All steps of `step(x)` over xs[5,...] as text: the type, and the operators that compute them. Empty if they stay.
template <class Step>
std::string lifted(model& m, const value& xs, const Step& step) {
  value y;
  const loop_result made = scan(m.g, {}, {xs}, [&](const std::vector<value>&, const std::vector<value>& x) {
    y = step(x[0]);
    return loop_step{{}, {}, {y}};
  });
  const auto r = recurrence::of(made.collected[0]);
  whole_steps steps(*r);
  for (const node_id n : m.g.at(r->body()).nodes) steps.add_node(m.g.at(n), m.g);
  if (!steps.has(y)) return {};
  const std::size_t before = m.g.at(block_id::main).nodes.size();
  std::string out = text(steps.of(y));
  const auto& nodes = m.g.at(block_id::main).nodes;
  for (std::size_t i = before; i < nodes.size(); ++i) out += " " + std::string(m.g.at(nodes[i]).op);
  return out;
}

}  // namespace

TEST_CASE("whole_steps: elementwise operators, reshapes and transposes") {
  model m;
  CHECK(lifted(m, m.in({5, 2, 3}), [](const value& x) { return unary("Tanh", x); }) == "f32[5,2,3] Tanh");
  CHECK(lifted(m, m.in({5, 2, 3}), [](const value& x) { return transpose(x, {1, 0}); }) == "f32[5,3,2] Transpose");
  const auto without_perm = [&](const value& x) { return m.g.emit("Transpose", {x}, {dtype::f32, {3, 2}}); };
  CHECK(lifted(m, m.in({5, 2, 3}), without_perm) == "f32[5,3,2] Transpose");
  CHECK(lifted(m, m.in({5, 2, 3}), [](const value& x) { return reshape(x, {6}); }) == "f32[5,6] Reshape");
  CHECK(lifted(m, m.in({5, m.B, 3}), [](const value& x) { return add(x, x); }) == "f32[5,B,3] Add");
}

TEST_CASE("whole_steps: operators along an axis") {
  model m;
  const value xs = m.in({5, 2, 3}), table = m.in({7, 4});
  CHECK(lifted(m, xs, [](const value& x) { return slice(x, 1, 1, 3); }) == "f32[5,2,2] Slice");
  CHECK(lifted(m, xs, [](const value& x) { return concat({x, x}, 0); }) == "f32[5,4,3] Concat");
  CHECK(lifted(m, xs, [](const value& x) { return pick(x, 1, 1); }) == "f32[5,2] Gather");
  CHECK(lifted(m, xs, [](const value& x) { return reduce("ReduceMax", x, {0}, false); }) == "f32[5,3] ReduceMax");
  CHECK(lifted(m, m.in({5, 2}, dtype::i64), [&](const value& x) { return gather(table, x, 0); }) ==
        "f32[5,2,4] Gather");
  CHECK(lifted(m, m.in({5, 2}, dtype::i64), [&](const value& x) { return gather(table, x, 1); }) ==
        "f32[5,7,2] Gather Transpose");
  CHECK(lifted(m, m.in({5}, dtype::i64), [&](const value& x) { return gather(table, x, 1); }) ==
        "f32[5,7] Gather Transpose");
}

TEST_CASE("whole_steps: products by a matrix") {
  model m;
  const value w = m.weight({3, 4});
  CHECK(lifted(m, m.in({5, 2, 3}), [&](const value& x) { return matmul(x, w); }) == "f32[5,2,4] MatMul");
  CHECK(lifted(m, m.in({5, 3}), [&](const value& x) { return matmul(x, w); }) == "f32[5,4] MatMul");
  CHECK(lifted(m, m.in({5, 4}), [&](const value& x) { return matmul(w, x); }) == "f32[5,3] Transpose MatMul");
}

TEST_CASE("whole_steps: products by the matrices of a batch, and by a vector") {
  model m;
  const value batch = m.weight({2, 4, 3}), vector = m.weight({3});
  CHECK(lifted(m, m.in({5, 2, 3, 1}), [&](const value& x) { return matmul(batch, x); }) == "f32[5,2,4,1] MatMul");
  CHECK(lifted(m, m.in({5, 2, 6, 4}), [&](const value& x) { return matmul(x, batch); }) == "f32[5,2,6,3] MatMul");
  CHECK(lifted(m, m.in({5, 6, 4}), [&](const value& x) { return matmul(x, batch); }).empty());
  CHECK(lifted(m, m.in({5, 3}), [&](const value& x) { return matmul(vector, x); }) == "f32[5] MatMul");
  CHECK(lifted(m, m.in({5, 2, 3}), [&](const value& x) { return matmul(x, vector); }) == "f32[5,2] MatMul");
}

TEST_CASE("whole_steps: products of two values of each step") {
  model m;
  CHECK(lifted(m, m.in({5, 2, 3}), [](const value& x) {
          return matmul(x, transpose(x, {1, 0}));
        }) == "f32[5,2,2] Transpose MatMul");
  CHECK(lifted(m, m.in({5, 3}), [](const value& x) { return matmul(x, x); }) ==
        "f32[5] Unsqueeze Unsqueeze MatMul Squeeze");
  CHECK(lifted(m, m.in({5, 3}), [](const value& x) { return matmul(unsqueeze(x, {0}), x); }) ==
        "f32[5,1] Unsqueeze Reshape MatMul Squeeze");
  CHECK(lifted(m, m.in({5, 3, 3}), [](const value& x) { return matmul(unsqueeze(x, {0}), x); }) ==
        "f32[5,1,3,3] Reshape Unsqueeze MatMul");
  CHECK(lifted(m, m.in({5, 2, 300}), [](const value& x) { return matmul(x, transpose(x, {1, 0})); }).empty());
}

TEST_CASE("whole_steps: a Gemm") {
  model m;
  const value w = m.weight({4, 3}), b = m.weight({4});
  const auto gemm = [&](const value& x) {
    return m.g.emit("Gemm", std::vector<value>{x, w, b}, {dtype::f32, {2, 4}}, {{"transB", std::int64_t{1}}});
  };
  CHECK(lifted(m, m.in({5, 2, 3}), gemm) == "f32[5,2,4] Transpose MatMul Add");
}

TEST_CASE("whole_steps: what is given and promised") {
  model m;
  const value xs = m.in({5, 2});
  value h, y;
  const loop_result made = scan(m.g, {m.in({2})}, {xs}, [&](const std::vector<value>& s, const std::vector<value>& x) {
    h = s[0];
    y = add(h, x[0]);
    return loop_step{{}, {y}, {}};
  });
  const auto r = recurrence::of(made.carried[0]);
  whole_steps steps(*r);
  const node& n = *rewrite::producer(y);
  CHECK_FALSE(steps.add_node(n, m.g));
  steps.promise(h);
  CHECK(steps.has(h));
  CHECK(steps.add_node(n, m.g));
  steps.give(h, xs);
  CHECK(text(steps.of(y)) == "f32[5,2]");
}

TEST_CASE("whole_steps: products may be larger than other values, symbols count as 1") {
  model m;
  CHECK(whole_steps::can_be_stored(m.in({m.B, 65536})));
  CHECK_FALSE(whole_steps::can_be_stored(m.in({m.B, 65537})));
  const value w = m.weight({1, 1});
  CHECK(lifted(m, m.in({5, 4097, 1}), [&](const value& x) { return matmul(x, w); }) == "f32[5,4097,1] MatMul");
  CHECK(lifted(m, m.in({5, 4097, 1}), [&](const value& x) { return unary("Tanh", x); }).empty());
  CHECK(lifted(m, m.in({5, 65537, 1}), [&](const value& x) { return matmul(x, w); }).empty());
}
