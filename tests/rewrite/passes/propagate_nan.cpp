// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <limits>

#include <jax2onnx/rewrite/passes/propagate_nan.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

std::string propagated(const value& v) {
  output(v, "y");
  rewrite::detail::propagate_nan(v.owner());
  return op_list(v.owner());
}
value scattered(model& m, dtype t, const std::string& reduction) {
  const value x = m.in({4}, t);
  return m.g.emit("ScatterElements", {x, m.in({2}, dtype::i64), m.in({2}, t)}, x.type(),
                  {{"axis", std::int64_t{0}}, {"reduction", reduction}});
}

value pooled(const value& x, const ints& dilations = {1, 1}) {
  return max_pool(x, {{2, 2}, {2, 2}, dilations, {0, 0, 0, 0}}, {1, 1, 2, 2});
}

}  // namespace

TEST_CASE("propagate_nan: extremes are bounded by the sum of magnitudes") {
  model m, n;
  CHECK(propagated(m.last("ReduceMax", m.in({2, 3}))) == "ReduceMax ReduceL1 Min");
  CHECK(propagated(n.last("ReduceMin", n.in({2, 3}))) == "ReduceMin ReduceL1 Sub Max");
}

TEST_CASE("propagate_nan: a maximum that selects NaN beside a Softmax may ignore NaN") {
  const auto selected = [](model& m, const value& x, const value& y) {
    const value weights = m.g.emit("Softmax", {y}, y.type(), {{"axis", std::int64_t{1}}});
    const value fails = less(m.last("ReduceMax", x), -1e30);
    const value nan = scalar(m.g, dtype::f32, std::numeric_limits<double>::quiet_NaN());
    return where(fails, nan, matmul(weights, m.in({3, 4})));
  };
  model m, n;
  const value x = m.in({2, 3});
  CHECK(propagated(selected(m, x, x)) == "Softmax ReduceMax Less MatMul Where");
  CHECK(propagated(selected(n, n.in({2, 3}), n.in({2, 3}))).find("ReduceL1") != std::string::npos);
}

TEST_CASE("propagate_nan: operators of other domains have names of their own") {
  model m;
  const value x = m.in({2, 3});
  CHECK(m.g.emit_many("Where", std::span(&x, 1), {}, {}, "com.example").empty());
  CHECK(propagated(neg(x)).ends_with("Neg"));
}

TEST_CASE("propagate_nan: the maximum in a logarithm of a sum of exponentials is exact enough") {
  const auto log_sum_exp = [](model& m, const value& x, operator_name op, const ints& axes) {
    const value largest = m.last(op, x),
                offset = clip(largest, scalar(m.g, dtype::f32, -1), scalar(m.g, dtype::f32, 1));
    return add(log(reduce("ReduceSum", exp(sub(x, offset)), axes, true)), offset);
  };
  model m, n, o, p;
  CHECK(propagated(log_sum_exp(m, m.in({3, 3}), "ReduceMax", {1})) == "ReduceMax Clip Sub Exp ReduceSum Log Add");
  CHECK(propagated(log_sum_exp(n, n.in({3, 3}), "ReduceMin", {1})).find("ReduceL1") != std::string::npos);
  CHECK(propagated(log_sum_exp(o, o.in({3, 3}), "ReduceMax", {0})).find("ReduceL1") != std::string::npos);
  const value y = log_sum_exp(p, p.in({3, 3}), "ReduceMax", {1});
  output(rewrite::input_of(y, 1), "offset");  // also has NaN there
  CHECK(propagated(y).find("ReduceL1") != std::string::npos);
}

TEST_CASE("propagate_nan: integers and other reductions stay as they are") {
  model m, n;
  CHECK(propagated(m.last("ReduceMax", m.in({2, 3}, dtype::i32))) == "ReduceMax");
  CHECK(propagated(n.last("ReduceSum", n.in({2, 3}))) == "ReduceSum");
}

TEST_CASE("propagate_nan: scatters to a maximum or minimum") {
  model m, n, o;
  CHECK(propagated(scattered(m, dtype::f32, "max")) == "ScatterElements Abs Abs ScatterElements Min");
  CHECK(propagated(scattered(n, dtype::f32, "add")) == "ScatterElements");
  CHECK(propagated(scattered(o, dtype::i32, "max")) == "ScatterElements");
}

TEST_CASE("propagate_nan: windows") {
  model m, n, o, p;
  const std::string any = "IsNaN Cast MaxPool Greater Where";
  CHECK(propagated(pooled(m.in({1, 1, 4, 4}))) == "MaxPool IsNaN Cast MaxPool Mul MaxPool Mul Greater Where");
  CHECK(propagated(pooled(unary("Tanh", n.in({1, 1, 4, 4})))) == "Tanh MaxPool " + any);
  CHECK(propagated(pooled(o.in({1, 1, 4, 4}, dtype::f16))) == "MaxPool " + any);
  CHECK(propagated(pooled(unary("Relu", p.in({1, 1, 4, 4})))) == "Relu MaxPool Conv Add");
}

TEST_CASE("propagate_nan: means of windows where sums would need large weights") {
  const std::string means = "Relu MaxPool AveragePool Sub Max";
  model m, n, o;
  const auto of = [](model& g, shape before, shape after) {
    return max_pool(unary("Relu", g.in(std::move(before))), {{2, 2}, {2, 2}, {1, 1}, {0, 0, 0, 0}}, std::move(after));
  };
  CHECK(propagated(of(m, {1, m.B, 4, 4}, {1, m.B, 2, 2})) == means);
  CHECK(propagated(of(n, {1, 16385, 4, 4}, {1, 16385, 2, 2})) == means);
  const value x = unary("Relu", o.in({1, 1, 5, 5}));
  CHECK(propagated(o.g.emit("MaxPool", {x}, {dtype::f32, {1, 1, 3, 3}},
                            {{"kernel_shape", ints{2, 2}}, {"strides", ints{2, 2}}, {"ceil_mode", std::int64_t{1}}})) ==
        means);
}

TEST_CASE("propagate_nan: dilated windows and windows of doubles have no AveragePool") {
  model m, n;
  CHECK(propagated(pooled(unary("Relu", m.in({1, 1, 4, 4})), {2, 2})) ==
        "Relu MaxPool IsNaN Cast MaxPool Mul MaxPool Mul Greater Where");
  CHECK(propagated(pooled(unary("Relu", n.in({1, 1, 4, 4}, dtype::f64)))) ==
        "Relu MaxPool IsNaN Cast MaxPool Greater Where");
}
