// SPDX-License-Identifier: Apache-2.0
// Reads models and writes them unchanged and optimized: for each line `FROM WRITTEN OPTIMIZED` of the standard input.
// Prints the numbers of nodes before and after, or the problem, in a line for each.

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/read/read_model.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

namespace {

std::size_t nodes(const jax2onnx::graph& g) {
  std::size_t count = 0;
  for (std::size_t b = 0; b < g.block_count(); ++b) count += g.at(static_cast<jax2onnx::block_id>(b)).nodes.size();
  return count;
}

std::string round_trip(const std::string& from, const std::string& written, const std::string& optimized) {
  jax2onnx::model m = jax2onnx::read_model_file(from);
  jax2onnx::write_model(m.graph, m.envelope, std::filesystem::path(written));
  const std::size_t before = nodes(m.graph);
  jax2onnx::optimize(m.graph, {});
  jax2onnx::write_model(m.graph, m.envelope, std::filesystem::path(optimized));
  return std::to_string(before) + " " + std::to_string(nodes(m.graph));
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string from, written, optimized, outcome;
    words >> from >> written >> optimized;
    try {
      outcome = round_trip(from, written, optimized);
    } catch (const std::exception& e) {
      outcome = e.what();
    }
    std::cout << outcome << std::endl;
  }
}
