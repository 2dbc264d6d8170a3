// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <set>

#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/rules/all_rules.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("rewrite_rules: every rule has a name of its own, an equation and roots") {
  std::set<std::string_view> names;
  for (const rewrite::rule& r : rewrite_rules()) {
    CHECK(names.insert(r.name).second);
    CHECK(r.equation.find(" -> ") != std::string_view::npos);
    CHECK_FALSE(r.roots.empty());
  }
}

TEST_CASE("rewrite_order: groups of all rules, in the order of rewrite_rules") {
  std::set<std::string_view> names;
  std::size_t next = 0;
  for (const rewrite::rule_group& group : rewrite_order()) {
    CHECK(names.insert(group.name).second);
    for (const rewrite::rule& r : group.rules) CHECK(rewrite_rules()[next++].name == r.name);
  }
  CHECK(next == rewrite_rules().size());
}
