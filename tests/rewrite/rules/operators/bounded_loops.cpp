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

/// The first result of a Loop that goes on while `next` of the number of the iteration and its next states holds.
value counted(model& m, const value& first, const test_of& next, const value& most = {}) {
  const auto body = [&](const value& k, const states& s) {
    const states out{exp(s[0]), add(s[1], 2)};
    return loop_step{next(k, out), out};
  };
  return loop(m.g, most, scalar(m.g, dtype::boolean, 1), {m.in({3}), first}, body).carried[0];
}
/// The number of iterations of the Loop in the main graph; INT64_MAX if a condition ends it.
std::int64_t trips_of(model& m) {
  const auto is_loop = [&](node_id n) { return m.g.at(n).op == "Loop"; };
  const node_id n = *std::ranges::find_if(m.g.at(block_id::main).nodes, is_loop);
  return constant_integer(value(m.g, m.g.at(n).inputs[0])).value();
}

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
  CHECK(after(bounded(m, 20, sixth), "end-loop") ==
        "the condition depends on more than the loop-carried values, or its nodes may fail");
  model n;  // after the last iteration, the lookup could be out of range
  const value table = n.in({5}, dtype::i32);
  const auto listed = [&](const value&, const states& s) { return greater(gather(table, s[1], 0), 0); };
  CHECK(after(bounded(n, 20, listed), "end-loop") ==
        "the condition depends on more than the loop-carried values, or its nodes may fail");
}

TEST_CASE("end-loop: a loop of a few iterations becomes these") {
  model m;
  CHECK(after(bounded(m, 3, below_five), "end-loop") == "the loop is unrolled");
}

TEST_CASE("known-trips: a condition on a counter gives the number of iterations") {
  model m;
  const auto below_seven = [](const value&, const states& s) { return less(s[1], 7); };
  CHECK(after(counted(m, scalar(m.g, dtype::i32, 0), below_seven), "known-trips") == "Loop");
  CHECK(trips_of(m) == 4);
  CHECK(bodies(m.g) == "Exp");
  model n;  // the number of iterations is limited
  CHECK(after(counted(n, scalar(n.g, dtype::i32, 0), below_seven, scalar(n.g, dtype::i64, 3)), "known-trips") ==
        "Loop");
  CHECK(trips_of(n) == 3);
  model o;  // the number of the iteration, and more arithmetic
  const auto mixed = [](const value& k, const states& s) {
    return logical_and(less(mul(cast(k, dtype::i32), s[1]), 30), less(k, 100));
  };
  after(counted(o, scalar(o.g, dtype::i32, 0), mixed), "known-trips");
  CHECK(trips_of(o) == 5);
}

TEST_CASE("known-trips: wrapping counters") {
  model m;
  const auto positive = [](const value&, const states& s) { return greater(s[1], 0); };
  after(counted(m, scalar(m.g, dtype::i32, 2147483645), positive), "known-trips");
  CHECK(trips_of(m) == 2);
}

TEST_CASE("known-trips: conditions that are not known") {
  const auto trips = [](const auto& first, const test_of& next) {
    model m;
    after(counted(m, first(m), next), "known-trips");
    return trips_of(m);
  };
  const auto zero = [](model& m) { return scalar(m.g, dtype::i32, 0); };
  const auto below = [](std::int64_t n) { return [n](const value&, const states& s) { return less(s[1], n); }; };
  CHECK(trips([](model& m) { return m.in({}, dtype::i32); }, below(7)) == INT64_MAX);
  CHECK(trips(zero, below(1'000'000)) == INT64_MAX);
  CHECK(trips(zero, [](const value&, const states& s) { return less(reduce("ReduceSum", s[0], {0}, false), 5); }) ==
        INT64_MAX);
  CHECK(trips(zero, below(30'000)) == INT64_MAX);
}

TEST_CASE("known-trips: a first condition that is not known") {
  model m;
  const auto body = [&](const value&, const states& s) {
    const states out{exp(s[0]), add(s[1], 2)};
    return loop_step{less(out[1], 7), out};
  };
  const value start = m.in({}, dtype::boolean);
  after(loop(m.g, {}, start, {m.in({3}), scalar(m.g, dtype::i32, 0)}, body).carried[0], "known-trips");
  CHECK(trips_of(m) == INT64_MAX);
}

TEST_CASE("known-trips: a counter limits a loop whose condition has other parts") {
  const auto small = [](const value&, const states& s) {
    return logical_and(less(reduce("ReduceSum", s[0], {0}, false), 50), less(s[1], 7));
  };
  model m;
  CHECK(after(counted(m, scalar(m.g, dtype::i32, 0), small), "known-trips") == "Loop");
  CHECK(trips_of(m) == 4);
  CHECK(bodies(m.g).find("And") == std::string::npos);
  CHECK(bodies(m.g).find("ReduceSum") != std::string::npos);
  model n;  // several parts
  const auto smaller = [&](const value& k, const states& s) {
    const value positive = greater(reduce("ReduceMax", s[0], {0}, false), 0);
    return logical_and(logical_and(less(k, 9), positive), small(k, s));
  };
  CHECK(after(counted(n, scalar(n.g, dtype::i32, -20), smaller), "known-trips") == "Loop");
  CHECK(trips_of(n) == 10);
  model o;  // no part counts
  const auto sums = [](const value&, const states& s) {
    const value total = reduce("ReduceSum", s[0], {0}, false);
    return logical_and(less(total, 50), greater(total, -50));
  };
  after(counted(o, scalar(o.g, dtype::i32, 0), sums), "known-trips");
  CHECK(trips_of(o) == INT64_MAX);
}

TEST_CASE("known-trips: a first condition stays beside a limit") {
  model m;
  const auto body = [&](const value&, const states& s) {
    const states out{exp(s[0]), add(s[1], 2)};
    return loop_step{logical_and(less(reduce("ReduceSum", out[0], {0}, false), 50), less(out[1], 7)), out};
  };
  const value start = m.in({}, dtype::boolean);
  after(loop(m.g, {}, start, {m.in({3}), scalar(m.g, dtype::i32, 0)}, body).carried[0], "known-trips");
  CHECK(trips_of(m) == 4);
  const auto is_loop = [&](node_id n) { return m.g.at(n).op == "Loop"; };
  const node_id n = *std::ranges::find_if(m.g.at(block_id::main).nodes, is_loop);
  CHECK(m.g.at(n).inputs[1] == start.id());
}
