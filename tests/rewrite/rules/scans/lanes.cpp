// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>

#include <jax2onnx/rewrite/rules/scans/lanes.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value tanh(const value& x) { return unary("Tanh", x); }

using step = std::function<value(const value& state, const value& element, const value& lanes)>;

/// The result of the rule for a Scan h' = f(h, x, c) of x[6,4] from h[3,4], with c[3,4], which also stacks h'.
std::string scanned(const step& f, const shape& state = {3, 4}) {
  model m;
  const value lanes = m.in({3, 4});
  const loop_result y =
      scan(m.g, {m.in(state)}, {m.in({6, 4})}, [&](const std::vector<value>& s, const std::vector<value>& x) {
        const value next = f(s[0], x[0], lanes);
        return loop_step{{}, {next}, {next}};
      });
  return after({y.carried[0], y.collected[0]}, {"scan-without-feedback"});
}
bool stays(const step& f) { return scanned(f) == "Scan"; }

/// The state with x in place of the lane that has rotated back in.
value entered(const value& state, const value& x, const char* mask = "\1\0\0") {
  const value truth = x.owner().constant({dtype::boolean, {3, 1}}, bytes(std::string(mask, 3)));
  return where(truth, x, state);
}
/// Moves every lane to the next one.
value moved(const value& v) { return gather(v, int64s(v.owner(), {2, 0, 1}), 0); }

/// Returns whether the rule removes the Scan.
bool goes(const step& f, const shape& state = {3, 4}) { return scanned(f, state).find("Scan") == std::string::npos; }

}  // namespace

TEST_CASE("scan-without-feedback: a pipeline of three stages") {
  CHECK(goes([](const value& h, const value& x, const value&) { return moved(tanh(entered(h, x))); }));
  CHECK(goes([](const value& h, const value& x, const value& c) { return moved(add(entered(h, x), c)); }));
}

TEST_CASE("scan-without-feedback: lanes move by Gather, Concat and Slice") {
  CHECK(goes([](const value& h, const value& x, const value& c) {
    return concat({slice(c, 0, 0, 1), slice(tanh(entered(h, x)), 0, 0, 2)}, 0);
  }));
}

TEST_CASE("scan-without-feedback: a state that is only delayed") {
  CHECK(goes([](const value&, const value& x, const value&) { return tanh(x); }, {4}));
}

TEST_CASE("scan-without-feedback: what depends on its own past stays") {
  CHECK(stays([](const value& h, const value& x, const value&) { return add(h, x); }));
  CHECK(stays([](const value& h, const value& x, const value&) { return moved(add(h, x)); }));  // a ring
  CHECK(stays([](const value& h, const value& x, const value&) {
    return moved(add(entered(h, x), reduce("ReduceSum", h, {0})));  // lanes that are mixed
  }));
  CHECK(stays([](const value& h, const value& x, const value&) { return entered(h, x, "\1\0\1"); }));  // one lane stays
}
