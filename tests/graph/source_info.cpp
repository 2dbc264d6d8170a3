// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/source_info.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("parse_annotation: the place in the source, and the name stack in brackets") {
  const source_info both = parse_annotation("  net.py:12:4 (apply)\n [block_0/dense] \n");
  CHECK(both.source == "net.py:12:4 (apply)");
  CHECK(both.scope == "block_0/dense");
  CHECK(parse_annotation("net.py:1").scope.empty());
  CHECK(parse_annotation("[a]").source.empty());
  CHECK(parse_annotation("").source.empty());
  CHECK(parse_annotation("\n\n  ").source.empty());
}
