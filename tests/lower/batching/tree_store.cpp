// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/batching/devices.hpp"

#include <jax2onnx/lower/batching/tree_store.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower::batching;

TEST_CASE("a jaxpr that no program printed is lowered as any other") {
  lowered_text empty("{ lambda ; a:f32[2]. let  in (a,) }", lower_builtin);
  tree_store store(empty.g, empty.machine);
  body_writer out(store);
  const jaxpr::atom x = out.argument(store.type(array_type(dtype::f32, {2})), "x");
  jaxpr::equation eqn;
  eqn.primitive = "mul";
  eqn.ins = store.keep(std::vector{x, store.literal("3.0", array_type(dtype::f32, {}))});
  const jaxpr::binder y = out.variable(store.type(array_type(dtype::f32, {2})));
  eqn.outs = store.keep(std::vector{y});
  out.add(eqn);
  const jaxpr::body& body = out.finish({body_writer::read(y)}, {});
  CHECK(body.slots == 2);
  const jax_values made = empty.machine.inline_body(body, empty.results);
  CHECK(empty.problem() == "(none)");
  REQUIRE(made.size() == 1);
  CHECK(made[0].re().dims() == shape{2});
}
