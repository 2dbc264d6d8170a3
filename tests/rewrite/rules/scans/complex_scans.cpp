// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/rules/scans/complex_scans.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

using values = std::vector<value>;
using step = std::function<loop_step(const value& re, const value& im, const values& x)>;

/// The last operator of what the rule makes of a Scan of two states over three sequences.
std::string of_scan(const step& next, std::int64_t steps = 64, const shape& state = {3}, dtype t = dtype::f32,
                    const scan_options& options = {}) {
  model m;
  shape sequence{steps};
  sequence.append(state);
  const auto body = [&](const values& h, const values& x) { return next(h[0], h[1], x); };
  const values sequences{m.in(sequence, t), m.in(sequence, t), m.in(sequence, t)};
  const std::string all =
      after(scan(m.g, {m.in(state, t), m.in(state, t)}, sequences, body, options).collected[0], "complex-scan");
  return all.substr(all.rfind(' ') + 1);
}

loop_step gated(const value& re, const value& im, const values& x) {
  const value next = add(sub(mul(x[0], re), mul(x[1], im)), x[2]), other = add(mul(x[0], im), mul(x[1], re));
  return {{}, {next, other}, {next}};
}

}  // namespace

TEST_CASE("complex-scan: chunks") {
  CHECK(of_scan(gated) == "If");
  CHECK(of_scan(gated, 100, {2, 3}, dtype::f64, {.reverse = true}) == "If");
  CHECK(of_scan([](const value& re, const value& im, const values& x) {  // times the conjugate
          const value next = add(mul(re, x[0]), mul(im, x[1])), other = sub(sub(mul(im, x[0]), mul(re, x[1])), x[2]);
          return loop_step{{}, {next, other}, {unary("Tanh", mul(next, other))}};
        }) == "If");
}

TEST_CASE("complex-scan: what stays a Scan") {
  CHECK(of_scan(gated, 63) == "Scan");
  CHECK(of_scan(gated, 64, {1025}) == "Scan");
  CHECK(of_scan(gated, 64, {3}, dtype::f16) == "Scan");
  CHECK(of_scan([](const value& re, const value& im, const values& x) {
          const value next = add(mul(x[0], re), mul(x[1], im)), other = add(mul(x[0], im), mul(x[1], re));
          return loop_step{{}, {next, add(other, x[2])}, {next}};
        }) == "Scan");  // no complex number
  CHECK(of_scan([](const value& re, const value& im, const values& x) {
          const loop_step s = gated(re, im, x);
          return loop_step{{}, s.carried, {re}};
        }) == "Scan");  // the state before the step
  CHECK(of_scan([](const value& re, const value& im, const values& x) {
          const value next = add(sub(mul(x[0], re), mul(x[1], im)), mul(re, re));
          return loop_step{{}, {next, add(mul(x[0], im), mul(x[1], re))}, {next}};
        }) == "Scan");
}
