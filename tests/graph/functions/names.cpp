// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/functions/names.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using Catch::Matchers::Contains;

TEST_CASE("names: identifiers and domains") {
  static_assert(is_identifier("Fft_2") && is_identifier("_x"));
  static_assert(!is_identifier("") && !is_identifier("2D") && !is_identifier("a b") && !is_identifier("a\n"));
  static_assert(is_domain("com.example-2") && is_domain("") && !is_domain("com/example") && !is_domain("a\x1b"));
  CHECK_THROWS_WITH(require_identifier("operator", "F\x1b[2J"), Contains("is not a valid name of an operator"));
  CHECK_THROWS_WITH(require_domain("a b"), Contains("'a b' cannot be a domain"));
}
