// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/rules/scans/state_spaces.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

using values = std::vector<value>;
/// The next states and a read, of states and the element of a sequence; `a` and `b` are the same in all steps.
using step = std::function<loop_step(const values& h, const value& u, const value& a, const value& b)>;

struct sizes {
  std::int64_t steps = 64, states = 1;
  shape state = {3}, element = {3}, factor = {3};
  dtype type = dtype::f32;
  bool reverse = false, zero = true;
};

/// The last operator of what the rule makes of a Scan.
std::string of_scan(const step& next, const sizes& s = {}) {
  model m;
  shape sequence{s.steps};
  sequence.append(s.element);
  const value a = m.in(s.factor, s.type), b = m.in(s.factor, s.type);
  values states;
  for (std::int64_t i = 0; i < s.states; ++i)
    states.push_back(s.zero ? filled(m.g, s.type, s.state, 0) : m.in(s.state, s.type));
  const auto body = [&](const values& h, const values& x) { return next(h, x[0], a, b); };
  const std::string all =
      after(scan(m.g, states, {m.in(sequence, s.type)}, body, {.reverse = s.reverse}).collected[0], "state-space");
  return all.substr(all.rfind(' ') + 1);
}

loop_step average(const values& h, const value& u, const value& a, const value& b) {
  const value next = add(mul(a, h[0]), mul(b, u));
  return {{}, {next}, {next}};
}
loop_step rotation(const values& h, const value& u, const value& a, const value& b) {
  const value re = add(sub(mul(a, h[0]), mul(b, h[1])), u), im = add(mul(b, h[0]), mul(a, h[1]));
  return {{}, {re, im}, {re}};
}

}  // namespace

TEST_CASE("state-space: real and complex states") {
  CHECK(of_scan(average) == "If");
  CHECK(of_scan(average, {.steps = 100, .type = dtype::f64, .reverse = true}) == "If");
  CHECK(of_scan(average, {.steps = 4096, .zero = false}) == "If");
  CHECK(of_scan(average, {.state = {2, 3}, .element = {2, 3}}) == "If");
  CHECK(of_scan(rotation, {.states = 2}) == "If");
  CHECK(of_scan(rotation, {.steps = 4096, .states = 2}) == "If");
  CHECK(of_scan([](const values& h, const value& u, const value& a, const value&) {
          return loop_step{{}, {add(h[0], div(sub(u, h[0]), a))}, {neg(h[0])}};  // before the step
        }) == "If");
}

TEST_CASE("state-space: reads that are sums, and what follows them") {
  using read = std::function<value(const value& h, const value& c)>;
  const auto reading = [](const shape& weights, const read& y) {
    model m;
    const value a = m.in({3, 4}), c = m.in(weights);
    const auto body = [&](const values& h, const values& x) {
      const value next = add(mul(a, h[0]), x[0]);
      return loop_step{{}, {next}, {unary("Tanh", y(next, c))}};
    };
    const value first = filled(m.g, dtype::f32, {3, 4}, 0);
    const std::string all = after(scan(m.g, {first}, {m.in({64, 3, 1})}, body).collected[0], "state-space");
    return all.substr(all.rfind(' ') + 1);
  };
  CHECK(reading({3, 4}, [](const value& h, const value& c) { return reduce("ReduceSum", mul(c, h), {1}); }) == "If");
  CHECK(reading({3, 1, 4}, [](const value& h, const value& c) { return matmul(c, reshape(h, {3, 4, 1})); }) == "If");
  CHECK(reading({4}, [](const value& h, const value& c) { return matmul(h, c); }) == "If");
  CHECK(reading({4, 1}, [](const value& h, const value& c) { return reduce("ReduceMax", matmul(h, c), {1}); }) == "If");
}

TEST_CASE("state-space: a factor of a single step is not a factor of all steps") {
  model m;
  const auto body = [](const values& h, const values& x) {
    const value next = add(mul(h[0], 0.5), x[0]);
    return loop_step{{}, {next}, {reduce("ReduceSum", next, {0})}};
  };
  const value inputs = mul(m.in({64, 1}), m.in({64, 3}));
  const value y = scan(m.g, {filled(m.g, dtype::f32, {5, 3}, 0)}, {inputs}, body).collected[0];
  const std::string all = after(y, "state-space");
  CHECK(all.substr(all.rfind(' ') + 1) == "If");
}

TEST_CASE("state-space: what stays a Scan") {
  CHECK(of_scan(average, {.steps = 31}) == "Scan");
  CHECK(of_scan(average, {.type = dtype::f16}) == "Scan");
  CHECK(of_scan(average, {.factor = {}}) == "Scan");                // affine-scan has one matrix for all
  CHECK(of_scan(average, {.steps = 67, .zero = false}) == "Scan");  // no chunk divides the steps
  CHECK(of_scan([](const values& h, const value& u, const value& a, const value&) {
          return loop_step{{}, {add(mul(a, mul(h[0], u)), u)}, {h[0]}};
        }) == "Scan");
  CHECK(of_scan(
            [](const values& h, const value& u, const value& a, const value& b) {
              const value re = add(sub(mul(a, h[0]), mul(b, h[1])), u), im = sub(mul(a, h[1]), mul(b, h[0]));
              return loop_step{{}, {re, im}, {re}};
            },
            {.states = 2}) == "Scan");
  CHECK(of_scan(
            [](const values& h, const value& u, const value& a, const value& b) {
              const value next = add(mul(a, h[0]), mul(b, u));
              return loop_step{{}, {next}, {mul(next, next), reduce("ReduceMax", next, {0})}};
            },
            {.state = {300, 300}, .element = {300, 300}, .factor = {300, 300}}) == "Scan");
}
