// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/convert_element_type.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("convert_element_type: constants at once, integers by Cast") {
  graph g;
  CHECK(same_value(convert_element_type(scalar(g, dtype::i64, 300), dtype::i8), scalar(g, dtype::i8, 44)));
  CHECK(op_of(convert_element_type(g.input({dtype::i32, {}}, "x"), dtype::f32)) == "Cast");
  const value f8 = g.input({dtype::f8_e5m2, {}}, "f8");
  CHECK(op_of(convert_element_type(f8, dtype::boolean)) == "Not");  // applied to f8 == 0
}

TEST_CASE("convert_element_type: floating-point numbers saturate, NaN is 0") {
  graph g;
  const value x = g.input({dtype::f32, {3}}, "x");
  CHECK(convert_element_type(x, dtype::i8).dtype() == dtype::i8);
  CHECK(op_list(g) == op_names{"IsNaN", "Where", "Clip", "Cast"});
  CHECK(op_of(convert_element_type(x, dtype::i64)) == "Where");  // 2^63 is out of range
}
