// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/rules/scans/affine_scans.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

using step = std::function<value(const value& h, const value& x)>;

/// The result of the rule for a Scan of one state over `steps` steps.
std::string of_scan(std::int64_t steps, const step& next, const shape& state = {3}, dtype t = dtype::f32) {
  model m;
  shape sequence{steps};
  sequence.append(state);
  const auto body = [&](const std::vector<value>& h, const std::vector<value>& x) {
    const value y = next(h[0], x[0]);
    return loop_step{{}, {y}, {y}};
  };
  return after(scan(m.g, {m.in(state, t)}, {m.in(sequence, t)}, body).collected[0], "affine-scan");
}

value average(const value& h, const value& x) { return add(mul(h, 0.9), x); }

using steps_of = std::function<loop_step(const std::vector<value>& states, const value& x)>;

/// The last operator after the rule, for a Scan with these initial states over inputs of the first one's shape.
std::string of_matrix(model& m, const std::vector<shape>& states, const steps_of& body, std::int64_t steps = 40,
                      dtype t = dtype::f32, const scan_options& options = {}) {
  shape sequence{steps};
  sequence.append(states[0]);
  std::vector<value> first;
  for (const shape& s : states) first.push_back(m.in(s, t));
  const loop_result made = scan(
      m.g, first, {m.in(sequence, t)},
      [&](const std::vector<value>& s, const std::vector<value>& x) { return body(s, x[0]); }, options);
  const value y = made.collected.empty() ? made.carried[0] : made.collected[0];
  const std::string all = after(y, "affine-scan");
  return all.substr(all.rfind(' ') + 1);
}
loop_step both(const value& h) { return {{}, {h}, {h}}; }

}  // namespace

TEST_CASE("affine-scan: products, and the Scan for operands that are not finite") {
  CHECK(of_scan(40, average).ends_with("If"));
  CHECK(of_scan(40, [](const value& h, const value& x) { return neg(sub(div(x, 3), div(h, 2))); }).ends_with("If"));
  CHECK(of_scan(40, [](const value& h, const value& x) { return sub(unary("Tanh", x), mul(h, 0.5)); }).ends_with("If"));
  CHECK(of_scan(40, average, {}, dtype::f64).ends_with("If"));
}

TEST_CASE("affine-scan: two states, one of which is the last input") {
  model m;
  const auto body = [](const std::vector<value>& h, const std::vector<value>& x) {
    const value y = mul(sub(add(h[0], x[0]), h[1]), 0.97);
    return loop_step{{}, {y, unary("Identity", x[0])}, {h[0]}};
  };
  CHECK(after(scan(m.g, {m.in({}), m.in({})}, {m.in({33})}, body).collected[0], "affine-scan").ends_with("If"));
}

TEST_CASE("affine-scan: what stays a Scan") {
  CHECK(of_scan(15, average) == "Scan");
  CHECK(of_scan(40, average, {4097}) == "Scan");
  CHECK(of_scan(40, average, {3}, dtype::f16) == "Scan");
  CHECK(of_scan(40, [](const value& h, const value& x) { return add(mul(h, x), x); }) == "Scan");
  CHECK(of_scan(40, [](const value& h, const value& x) { return add(div(scalar(h.owner(), h.dtype(), 1), h), x); }) ==
        "Scan");
  CHECK(of_scan(40, [](const value& h, const value& x) { return unary("Tanh", add(h, x)); }) == "Scan");
}

TEST_CASE("affine-scan: a matrix times a vector, or the rows of a state") {
  model m;
  const value a = m.in({4, 4});
  const auto by_vector = [&](const std::vector<value>& s, const value& x) { return both(add(matmul(a, s[0]), x)); };
  CHECK(of_matrix(m, {{4}}, by_vector) == "If");
  CHECK(of_matrix(m, {{4}}, by_vector, 2000) == "If");
  const auto by_rows = [&](const std::vector<value>& s, const value& x) {
    return loop_step{{}, {sub(matmul(s[0], a), x)}, {reduce("ReduceSum", s[0], {1})}};
  };
  CHECK(of_matrix(m, {{3, 4}}, by_rows, 33, dtype::f32, {.reverse = true}) == "If");
  const auto gemm = [&](const std::vector<value>& s, const value& x) {
    return both(m.g.emit("Gemm", std::vector<value>{s[0], a, x}, s[0].type(), {{"transB", std::int64_t{1}}}));
  };
  CHECK(of_matrix(m, {{3, 4}}, gemm) == "If");
}

TEST_CASE("affine-scan: a matrix for each element of a batch") {
  model m;
  const value a = m.in({3, 4, 4}), re = m.in({7}), im = m.in({7});
  CHECK(of_matrix(m, {{3, 4}}, [&](const std::vector<value>& s, const value& x) {
          return both(add(reshape(matmul(a, reshape(s[0], {3, 4, 1})), {3, 4}), x));
        }) == "If");
  CHECK(of_matrix(m, {{7}, {7}}, [&](const std::vector<value>& s, const value& x) {
          const value y = add(sub(mul(re, s[0]), mul(im, s[1])), x);
          return loop_step{{}, {y, add(mul(re, s[1]), mul(s[0], im))}, {y}};
        }) == "If");
}

TEST_CASE("affine-scan: a vector times each row of a state") {
  model m;
  const value a = m.in({4});
  CHECK(of_matrix(m, {{3, 4}}, [&](const std::vector<value>& s, const value& x) {
          const value y = reshape(sub(slice(x, 1, 0, 1), reshape(matmul(s[0], a), {3, 1})), {3, 1});
          return loop_step{{}, {concat({y, slice(s[0], 1, 0, 3)}, 1)}, {y}};
        }) == "If");
}

TEST_CASE("affine-scan: shift registers") {
  model m;
  const value a = m.in({4});
  CHECK(of_matrix(m, {{}, {4}}, [&](const std::vector<value>& s, const value& x) {
          const value y = sub(x, matmul(a, s[1]));
          return loop_step{{}, {y, concat({reshape(y, {1}), slice(s[1], 0, 0, 3)}, 0)}, {neg(y)}};
        }) == "If");
  CHECK(of_matrix(m, {{}, {4}}, [&](const std::vector<value>& s, const value& x) {
          const value y = sub(div(x, 2), matmul(s[1], a)), last = reshape(int64s(m.g, {3}), {1, 1});
          const value moved = concat({slice(s[1], 0, 1, 4), slice(s[1], 0, 0, 1)}, 0);
          return loop_step{{}, {y, scatter_nd(moved, last, reshape(y, {1}))}, {pick(s[1], 0, 0)}};
        }) == "If");
}

TEST_CASE("affine-scan: without a constant matrix, the Scan stays") {
  model m;
  const value a = m.in({4, 4});
  const auto linear = [&](const std::vector<value>& s, const value& x) { return both(add(matmul(s[0], a), x)); };
  CHECK(of_matrix(m, {{4}}, linear, 15) == "Scan");
  CHECK(of_matrix(m, {{4}}, [&](const std::vector<value>& s, const value& x) {
          return both(add(mul(s[0], x), matmul(s[0], a)));
        }) == "Scan");
  CHECK(of_matrix(m, {{4}}, [&](const std::vector<value>& s, const value& x) {
          return both(add(unary("Tanh", matmul(s[0], a)), x));
        }) == "Scan");
  CHECK(of_matrix(m, {{4}}, [&](const std::vector<value>& s, const value& x) {
          return both(add(div(pick(a, 0, 0), s[0]), x));
        }) == "Scan");
  CHECK(of_matrix(m, {{4}}, [&](const std::vector<value>& s, const value& x) {
          return loop_step{{}, {add(matmul(s[0], a), x)}, {unary("Abs", s[0])}};
        }) == "Scan");
  const value large = m.in({65, 65});
  CHECK(of_matrix(m, {{65}}, [&](const std::vector<value>& s, const value& x) {
          return both(add(matmul(s[0], large), x));
        }) == "Scan");
  const value set = m.in({1, 1}, dtype::i64);  // the rows are unknown
  CHECK(of_matrix(m, {{4}}, [&](const std::vector<value>& s, const value& x) {
          return both(scatter_nd(matmul(s[0], a), set, slice(x, 0, 0, 1)));
        }) == "Scan");
}
