// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/cumulative.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("cumsum: narrow integers are summed in 32 bits") {
  graph g;
  const value y = cumsum(g.input({dtype::u8, {3, 4}}, "x"), 1, true);
  CHECK(y.type() == tensor_type{dtype::u8, {3, 4}});
  CHECK(op_list(g) == op_names{"Cast", "CumSum", "Cast"});
  CHECK(integer(operand_of(y, 0), "reverse") == 1);
  const value none = g.input({dtype::f32, {0}}, "none");
  CHECK(same_value(cumsum(none, 0), none));
}

TEST_CASE("cumprod: CumProd from opset 26 on, a Scan before") {
  const auto build = [](int opset) {
    graph g(opset);
    const value y = cumprod(g.input({dtype::f32, {3, 4}}, "x"), 1);
    CHECK(y.dims() == shape{3, 4});
    return op_of(y);
  };
  CHECK(build(26) == "CumProd");
  CHECK(build(25) == "Scan");
  graph g(25);
  const value one = g.input({dtype::f32, {3, 1}}, "one");
  CHECK(same_value(cumprod(one, 1), one));
}
