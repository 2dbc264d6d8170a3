// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/normalization.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// (x - E[x]) / sqrt(Var[x] + eps) scale + bias, with the variance in its slow or its fast form
value layer_norm_of(model& m, const value& x, bool fast) {
  const auto mean = [&](const value& v) { return div(m.last("ReduceSum", v), 8); };
  const value center = mean(x), centered = sub(x, center);
  const value variance = fast ? maximum(sub(mean(mul(x, x)), mul(center, center)), 0) : mean(mul(centered, centered));
  const value scaled = mul(reciprocal(sqrt(add(variance, 1e-6))), m.weight({8}));
  return add(mul(centered, scaled), m.weight({1, 8}));
}
std::string normalized(const value& v) {
  return after({v}, {"ReduceMean", "Relu", "LayerNormalization-bias", "LayerNormalization"});
}

}  // namespace

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
  const std::string_view elsewhere = "a statistic is broadcast along another axis";
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
  CHECK(after(rms(q, false), "RMSNormalization") == "a statistic is broadcast along another axis");
}

TEST_CASE("BatchNormalization: not with a variance of the rows") {
  model m;
  const value x = m.in({3, 3}), variance = m.g.input({dtype::f32, {3}}, "v");
  const value by_row = mul(sub(x, m.weight({3})), reshape(reciprocal(sqrt(add(variance, 1e-5))), {3, 1}));
  CHECK(after(add(mul(by_row, m.weight({3})), m.weight({3})), "BatchNormalization") ==
        "the statistics are not one number per channel");
}

TEST_CASE("LayerNormalization: not over an axis that is not the last") {
  model m;
  const value x = m.in({8, 3});
  const auto mean = [](const value& v) { return reduce("ReduceMean", v, {0}, true); };
  const value centered = sub(x, mean(x));
  const value y = mul(mul(centered, reciprocal(sqrt(add(mean(mul(centered, centered)), 1e-6)))), m.weight({3}));
  CHECK(after(y, "LayerNormalization") == "the statistics are not over the last axes");
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
  CHECK(after(plain(n.in({2, 8}, dtype::bf16), true), "LayerNormalization-plain") == "LayerNormalization");
  model o;
  CHECK(after(plain(o.in({2, o.B}), false), "LayerNormalization-plain") ==
        "an extent of the normalized axes is symbolic");
  model p;
  const value x = p.in({2, 8});
  const value rms = mul(x, reciprocal(sqrt(add(p.last("ReduceMean", mul(x, x)), 1e-6))));
  CHECK(after(rms, "RMSNormalization-plain") == "RMSNormalization");
}

TEST_CASE("LayerNormalization, RMSNormalization: not of squares in float16, which are infinite from 256 on") {
  const auto mean = [](const value& v) { return reduce("ReduceMean", v, {1}, true); };
  const auto check = [](const auto& make, std::string_view rule, std::string_view operators) {
    model m, n;
    CHECK(after(make(m), rule) == "squares of float16 are infinite from 256 on (assume_finite permits the rule)");
    CHECK(after({make(n)}, {rule}, target::generic, true) == operators);
  };
  const auto layer = [&](model& m) {
    const value x = m.in({2, 8}, dtype::f16), centered = sub(x, mean(x));
    return div(centered, sqrt(add(mean(mul(centered, centered)), 1e-3)));
  };
  const auto rms = [&](model& m) {
    const value x = m.in({2, 8}, dtype::f16);
    return div(x, sqrt(add(mean(mul(x, x)), 1e-3)));
  };
  const auto scaled = [](const auto& form) {
    return [&form](model& m) { return mul(form(m), m.weight({8}, dtype::f16)); };
  };
  check(scaled(layer), "LayerNormalization", "LayerNormalization");
  check(scaled(rms), "RMSNormalization", "RMSNormalization");
  check(layer, "LayerNormalization-plain", "LayerNormalization");
  check(rms, "RMSNormalization-plain", "RMSNormalization");
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
        "the statistics are not one number per channel");
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

namespace {

/// The mean along one axis, with or without the axis.
value mean_of(const value& v, std::int64_t axis, bool keep = true) { return reduce("ReduceMean", v, {axis}, keep); }

/// (x - mean) / sqrt(variance + eps), with statistics along selectable axes.
struct layer_form {
  std::int64_t mean_axis = 1, variance_axis = 1;
  bool keep = true;
  value operator()(const value& x) const {
    const value centered = sub(x, mean_of(x, mean_axis, keep));
    return div(centered, sqrt(add(mean_of(mul(centered, centered), variance_axis), 1e-6)));
  }
};
/// x / sqrt(E[x^2] + eps)
struct rms_form {
  std::int64_t axis = 1;
  bool keep = true;
  value operator()(const value& x) const { return div(x, sqrt(add(mean_of(mul(x, x), axis, keep), 1e-6))); }
};

constexpr std::string_view not_last = "the statistics are not over the last axes",
                           in_float32 = "ONNX computes the statistics in float32",
                           symbolic = "an extent of the normalized axes is symbolic",
                           mixed = "mean and variance are over different axes";

}  // namespace

TEST_CASE("LayerNormalization, RMSNormalization: the scale has the shape of the normalized axes") {
  const std::string_view shape = "the scale does not have the shape of the normalized axes";
  model a, b, c;
  CHECK(after(mul(layer_form{}(a.in({8, 8})), a.weight({8, 1})), "LayerNormalization") == shape);
  CHECK(after(mul(rms_form{}(b.in({8, 8})), b.weight({8, 1})), "RMSNormalization") == shape);
  CHECK(after(mul(layer_form{0, 1, true}(c.in({8, 8})), c.weight({8})), "LayerNormalization") == mixed);
}

TEST_CASE("LayerNormalization-bias: reasons to decline") {
  const auto layer = [](model& m) {
    const value x = m.in({2, 8});
    return m.g.emit("LayerNormalization", {x, m.weight({8})}, x.type(), {{"axis", std::int64_t{1}}});
  };
  model m, n;
  CHECK(after(add(layer(m), m.weight({2, 1})), "LayerNormalization-bias") ==
        "the bias does not have the shape of the normalized axes");
  const value y = layer(n);
  CHECK(after({add(y, n.weight({8})), exp(y)}, {"LayerNormalization-bias"}) ==
        "the result is also read without the bias");
}

TEST_CASE("LayerNormalization-plain: reasons to decline") {
  const std::string_view rule = "LayerNormalization-plain";
  model a, b, c, d;
  CHECK(after(layer_form{}(a.in({8, 8}, dtype::f64)), rule) == in_float32);
  CHECK(after(layer_form{0, 1, true}(b.in({8, 8})), rule) == mixed);
  CHECK(after(layer_form{1, 1, false}(c.in({8, 8})), rule) == "a statistic is broadcast along another axis");
  CHECK(after(layer_form{0, 0, true}(d.in({8, 8})), rule) == not_last);
}

TEST_CASE("RMSNormalization: reasons to decline, with and without a scale") {
  model a, b, c, d, e, f, old(22);
  CHECK(after(mul(rms_form{}(a.in({8, 8}, dtype::f64)), a.weight({8}, dtype::f64)), "RMSNormalization") == in_float32);
  CHECK(after(mul(rms_form{0}(b.in({8, 8})), b.weight({8})), "RMSNormalization") == not_last);
  const std::string_view plain = "RMSNormalization-plain";
  CHECK(after(rms_form{}(c.in({8, 8}, dtype::f64)), plain) == in_float32);
  CHECK(after(rms_form{0}(d.in({8, 8})), plain) == not_last);
  CHECK(after(rms_form{}(e.in({2, e.B})), plain) == symbolic);
  CHECK(after(rms_form{1, false}(f.in({8, 8})), plain) == "a statistic is broadcast along another axis");
  CHECK(after(rms_form{}(old.in({2, 8})), plain) == "RMSNormalization needs opset 23");
}
