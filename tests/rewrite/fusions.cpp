#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "rewrite/apply.hpp"

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

namespace {

value softmax_of(model& m, const value& x) {
  const value e = exp(sub(x, m.last("ReduceMax", x)));
  return div(e, m.last("ReduceSum", e));
}
value gelu_tanh_of(const value& x) {
  const value inner = mul(add(x, mul(mul(mul(x, x), x), 0.044715)), std::sqrt(2 / std::numbers::pi));
  return mul(x, mul(add(unary("Tanh", inner), 1), 0.5));
}
value gelu_erfc_of(const value& x) {
  const value erfc = sub(scalar(x.owner(), x.dtype(), 1), unary("Erf", mul(neg(x), std::numbers::sqrt2 / 2)));
  return mul(mul(x, 0.5), erfc);
}
/// (x - E[x]) / sqrt(Var[x] + eps) scale + bias, with the variance in its slow or its fast form
value layer_norm_of(model& m, const value& x, bool fast) {
  const auto mean = [&](const value& v) { return div(m.last("ReduceSum", v), 8); };
  const value center = mean(x), centered = sub(x, center);
  const value variance = fast ? maximum(sub(mean(mul(x, x)), mul(center, center)), 0) : mean(mul(centered, centered));
  const value scaled = mul(reciprocal(sqrt(add(variance, 1e-6))), m.weight({8}));
  return add(mul(centered, scaled), m.weight({1, 8}));
}
std::string normalized(const value& v) { return after({v}, {"ReduceMean", "LayerNormalization-bias", "LayerNormalization"}); }

}  // namespace

TEST_CASE("Softmax: needs the axes of maximum and sum to be one") {
  model m;
  CHECK(after(softmax_of(m, m.in({2, 3})), "Softmax") == "Softmax");
  model n;
  const value x = n.in({2, 3, 4}), e = exp(sub(x, reduce("ReduceMax", x, {1, 2}, true)));
  CHECK(after(div(e, reduce("ReduceSum", e, {1, 2}, true)), "Softmax") == "it is over more than one axis");
  model o;
  const value y = o.in({3, 3}), f = exp(sub(y, o.last("ReduceMax", y)));
  CHECK(after(div(f, reduce("ReduceSum", f, {0}, true)), "Softmax") == "the maximum and the sum are over different axes");
}

TEST_CASE("LogSoftmax") {
  model m;
  const value x = m.in({2, 3}), d = sub(x, m.last("ReduceMax", x));
  CHECK(after(sub(d, log(m.last("ReduceSum", exp(d)))), "LogSoftmax") == "LogSoftmax");
}

TEST_CASE("Gelu: in its tanh form and in jax.nn's erfc form, from opset 20, not of f64") {
  model m;
  CHECK(after(gelu_tanh_of(m.in({2, 3})), "Gelu-tanh") == "Gelu");
  model n;
  CHECK(after(gelu_erfc_of(n.in({2, 3})), "Gelu") == "Gelu");
  model old(19);
  CHECK(after(gelu_tanh_of(old.in({2, 3})), "Gelu-tanh") == "Gelu needs opset 20");
  model wide;
  CHECK(after(gelu_tanh_of(wide.in({2, 3}, dtype::f64)), "Gelu-tanh") == "ONNX Runtime has no float64 kernel of it");
  model other;  // 0.4 is not 0.5
  const value x = other.in({2});
  CHECK(after(mul(x, mul(add(unary("Erf", mul(x, std::numbers::sqrt2 / 2)), 1), 0.4)), "Gelu") == "Mul Erf Add Mul Mul");
}

TEST_CASE("Relu, Clip, HardSigmoid, HardSwish") {
  model m;
  const value x = m.in({2, 3});
  CHECK(after(maximum(x, 0), "Relu") == "Relu");
  model n;
  CHECK(after(maximum(n.in({2}, dtype::i32), 0), "Relu") == "Relu is of floating-point types");
  model o;
  CHECK(after(minimum(maximum(o.in({2}), 0), 6), "Clip") == "Clip");
  model p;
  CHECK(after(minimum(maximum(p.in({2}), 6), 0), "Clip") == "the bounds are not in order");
  model q;
  const value y = q.in({2});
  CHECK(after({mul(y, div(minimum(maximum(add(y, 3), 0), 6), 6))}, {"Clip", "HardSigmoid", "HardSwish"}) == "HardSwish");
}

TEST_CASE("LeakyRelu, Swish") {
  model m;
  const value x = m.in({2});
  CHECK(after(where(greater_equal(x, 0), x, mul(x, 0.01)), "LeakyRelu") == "LeakyRelu");
  model n(24);
  const value y = n.in({2});
  CHECK(after(mul(y, unary("Sigmoid", y)), "Swish") == "Swish");
  model o;
  const value z = o.in({2});
  CHECK(after(mul(z, unary("Sigmoid", z)), "Swish") == "Swish needs opset 24");
}

TEST_CASE("ReduceMean, ReduceSumSquare, ReduceL2: the divisor is the number of elements") {
  model m;
  CHECK(after(div(m.last("ReduceSum", m.in({2, 8})), 8), "ReduceMean") == "ReduceMean");
  model n;
  CHECK(after(div(n.last("ReduceSum", n.in({2, 8})), 7), "ReduceMean") == "the divisor is not the number of elements");
  model o;
  CHECK(after(div(o.last("ReduceSum", o.in({2, o.B})), 7), "ReduceMean") == "the divisor is not the number of elements");
  model p;
  const value x = p.in({2, 8});
  CHECK(after({sqrt(p.last("ReduceSum", mul(x, x)))}, {"ReduceSumSquare", "ReduceL2"}) == "ReduceL2");
}

TEST_CASE("LayerNormalization: with the variance in its slow and its fast form") {
  model m;
  CHECK(normalized(layer_norm_of(m, m.in({2, 3, 8}), false)) == "LayerNormalization");
  model n;
  CHECK(normalized(layer_norm_of(n, n.in({n.B, 8}), true)) == "LayerNormalization");
  CHECK(n.g.at(n.g.at(block_id::main).nodes[0]).inputs.size() == 3);
}

TEST_CASE("LayerNormalization: not over an axis that is not the last") {
  model m;
  const value x = m.in({8, 3});
  const auto mean = [](const value& v) { return reduce("ReduceMean", v, {0}, true); };
  const value centered = sub(x, mean(x));
  const value y = mul(mul(centered, reciprocal(sqrt(add(mean(mul(centered, centered)), 1e-6)))), m.weight({3}));
  CHECK(after(y, "LayerNormalization") == "it is not over the last axes");
}

TEST_CASE("RMSNormalization: from opset 23") {
  const auto rms = [](model& m) {
    const value x = m.in({2, 8});
    return mul(x, mul(reciprocal(sqrt(add(m.last("ReduceMean", mul(x, x)), 1e-6))), m.weight({8})));
  };
  model m;
  CHECK(after(rms(m), "RMSNormalization") == "RMSNormalization");
  model old(22);
  CHECK(after(rms(old), "RMSNormalization") == "RMSNormalization needs opset 23");
}

TEST_CASE("BatchNormalization: channels that come last are moved to the second place") {
  const auto norm = [](model& m, const value& x) {
    const value scaled = mul(reciprocal(sqrt(add(m.weight({4}), 1e-5))), m.weight({1, 4}));
    return add(mul(sub(x, m.weight({1, 4})), scaled), m.weight({4}));
  };
  model m;
  CHECK(after({norm(m, m.in({2, 4}))}, {"reshape-constant", "BatchNormalization"}) == "BatchNormalization");
  model n;
  CHECK(after({norm(n, n.in({2, 5, 5, 4}))}, {"reshape-constant", "BatchNormalization"}) == "Transpose BatchNormalization Transpose");
}

TEST_CASE("Gemm: of matrices, with transposed operands") {
  model m;
  CHECK(after({add(matmul(m.in({m.B, 4}), transpose(m.in({5, 4}), {1, 0})), m.in({5}))}, {"Gemm", "Gemm-transposed"}) == "Gemm");
  model n;
  CHECK(after(add(matmul(n.in({2, 3, 4}), n.in({4, 5})), n.in({5})), "Gemm") == "the operands are no matrices");
  model o;
  const value product = matmul(o.in({3, 4}), o.in({4, 5}));
  CHECK(after({add(product, o.in({5})), neg(product)}, {"Gemm"}) == "the product is read without the bias too");
}

TEST_CASE("vector-product: a vector takes the transpose away") {
  model m;
  CHECK(after(matmul(transpose(m.in({4, 2}), {1, 0}), m.in({4})), "vector-product") == "MatMul");
  model n;
  CHECK(after(matmul(n.in({4}), transpose(n.in({3, 2, 4}), {0, 2, 1})), "vector-product") == "MatMul");
  model o;
  CHECK(after(matmul(transpose(o.in({2, 3, 4}), {1, 0, 2}), o.in({4})), "vector-product") == "Transpose MatMul");
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
  CHECK(after(add(conv(n, 4), n.weight({4})), "Conv-bias") == "the bias is not one number for every channel");
}

TEST_CASE("AveragePool: divided by the size of the window") {
  const auto pool = [](const value& x, std::int64_t padding) {
    return x.owner().emit("AveragePool", {x}, {dtype::f32, {x.dims()[0], x.dims()[1], 4, 4}},
                          {{"kernel_shape", ints{3, 3}}, {"pads", ints(4, padding)}, {"count_include_pad", std::int64_t{1}}});
  };
  model m;
  CHECK(after(div(mul(pool(m.in({2, 3, 4, 4}), 1), 9), 9), "AveragePool") == "AveragePool");
  model n;
  CHECK(after(div(mul(pool(n.in({2, 3, 4, 4}), 1), 9), 8), "AveragePool") == "the divisor is not the size of the window");
  model o;
  const value ones = filled(o.g, dtype::f32, {1, 1, 4, 4}, 1.0);
  CHECK(after(div(mul(pool(o.in({2, 3, 4, 4}), 1), 9), mul(pool(ones, 1), 9)), "AveragePool-unpadded") == "AveragePool");
  CHECK(o.g.at(o.g.at(block_id::main).nodes[0]).find("count_include_pad") == nullptr);
  model p;
  const value twos = filled(p.g, dtype::f32, {1, 1, 4, 4}, 2.0);
  CHECK(after(div(mul(pool(p.in({2, 3, 4, 4}), 1), 9), mul(pool(twos, 1), 9)), "AveragePool-unpadded") == "the divisor does not count the window's elements");
}
