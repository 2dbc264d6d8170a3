// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/interpreter.hpp"

#include <complex>
#include <string_view>

#include <jax2onnx/lower/complex/functions.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;
using complex_number = std::complex<double>;

TEST_CASE("complex functions in double agree with those of the standard library") {
  struct function {
    std::string_view name;
    jax_value (*lowered)(const jax_value&);
    complex_number (*expected)(complex_number);
  };
  const function functions[] = {
      {"sqrt", cx::sqrt, [](complex_number z) { return std::sqrt(z); }},
      {"exp", cx::exp, [](complex_number z) { return std::exp(z); }},
      {"expm1", cx::expm1, [](complex_number z) { return std::exp(z) - 1.0; }},
      {"exp2", cx::exp2, [](complex_number z) { return std::pow(2.0, z); }},
      {"log", cx::log, [](complex_number z) { return std::log(z); }},
      {"log1p", cx::log1p, [](complex_number z) { return std::log(1.0 + z); }},
      {"sin", cx::sin, [](complex_number z) { return std::sin(z); }},
      {"cos", cx::cos, [](complex_number z) { return std::cos(z); }},
      {"tan", cx::tan, [](complex_number z) { return std::tan(z); }},
      {"sinh", cx::sinh, [](complex_number z) { return std::sinh(z); }},
      {"cosh", cx::cosh, [](complex_number z) { return std::cosh(z); }},
      {"tanh", cx::tanh, [](complex_number z) { return std::tanh(z); }},
      {"asin", cx::asin, [](complex_number z) { return std::asin(z); }},
      {"acos", cx::acos, [](complex_number z) { return std::acos(z); }},
      {"atan", cx::atan, [](complex_number z) { return std::atan(z); }},
      {"asinh", cx::asinh, [](complex_number z) { return std::asinh(z); }},
      {"acosh", cx::acosh, [](complex_number z) { return std::acosh(z); }},
      {"atanh", cx::atanh, [](complex_number z) { return std::atanh(z); }},
      {"rsqrt", cx::rsqrt, [](complex_number z) { return 1.0 / std::sqrt(z); }},
      {"logistic", cx::logistic, [](complex_number z) { return 1.0 / (1.0 + std::exp(-z)); }},
  };
  for (const function& f : functions) {
    for (const complex_number z :
         {complex_number(0.5, 0.25), complex_number(-0.5, 1.5), complex_number(2, -0.75), complex_number(-1.25, -2)}) {
      graph g;
      const jax_value y = f.lowered({scalar(g, dtype::f64, z.real()), scalar(g, dtype::f64, z.imag())});
      test::interpreter run(g);
      run.run();
      const complex_number found(run.number_at(y.re()), run.number_at(y.im())), expected = f.expected(z);
      INFO(f.name << " of " << z << ": " << found << ", expected " << expected);
      CHECK(std::abs(found - expected) <= 1e-14 * std::abs(expected));
    }
  }
}
