// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <filesystem>
#include <map>
#include <set>
#include <sstream>

namespace {

/// The library's headers as `#include <jaxpr/…>` names them, without implementations.
std::vector<std::string> headers() {
  std::vector<std::string> found;
  for (const auto& path : support::files(support::parser_dir() / "jaxpr", ".hpp"))
    if (!path.string().ends_with(".inl.hpp"))
      found.push_back(std::filesystem::relative(path, support::parser_dir() / "jaxpr").generic_string());
  return found;
}

/// The headers of the library that a header includes. An implementation header counts as part of its header.
std::set<std::string> includes(const std::string& header) {
  std::set<std::string> found;
  const auto collect = [&](const std::filesystem::path& path) {
    std::istringstream lines(support::read(path));
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("#include <jaxpr/") && !line.ends_with(".inl.hpp>"))
        found.insert(line.substr(16, line.size() - 17));
  };
  std::filesystem::path path = support::parser_dir() / "jaxpr" / header;
  collect(path);
  if (path.replace_extension(".inl.hpp"); std::filesystem::exists(path)) collect(path);
  found.erase(header);
  return found;
}

/// The lines of the block ```layers of the README: a header's layer is the number of its line.
std::map<std::string, int> layers() {
  std::map<std::string, int> found;
  std::istringstream lines(support::read(support::parser_dir() / "README.md"));
  bool inside = false;
  int layer = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) inside = line == "```layers";
    else if (inside) {
      std::istringstream words(line);
      for (std::string word; words >> word;) found[word + ".hpp"] = layer;
      ++layer;
    }
  }
  return found;
}

}  // namespace

TEST_CASE("headers: each has a test file of its name") {
  // These headers contain only macros, includes, or declarations whose definitions are tested elsewhere.
  const std::set<std::string> untested = {"config.hpp", "jaxpr.hpp", "reader/productions.hpp"};
  for (const std::string& header : headers()) {
    if (untested.contains(header)) continue;
    INFO(header);
    const std::string stem = header.substr(0, header.size() - 4);
    CHECK(std::filesystem::exists(support::parser_dir() / "tests" / (stem + "_test.cpp")));
  }
}

TEST_CASE("headers: includes point to a lower layer of the README, which lists all headers") {
  const std::map<std::string, int> layer_of = layers();
  const std::vector<std::string> all = headers();
  CHECK(layer_of.size() == all.size());
  for (const std::string& header : all) {
    INFO(header);
    REQUIRE(layer_of.contains(header));
    for (const std::string& included : includes(header)) {
      INFO("includes " << included);
      REQUIRE(layer_of.contains(included));
      CHECK(layer_of.at(included) < layer_of.at(header));
    }
  }
}
