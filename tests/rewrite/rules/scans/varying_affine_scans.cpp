// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/rules/scans/varying_affine_scans.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

using steps_of = std::function<loop_step(const std::vector<value>& states, const std::vector<value>& x)>;

/// The last operator after the rule, for a Scan with these initial states over these sequences.
std::string last_of(model& m, const std::vector<value>& first, const std::vector<value>& sequences,
                    const steps_of& body, const scan_options& options = {}) {
  const loop_result made = scan(m.g, first, sequences, body, options);
  const std::string all = after(made.collected.empty() ? made.carried[0] : made.collected[0], "varying-affine-scan");
  return all.substr(all.rfind(' ') + 1);
}

/// The last operator after the rule, for a state [N] that a matrix [N, N] of each step multiplies.
std::string by_matrices(std::int64_t steps, std::int64_t size, dtype t = dtype::f32, const scan_options& options = {}) {
  model m;
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    const value h = add(matmul(x[0], s[0]), x[1]);
    return loop_step{{}, {h}, {h}};
  };
  return last_of(m, {m.in({size}, t)}, {m.in({steps, size, size}, t), m.in({steps, size}, t)}, body, options);
}

}  // namespace

TEST_CASE("varying-affine-scan: products of the matrices, and the Scan for operands that are not finite") {
  CHECK(by_matrices(40, 2) == "If");
  CHECK(by_matrices(16, 3) == "If");
  CHECK(by_matrices(700, 4) == "If");
  CHECK(by_matrices(40, 12) == "If");
  CHECK(by_matrices(40, 2, dtype::f64) == "If");
  CHECK(by_matrices(40, 2, dtype::f32, {.reverse = true}) == "If");
}

TEST_CASE("varying-affine-scan: several states, and what follows from them") {
  model m;
  const auto body = [](const std::vector<value>& s, const std::vector<value>& x) {
    const value y = sub(mul(s[0], x[0]), s[1]);
    return loop_step{{}, {y, add(mul(s[0], 0.5), x[0])}, {unary("Tanh", y), s[1], x[0]}};
  };
  CHECK(last_of(m, {m.in({}), m.in({})}, {m.in({40})}, body) == "If");
  model n;
  CHECK(last_of(n, {n.in({3}), n.in({3})}, {n.in({40, 3})}, body) == "If");
}

TEST_CASE("varying-affine-scan: what stays a Scan") {
  CHECK(by_matrices(15, 2) == "Scan");
  CHECK(by_matrices(40, 13) == "Scan");
  CHECK(by_matrices(40, 1) == "Scan");
  CHECK(by_matrices(40, 2, dtype::f16) == "Scan");
  CHECK(by_matrices(20000, 12) == "Scan");
  model m;
  const auto squared = [](const std::vector<value>& s, const std::vector<value>& x) {
    return loop_step{{}, {add(mul(s[0], s[1]), x[0]), s[0]}, {s[0]}};
  };
  CHECK(last_of(m, {m.in({}), m.in({})}, {m.in({40})}, squared) == "Scan");
  model n;
  const auto many = [](const std::vector<value>& s, const std::vector<value>& x) {
    return loop_step{{}, {sub(mul(s[0], x[0]), s[1]), s[0]}, {s[0]}};
  };
  CHECK(last_of(n, {n.in({33}), n.in({33})}, {n.in({40, 33})}, many) == "Scan");
}
