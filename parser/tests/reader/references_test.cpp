// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "reader/reading.hpp"

#include <jaxpr/reader/references.hpp>

using namespace jaxpr::reader;

namespace {

/// Checks blocks 0, 1, …, each of depth 1, with these uses and a limit of 10.
std::string check(std::size_t blocks, std::initializer_list<shared_use> uses) {
  reading r("", {.max_depth = 10});
  shared_names names;
  for (std::size_t i = 0; i < blocks; ++i) names.entries.push({"f", nullptr, true, 1});
  for (const shared_use& use : uses) names.uses.push(use);
  return code_of([&] { reference_check(r.s, names, 1).run(); });
}

constexpr std::uint32_t main_block = shared_names::main_block;

}  // namespace

TEST_CASE("references: chains and diamonds are fine") {
  CHECK(check(3, {{main_block, 0, 1, {}}, {0, 1, 1, {}}, {1, 2, 1, {}}}).empty());
  CHECK(check(3, {{main_block, 0, 1, {}}, {main_block, 1, 1, {}}, {0, 2, 1, {}}, {1, 2, 1, {}}}).empty());
}

TEST_CASE("references: cycles are refused, including cycles that no other body reaches") {
  CHECK(check(1, {{0, 0, 1, {}}}) == "parse.recursive-jaxpr");
  CHECK(check(3, {{main_block, 0, 1, {}}, {1, 2, 1, {}}, {2, 1, 1, {}}}) == "parse.recursive-jaxpr");
}

TEST_CASE("references: nesting adds up along the references") {
  CHECK(check(2, {{main_block, 0, 4, {}}, {0, 1, 5, {}}}).empty());
  CHECK(check(2, {{main_block, 0, 5, {}}, {0, 1, 5, {}}}) == "parse.limit-depth");
}

TEST_CASE("references: a name without a definition is refused") {
  reading r("");
  shared_names names;
  names.entries.push({"f", nullptr, false, 0});
  names.uses.push({main_block, 0, 1, {}});
  CHECK(code_of([&] { reference_check(r.s, names, 1).run(); }) == "parse.unknown-jaxpr");
}
