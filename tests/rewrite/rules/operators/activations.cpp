// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include <jax2onnx/ops/math.hpp>
#include <jax2onnx/rewrite/rules/operators/activations.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value gelu_tanh_of(const value& x) {
  const value inner = mul(add(x, mul(mul(mul(x, x), x), 0.044715)), std::sqrt(2 / std::numbers::pi));
  return mul(x, mul(add(unary("Tanh", inner), 1), 0.5));
}
value gelu_erfc_of(const value& x) {
  const value erfc = sub(scalar(x.owner(), x.dtype(), 1), unary("Erf", mul(neg(x), std::numbers::sqrt2 / 2)));
  return mul(mul(x, 0.5), erfc);
}

}  // namespace

TEST_CASE("Gelu: in its tanh form and in jax.nn's erfc form, from opset 20, not of f64") {
  model m;
  CHECK(after(gelu_tanh_of(m.in({2, 3})), "Gelu-tanh") == "Gelu");
  model n;
  CHECK(after(gelu_erfc_of(n.in({2, 3})), "Gelu") == "Gelu");
  model old(19);
  CHECK(after(gelu_tanh_of(old.in({2, 3})), "Gelu-tanh") == "Gelu needs opset 20");
  model wide;
  CHECK(after(gelu_tanh_of(wide.in({2, 3}, dtype::f64)), "Gelu-tanh") == "ONNX Runtime has no float64 kernel");
  model chosen;  // another choice than in the tail of erfc
  const value z = chosen.in({2}), cdf = add(unary("Erf", mul(z, std::numbers::sqrt2 / 2)), 1);
  CHECK(after(mul(mul(z, 0.5), where(less(z, 2), cdf, exp(z))), "Gelu").find("Gelu") == std::string::npos);
  const auto with_tail = [](model& m, double constant) {
    const double c[] = {0.17087277,  -0.82215223, 1.48851587, -1.13520398, 0.27886807,
                        -0.18628806, 0.09678418,  0.37409196, 1.00002368,  constant};
    const value y = m.in({2}), n = mul(neg(y), std::numbers::sqrt2 / 2), t = reciprocal(add(mul(n, 0.5), 1));
    const value tail = mul(t, exp(sub(jax2onnx::ops::polynomial(t, c), mul(n, n))));
    const value center = sub(scalar(m.g, dtype::f32, 1), unary("Erf", n));
    return after(mul(mul(y, 0.5), where(less(n, 0.5), center, tail)), "Gelu");
  };
  model same, different;
  CHECK(with_tail(same, -1.26551223) == "Gelu");
  CHECK(with_tail(different, -1.25).find("Gelu") == std::string::npos);
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
  CHECK(after(maximum(n.in({2}, dtype::i32), 0), "Relu") == "the element type is not floating-point");
  model o;
  CHECK(after(minimum(maximum(o.in({2}), 0), 6), "Clip") == "Clip");
  model p;
  CHECK(after(minimum(maximum(p.in({2}), 6), 0), "Clip") == "the lower bound is above the upper bound");
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
  CHECK(after(softplus(o.in({2}, dtype::f64)), "Softplus").find("Softplus") == std::string::npos);
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
  CHECK(after(celu(q.in({2}), 2, 3), "Celu") == "the factor differs from the divisor");
  const char* const imprecise = "ONNX Runtime computes exp(x) - 1, which is imprecise near 0";
  model r, t;
  CHECK(after({elu(r.in({2}), 0.5)}, {"Elu"}, target::ort) == imprecise);
  CHECK(after({celu(t.in({2}), 2, 2)}, {"Celu"}, target::ort) == imprecise);
  model u, v;
  const std::string chosen = after({elu(u.in({2}), 0.5)}, {"elu-without-choice"}, target::ort);
  CHECK(chosen.find("Relu") != chosen.npos);
  CHECK(chosen.find("Where") == chosen.npos);
  CHECK(after({elu(v.in({2}), 0.5)}, {"elu-without-choice"}, target::generic) == "only ONNX Runtime has a slow Where");
}

TEST_CASE("Clip-choices: the bounds are those of the comparisons") {
  const auto hard_tanh = [](const value& x, double high) {
    const value one = scalar(x.owner(), x.dtype(), 1.0), minus = scalar(x.owner(), x.dtype(), -1.0);
    return where(greater(x, high), one, where(less(x, -1), minus, x));
  };
  model m;
  CHECK(after(hard_tanh(m.in({2}), 1), "Clip-choices") == "Clip");
  model n;
  CHECK(after(hard_tanh(n.in({2}), 2), "Clip-choices") == "the bounds are not the numbers that x is compared with");
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
  CHECK(after(mul(z, unary("Sigmoid", z)), "Swish") == "Swish is used at opset 24 only");
}

namespace {

constexpr std::string_view no_float64 = "ONNX Runtime has no float64 kernel",
                           not_floating = "the element type is not floating-point";

value elu_of(const value& x) {
  const value zero = scalar(x.owner(), x.dtype(), 0.0);
  return where(greater(x, 0), x, expm1(where(greater(x, 0), zero, x)));
}

}  // namespace

TEST_CASE("Clip: reasons to decline") {
  model narrow, shared;
  CHECK(after(minimum(maximum(narrow.in({2}, dtype::i8), 0), 6), "Clip") ==
        "some runtimes have no Clip of this element type");
  const value lower = maximum(shared.in({2}), 0);
  CHECK(after({minimum(lower, 6), exp(lower)}, {"Clip"}) == "the lower clamp is read elsewhere too");
}

TEST_CASE("Clip-choices: reasons to decline") {
  const auto choices = [](const value& x, std::int64_t low, std::int64_t high) {
    graph& g = x.owner();
    return where(greater(x, scalar(g, x.dtype(), high)), scalar(g, x.dtype(), high),
                 where(less(x, scalar(g, x.dtype(), low)), scalar(g, x.dtype(), low), x));
  };
  model integers, reversed;
  CHECK(after(choices(integers.in({2}, dtype::i32), -1, 1), "Clip-choices") ==
        "some runtimes have no Clip of this element type");
  CHECK(after(choices(reversed.in({2}), 1, -1), "Clip-choices") == "the lower bound is above the upper bound");
}

TEST_CASE("LeakyRelu, HardSigmoid: not of integers, not of float64") {
  const auto leaky = [](const value& x) { return where(greater_equal(x, 0), x, mul(x, 2)); };
  const auto gate = [](const value& x) {
    graph& g = x.owner();
    const value sum = add(x, 3);
    return div(
        g.emit("Clip", {sum, scalar(g, x.dtype(), std::int64_t{0}), scalar(g, x.dtype(), std::int64_t{6})}, sum.type()),
        6);
  };
  model a, b, c, d;
  CHECK(after(leaky(a.in({2}, dtype::i32)), "LeakyRelu") == not_floating);
  CHECK(after(leaky(b.in({2}, dtype::f64)), "LeakyRelu") == no_float64);
  CHECK(after(gate(c.in({2}, dtype::i32)), "HardSigmoid") == not_floating);
  CHECK(after(gate(d.in({2}, dtype::f64)), "HardSigmoid") == no_float64);
}

TEST_CASE("LeakyRelu: not with an infinite slope") {
  model m;
  const value x = m.in({2});
  const value y = where(greater(x, 0), x, mul(x, std::numeric_limits<double>::infinity()));
  CHECK(after(y, "LeakyRelu").find("LeakyRelu") == std::string::npos);
}

TEST_CASE("Gelu, Elu, Celu, Mish: opsets, and not of float64") {
  model old(19), wide, elu, celu, mish(17);
  CHECK(after(gelu_erfc_of(old.in({2})), "Gelu") == "Gelu needs opset 20");
  CHECK(after(gelu_erfc_of(wide.in({2}, dtype::f64)), "Gelu") == no_float64);
  CHECK(after(elu_of(elu.in({2}, dtype::f64)), "Elu") == no_float64);
  const value x = celu.in({2}, dtype::f64), y = mish.in({2});
  CHECK(after(add(maximum(x, 0), expm1(minimum(x, 0))), "Celu") == no_float64);
  CHECK(after(mul(y, unary("Tanh", unary("Softplus", y))), "Mish") == "Mish needs opset 18");
}

TEST_CASE("softplus-of-many: for ONNX Runtime") {
  const auto of = [](const shape& dims, target runtime = target::ort, dtype t = dtype::f32) {
    model m;
    return after({unary("Softplus", m.in(dims, t))}, {"softplus-of-many"}, runtime);
  };
  CHECK(of({64, 64}) == "Abs Neg Exp Add Sub Sub Div Relu Log Add Add");
  CHECK(of({64, 63}) == "x has few elements");
  CHECK(of({64, 64}, target::generic) == "Softplus");
  CHECK(of({64, 64}, target::ort, dtype::f16) == "Softplus");
  model m;
  CHECK(after({unary("Softplus", m.in({m.B, 8192}))}, {"softplus-of-many"}, target::ort) == "Softplus");
}
