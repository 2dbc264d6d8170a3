// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/rules/scans/diagonal_scans.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

using step = std::function<value(const value& h, const value& a, const value& x)>;

/// The last operator after the rule, for a Scan of one state over `steps` steps with factors a and inputs x.
std::string of_scan(std::int64_t steps, const step& next, const shape& state = {3}, dtype t = dtype::f32,
                    const scan_options& options = {}) {
  model m;
  shape sequence{steps};
  sequence.append(state);
  const auto body = [&](const std::vector<value>& h, const std::vector<value>& x) {
    const value y = next(h[0], x[0], x[1]);
    return loop_step{{}, {y}, {y}};
  };
  const std::string all = after(
      scan(m.g, {m.in(state, t)}, {m.in(sequence, t), m.in(sequence, t)}, body, options).collected[0], "diagonal-scan");
  return all.substr(all.rfind(' ') + 1);
}

value gated(const value& h, const value& a, const value& x) { return add(mul(h, a), x); }

}  // namespace

TEST_CASE("diagonal-scan: chunks, and the Scan for factors over 1") {
  CHECK(of_scan(64, gated) == "If");
  CHECK(of_scan(100, gated, {}, dtype::f64, {.reverse = true}) == "If");
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) {
          return sub(mul(sub(scalar(a.owner(), a.dtype(), 1), a), neg(h)), div(h, x));
        }) == "Scan");  // nothing is added
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return sub(div(h, a), x); }) == "If");
}

TEST_CASE("diagonal-scan: maxima of sums") {
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return maximum(add(h, a), x); }) == "If");
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return maximum(x, sub(h, a)); }) == "If");
  CHECK(of_scan(64, [](const value& h, const value& a, const value&) { return unary("Relu", add(a, h)); }) == "If");
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return minimum(add(a, h), x); }) == "If");
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return minimum(maximum(h, a), x); }) ==
        "Scan");
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return maximum(sub(a, h), x); }) == "Scan");
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return maximum(mul(a, h), x); }) == "Scan");
}

TEST_CASE("diagonal-scan: states of the other infinity than that of overflowing sums take the Scan") {
  const auto of_extremes = [](operator_name op, bool assume_finite) {
    model m;
    const auto body = [&](const std::vector<value>& s, const std::vector<value>& x) {
      return loop_step{{}, {binary(op, add(s[0], x[0]), x[1])}, {}};
    };
    const value y = scan(m.g, {m.in({3})}, {m.in({64, 3}), m.in({64, 3})}, body).carried[0];
    return after({y}, {"diagonal-scan"}, target::generic, assume_finite);
  };
  CHECK(of_extremes("Max", false) == "Expand Add ReduceMax Less ReduceMax Less ReduceMax Less And And If");
  CHECK(of_extremes("Min", false) == "Expand Add ReduceMin Greater ReduceMin Greater ReduceMin Greater And And If");
  CHECK(of_extremes("Max", true) == "Expand Add ReduceMax Less If");
}

TEST_CASE("diagonal-scan: factors that are at most 1 need no test") {
  const auto of_factors = [](const std::function<value(const value&)>& factor, bool assume_finite) {
    model m;
    const auto body = [&](const std::vector<value>& s, const std::vector<value>& x) {
      return loop_step{{}, {gated(s[0], factor(x[0]), x[1])}, {}};
    };
    const value y = scan(m.g, {m.in({3})}, {m.in({64, 3}), m.in({64, 3})}, body).carried[0];
    return after({y}, {"diagonal-scan"}, target::generic, assume_finite);
  };
  const auto gate = [](const value& x) { return unary("Sigmoid", x); };
  CHECK(of_factors(gate, false).find("ReduceMin") == std::string::npos);
  CHECK(of_factors(gate, false).find("If") != std::string::npos);
  CHECK(of_factors(gate, true).find("If") == std::string::npos);
  CHECK(of_factors([](const value& x) { return mul(x, 2); }, true).find("If") != std::string::npos);
}

TEST_CASE("diagonal-scan: a state that no other one needs has a Scan of its own") {
  model m;
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    const value most = unary("Tanh", add(s[0], x[0])), sum = add(mul(most, s[1]), x[0]);
    return loop_step{{}, {most, sum}, {sum}};
  };
  const value y = scan(m.g, {m.in({3}), m.in({3})}, {m.in({64, 3})}, body).collected[0];
  const std::string all = after(y, "diagonal-scan");
  CHECK(all.starts_with("Scan "));
  CHECK(all.find(" If") != std::string::npos);
}

TEST_CASE("diagonal-scan: what stays a Scan") {
  CHECK(of_scan(63, gated) == "Scan");
  CHECK(of_scan(64, gated, {1025}) == "Scan");
  CHECK(of_scan(64, gated, {3}, dtype::f16) == "Scan");
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return add(mul(h, h), mul(a, x)); }) ==
        "Scan");
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return add(div(a, h), x); }) == "Scan");
  CHECK(of_scan(64, [](const value& h, const value& a, const value& x) { return unary("Tanh", gated(h, a, x)); }) ==
        "Scan");
}
