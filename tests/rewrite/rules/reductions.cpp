// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/reductions.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("ReduceMean, ReduceSumSquare, ReduceL2: the divisor is the number of elements") {
  model m;
  CHECK(after(div(m.last("ReduceSum", m.in({2, 8})), 8), "ReduceMean") == "ReduceMean");
  model n;
  CHECK(after(div(n.last("ReduceSum", n.in({2, 8})), 7), "ReduceMean") == "the divisor is not the number of elements");
  model o;
  CHECK(after(div(o.last("ReduceSum", o.in({2, o.B})), 7), "ReduceMean") ==
        "the divisor is not the number of elements");
  model p;
  const value x = p.in({2, 8});
  CHECK(after({sqrt(p.last("ReduceSum", mul(x, x)))}, {"ReduceSumSquare", "ReduceL2"}) == "ReduceL2");
}

TEST_CASE("sum-of-equal: a count") {
  const auto sum = [](const value& number, const shape& dims, const ints& axes) {
    return after(neg(reduce("ReduceSum", broadcast_to(number, dims), axes, false)), "sum-of-equal");
  };
  model m, n, o, p, q, r;
  n.in({n.B});
  o.in({o.B});
  CHECK(sum(scalar(m.g, dtype::i32, 3), {2, 5000}, {0, 1}) == "Neg");
  CHECK(sum(scalar(n.g, dtype::f32, 1), {n.B, 5000}, {1}) == "Shape Expand Neg");
  const std::string stays = "Expand ReduceSum Neg";
  CHECK(sum(scalar(o.g, dtype::i32, 3), {2, o.B}, {1}) == "Shape Concat " + stays);
  CHECK(sum(scalar(p.g, dtype::f32, 0.1), {2, 5000}, {1}) == stays);
  CHECK(sum(scalar(q.g, dtype::f32, 5000), {2, 5000}, {1}) == stays);
  CHECK(sum(r.in({}), {2, 5000}, {1}) == stays);
}

TEST_CASE("ReduceMean, ReduceSumSquare: not of integers") {
  model m, n;
  CHECK(after(div(m.last("ReduceSum", m.in({2, 8}, dtype::i32)), 8), "ReduceMean") == "the mean of integers truncates");
  const value x = n.in({2, 8}, dtype::i32);
  CHECK(after(n.last("ReduceSum", mul(x, x)), "ReduceSumSquare") == "the element type is not floating-point");
}

TEST_CASE("ReduceSumSquare, ReduceL2: intermediate results that are read elsewhere stay") {
  model m, n;
  const value x = m.in({2, 8}), squares = mul(x, x);
  CHECK(after({m.last("ReduceSum", squares), exp(squares)}, {"ReduceSumSquare"}) ==
        "the squares are read elsewhere too");
  const value sum = n.last("ReduceSumSquare", n.in({2, 8}));
  CHECK(after({sqrt(sum), exp(sum)}, {"ReduceL2"}) == "the sum of squares is read elsewhere too");
}

TEST_CASE("few-extremes: the largest of a few elements") {
  const auto extreme = [](operator_name op, const shape& dims, bool keep = false, dtype t = dtype::f32,
                          target runtime = target::ort) {
    model m;
    const value y = reduce(op, m.in(dims, t), {static_cast<std::int64_t>(dims.size()) - 1}, keep);
    const tensor_type type = y.type();
    const std::string nodes = after({y}, {"few-extremes"}, runtime);
    CHECK(m.g.at(m.g.at(block_id::main).outputs[0]).type == type);
    return nodes;
  };
  CHECK(extreme("ReduceMax", {32, 32, 3}) == "Gather Gather Gather Max");
  CHECK(extreme("ReduceMin", {1024, 2}, true) == "Gather Gather Min Unsqueeze");
  CHECK(extreme("ReduceMin", {1024, 2}, true, dtype::f64) == "Gather Gather Min Unsqueeze");
  CHECK(extreme("ReduceMax", {1023, 3}) == "there are few rows");
  CHECK(extreme("ReduceMax", {1024, 5}) == "ReduceMax");
  CHECK(extreme("ReduceMax", {1024, 1}) == "ReduceMax");
  CHECK(extreme("ReduceMax", {1024, 3}, false, dtype::i32) == "ReduceMax");
  CHECK(extreme("ReduceMax", {1024, 3}, false, dtype::f32, target::generic) == "ReduceMax");
  model m, n;
  CHECK(after({reduce("ReduceMax", m.in({3, 1024}), {0})}, {"few-extremes"}, target::ort) == "ReduceMax");
  CHECK(after({reduce("ReduceMax", n.in({n.B, 3}), {1})}, {"few-extremes"}, target::ort) == "ReduceMax");
}
