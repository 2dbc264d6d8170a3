// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/passes/counted_loops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The nodes after the pass, for a Scan of x[5,3] that adds to h[3] and stacks it, marked as a former Loop.
std::string restored(bool reverse, bool marked = true) {
  model m;
  const loop_result y = scan(m.g, {m.in({3})}, {m.in({5, 3}), int64s(m.g, {0, 1, 2, 3, 4})},
                             [&](const std::vector<value>& s, const std::vector<value>& x) {
                               return loop_step{{}, {add(s[0], x[0])}, {mul(s[0], cast(x[1], dtype::f32))}};
                             },
                             {.reverse = reverse});
  if (marked) rewrite::mark_counted(y.carried[0]);
  output(y.carried[0], "last");
  output(y.collected[0], "all");
  rewrite::detail::restore_loops(m.g);
  for (const node_id n : m.g.at(block_id::main).nodes) CHECK(m.g.at(n).find("counted") == nullptr);
  return op_list(m.g) + ": " + bodies(m.g);
}

}  // namespace

TEST_CASE("counted-loops: a Scan that was a Loop is one again") {
  CHECK(restored(false) == "Loop: Gather Add Cast Mul");
  CHECK(restored(true) == "Loop Slice: Sub Gather Add Cast Mul");
}

TEST_CASE("counted-loops: other Scans stay") { CHECK(restored(false, false) == "Scan: Add Cast Mul"); }

TEST_CASE("counted-loops: a loop that fills an array is none, also for other runtimes") {
  model m;
  const value x = m.in({20, 3});
  const value y =
      loop(m.g, scalar(m.g, dtype::i64, 20), {}, {m.in({20, 3})}, [&](const value& i, const std::vector<value>& s) {
        const value row = unary("Sin", unsqueeze(gather(x, i, 0), {0}));
        const std::vector<value> in{s[0], reshape(i, {1, 1}), row};
        return loop_step{{}, {m.g.emit("ScatterND", in, s[0].type())}, {}};
      }).carried[0];
  output(y, "y");
  optimize(m.g, {.target = target::portable});
  CHECK(op_list(m.g) == "Sin");
}
