// SPDX-License-Identifier: Apache-2.0
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

/// The promises of the driver for every program, tested with the recorded ones.
using namespace jax2onnx;

namespace {

/// A jaxpr and its source.
struct recorded_text {
  std::string name, content;
};

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::filesystem::path> files_in(const char* folder, const char* ending) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::string(JAX2ONNX_SOURCE_DIR) + folder))
    if (entry.path().extension() == ending) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

/// Every tenth case of a family. Each begins with a line "=== NAME".
void add_cases(const std::filesystem::path& family, std::vector<recorded_text>& to) {
  const std::string all = "\n" + content_of(family), mark = "\n=== ";
  std::size_t count = 0;
  for (std::size_t at = all.find(mark), next = 0; at != std::string::npos; at = next) {
    next = all.find(mark, at + 1);
    if (count++ % 10 != 0) continue;
    const std::size_t name = at + mark.size(), text = all.find('\n', name);
    to.push_back({all.substr(name, text - name), all.substr(text, next - text)});
  }
}

std::vector<recorded_text> recorded_texts() {
  std::vector<recorded_text> all;
  for (const char* folder : {"/tests/golden", "/tests/budgets/texts"})
    for (const std::filesystem::path& file : files_in(folder, ".jaxpr"))
      all.push_back({file.string(), content_of(file)});
  for (const std::filesystem::path& family : files_in("/tests/numeric/data", ".jaxprs")) add_cases(family, all);
  return all;
}

}  // namespace

TEST_CASE("driver: rules settle, and none applies where it was tried in vain") {
  options retrying;
  retrying.rewrites.retry = true;
  std::size_t converted = 0;
  for (const auto& [name, text] : recorded_texts()) {
    INFO(name);
    try {
      const conversion made = convert(text), retried = convert(text, {}, retrying);
      CHECK(made.rewrites.unsettled == 0);
      CHECK(to_text(made.model) == to_text(retried.model));
      ++converted;
    } catch (const conversion_error& e) {
      CHECK(e.kind() != failure::internal);  // for example, it needs weights
    }
  }
  CHECK(converted > 300);
}
