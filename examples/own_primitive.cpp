// SPDX-License-Identifier: Apache-2.0
// Teaches the converter a primitive that it does not know, and changes how it lowers one that it knows.

#include <cstdlib>
#include <iostream>

#include <jax2onnx/extend.hpp>
#include <jax2onnx/jax2onnx.hpp>
#include <jaxpr/render.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

/// scaled_tanh[scale=s] x = s tanh(x): operands, parameters and the printed type are what a site shows.
static jax_values scaled_tanh(const site& s) {
  const auto scale = s.param<double>("scale");
  return {jax_value(mul(unary("Tanh", s.in(0)), scale))};
}

/// An approximation of logistic for float16; for other types, the built-in lowering.
static jax_values logistic(const site& s) {
  if (s.in_dtype() != dtype::f16) return lower_builtin(s);
  return {jax_value(unary("HardSigmoid", s.in(0)))};
}

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  constexpr const char* text = R"({ lambda ; a:f32[B,4]. let
    b:f32[B,4] = scaled_tanh[scale=1.5] a
    c:f16[B,4] = convert_element_type[new_dtype=float16 weak_type=False] b
    d:f16[B,4] = logistic c
  in (b, d) })";
  options o;
  o.lowerers.emplace("scaled_tanh", scaled_tanh);
  o.lowerers.emplace("logistic", logistic);
  try {
    const conversion made = convert(text, {}, o);
    write_model(made.model, {}, std::filesystem::path(argv[1]));
  } catch (const error& e) {
    for (const diagnostic& problem : e.diagnostics()) std::cerr << jaxpr::render(problem, text, "text");
    return EXIT_FAILURE;
  }
}
