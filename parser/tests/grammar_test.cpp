// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "support.hpp"

#include <set>
#include <sstream>

namespace {

std::string without_extra_blanks(const std::string& line) {
  std::string out;
  for (const char c : line)
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

}  // namespace

TEST_CASE("grammar: GRAMMAR.md has exactly the rules that are written above the parse functions") {
  std::set<std::string> code, page;
  for (const auto& path : support::files(support::parser_dir() / "jaxpr", ".hpp")) {
    std::istringstream lines(support::read(path));
    for (std::string line; std::getline(lines, line);)
      if (const std::size_t at = line.find("//= "); at != std::string::npos)
        code.insert(without_extra_blanks(line.substr(at + 4)));
  }
  std::istringstream lines(support::read(support::parser_dir() / "GRAMMAR.md"));
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) inside = line == "```ebnf";
    else if (inside && !line.empty()) page.insert(without_extra_blanks(line));
  }
  CHECK(code == page);
  CHECK(!code.empty());
}
