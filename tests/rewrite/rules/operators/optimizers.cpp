// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/optimizers.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// x / (1 - Pow(b, n))
value corrected(model& m, const value& x, double b) {
  const value decayed = m.g.emit("Pow", {scalar(m.g, x.dtype(), b), m.in({}, x.dtype())}, {x.dtype(), {}});
  return div(x, sub(scalar(m.g, x.dtype(), 1), decayed));
}

}  // namespace

TEST_CASE("Adam: the correction of the mean joins the learning rate") {
  model m, n;
  const value mean = corrected(m, m.in({4}), 0.9);
  CHECK(apply({mul(div(mean, m.in({4})), -0.01)}, {"Adam"}).find("Adam")->applied == 1);
  const value scheduled = corrected(n, n.in({4}), 0.9);
  CHECK(apply({mul(n.in({}), div(scheduled, n.in({4})))}, {"Adam"}).find("Adam")->applied == 1);
}

TEST_CASE("Adam: not if the divisor is not a bias correction, or shapes differ") {
  const auto matches = [](const value& update) { return apply({update}, {"Adam"}).find("Adam") != nullptr; };
  model m, n, o, p;
  CHECK_FALSE(matches(mul(div(div(m.in({4}), m.in({})), m.in({4})), -0.01)));
  CHECK_FALSE(matches(mul(div(corrected(n, n.in({4}), 1.1), n.in({4})), -0.01)));
  CHECK_FALSE(matches(mul(div(corrected(o, o.in({1}), 0.9), o.in({4})), -0.01)));
  CHECK_FALSE(matches(mul(div(corrected(p, p.in({4}), 0.9), p.in({4})), p.in({4}))));
}

TEST_CASE("Adam: not for few bits, nor if a quotient is read elsewhere") {
  model m, n;
  const value narrow = corrected(m, m.in({4}, dtype::f16), 0.9);
  CHECK(after(mul(div(narrow, m.in({4}, dtype::f16)), -0.01), "Adam") == "the element type is not float32 or float64");
  const value mean = corrected(n, n.in({4}), 0.9);
  CHECK(after({mul(div(mean, n.in({4})), -0.01), exp(mean)}, {"Adam"}) == "a quotient is read elsewhere too");
}
