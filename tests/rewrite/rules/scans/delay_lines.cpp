// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/rules/scans/delay_lines.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

using step = std::function<loop_step(const value& line, const value& x)>;

/// The operators after the rule, for a Scan of one line and one sequence.
std::string scanned(const step& f, const shape& line = {20}, std::int64_t steps = 64, const scan_options& options = {},
                    dtype t = dtype::f32) {
  model m;
  const auto body = [&](const std::vector<value>& s, const std::vector<value>& x) { return f(s[0], x[0]); };
  const loop_result y = scan(m.g, {m.in(line, t)}, {m.in({steps}, t)}, body, options);
  std::vector<value> all = y.carried;
  all.insert(all.end(), y.collected.begin(), y.collected.end());
  return all.size() == 1 ? after({all[0]}, {"delay-line"}) : after({all[0], all[1]}, {"delay-line"});
}
bool goes(const std::string& operators) { return operators.find("Scan") == std::string::npos; }

/// The line with x as its newest element, which is the first one.
value shifted(const value& line, const value& x) {
  const std::int64_t length = line.extent(0).extent();
  return concat({unsqueeze(x, {0}), slice(line, 0, 0, length - 1)}, 0);
}
/// The line with x as its newest element, which is the last one.
value shifted_back(const value& line, const value& x) {
  return concat({slice(line, 0, 1, line.extent(0).extent()), unsqueeze(x, {0})}, 0);
}
value read(const value& line, std::int64_t index) { return gather(line, scalar(line.owner(), dtype::i64, index), 0); }

/// An echo of the element at an index.
step echo(std::int64_t index) {
  return [index](const value& line, const value& x) {
    const value y = add(x, mul(read(line, index), 0.5));
    return loop_step{{}, {shifted(line, y)}, {y}};
  };
}

}  // namespace

TEST_CASE("delay-line: echoes") {
  CHECK(goes(scanned(echo(19))));
  CHECK(goes(scanned(echo(-1))));
  CHECK(goes(scanned(echo(3))));
  CHECK(goes(scanned(echo(9), {20}, 61, {.reverse = true})));
  CHECK(goes(scanned(echo(19), {20}, 17)));  // fewer steps than elements
  CHECK(goes(scanned(echo(19), {20}, 64, {}, dtype::f16)));
  CHECK(goes(scanned([](const value& line, const value& x) {
    const value y = add(x, unary("Tanh", squeeze(slice(line, 0, 5, 6), {0})));
    return loop_step{{}, {shifted_back(line, y)}, {read(line, 0)}};
  })));
}

TEST_CASE("delay-line: many blocks are a Scan") {
  CHECK_FALSE(goes(scanned(echo(19), {20}, 20 * 64 + 3)));
  CHECK(scanned(echo(19), {20}, 20 * 64 + 3).find("Scan Reshape") != std::string::npos);
  CHECK(scanned(echo(19), {20}, 20 * 65) == "Scan");  // for affine-scan
  CHECK(scanned(echo(69), {70}, 70 * 65 + 1) != "Scan");
}

TEST_CASE("delay-line: several lines, along another axis") {
  model m;
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    const value a = slice(s[0], 1, 7, 8), b = slice(s[1], 1, 5, 6), y = add(add(a, b), unsqueeze(x[0], {1}));
    const auto next = [&](const value& line) { return concat({y, slice(line, 1, 0, line.extent(1).extent() - 1)}, 1); };
    return loop_step{{}, {next(s[0]), next(s[1])}, {y}};
  };
  const loop_result y = scan(m.g, {m.in({m.B, 9}), m.in({m.B, 12})}, {m.in({48, m.B})}, body);
  CHECK(goes(after({y.carried[0], y.carried[1], y.collected[0]}, {"delay-line"})));
}

TEST_CASE("delay-line: what stays a Scan") {
  CHECK(scanned(echo(2)) == "Scan");  // three steps at once are not enough
  CHECK(scanned([](const value& line, const value& x) {
          const value y = add(x, reduce("ReduceSum", line, {0}));  // of all elements
          return loop_step{{}, {shifted(line, y)}, {y}};
        }) == "Scan");
  CHECK(scanned([](const value& line, const value& x) {
          const value y = add(x, read(line, 19));
          return loop_step{{}, {shifted(neg(line), y)}, {y}};  // changes all elements
        }) == "Scan");
  CHECK(scanned([](const value& line, const value& x) {
          const value y = add(x, read(line, 19));
          return loop_step{{}, {shifted(line, y)}, {line}};  // stacks the line
        }) == "Scan");
  CHECK(scanned([](const value& line, const value& x) {
          const value y = unsqueeze(add(x, read(line, 19)), {0});
          return loop_step{{}, {concat({y, y, slice(line, 0, 0, 18)}, 0)}, {}};  // two elements for each step
        }) == "Scan");
  CHECK(scanned([](const value& line, const value& x) {
          const value y = unsqueeze(add(x, read(line, 19)), {0});
          return loop_step{{}, {concat({y, slice(line, 0, 1, 20)}, 0)}, {}};  // no shift
        }) == "Scan");
  CHECK(scanned([](const value& line, const value& x) {
          const value at = cast(mul(x, 3), dtype::i64), y = gather(line, at, 0);  // at any index
          return loop_step{{}, {shifted(line, y)}, {y}};
        }) == "Scan");
}
