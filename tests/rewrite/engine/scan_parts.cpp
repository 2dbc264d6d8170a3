// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/scan_parts.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using rewrite::recurrence;
using rewrite::scan_part;
using rewrite::whole_steps;

namespace {

/// h' = h + x, k' = k + Tanh(h') over xs[5,2].
struct two_sums {
  model m;
  value xs = m.in({5, 2}), first = m.in({2}), h, k;
  loop_result made = scan(m.g, {first, first}, {xs}, [&](const std::vector<value>& s, const std::vector<value>& x) {
    h = add(s[0], x[0]);
    k = add(s[1], unary("Tanh", h));
    return loop_step{{}, {h, k}, {}};
  });
  recurrence r = *recurrence::of(made.carried[0]);
};

}  // namespace

TEST_CASE("scan_part: some states and what they need") {
  two_sums s;
  whole_steps steps(s.r);
  const scan_part part(s.r, steps, {0}, {s.h});
  CHECK(part.nodes().size() == 1);
  CHECK(part.needs(s.h));
  CHECK_FALSE(part.needs(s.k));
  CHECK(part.new_elements().empty());
  const loop_result y = part.emit(steps);
  REQUIRE(y.carried.size() == 1);
  REQUIRE(y.collected.size() == 1);
  CHECK(text(y.carried[0]) == "f32[2]");
  CHECK(text(y.collected[0]) == "f32[5,2]");
}

TEST_CASE("scan_part: what all steps have is read") {
  two_sums s;
  whole_steps steps(s.r);
  steps.give(s.h, s.xs);
  const scan_part part(s.r, steps, {1}, {});
  CHECK(part.nodes().size() == 2);
  REQUIRE(part.new_elements().size() == 1);
  CHECK(same_value(part.new_elements()[0], s.h));
  CHECK(part.emit(steps).carried.size() == 1);
}

TEST_CASE("has_subgraphs: a branch in a body") {
  model m;
  const value c = m.in({}, dtype::boolean);
  const loop_result y = scan(m.g, {}, {m.in({5, 2})}, [&](const std::vector<value>&, const std::vector<value>& x) {
    const value v = if_(
        c, [&] { return std::vector{unary("Tanh", x[0])}; }, [&] { return std::vector{unary("Neg", x[0])}; })[0];
    return loop_step{{}, {}, {v}};
  });
  const auto r = recurrence::of(y.collected[0]);
  REQUIRE(r);
  CHECK(rewrite::has_subgraphs(m.g, r->body()));
  two_sums s;
  CHECK_FALSE(rewrite::has_subgraphs(s.m.g, s.r.body()));
}
