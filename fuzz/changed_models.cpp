// SPDX-License-Identifier: Apache-2.0
// Changes models, reads the results, and writes them unchanged and optimized. For tests/mutations/models.py:
//     changed_models WAY SEED COUNT FOLDER SEEDS...
// WAY is `bytes`, `fields` or `operators`, or `none` to use the seeds unchanged. For each model the program writes
// FOLDER/NUMBER.onnx and, unless the model was refused, FOLDER/NUMBER.written.onnx and .optimized.onnx. Then it prints
// a line with the number, the seconds, and `ok` or the message, and waits for a line on the standard input.

#include "model_mutation.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <jax2onnx/emit/model.hpp>
#include <jax2onnx/read/read_model.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

namespace {

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The outcome for a model: `ok`, `refused: …` or `internal: …`.
std::string outcome(const std::filesystem::path& file) {
  const auto beside = [&](const char* ending) { return std::filesystem::path(file).replace_extension(ending); };
  try {
    jax2onnx::model m = jax2onnx::read_model_file(file);
    jax2onnx::write_model(m.graph, m.envelope, beside(".written.onnx"));
    jax2onnx::optimize(m.graph, {});
    jax2onnx::write_model(m.graph, m.envelope, beside(".optimized.onnx"));
    return "ok";
  } catch (const jax2onnx::error& e) {
    return (e.kind() == jax2onnx::failure::internal ? "internal: " : "refused: ") + std::string(e.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  const std::string way = argv[1];
  const std::filesystem::path folder = argv[4];
  const std::vector<std::string> seeds(argv + 5, argv + argc);
  const std::uint64_t seed = std::strtoull(argv[2], nullptr, 10), count = std::strtoull(argv[3], nullptr, 10);
  for (std::uint64_t i = seed; i < seed + count; ++i) {
    fuzz::dice random(i);
    const std::string &model = way == "none" ? seeds[(i - seed) % seeds.size()] : random.any(seeds),
                      &donor = random.any(seeds);
    const std::filesystem::path file = folder / (std::to_string(i) + ".onnx");
    const std::string encoded = content(model);
    std::ofstream(file, std::ios::binary) << (way == "none" ? encoded
                                                            : fuzz::changed(encoded, content(donor),
                                                                            way == "bytes"    ? fuzz::way::bytes
                                                                            : way == "fields" ? fuzz::way::fields
                                                                                              : fuzz::way::operators,
                                                                            i));
    const auto begin = std::chrono::steady_clock::now();
    const std::string said = outcome(file);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::cout << i << ' ' << seconds.count() << ' ' << said << std::endl;
    std::string go_on;
    if (!std::getline(std::cin, go_on)) break;
  }
}
