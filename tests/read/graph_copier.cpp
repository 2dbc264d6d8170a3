// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/read/graph_copier.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

TEST_CASE("graph_copier: nodes on other operands, with types inferred anew") {
  graph from(23), to(23);
  const value x = from.input({dtype::f32, {from.dims().symbol("N"), 3}}, "x");
  const value y = abs(x);
  const value other = to.input({dtype::f32, {7, 3}}, "other");
  detail::graph_copier copier(from, to, [](dim d) { return d.is_symbolic() ? dim::dyn() : d; });
  copier.place(x.id(), other.id());
  CHECK_THROWS_WITH(copier.copy_of(y.id()), Catch::Matchers::Contains("optimize() may have removed it"));
  copier.copy_node(from.at(y.id()).producer);
  CHECK(text(value(to, copier.copy_of(y.id()))) == "f32[7,3]");
}

TEST_CASE("graph_copier: operators that changed between the opsets get the other form") {
  graph from(17), to(23);
  const value x = from.input({dtype::f32, {4}}, "x"), y = to.input({dtype::f32, {4}}, "y");
  const value r = reduce("ReduceMax", x, {0}, false);
  detail::graph_copier copier(from, to, [](dim d) { return d; });
  copier.place(x.id(), y.id());
  copier.copy_node(from.at(r.id()).producer);
  const value copy(to, copier.copy_of(r.id()));
  CHECK(text(copy) == "f32[]");
  CHECK(to.at(copy.record().producer).inputs.size() == 2);
}
