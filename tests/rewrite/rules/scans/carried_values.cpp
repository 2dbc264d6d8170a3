// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/scans/carried_values.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// A Scan over xs[5] with states[6].
template <class Step>
loop_result scanned(model& m, std::size_t states, const Step& step) {
  const std::vector<value> first(states, m.in({6}));
  return scan(m.g, first, {m.in({5})},
              [&](const std::vector<value>& s, const std::vector<value>& x) { return loop_step(step(s, x[0])); });
}

}  // namespace

TEST_CASE("carry-values: the force at the end of a step is that at the begin of the next one") {
  model m;
  const loop_result y = scanned(m, 2, [&](const std::vector<value>& s, const value&) {
    const auto force = [](const value& x) { return exp(mul(x, x)); };
    const value half = add(s[1], force(s[0])), x = add(s[0], half);
    return loop_step{{}, {x, add(half, force(x))}, {x}};
  });
  CHECK(after({y.carried[0], y.carried[1], y.collected[0]}, {"carry-values"}) == "Mul Exp Scan");
  CHECK(bodies(m.g) == "Add Add Mul Exp Add");
}

TEST_CASE("carry-values: borders that no step changes are those of the first state") {
  model m;
  const loop_result y = scanned(m, 1, [&](const std::vector<value>& s, const value&) {
    return loop_step{{}, {concat({slice(s[0], 0, 0, 1), abs(slice(s[0], 0, 1, 5)), slice(s[0], 0, 5, 6)}, 0)}, {}};
  });
  CHECK(after(y.carried[0], "carry-values") == "Slice Slice Slice Scan");
  CHECK(bodies(m.g) == "Abs Concat");
}

TEST_CASE("carry-values: what stays") {
  const auto left = [](const auto& step) {
    model m;
    after(scanned(m, 1, step).carried[0], "carry-values");
    return bodies(m.g);
  };
  // One node fewer, but one more state.
  CHECK(left([](const std::vector<value>& s, const value&) {
          const value next = add(s[0], exp(s[0]));
          return loop_step{{}, {mul(next, exp(next))}, {}};
        }) == "Exp Add Exp Mul");
  // The previous step has another element.
  CHECK(left([](const std::vector<value>& s, const value& x) {
          const value next = add(s[0], abs(exp(mul(s[0], x))));
          return loop_step{{}, {add(next, sub(abs(exp(mul(next, x))), next))}, {}};
        }) == "Mul Exp Abs Add Mul Exp Abs Sub Add");
}
