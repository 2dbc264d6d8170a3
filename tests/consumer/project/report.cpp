// SPDX-License-Identifier: Apache-2.0
// The reports of a conversion and of a failure.
#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/report.hpp>

int main() {
  using enum jax2onnx::report_format;
  const jax2onnx::conversion made = jax2onnx::convert("{ lambda ; a:f32[3]. let b:f32[3] = tanh a in (b,) }");
  if (!jax2onnx::report(made, html).starts_with("<!doctype html>")) return 1;
  const std::string text = "{ lambda";
  try {
    jax2onnx::convert(text);
  } catch (const jax2onnx::error& e) {
    return jax2onnx::failure_report(e.diagnostics(), text, markdown).starts_with("# <text>: failed\n") ? 0 : 1;
  }
  return 1;
}
