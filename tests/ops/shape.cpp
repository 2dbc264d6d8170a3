// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/shape.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("reshape: zeros copy extents and one -1 stands for what is left") {
  model m;
  CHECK(constant_integers(operand_of(reshape(m.x, {m.B, 24}), 1)) == ints{0, 24});
  CHECK(constant_integers(operand_of(reshape(m.x, {m.g.dims().mul(m.B, 4), 6}), 1)) == ints{-1, 6});
  CHECK(constant_integers(operand_of(reshape(m.x, {4, m.B, 6}), 1)) == ints{4, -1, 6});
  const value two = reshape(m.x, {4, m.B, 6});
  CHECK(two.dims() == shape{4, m.B, 6});
  CHECK(m.g.node_count() == 4);
}

TEST_CASE("reshape: to a scalar is a Squeeze where all extents are known") {
  model m;
  const value one = m.g.input({dtype::f32, {1, 1}}, "one"), symbolic = m.g.input({dtype::f32, {m.B}}, "symbolic");
  const value scalar = reshape(one, {});
  CHECK(op_of(scalar) == "Squeeze");
  CHECK(constant_integers(operand_of(scalar, 1)) == ints{0, 1});
  CHECK(scalar.rank() == 0);
  CHECK(op_of(reshape(symbolic, {})) == "Reshape");
}

TEST_CASE("reshape: a shape with a zero is meant literally") {
  graph g;
  const dim batch = g.dims().symbol("B");
  const value x = g.input({dtype::f32, {batch, 0}}, "x");
  const value y = reshape(x, {0, 3});
  CHECK(g.at(g.at(y.id()).producer).find("allowzero"));
}

TEST_CASE("broadcast_to: asks only for the extents that x lacks") {
  model m;
  const value row = m.g.input({dtype::f32, {1, 6}}, "row");
  CHECK(constant_integers(operand_of(broadcast_to(row, {4, 6}), 1)) == ints{4, 1});
  CHECK(constant_integers(operand_of(broadcast_to(m.x, {2, m.B, 4, 6}), 1)) == ints{2, 1, 1, 1});
  const value batched = broadcast_to(row, {m.B, 4, 6});
  CHECK(op_of(operand_of(batched, 1)) == "Concat");  // B is read from x at run time
}

TEST_CASE("reshape: of a reshape starts from its operand") {
  model m;
  const value y = reshape(reshape(m.x, {m.B, 24}), {m.B, 6, 4});
  CHECK(same_value(operand_of(y, 0), m.x));
  CHECK(same_value(reshape(y, m.x.dims()), m.x));
  CHECK(op_of(unsqueeze(m.x, {0})) == "Unsqueeze");
  CHECK(same_value(squeeze(unsqueeze(m.x, {0}), {0}), m.x));
}

TEST_CASE("reshape: small constants are reshaped at once") {
  graph g;
  const value c = int64s(g, {1, 2, 3, 4});
  const value r = reshape(c, {2, 2});
  CHECK(r.is_constant());
  CHECK(raw(r) == raw(c));
  CHECK(g.node_count() == 0);
}

TEST_CASE("transpose: the extents follow the permutation") {
  model m;
  const value y = transpose(m.x, {2, 0, 1});
  CHECK(y.dims() == shape{6, m.B, 4});
  CHECK(list(y, "perm") == ints{2, 0, 1});
  CHECK_THROWS_WITH(transpose(m.x, {0, 0, 1}), Contains("names a dimension twice"));
}

TEST_CASE("broadcast_to: an empty result needs no node") {
  graph g;
  const value row = g.input({dtype::f32, {1, 6}}, "row");
  const value y = broadcast_to(row, {0, 6});
  CHECK(y.is_constant());
  CHECK(y.data().size() == 0);
  CHECK(g.node_count() == 0);
}

TEST_CASE("filled: a number with the extents") {
  model m;
  const value y = filled(m.g, dtype::f32, {m.B, 2}, 1.5);
  CHECK(y.dims() == shape{m.B, 2});
  CHECK(uniform_number(y) == 1.5);
  CHECK(filled(m.g, dtype::i32, {}, 3).is_constant());
}
