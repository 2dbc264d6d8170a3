// SPDX-License-Identifier: Apache-2.0
// Converts a text and its weights from a program of your own: convert MODEL.jaxpr WEIGHTS.npz OUT.onnx

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/weights/read_weights.hpp>
#include <jaxpr/render.hpp>

int main(int argc, char** argv) {
  if (argc != 4) return EXIT_FAILURE;
  std::ifstream file(argv[1]);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  try {
    const auto weights = jax2onnx::read_weights(argv[2]);
    const jax2onnx::conversion made = jax2onnx::convert(text, weights);
    jax2onnx::write_model(made.model, {}, std::filesystem::path(argv[3]));
    std::cout << made.stats.equations << " equations became " << made.stats.nodes << " nodes\n";
  } catch (const jax2onnx::error& e) {
    for (const jax2onnx::diagnostic& problem : e.diagnostics()) std::cerr << jaxpr::render(problem, text, argv[1]);
    return EXIT_FAILURE;
  }
}
