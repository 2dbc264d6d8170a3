// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <limits>

#include <jax2onnx/rewrite/rules/operators/softmax.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value softmax_of(model& m, const value& x) {
  const value e = exp(sub(x, m.last("ReduceMax", x)));
  return div(e, m.last("ReduceSum", e));
}

}  // namespace

TEST_CASE("Softmax: needs the axes of maximum and sum to be one") {
  model m;
  CHECK(after(softmax_of(m, m.in({2, 3})), "Softmax") == "Softmax");
  model n;
  const value x = n.in({2, 3, 4}), e = exp(sub(x, reduce("ReduceMax", x, {1, 2}, true)));
  CHECK(after(div(e, reduce("ReduceSum", e, {1, 2}, true)), "Softmax") == "the reduction is over more than one axis");
  model o;
  const value y = o.in({3, 3}), f = exp(sub(y, o.last("ReduceMax", y)));
  CHECK(after(div(f, reduce("ReduceSum", f, {0}, true)), "Softmax") ==
        "the maximum and the sum are over different axes");
}

TEST_CASE("Softmax: a Reshape that adds ones may stand before the maximum alone") {
  model m;
  const value x = m.in({3, 4, 5}), y = jax2onnx::ops::reshape(x, {1, 3, 4, 5});
  const value e = exp(sub(x, m.last("ReduceMax", y)));
  CHECK(after(div(e, m.last("ReduceSum", e)), "Softmax") == "Reshape Softmax");
}

TEST_CASE("Softmax: the sum may be of a wider type, not of a narrower one") {
  const auto softmax = [](model& m, dtype t, dtype summed) {
    const value x = m.in({2, 3}, t), e = exp(sub(x, m.last("ReduceMax", x)));
    return after(div(e, cast(m.last("ReduceSum", cast(e, summed)), t)), "Softmax");
  };
  model m, n;
  CHECK(softmax(m, dtype::f16, dtype::f32) == "Softmax");
  CHECK(softmax(n, dtype::f32, dtype::f16) == "ReduceMax Sub Exp Cast ReduceSum Cast Div");
}

TEST_CASE("LogSoftmax") {
  model m;
  const value x = m.in({2, 3}), d = sub(x, m.last("ReduceMax", x));
  CHECK(after(sub(d, log(m.last("ReduceSum", exp(d)))), "LogSoftmax") == "LogSoftmax");
  model n;
  const value y = n.in({2, 3}, dtype::f64), e = sub(y, n.last("ReduceMax", y));
  CHECK(after(sub(e, log(n.last("ReduceSum", exp(e)))), "LogSoftmax") ==
        "ONNX Runtime's float64 kernel returns numbers for NaN (assume_finite permits the rule)");
  model o;
  const value z = o.in({2, 3}, dtype::f64), f = sub(z, o.last("ReduceMax", z));
  CHECK(after_if_finite(sub(f, log(o.last("ReduceSum", exp(f)))), "LogSoftmax") == "LogSoftmax");
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
  model p;
  CHECK(after({log_sum_exp(p, p.in({2, 3}), true)}, {"ReduceLogSumExp"}, target::ort) ==
        "ONNX Runtime takes 0 as the maximum of rows that begin with -inf");
}

TEST_CASE("Softmax, LogSoftmax: along one axis that is kept") {
  const auto reduced = [](operator_name op, const value& x, const ints& axes, bool keep) {
    return reduce(op, x, axes, keep);
  };
  const auto softmax = [&](const value& x, const ints& axes, bool keep) {
    const value e = exp(sub(x, reduced("ReduceMax", x, axes, keep)));
    return div(e, reduced("ReduceSum", e, axes, keep));
  };
  const auto log_softmax = [&](const value& x, const ints& max_axes, const ints& axes, bool keep) {
    const value d = sub(x, reduced("ReduceMax", x, max_axes, keep));
    return sub(d, log(reduced("ReduceSum", exp(d), axes, keep)));
  };
  const std::string_view dropped = "the reduced axis is not kept";
  model a, b, c, d;
  CHECK(after(softmax(a.in({3, 3}), {1}, false), "Softmax") == dropped);
  CHECK(after(log_softmax(b.in({3, 3}), {1}, {1}, false), "LogSoftmax") == dropped);
  CHECK(after(log_softmax(c.in({3, 3}), {1}, {0}, true), "LogSoftmax") ==
        "the maximum and the sum are over different axes");
  CHECK(after(log_softmax(d.in({3, 3}), {0, 1}, {0, 1}, true), "LogSoftmax") ==
        "the reduction is over more than one axis");
}

TEST_CASE("clip-maximum: for ONNX Runtime") {
  const auto guarded = [](model& m, const value& x, const ints& axes) {
    const value max = m.last("ReduceMax", x);
    const value offset =
        where(less(abs(max), std::numeric_limits<double>::infinity()), max, scalar(m.g, x.dtype(), 0.0));
    return add(log(abs(reduce("ReduceSum", exp(sub(x, offset)), axes, true))), offset);
  };
  const auto clipped = [](const value& y, target runtime = target::ort) {
    return after({y}, {"clip-maximum"}, runtime);
  };
  model m, n, o, p, q;
  CHECK(clipped(guarded(m, m.in({2, 3}), {1})) == "ReduceMax Clip Sub Exp ReduceSum Log Add");
  CHECK(clipped(guarded(n, n.in({2, 3}), {1}), target::generic) ==
        "ReduceMax Abs Less Where Sub Exp ReduceSum Abs Log Add");
  CHECK(clipped(guarded(o, o.in({3, 3}), {0})) == "the maximum and the sum are over different axes");
  CHECK(clipped(guarded(p, p.in({2, 3}, dtype::f16), {1})) == "the element type is not float32 or float64");
  const value x = q.in({2, 3}), max = q.last("ReduceMax", x);  // without a guard, inf - inf is NaN
  CHECK(clipped(add(log(q.last("ReduceSum", exp(sub(x, max)))), max)) == "ReduceMax Sub Exp ReduceSum Log Add");
  const auto unkept = [](model& a, const value& z, const shape& subtracted) {
    const value largest = reduce("ReduceMax", z, {1}, false);
    const value offset =
        where(less(abs(largest), std::numeric_limits<double>::infinity()), largest, scalar(a.g, z.dtype(), 0.0));
    return add(log(reduce("ReduceSum", exp(sub(z, reshape(offset, subtracted))), {1}, false)), offset);
  };
  model s, t;
  CHECK(clipped(unkept(s, s.in({2, 3}), {2, 1})) == "ReduceMax Clip Sub Exp ReduceSum Log Add Squeeze");
  CHECK(clipped(unkept(t, t.in({3, 3}), {3})) == "ReduceMax Abs Less Where Sub Exp ReduceSum Log Add");  // other rows
  model u;  // a scalar and an offset with an axis
  const value z = u.in({4}), largest = reduce("ReduceMax", z, {0}, true),
              only = where(less(abs(largest), std::numeric_limits<double>::infinity()), largest,
                           scalar(u.g, z.dtype(), 0.0));
  CHECK(clipped(add(only, log(reduce("ReduceSum", exp(sub(z, only)), {0}, false)))) ==
        "ReduceMax Clip Sub Exp ReduceSum Log Add Reshape");
  model r;
  const value y = guarded(r, r.in({2, 3}), {1}),
              sum = rewrite::input_of(rewrite::input_of(rewrite::input_of(y, 0), 0), 0);
  CHECK(after({y, rewrite::input_of(sum, 0)}, {"clip-maximum"}, target::ort) ==
        "the exponentials are read elsewhere too");
}
