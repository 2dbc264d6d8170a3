// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <cstdlib>
#include <fstream>

// Each diagnostics/<case>.jaxpr is refused with exactly what <case>.expected says. JAXPR_APPROVE=1 rewrites
// <case>.expected.
TEST_CASE("diagnostics: the first error of a text is exact") {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the tests have one thread
  const bool approve = std::getenv("JAXPR_APPROVE") != nullptr;
  for (const auto& path : support::files(support::parser_dir() / "tests/diagnostics", ".jaxpr")) {
    const std::string text = support::read(path);
    std::string shown = "accepted\n";
    try {
      (void)jaxpr::parse(text);
    } catch (const jaxpr::error& e) {
      shown = jaxpr::render(e.details(), text, path.filename().string());
    }
    auto expected = path;
    expected.replace_extension(".expected");
    if (approve) std::ofstream(expected, std::ios::binary) << shown;
    INFO(path.filename().string());
    CHECK(shown == support::read(expected));
  }
}

TEST_CASE("diagnostics: every code of the parser has a case") {
  std::string all;
  for (const auto& path : support::files(support::parser_dir() / "tests/diagnostics", ".expected"))
    all += support::read(path);
  for (const auto& path : support::files(support::parser_dir() / "jaxpr", ".hpp")) {
    const std::string header = support::read(path);
    for (std::size_t at = header.find("\"parse."); at != std::string::npos; at = header.find("\"parse.", at + 1)) {
      const std::string code = header.substr(at + 1, header.find('"', at + 1) - at - 1);
      if (code.starts_with("parse.limit-")) continue;  // another test sets smaller limits and reaches them
      INFO(code);
      CHECK(all.find("[" + code + "]") != std::string::npos);
    }
  }
}
