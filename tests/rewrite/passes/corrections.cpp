// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/passes/corrections.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using rewrite::detail::correction;

TEST_CASE("corrections: readers of a result read the corrected one, each node is corrected once") {
  const correction once[] = {{"Exp", [](const value& y) { return exp(neg(y)); }}};
  model m;
  const value y = exp(m.in({2}));
  output(y, "y");
  output(abs(y), "z");
  rewrite::detail::apply_corrections(m.g, once);
  CHECK(op_list(m.g) == "Exp Neg Exp Abs");
  CHECK(m.g.at(m.g.at(y.id()).producer).op == "Exp");
  CHECK(m.g.at(m.g.at(m.g.at(y.id()).producer).inputs[0]).producer != node_id::none);
}

TEST_CASE("corrections: an absent result means that the operator is right") {
  const correction none[] = {{"Exp", [](const value&) { return value(); }}};
  model m;
  output(exp(m.in({2})), "y");
  rewrite::detail::apply_corrections(m.g, none);
  CHECK(op_list(m.g) == "Exp");
}
