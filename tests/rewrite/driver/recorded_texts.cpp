#include "catch.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/emit/text.hpp>
#include <jax2onnx/rewrite/optimize.hpp>

/// What the driver promises of every program, tried with the programs that are recorded here.
using namespace jax2onnx;

namespace {

std::vector<std::filesystem::path> texts_in(const char* folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(JAX2ONNX_SOURCE_DIR) + folder))
    if (entry.path().extension() == ".jaxpr") found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

/// The texts of the rules and of the budgets, and of every tenth case.
std::vector<std::filesystem::path> recorded_texts() {
  std::vector<std::filesystem::path> all = texts_in("/tests/golden"), cases = texts_in("/tests/numeric/data");
  for (const std::filesystem::path& text : texts_in("/tests/budgets/texts")) all.push_back(text);
  for (std::size_t i = 0; i < cases.size(); i += 10) all.push_back(cases[i]);
  return all;
}

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("driver: rules settle, and none applies where it was tried in vain") {
  options retrying;
  retrying.rewrites.retry = true;
  std::size_t converted = 0;
  for (const std::filesystem::path& file : recorded_texts()) {
    INFO(file.string());
    const std::string text = content(file);
    try {
      const conversion made = convert(text), retried = convert(text, {}, retrying);
      CHECK(made.rewrites.unsettled == 0);
      CHECK(to_text(made.model) == to_text(retried.model));
      ++converted;
    } catch (const conversion_error& e) {
      CHECK(e.kind() != failure::internal);  // such as one that needs weights
    }
  }
  CHECK(converted > 300);
}
