// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/scans/joined_steps.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// A Scan over xs[count] with one state.
template <class Step>
loop_result scanned(model& m, std::int64_t count, const shape& state, const Step& step, bool reverse = false) {
  scan_options options;
  options.reverse = reverse;
  return scan(
      m.g, {m.in(state)}, {m.in({count})},
      [&](const std::vector<value>& s, const std::vector<value>& x) { return loop_step(step(s[0], x[0])); }, options);
}
std::string after_for_ort(const value& v) { return after({v}, {"join-steps"}, target::ort); }

}  // namespace

TEST_CASE("join-steps: as many steps as divide the count") {
  model m;
  const auto roots = [](const value& s, const value&) { return loop_step{{}, {sqrt(exp(s))}, {}}; };
  CHECK(after_for_ort(scanned(m, 28, {4}, roots).carried[0]) == "Slice Scan");
  CHECK(bodies(m.g) == "Exp Sqrt Exp Sqrt Exp Sqrt Exp Sqrt Exp Sqrt Exp Sqrt Exp Sqrt");
  model n;
  CHECK(after_for_ort(scanned(n, 29, {4}, roots).carried[0]) == "Scan");
  model o;
  CHECK(after(scanned(o, 28, {4}, roots).carried[0], "join-steps") == "Scan");  // another runtime
}

TEST_CASE("join-steps: what is read and stacked") {
  for (const bool reverse : {false, true}) {
    const auto step = [](const value& s, const value& x) { return loop_step{{}, {mul(s, x)}, {s}}; };
    model m;
    const loop_result y = scanned(m, 140, {4}, step, reverse);
    CHECK(after({y.carried[0], y.collected[0]}, {"join-steps"}, target::ort) ==
          "Slice Slice Slice Slice Slice Slice Slice Scan Reshape");
    CHECK(bodies(m.g) == "Mul Mul Mul Mul Mul Mul Mul Concat");
    model n;
    const loop_result z = scanned(n, 140, {}, step, reverse);
    CHECK(after({z.carried[0], z.collected[0]}, {"join-steps"}, target::ort) == "Scan");
  }
}

TEST_CASE("join-steps: long steps stay") {
  model m;
  const loop_result y = scanned(m, 28, {4}, [](value s, const value&) {
    for (int i = 0; i < 14; ++i) s = exp(s);
    return loop_step{{}, {s}, {}};
  });
  CHECK(after_for_ort(y.carried[0]) == "Scan");
}

TEST_CASE("join-steps: branches of an If read elements of their own step") {
  model m;
  const value is_added = m.in({}, dtype::boolean);
  const auto step = [&](const value& s, const value& x) {
    const auto sum = [&] { return std::vector<value>{add(s, x)}; };
    const auto same = [&] { return std::vector<value>{neg(s)}; };
    return loop_step{{}, {if_(is_added, sum, same)[0]}, {}};
  };
  const loop_result y = scanned(m, 140, {4}, step);
  CHECK(after_for_ort(y.carried[0]) == "Slice Slice Slice Slice Slice Slice Slice Scan");
}
