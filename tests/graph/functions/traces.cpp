// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/functions/traces.hpp>

using namespace jax2onnx;
using namespace jax2onnx::detail;
using Catch::Matchers::Contains;

namespace {

/// Negates an operand of this type, gathers along an axis, and adds a constant.
block_id trace(graph& g, tensor_type type, std::int64_t axis = 0, float number = 1) {
  const function_scope scope(g);
  const value x = g.input(type, "x");
  const value one = g.constant({dtype::f32, {}}, bytes(std::string(reinterpret_cast<const char*>(&number), 4)));
  const value y = g.emit("Add", {g.emit("Softmax", {x}, type, {{"axis", axis}}), one}, type);
  g.set_outputs(scope.id(), std::span(&y, 1));
  return scope.id();
}

}  // namespace

TEST_CASE("traces: the same nodes for other types correspond") {
  graph g;
  const block_id a = trace(g, {dtype::f32, {2, 3}}), b = trace(g, {dtype::f32, {4, 3}});
  const trace_match match(g, a, b);
  CHECK(match.difference().empty());
  CHECK(match.pairs().size() == 3);
}

TEST_CASE("traces: what differs is said") {
  graph g;
  const tensor_type t{dtype::f32, {2}};
  const block_id a = trace(g, t);
  CHECK_THAT(trace_match(g, a, trace(g, t, 1)).difference(), Contains("Softmax has different attributes"));
  CHECK_THAT(trace_match(g, a, trace(g, t, 0, 2)).difference(), Contains("Add has different operands or constants"));
  const function_scope scope(g);
  CHECK_THAT(trace_match(g, a, scope.id()).difference(), Contains("0 nodes instead of 2"));
}

TEST_CASE("traces: general types") {
  const tensor_type f23{dtype::f32, {2, 3}}, f43{dtype::f32, {4, 3}}, i23{dtype::i32, {2, 3}}, f2{dtype::f32, {2}};
  CHECK(general_type(f23, f23) == f23);
  CHECK(general_type(f23, f43) == tensor_type{dtype::f32, {dim::dyn(), 3}});
  CHECK(general_type(f23, i23) == tensor_type{dtype::undefined, {2, 3}});
  CHECK(general_type(f23, f2) == unranked(dtype::f32));
  graph g;
  const block_id a = trace(g, f23);
  CHECK_FALSE(is_generic(g, a));
  g.at(g.at(a).inputs[0]).type = unranked(dtype::f32);
  CHECK(is_generic(g, a));
}
