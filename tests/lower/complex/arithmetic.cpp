// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <complex>

#include <jax2onnx/lower/complex/arithmetic.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

namespace {

jax_value number(graph& g, std::complex<double> z) {
  return jax_value(scalar(g, dtype::f64, z.real()), scalar(g, dtype::f64, z.imag()));
}
std::complex<double> result(graph& g, const jax_value& z) {
  test::interpreter run(g);
  run.run();
  return {run.number_at(z.re()), cx::is_real(z) ? 0 : run.number_at(z.im())};
}
void check_close(std::complex<double> x, std::complex<double> y) { CHECK(std::abs(x - y) <= 1e-15 * std::abs(y)); }

}  // namespace

TEST_CASE("complex products, quotients and signs") {
  const std::complex<double> a(1.5, -2), b(-0.25, 3);
  graph g;
  check_close(result(g, cx::mul(number(g, a), number(g, b))), a * b);
  check_close(result(g, cx::div(number(g, a), number(g, b))), a / b);
  check_close(result(g, cx::sign(number(g, a))), a / std::abs(a));
  check_close(result(g, cx::conj(number(g, a))), std::conj(a));
  check_close(result(g, jax_value(cx::norm(number(g, a)))), std::norm(a));
}

TEST_CASE("a quotient of large numbers does not overflow, and one by zero is infinite") {
  graph g;
  check_close(result(g, cx::div(number(g, {1e300, 1e300}), number(g, {1e300, 1e300}))), 1.0);
  CHECK(std::isinf(result(g, cx::div(number(g, {1, 1}), number(g, {0, 0}))).real()));
}

TEST_CASE("a real operand is used with both parts of a complex one") {
  graph g;
  const jax_value x = scalar(g, dtype::f64, 2), z = number(g, {3, 4});
  check_close(result(g, cx::mul(x, z)), {6, 8});
  check_close(result(g, cx::zip_parts(x, z, [](const value& a, const value& b) { return add(a, b); })), {5, 6});
  CHECK(cx::is_real(cx::mul(x, x)));
}

TEST_CASE("an imaginary part that is known to be zero is dropped from products") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x"), zeros = filled(g, dtype::f32, {2}, 0);
  CHECK(cx::is_zero(zeros));
  CHECK(cx::is_zero(cast(zeros, dtype::f64)));
  CHECK(!cx::is_zero(x));
  CHECK(!cx::is_zero(scalar(g, dtype::f32, 1)));
  CHECK(cx::is_real(cx::simplest(jax_value(x, zeros))));
  const std::size_t before = g.node_count();
  cx::mul(jax_value(x, zeros), jax_value(x, x));
  CHECK(g.node_count() == before + 2);
}

TEST_CASE("complex numbers are ordered by real parts, then by imaginary parts") {
  graph g;
  const value smaller_re = cx::less_lexicographic(number(g, {1, 9}), number(g, {2, 0}));
  const value smaller_im = cx::less_lexicographic(number(g, {1, 1}), number(g, {1, 2}));
  const value same = cx::less_lexicographic(number(g, {1, 1}), number(g, {1, 1}));
  test::interpreter run(g);
  run.run();
  CHECK(run.integer_at(smaller_re) == 1);
  CHECK(run.integer_at(smaller_im) == 1);
  CHECK(run.integer_at(same) == 0);
}
