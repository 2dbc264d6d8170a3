#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <functional>
#include <vector>

#include <jax2onnx/rewrite/rules/affine_scans.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using jax2onnx::rewrite::detail::square_matrix;

namespace {

using step = std::function<value(const value& h, const value& x)>;

/// What the rule makes of a Scan of one state over `steps` steps.
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
  CHECK(of_scan(40, [](const value& h, const value& x) { return add(mul(h, 1.5), x); }) == "states grow");
  CHECK(of_scan(31, average) == "Scan");
  CHECK(of_scan(40, average, {257}) == "Scan");
  CHECK(of_scan(40, average, {3}, dtype::f16) == "Scan");
  CHECK(of_scan(40, [](const value& h, const value& x) { return add(mul(h, x), x); }) == "Scan");
  CHECK(of_scan(40, [](const value& h, const value& x) { return add(div(scalar(h.owner(), h.dtype(), 1), h), x); }) ==
        "Scan");
  CHECK(of_scan(40, [](const value& h, const value& x) { return unary("Tanh", add(h, x)); }) == "Scan");
}

TEST_CASE("square matrices") {
  const square_matrix m{2, {1, 2, 3, 4}};
  CHECK((m * square_matrix::identity(2)).numbers == m.numbers);
  CHECK((m * m).numbers == std::vector<double>{7, 10, 15, 22});
  CHECK(std::vector<double>{1, 10} * m == std::vector<double>{31, 42});
}
