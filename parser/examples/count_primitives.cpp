// SPDX-License-Identifier: Apache-2.0
// Counts the primitives that the texts of some folders use.
//
//   count_primitives FOLDER...

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <jaxpr/jaxpr.hpp>

namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct usage {
  std::size_t uses = 0;
  std::size_t texts = 0;
};

int count(const std::filesystem::path& folder, std::map<std::string, usage>& total) {
  int refused = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".jaxpr") continue;
    const std::string text = read(entry.path());
    try {
      const jaxpr::program m = jaxpr::parse(text);
      for (const auto& [primitive, uses] : jaxpr::count_primitives(m)) {
        usage& sum = total[std::string(primitive)];
        sum.uses += uses;
        ++sum.texts;
      }
    } catch (const jaxpr::error& e) {
      std::fputs(jaxpr::render(e.details(), text, entry.path().string()).c_str(), stderr);
      ++refused;
    }
  }
  return refused;
}

}  // namespace

int main(int argc, char** argv) try {
  std::map<std::string, usage> total;
  int refused = 0;
  for (int i = 1; i < argc; ++i) refused += count(argv[i], total);
  std::vector<std::pair<std::string, usage>> rows(total.begin(), total.end());
  std::ranges::stable_sort(rows, [](const auto& a, const auto& b) { return a.second.uses > b.second.uses; });
  for (const auto& [primitive, sum] : rows)
    std::fputs(fmt::format("{:>8} in {:>5} texts  {}\n", sum.uses, sum.texts, primitive).c_str(), stdout);
  return refused == 0 ? 0 : 2;
} catch (const std::exception& e) {
  std::fprintf(stderr, "count_primitives: %s\n", e.what());
  return 1;
}
