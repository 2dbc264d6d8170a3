// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <array>
#include <cmath>

#include <jax2onnx/lower/linalg/schur_iteration.hpp>

using namespace jax2onnx;

namespace {

struct block_2x2 {
  double a, b, c, d, cosine, sine;
};
block_2x2 standard(double a, double b, double c, double d) {
  graph g;
  const auto number = [&](double x) { return scalar(g, dtype::f64, x); };
  const lower::linalg::standard_block s(number(a), number(b), number(c), number(d));
  test::interpreter run(g);
  run.run();
  return {run.number_at(s.a), run.number_at(s.b),      run.number_at(s.c),
          run.number_at(s.d), run.number_at(s.cosine), run.number_at(s.sine)};
}

/// Checks that the rotation brings the given block to its standard form.
void check_rotation(double a, double b, double c, double d) {
  const block_2x2 s = standard(a, b, c, d);
  INFO(a << ' ' << b << ' ' << c << ' ' << d);
  CHECK(std::abs(s.cosine * s.cosine + s.sine * s.sine - 1) < 1e-14);
  const double a1 = s.cosine * a + s.sine * c, b1 = s.cosine * b + s.sine * d;
  const double c1 = s.cosine * c - s.sine * a, d1 = s.cosine * d - s.sine * b;
  const double rotated[] = {a1 * s.cosine + b1 * s.sine, b1 * s.cosine - a1 * s.sine, c1 * s.cosine + d1 * s.sine,
                            d1 * s.cosine - c1 * s.sine};
  const double expected[] = {s.a, s.b, s.c, s.d};
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(rotated[i] - expected[i]) < 1e-13);
}

}  // namespace

TEST_CASE("a block with real eigenvalues becomes upper triangular") {
  for (const auto& [a, b, c, d] : {std::array{4.0, 1.0, 2.0, 3.0}, {1.0, 2.0, 0.0, 3.0}, {5.0, 0.0, 2.0, -1.0}}) {
    CHECK(standard(a, b, c, d).c == 0);
    check_rotation(a, b, c, d);
  }
}

TEST_CASE("a block with a complex pair gets an equal diagonal and off-diagonal elements of opposite signs") {
  for (const auto& [a, b, c, d] : {std::array{1.0, -2.0, 3.0, 2.0}, {0.0, 1.0, -1.0, 0.0}, {3.0, 4.0, -1.0, 1.0}}) {
    const block_2x2 s = standard(a, b, c, d);
    CHECK(s.a == s.d);
    CHECK(s.b * s.c < 0);
    check_rotation(a, b, c, d);
  }
}
