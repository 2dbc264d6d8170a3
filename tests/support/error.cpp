// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/support/error.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("error: one base class, which carries the diagnostics") {
  const build_error e("no");
  const error& base = e;
  CHECK(base.kind() == failure::malformed);
  CHECK(std::string(base.what()) == "no");
  REQUIRE(base.diagnostics().size() == 1);
  CHECK(base.diagnostics()[0].code == "build.operands");
  const error copy = base;
  CHECK(copy.diagnostics().data() == base.diagnostics().data());  // copies share them, so that copying does not throw
  CHECK(limit_error("x").kind() == failure::unsafe);
  const symbol_error unknown("B");
  CHECK(unknown.kind() == failure::unsupported);
  CHECK(unknown.symbol == "B");
  CHECK(std::string(unknown.what()) == "the shapes of the inputs do not determine the symbol 'B'");
  const opset_error o("BitCast", 26);
  CHECK(o.kind() == failure::unsupported);
  CHECK(o.opset == 26);
  CHECK(std::string(o.what()) == "BitCast needs opset 26");
  CHECK(std::string(error(failure::io, std::vector<diagnostic>{}).what()) == "unknown failure");
}
