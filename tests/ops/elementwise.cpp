// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/elementwise.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("output: a value that is an input, a constant or an output already is copied") {
  model m;
  const value y = neg(m.x);
  output(y, "a");
  output(y, "b");
  output(m.x, "c");
  const std::vector<value_id>& out = m.g.at(block_id::main).outputs;
  REQUIRE(out.size() == 3);
  CHECK(out[0] == y.id());
  CHECK(op_of({m.g, out[1]}) == "Identity");
  CHECK(op_of({m.g, out[2]}) == "Identity");
  CHECK(m.g.at(out[1]).name == "b");
}

TEST_CASE("elementwise: numbers take the dtype of the operand") {
  model m;
  const value y = add(m.x, 2);
  CHECK(same_value(operand_of(y, 1), scalar(m.g, dtype::f32, 2.0)));
  CHECK(compare("Less", m.x, m.x).dtype() == dtype::boolean);
  CHECK(where(less(m.x, 0), m.x, m.x).dims() == m.x.dims());
}

TEST_CASE("cast: 8-bit floats do not saturate") {
  model m;
  CHECK(integer(cast(m.x, dtype::f8_e4m3fn), "saturate") == 0);
  CHECK_FALSE(producer(cast(m.x, dtype::f16)).find("saturate"));
}
