// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/collectives.hpp>

using namespace jax2onnx;

TEST_CASE("collectives are the nodes of their domain") {
  CHECK(is_collective({.op = operator_name::unchecked("AllReduce"), .domain = collective_domain}));
  CHECK_FALSE(is_collective({.op = operator_name::unchecked("AllReduce"), .domain = "com.example"}));
  CHECK_FALSE(is_collective({.op = "Add"}));
}
