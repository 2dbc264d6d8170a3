#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <jax2onnx/ops/math.hpp>

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
std::string normalized(const value& v) {
  return after({v}, {"ReduceMean", "LayerNormalization-bias", "LayerNormalization"});
}

}  // namespace

TEST_CASE("Softmax: needs the axes of maximum and sum to be one") {
  model m;
  CHECK(after(softmax_of(m, m.in({2, 3})), "Softmax") == "Softmax");
  model n;
  const value x = n.in({2, 3, 4}), e = exp(sub(x, reduce("ReduceMax", x, {1, 2}, true)));
  CHECK(after(div(e, reduce("ReduceSum", e, {1, 2}, true)), "Softmax") == "it is over more than one axis");
  model o;
  const value y = o.in({3, 3}), f = exp(sub(y, o.last("ReduceMax", y)));
  CHECK(after(div(f, reduce("ReduceSum", f, {0}, true)), "Softmax") ==
        "the maximum and the sum are over different axes");
}

TEST_CASE("Softmax: a Reshape that adds ones may stand before the maximum alone") {
  model m;
  const value x = m.in({3, 4, 5}), y = jax2onnx::reshape(x, {1, 3, 4, 5});
  const value e = exp(sub(x, m.last("ReduceMax", y)));
  CHECK(after(div(e, m.last("ReduceSum", e)), "Softmax") == "Reshape Softmax");
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
  model chosen;  // another choice than that of erfc's tail
  const value z = chosen.in({2}), cdf = add(unary("Erf", mul(z, std::numbers::sqrt2 / 2)), 1);
  CHECK(after(mul(mul(z, 0.5), where(less(z, 2), cdf, exp(z))), "Gelu").find("Gelu") == std::string::npos);
  model other;  // 0.4 is not 0.5
  const value x = other.in({2});
  CHECK(after(mul(x, mul(add(unary("Erf", mul(x, std::numbers::sqrt2 / 2)), 1), 0.4)), "Gelu") ==
        "Mul Erf Add Mul Mul");
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
  CHECK(after({mul(y, div(minimum(maximum(add(y, 3), 0), 6), 6))}, {"Clip", "HardSigmoid", "HardSwish"}) ==
        "HardSwish");
}

TEST_CASE("Softplus and Mish: of logaddexp(x, 0), not of f64") {
  const auto softplus = [](const value& x) {
    return where(is_nan(x), add(x, 0), add(maximum(x, 0), log1p(exp(neg(abs(x))))));
  };
  model m;
  CHECK(after(softplus(m.in({2})), "Softplus") == "Softplus");
  model n;
  const value x = n.in({2});
  CHECK(after({mul(x, unary("Tanh", softplus(x)))}, {"Softplus", "Mish"}) == "Mish");
  model o;
  CHECK(after(softplus(o.in({2}, dtype::f64)), "Softplus") == "ONNX Runtime has no float64 kernel of it");
  model p;  // f16 takes log1p in f32
  const value y = p.in({2}, dtype::f16), e = cast(exp(neg(abs(y))), dtype::f32);
  CHECK(after(where(is_nan(y), y, add(maximum(y, 0), cast(log1p(e), dtype::f16))), "Softplus") == "Softplus");
}

TEST_CASE("Elu, Celu, Selu") {
  const auto elu = [](const value& x, double alpha) {
    const value positive = greater(x, 0);
    return where(positive, x, mul(expm1(where(positive, scalar(x.owner(), x.dtype(), 0.0), x)), alpha));
  };
  model m;
  CHECK(after(elu(m.in({2}), 0.5), "Elu") == "Elu");
  model n;
  CHECK(after({mul(elu(n.in({2}), 1.6732632423543772), 1.0507009873554805)}, {"Elu", "Selu"}) == "Selu");
  model o;
  CHECK(after({mul(elu(o.in({2}), 1.5), 1.0507009873554805)}, {"Elu", "Selu"}) == "Elu Mul");
  const auto celu = [](const value& x, double alpha, double divisor) {
    return add(maximum(x, 0), mul(expm1(div(minimum(x, 0), divisor)), alpha));
  };
  model p;
  CHECK(after(celu(p.in({2}), 2, 2), "Celu") == "Celu");
  model q;
  CHECK(after(celu(q.in({2}), 2, 3), "Celu") == "it is multiplied by another number than divided");
}

TEST_CASE("Clip-choices: the bounds are those of the comparisons") {
  const auto hard_tanh = [](const value& x, double high) {
    const value one = scalar(x.owner(), x.dtype(), 1.0), minus = scalar(x.owner(), x.dtype(), -1.0);
    return where(greater(x, high), one, where(less(x, -1), minus, x));
  };
  model m;
  CHECK(after(hard_tanh(m.in({2}), 1), "Clip-choices") == "Clip");
  model n;
  CHECK(after(hard_tanh(n.in({2}), 2), "Clip-choices") == "the bounds are not those of the comparisons, in order");
}

TEST_CASE("ReduceLogSumExp: with the maximum, or 0 where that is not finite") {
  const auto log_sum_exp = [](model& m, const value& x, bool checked) {
    const value max = m.last("ReduceMax", x);
    const value offset =
        checked ? where(less(abs(max), std::numeric_limits<double>::infinity()), max, scalar(m.g, x.dtype(), 0.0))
                : max;
    return add(log(m.last("ReduceSum", exp(sub(x, offset)))), offset);
  };
  model m;
  CHECK(after(log_sum_exp(m, m.in({2, 3}), true), "ReduceLogSumExp") == "ReduceLogSumExp");
  model n;
  CHECK(after(log_sum_exp(n, n.in({2, 3}), false), "ReduceLogSumExp") == "ReduceLogSumExp");
  model o;
  const value x = o.in({3, 3}), max = o.last("ReduceMax", x);
  CHECK(after(add(log(reduce("ReduceSum", exp(sub(x, max)), {0}, true)), max), "ReduceLogSumExp") ==
        "the maximum and the sum are over different axes");
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
  CHECK(after(div(o.last("ReduceSum", o.in({2, o.B})), 7), "ReduceMean") ==
        "the divisor is not the number of elements");
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

TEST_CASE("LayerNormalization, RMSNormalization: not of statistics that are broadcast along another axis, nor in f64") {
  const auto rows = [](const value& v, bool keep) { return reduce("ReduceMean", v, {1}, keep); };
  const auto layer = [&](model& m, dtype t, bool keep_mean, bool keep_variance) {
    const value x = m.in({8, 8}, t), centered = sub(x, rows(x, keep_mean));
    return mul(mul(centered, reciprocal(sqrt(add(rows(mul(centered, centered), keep_variance), 1e-6)))),
               m.weight({8}, t));
  };
  const std::string_view elsewhere = "mean or variance is broadcast along another axis";
  model m, n, o, wide;
  CHECK(after(layer(m, dtype::f32, true, true), "LayerNormalization") == "LayerNormalization");
  CHECK(after(layer(n, dtype::f32, false, true), "LayerNormalization") == elsewhere);
  CHECK(after(layer(o, dtype::f32, true, false), "LayerNormalization") == elsewhere);
  CHECK(after(layer(wide, dtype::f64, true, true), "LayerNormalization") == "ONNX computes the statistics in float32");
  const auto rms = [&](model& r, bool keep) {
    const value x = r.in({8, 8});
    return mul(mul(x, reciprocal(sqrt(add(rows(mul(x, x), keep), 1e-6)))), r.weight({8}));
  };
  model p, q;
  CHECK(after(rms(p, true), "RMSNormalization") == "RMSNormalization");
  CHECK(after(rms(q, false), "RMSNormalization") == "the mean of squares is broadcast along another axis");
}

TEST_CASE("BatchNormalization: not with a variance of the rows") {
  model m;
  const value x = m.in({3, 3}), variance = m.g.input({dtype::f32, {3}}, "v");
  const value by_row = mul(sub(x, m.weight({3})), reshape(reciprocal(sqrt(add(variance, 1e-5))), {3, 1}));
  CHECK(after(add(mul(by_row, m.weight({3})), m.weight({3})), "BatchNormalization") ==
        "the statistics are not one number for every channel");
}

TEST_CASE("LayerNormalization: not over an axis that is not the last") {
  model m;
  const value x = m.in({8, 3});
  const auto mean = [](const value& v) { return reduce("ReduceMean", v, {0}, true); };
  const value centered = sub(x, mean(x));
  const value y = mul(mul(centered, reciprocal(sqrt(add(mean(mul(centered, centered)), 1e-6)))), m.weight({3}));
  CHECK(after(y, "LayerNormalization") == "it is not over the last axes");
}

TEST_CASE("LayerNormalization-plain: ones where there is no scale, small floats by way of f32") {
  const auto plain = [](const value& x, bool wide) {
    const auto mean = [&](const value& v) {
      return cast(reduce("ReduceMean", wide ? cast(v, dtype::f32) : v, {v.rank() - 1}, true), v.dtype());
    };
    const value centered = sub(x, mean(x));
    return div(centered, sqrt(add(mean(mul(centered, centered)), 1e-3)));
  };
  model m;
  CHECK(after(plain(m.in({2, 8}), false), "LayerNormalization-plain") == "LayerNormalization");
  model n;
  CHECK(after(plain(n.in({2, 8}, dtype::f16), true), "LayerNormalization-plain") == "LayerNormalization");
  model o;
  CHECK(after(plain(o.in({2, o.B}), false), "LayerNormalization-plain") ==
        "the extents of the normalised axes are not known");
  model p;
  const value x = p.in({2, 8});
  const value rms = mul(x, reciprocal(sqrt(add(p.last("ReduceMean", mul(x, x)), 1e-6))));
  CHECK(after(rms, "RMSNormalization-plain") == "RMSNormalization");
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

TEST_CASE("GroupNormalization: statistics of groups, spread over their channels") {
  const auto norm = [](model& m, const value& x, const ints& axes, bool fast) {
    const value d = reshape(x, {x.extent(0), 5, 4, 2});
    const auto mean = [&](const value& v) { return reduce("ReduceMean", v, axes, false); };
    const value center = mean(d), centered = sub(d, reshape(center, {x.extent(0), 1, 4, 1}));
    const value variance = fast ? maximum(sub(mean(mul(d, d)), mul(center, center)), 0) : mean(mul(centered, centered));
    const auto spread = [&](const value& v) {
      return broadcast_to(reshape(v, {x.extent(0), 4, 1}), {x.extent(0), 4, 2});
    };
    const auto to_channels = [&](const value& v) { return reshape(v, {x.extent(0), 1, 8}); };
    const value inverse = to_channels(reciprocal(sqrt(add(spread(variance), 1e-6))));
    return add(mul(sub(x, to_channels(spread(center))), mul(inverse, m.weight({1, 1, 8}, x.dtype()))),
               m.weight({1, 8}, x.dtype()));
  };
  model m;
  CHECK(after(norm(m, m.in({m.B, 5, 8}), {1, 3}, true), "GroupNormalization") ==
        "Transpose GroupNormalization Transpose");
  model n;
  CHECK(after(norm(n, n.in({3, 5, 8}), {1, 3}, false), "GroupNormalization") ==
        "Transpose GroupNormalization Transpose");
  model old(20);
  CHECK(after(norm(old, old.in({3, 5, 8}), {1, 3}, true), "GroupNormalization") == "GroupNormalization needs opset 21");
  model wide;
  CHECK(after(norm(wide, wide.in({3, 5, 8}, dtype::f64), {1, 3}, true), "GroupNormalization") ==
        "ONNX Runtime has no float64 kernel of it");
}

TEST_CASE("BatchNormalization: channels that are the second axis stay there") {
  const auto norm = [](model& m, const value& x, const ints& stats) {
    const value inverse = reciprocal(sqrt(add(m.weight(stats), 1e-5)));
    return add(mul(mul(sub(x, m.weight(stats)), inverse), m.weight(stats)), m.weight(stats));
  };
  model m;
  const value x = m.in({m.B, 4, 5, 5});
  CHECK(after({norm(m, x, {1, 4, 1, 1})}, {"reshape-constant", "BatchNormalization"}) == "BatchNormalization");
  model n;
  CHECK(after({norm(n, n.in({2, 4, 5}), {4, 1})}, {"reshape-constant", "BatchNormalization"}) == "BatchNormalization");
  model third;
  CHECK(after({norm(third, third.in({2, 3, 4, 5}), {4, 1})}, {"reshape-constant", "BatchNormalization"}) ==
        "the statistics are not one number for every channel");
}

TEST_CASE("BatchNormalization: as Keras writes it, a product and a sum") {
  const auto norm = [](model& m, const value& x, bool negated) {
    const value factor = mul(reciprocal(sqrt(add(m.weight({1, 1, 1, 4}), 1e-3))), m.weight({1, 1, 1, 4})),
                mean = m.weight({1, 1, 1, 4});
    const value bias = m.weight({1, 1, 1, 4});
    const value shift = negated ? add(mul(neg(mean), factor), bias) : sub(bias, mul(mean, factor));
    return add(mul(x, factor), shift);
  };
  for (bool negated : {true, false}) {
    model m;
    CHECK(after({norm(m, m.in({m.B, 5, 5, 4}), negated)}, {"reshape-constant", "BatchNormalization"}) ==
          "Transpose BatchNormalization Transpose");
  }
  model n;  // two factors
  const value x = n.in({2, 5, 5, 4}), v = n.in({4}), w = n.in({4}), scale = n.weight({4});
  const value one = mul(reciprocal(sqrt(add(v, 1e-3))), scale), other = mul(reciprocal(sqrt(add(w, 1e-3))), scale);
  CHECK(after(add(mul(x, one), sub(n.weight({4}), mul(n.weight({4}), other))), "BatchNormalization")
            .find("BatchNormalization") == std::string::npos);
}

TEST_CASE("GroupNormalization: of groups that a Reshape splits off, as Equinox and PyTorch write it") {
  const auto norm = [](model& m, const value& x, const shape& split, std::int64_t leading, const ints& parameters) {
    const value d = jax2onnx::reshape(x, split);
    ints axes = iota_axes(d.rank());
    axes.erase(axes.begin(), axes.begin() + leading);
    const value centered = sub(d, reduce("ReduceMean", d, axes, true));
    const value scaled =
        mul(centered, reciprocal(sqrt(add(reduce("ReduceMean", mul(centered, centered), axes, true), 1e-5))));
    const value back = jax2onnx::reshape(scaled, x.dims());
    return after({add(mul(m.weight(parameters), back), m.weight(parameters))},
                 {"reshape-constant", "GroupNormalization-split"});
  };
  model m;
  CHECK(norm(m, m.in({m.B, 6, 5, 5}), {m.B, 2, 3, 5, 5}, 2, {6, 1, 1}) == "GroupNormalization");
  model flat;
  CHECK(norm(flat, flat.in({3, 6, 5}), {6, 15}, 1, {1, 6, 1}) == "GroupNormalization");
  model single;
  CHECK(norm(single, single.in({6, 5, 5}), {2, 3, 5, 5}, 1, {6, 1, 1}) == "Unsqueeze GroupNormalization Squeeze");
  model uneven;  // four groups of one and a half channels
  CHECK(norm(uneven, uneven.in({2, 6, 4}), {2, 4, 6}, 2, {6, 1}) ==
        "mean and variance are not over groups of channels");
  model mixed;
  CHECK(norm(mixed, mixed.in({2, 6, 5}), {4, 3, 5}, 1, {6, 1}) == "GroupNormalization");
  model other;
  CHECK(norm(other, other.in({2, 6, 5}), {2, 3, 10}, 2, {5}) == "scale and bias are not one number for every channel");
}

TEST_CASE("BatchNormalization: channels that come last are moved to the second place") {
  const auto norm = [](model& m, const value& x) {
    const value scaled = mul(reciprocal(sqrt(add(m.weight({4}), 1e-5))), m.weight({1, 4}));
    return add(mul(sub(x, m.weight({1, 4})), scaled), m.weight({4}));
  };
  model m;
  CHECK(after({norm(m, m.in({2, 4}))}, {"reshape-constant", "BatchNormalization"}) == "BatchNormalization");
  model n;
  CHECK(after({norm(n, n.in({2, 5, 5, 4}))}, {"reshape-constant", "BatchNormalization"}) ==
        "Transpose BatchNormalization Transpose");
}

TEST_CASE("Gemm: of matrices, with transposed operands") {
  model m;
  CHECK(after({add(matmul(m.in({m.B, 4}), transpose(m.in({5, 4}), {1, 0})), m.in({5}))}, {"Gemm", "Gemm-transposed"}) ==
        "Gemm");
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
    return x.owner().emit(
        "AveragePool", {x}, {dtype::f32, {x.dims()[0], x.dims()[1], 4, 4}},
        {{"kernel_shape", ints{3, 3}}, {"pads", ints(4, padding)}, {"count_include_pad", std::int64_t{1}}});
  };
  model m;
  CHECK(after(div(mul(pool(m.in({2, 3, 4, 4}), 1), 9), 9), "AveragePool") == "AveragePool");
  model n;
  CHECK(after(div(mul(pool(n.in({2, 3, 4, 4}), 1), 9), 8), "AveragePool") ==
        "the divisor is not the size of the window");
  model o;
  const value ones = filled(o.g, dtype::f32, {1, 1, 4, 4}, 1.0);
  CHECK(after(div(mul(pool(o.in({2, 3, 4, 4}), 1), 9), mul(pool(ones, 1), 9)), "AveragePool-unpadded") ==
        "AveragePool");
  CHECK(o.g.at(o.g.at(block_id::main).nodes[0]).find("count_include_pad") == nullptr);
  model p;
  const value twos = filled(p.g, dtype::f32, {1, 1, 4, 4}, 2.0);
  CHECK(after(div(mul(pool(p.in({2, 3, 4, 4}), 1), 9), mul(pool(twos, 1), 9)), "AveragePool-unpadded") ==
        "the divisor does not count the window's elements");
}

TEST_CASE("RMSNormalization: as a quotient, as Hugging Face writes it") {
  model m;
  const value x = m.in({2, 5, 8});
  const value root = sqrt(add(reduce("ReduceMean", mul(x, x), {2}, true), 1e-6));
  CHECK(after(mul(m.weight({8}), div(x, root)), "RMSNormalization") == "RMSNormalization");
  model n;
  const value y = n.in({2, 5, 8}), z = n.in({2, 5, 8});
  const value other = sqrt(add(reduce("ReduceMean", mul(z, z), {2}, true), 1e-6));
  CHECK(after(mul(n.weight({8}), div(y, other)), "RMSNormalization") == "Mul ReduceMean Add Sqrt Div Mul");
}
