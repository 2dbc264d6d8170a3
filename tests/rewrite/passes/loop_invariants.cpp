// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/passes/loop_invariants.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using rewrite::detail::hoist_invariants;

namespace {

/// The operators of the main block after the invariants of its last node were hoisted.
std::string hoisted(graph& g) {
  std::vector<node_id>& nodes = g.at(block_id::main).nodes;
  const node_id loop = nodes.back();
  nodes.pop_back();
  hoist_invariants(g, g.at(loop));
  g.append(loop);
  return op_list(g);
}

}  // namespace

TEST_CASE("hoist-invariants: what depends on no state moves out of a Scan") {
  model m;
  const value w = m.in({3, 3}), i = m.in({2}, dtype::i64);
  scan(m.g, {m.in({3})}, {m.in({5, 3})}, [&](const std::vector<value>& states, const std::vector<value>& elements) {
    const value v = reduce("ReduceSum", gather(abs(w), i, 0), {0});
    return loop_step{{}, {add(mul(states[0], v), elements[0])}, {}};
  });
  CHECK(hoisted(m.g) == "Abs Gather ReduceSum Scan");
}

TEST_CASE("hoist-invariants: what can fail stays in a Loop, which may have no iteration") {
  model m;
  const value w = m.in({3}), i = m.in({3}, dtype::i64);
  loop(m.g, m.in({}, dtype::i64), {}, {m.in({3})}, [&](const value&, const std::vector<value>& carried) {
    const value quotient = cast(div(i, i), dtype::f32);
    return loop_step{{}, {add(add(carried[0], gather(w, i, 0)), add(quotient, exp(w)))}, {}};
  });
  CHECK(hoisted(m.g) == "Exp Loop");
}

TEST_CASE("hoist-invariants: random numbers differ in every iteration") {
  model m;
  const value shape_of = m.in({3});
  scan(m.g, {m.in({3})}, {m.in({5, 3})}, [&](const std::vector<value>& states, const std::vector<value>&) {
    const value noise = m.g.emit("RandomNormalLike", {shape_of}, shape_of.type());
    return loop_step{{}, {add(states[0], noise)}, {}};
  });
  CHECK(hoisted(m.g) == "Scan");
}
