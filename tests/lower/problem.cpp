// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/problem.hpp>

using namespace jax2onnx;

TEST_CASE("each kind of problem has a code and a kind") {
  const unsupported_error refused("why", {1, 2}, "help");
  CHECK(refused.kind() == failure::unsupported);
  CHECK(refused.diagnostics()[0].code == "lower.unsupported");
  CHECK(refused.diagnostics()[0].help == "help");
  CHECK(refused.diagnostics()[0].where.begin == 1);
  const lower::user_lowerer_error wrong("what", {3, 4});
  CHECK(wrong.kind() == failure::malformed);
  CHECK(wrong.diagnostics()[0].code == "lower.user-lowerer");
  CHECK(wrong.diagnostics()[0].where.end == 4);
}

TEST_CASE("throw_problem ends a conversion with one problem") {
  try {
    detail::throw_problem(failure::unsafe, "convert.limit", "too much", {5, 6}, "less");
  } catch (const conversion_error& e) {
    CHECK(e.kind() == failure::unsafe);
    REQUIRE(e.diagnostics().size() == 1);
    CHECK(e.diagnostics()[0].code == "convert.limit");
    CHECK(e.diagnostics()[0].message == "too much");
    CHECK(e.diagnostics()[0].help == "less");
    return;
  }
  FAIL("nothing was thrown");
}
