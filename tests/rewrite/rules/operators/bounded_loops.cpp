// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/indexing.hpp>
#include <jax2onnx/rewrite/rules/operators/bounded_loops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

using states = std::vector<value>;
using test_of = std::function<value(const value& iteration, const states&)>;

/// The first result of a Loop that changes its two states while a condition holds.
value bounded(model& m, std::int64_t trips, const test_of& goes_on, bool keeps = true) {
  const auto body = [&](const value& k, const states& s) {
    const auto step = [&] { return states{mul(s[0], 2), add(s[1], 1)}; };
    const auto rest = [&] { return keeps ? states{s[0], s[1]} : states{neg(s[0]), s[1]}; };
    return loop_step{{}, if_(goes_on(k, s), step, rest, {s[0].type(), s[1].type()})};
  };
  return loop(m.g, scalar(m.g, dtype::i64, trips), {}, {m.in({3}), scalar(m.g, dtype::i32, 0)}, body).carried[0];
}
value below_five(const value&, const states& s) { return less(s[1], 5); }

}  // namespace

TEST_CASE("end-loop: a loop that does nothing from some iteration on ends there") {
  model m;
  CHECK(after(bounded(m, 20, below_five), "end-loop") == "Less Loop");
  const node& made = m.g.at(m.g.at(block_id::main).nodes[1]);
  CHECK(m.g.at(made.inputs[1]).producer == m.g.at(block_id::main).nodes[0]);
  std::string inside;
  for (node_id n : m.g.at(rewrite::detail::block_of(made, "body")).nodes) inside += std::string(m.g.at(n).op) + ' ';
  CHECK(inside == "Mul Add Less ");
}

TEST_CASE("end-loop: a branch that changes a state keeps the loop going") {
  model m;
  CHECK(after(bounded(m, 20, below_five, false), "end-loop") == "Loop");
}

TEST_CASE("end-loop: a condition on the number of the iteration may hold later") {
  model m;
  const auto sixth = [](const value& k, const states&) { return equal(k, 5); };
  CHECK(after(bounded(m, 20, sixth), "end-loop") == "the loop's condition depends on more than its states");
  model n;  // after the last iteration, the lookup could be out of range
  const value table = n.in({5}, dtype::i32);
  const auto listed = [&](const value&, const states& s) { return greater(gather(table, s[1], 0), 0); };
  CHECK(after(bounded(n, 20, listed), "end-loop") == "the loop's condition depends on more than its states");
}

TEST_CASE("end-loop: a loop of a few iterations becomes these") {
  model m;
  CHECK(after(bounded(m, 3, below_five), "end-loop") == "the loop is unrolled");
}
