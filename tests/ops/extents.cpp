// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/extents.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("dim_value: computed once, from an input's shape") {
  model m;
  CHECK(constant_integers(dim_value(m.g, 7)) == ints{7});
  const value b = dim_value(m.g, m.B);
  CHECK(op_of(b) == "Shape");
  CHECK(same_value(dim_value(m.g, m.B), b));
  const dim twice = m.g.dims().add(m.g.dims().mul(m.B, 2), 1);
  CHECK(op_of(dim_value(m.g, twice)) == "Add");
  CHECK(op_list(m.g) == op_names{"Shape", "Mul", "Add"});
  CHECK_THROWS_WITH(dim_value(m.g, m.g.dims().symbol("C")),
                    Contains("the shapes of the inputs do not determine the symbol 'C'"));
  CHECK_THROWS_WITH(dim_value(m.g, dim::dyn()), Contains("unknown extent"));
}

TEST_CASE("dim_value: a symbol is solved from a linear extent") {
  graph g;
  dim_table& dims = g.dims();
  const dim b = dims.symbol("B");
  g.input({dtype::f32, {dims.add(dims.mul(b, 3), 2)}}, "x");
  CHECK(op_of(dim_value(g, b)) == "Div");
  CHECK(op_list(g) == op_names{"Shape", "Sub", "Div"});
}

TEST_CASE("dim_value: lies in the main graph, also when a block needs it first") {
  model m;
  const block_scope scope(m.g);
  dim_value(m.g, m.B);
  CHECK(m.g.at(scope.id()).nodes.empty());
  CHECK(m.g.at(block_id::main).nodes.size() == 1);
}

TEST_CASE("shape_value, extents_value: runs of constants are one constant") {
  model m;
  CHECK(constant_integers(shape_value(m.g, {2, 3})) == ints{2, 3});
  CHECK(constant_integers(shape_value(m.g, {})) == ints{});
  const value v = shape_value(m.g, {2, 3, m.B, 4});
  CHECK(op_of(v) == "Concat");
  CHECK(constant_integers(operand_of(v, 0)) == ints{2, 3});
  CHECK(extents_value(m.g, {2, 3}, dtype::i32).type() == tensor_type{dtype::i32, {2}});
  CHECK(extents_value(m.g, {2, m.B}, dtype::i32).type() == tensor_type{dtype::i32, {2}});
}

TEST_CASE("range: counts in steps") {
  model m;
  CHECK(range(m.g, 5, 2).dims() == shape{5});
  CHECK(range(m.g, m.B).dims() == shape{m.B});
}

TEST_CASE("floor_div: corrects Div, which truncates, unless both are nonnegative") {
  model m;
  const value a = m.g.input({dtype::i64, {1}}, "a"), b = m.g.input({dtype::i64, {1}}, "b");
  CHECK(op_of(detail::floor_div(a, b, true)) == "Div");
  CHECK(op_of(detail::floor_div(a, b, false)) == "Sub");
}

TEST_CASE("range_table: written out while it is short") {
  graph g;
  CHECK(constant_integers(range_table(g, 3, 5)) == ints{0, 5, 10});
  CHECK(range_table(g, longest_table).is_constant());
  CHECK(op_of(range_table(g, longest_table + 1)) == "Range");
  CHECK_THROWS_AS(range_table(g, 4, INT64_MAX / 2), limit_error);
  CHECK_THROWS_AS(range_table(g, INT64_MAX / 2, 5), limit_error);
}
