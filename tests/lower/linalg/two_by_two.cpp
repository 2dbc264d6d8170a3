// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <array>
#include <cmath>

#include <jax2onnx/lower/linalg/two_by_two.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower::linalg;

namespace {

using numbers = std::array<double, 4>;

struct matrix {
  graph g;
  value number(double x) { return scalar(g, dtype::f64, x); }
  two_by_two of(double a, double b, double c, double d) { return {number(a), number(b), number(c), number(d)}; }
};

numbers read(matrix& m, const value& a, const value& b, const value& c, const value& d) {
  test::interpreter run(m.g);
  run.run();
  return {run.number_at(a), run.number_at(b), run.number_at(c), run.number_at(d)};
}

/// The real and imaginary parts of both eigenvalues.
numbers eigenvalues(double a, double b, double c, double d, double ulp = 2.2e-16) {
  matrix m;
  const eigenvalues_2x2 w(m.of(a, b, c, d), ulp);
  return read(m, w.first.re(), w.first.im(), w.second.re(), w.second.im());
}

struct symmetric {
  double low, high;
  numbers vectors;  // low x, low y, high x, high y
};
symmetric decompose(double a, double b, double d, bool wide_range = false) {
  matrix m;
  const symmetric_2x2 s(m.number(a), m.number(b), m.number(d), 2.2e-16, wide_range);
  const numbers values = read(m, s.low, s.high, s.low, s.high);
  return {values[0], values[1], read(m, s.low_x, s.low_y, s.high_x, s.high_y)};
}

void check_close(const numbers& found, const numbers& expected) {
  for (std::size_t i = 0; i < 4; ++i) {
    INFO(i << ": " << found[i] << ", expected " << expected[i]);
    CHECK(std::abs(found[i] - expected[i]) < 1e-14);
  }
}

}  // namespace

TEST_CASE("the elements of batches of 2 by 2 matrices") {
  graph g;
  const jax_value batch(g.input({dtype::f32, {7, 2, 2}}, "re"), g.input({dtype::f32, {7, 2, 2}}, "im"));
  const two_by_two m = two_by_two::of(batch);
  for (const jax_value& x : {m.a, m.b, m.c, m.d}) CHECK(x.im().dims() == shape{7, 1, 1});
}

TEST_CASE("eigenvalues come in LAPACK's order") {
  const double root = std::sqrt(33.0) / 2;
  check_close(eigenvalues(1, 2, 3, 4), {2.5 - root, 0, 2.5 + root, 0});
  check_close(eigenvalues(4, 2, 3, 1), {2.5 + root, 0, 2.5 - root, 0});
  check_close(eigenvalues(1, -4, 1, 1), {1, 2, 1, -2});
  check_close(eigenvalues(1, 0, 5, 2), {2, 0, 1, 0});
  check_close(eigenvalues(1, 5, 0, 2), {1, 0, 2, 0});
  check_close(eigenvalues(0, 0, 0, 0), {0, 0, 0, 0});
}

TEST_CASE("eigenvalues of triangular matrices are exact") {
  CHECK(eigenvalues(1e-20, 0, 1, 1) == numbers{1, 0, 1e-20, 0});
  CHECK(eigenvalues(1e-20, 1, 0, 1) == numbers{1e-20, 0, 1, 0});
}

TEST_CASE("nearly equal eigenvalues are ordered by the sign of b + c") {
  const auto large_first = eigenvalues(0, 4e-18, 1e-18, 0), small_first = eigenvalues(0, -4e-18, -1e-18, 0);
  CHECK(std::abs(large_first[0] - 2e-18) < 1e-30);
  CHECK(std::abs(small_first[0] + 2e-18) < 1e-30);
}

TEST_CASE("complex eigenvalues") {
  matrix m;
  const auto z = [&](double re, double im) { return jax_value(m.number(re), m.number(im)); };
  const eigenvalues_2x2 w({z(0, 0), z(0, 1), z(0, 1), z(0, 0)}, 2.2e-16);  // +-i
  check_close(read(m, w.first.re(), w.first.im(), w.second.re(), w.second.im()), {0, 1, 0, -1});
}

TEST_CASE("symmetric matrices, with LAPACK's signs") {
  const double x = 0.85065080835203993, y = 0.52573111211913361;
  const symmetric rising = decompose(1, 2, 3), falling = decompose(3, 2, 1), negative = decompose(-3, 2, -1);
  check_close({rising.low, rising.high, falling.low, falling.high},
              {2 - std::sqrt(5.0), 2 + std::sqrt(5.0), 2 - std::sqrt(5.0), 2 + std::sqrt(5.0)});
  check_close(rising.vectors, {-x, y, y, x});
  check_close(falling.vectors, {y, -x, -x, -y});
  check_close({negative.low, negative.high, 0, 0}, {-2 - std::sqrt(5.0), -2 + std::sqrt(5.0), 0, 0});
  check_close(negative.vectors, {-x, y, -y, -x});
}

TEST_CASE("diagonal matrices are sorted") {
  CHECK(decompose(2, 0, 1).vectors == numbers{0, 1, 1, 0});
  CHECK(decompose(1, 0, 2).vectors == numbers{1, 0, 0, 1});
  CHECK(decompose(1, 0, 1).vectors == numbers{1, 0, 0, 1});
}

TEST_CASE("symmetric matrices whose squares overflow") {
  const symmetric s = decompose(0, 1e200, 0, true);
  CHECK(s.low == -1e200);
  CHECK(s.high == 1e200);
}

TEST_CASE("singular values") {
  matrix m;
  const singular_values_2x2 s(m.of(3, 0, 4, 5)), rank_one(m.of(1, 2, 2, 4));
  const numbers found = read(m, s.large, s.small, rank_one.large, rank_one.small);
  check_close(found, {std::sqrt(45.0), std::sqrt(5.0), 5, 0});
}
