// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/recurrence.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;
using rewrite::affine_form;
using rewrite::recurrence;
using rewrite::recurrent_operands;

namespace {

/// h' = x W + h R + b over xs[5,2,3].
struct linear_scan {
  model m;
  value first = m.in({2, 4}), xs = m.in({5, 2, 3});
  value w = m.weight({3, 4}), r = m.weight({4, 4}), b = m.weight({4});
  value h, x, next;
  loop_result made;
  explicit linear_scan(bool reverse = false) {
    made = scan(m.g, {first}, {xs},
                [&](const std::vector<value>& states, const std::vector<value>& elements) {
                  h = states[0], x = elements[0];
                  next = add(add(matmul(x, w), matmul(h, r)), b);
                  return loop_step{{}, {next}, {next, x}};
                },
                {.reverse = reverse});
  }
};

}  // namespace

TEST_CASE("recurrence: states, sequences and what is stacked") {
  const linear_scan s(true);
  const auto r = recurrence::of(s.made.carried[0]);
  REQUIRE(r);
  CHECK(r->reverse());
  CHECK(r->state_count() == 1);
  CHECK(r->result_count() == 3);
  CHECK(same_value(r->state(0), s.h));
  CHECK(same_value(r->next(0), s.next));
  CHECK(same_value(r->first(0), s.first));
  CHECK(same_value(r->sequence_of(s.x), s.xs));
  CHECK_FALSE(r->sequence_of(s.h));
  CHECK_FALSE(r->collects_only(s.next));
}

TEST_CASE("recurrence: directions that a Scan leaves out are forward") {
  for (const char* left_out : {"scan_input_directions", "scan_output_directions"}) {
    linear_scan s(true);
    std::erase_if(s.m.g.at(s.made.carried[0].record().producer).attributes,
                  [&](const attribute& a) { return a.name == left_out; });
    CHECK_FALSE(recurrence::of(s.made.carried[0]));
  }
}

TEST_CASE("recurrent_operands: one gate") {
  const linear_scan s;
  const auto r = recurrence::of(s.made.carried[0]);
  REQUIRE(r);
  CHECK_FALSE(r->reverse());
  affine_form form(r->body());
  REQUIRE(form.add(s.next));
  recurrent_operands operands(*r, s.h);
  REQUIRE(operands.add_gate(form.terms()));
  CHECK(same_value(operands.x(), s.xs));
  CHECK(text(operands.w()) == "f32[1,4,3]");
  CHECK(text(operands.r()) == "f32[1,4,4]");
  CHECK(text(operands.b()) == "f32[1,8]");
  CHECK(text(operands.initial(0)) == "f32[1,2,4]");
}

TEST_CASE("recurrent_operands: a product of anything else is refused") {
  const linear_scan s;
  const auto r = recurrence::of(s.made.carried[0]);
  REQUIRE(r);
  recurrent_operands operands(*r, s.h);
  CHECK_FALSE(operands.add_gate({{.source = s.next, .matrix = s.r, .row_count = 4, .taken = {0, 4}}}));
}

TEST_CASE("recurrent_operands: a sequence that is a product") {
  model m;
  const value xs = m.in({2, 5, 3}), w = m.weight({3, 4}), u = m.weight({4, 4}), first = m.in({2, 4});
  const value moved = transpose(matmul(xs, w), {1, 0, 2});
  value next;
  const loop_result made =
      scan(m.g, {first}, {moved}, [&](const std::vector<value>& states, const std::vector<value>& elements) {
        next = add(elements[0], matmul(states[0], u));
        return loop_step{{}, {next}, {next}};
      });
  const auto r = recurrence::of(made.carried[0]);
  REQUIRE(r);
  affine_form form = r->form();
  REQUIRE(form.add(next));
  recurrent_operands operands(*r, r->state(0));
  REQUIRE(operands.add_gate(form.terms()));
  CHECK(text(operands.x()) == "f32[5,2,3]");
  CHECK(text(operands.w()) == "f32[1,4,3]");
}

TEST_CASE("recurrent_operands: rows that broadcast to those of the state are refused") {
  model m;
  const value xs = m.in({5, 1, 3}), w = m.weight({3, 4}), u = m.weight({4, 4});
  value next;
  const loop_result made =
      scan(m.g, {m.in({2, 4})}, {xs}, [&](const std::vector<value>& states, const std::vector<value>& elements) {
        next = add(matmul(elements[0], w), matmul(states[0], u));
        return loop_step{{}, {next}, {next}};
      });
  const auto r = recurrence::of(made.carried[0]);
  REQUIRE(r);
  affine_form form = r->form();
  REQUIRE(form.add(next));
  recurrent_operands operands(*r, r->state(0));
  CHECK_FALSE(operands.add_gate(form.terms()));
}

TEST_CASE("recurrent_operands: several batch axes are one") {
  model m;
  const value xs = m.in({5, 2, 3, 3}), w = m.weight({3, 4}), u = m.weight({4, 4});
  value next;
  const loop_result made =
      scan(m.g, {m.in({2, 3, 4})}, {xs}, [&](const std::vector<value>& states, const std::vector<value>& elements) {
        next = add(matmul(elements[0], w), matmul(states[0], u));
        return loop_step{{}, {next}, {next}};
      });
  const auto r = recurrence::of(made.carried[0]);
  REQUIRE(r);
  affine_form form = r->form();
  REQUIRE(form.add(next));
  recurrent_operands operands(*r, r->state(0));
  REQUIRE(operands.add_gate(form.terms()));
  CHECK(text(operands.x()) == "f32[5,6,3]");
  CHECK(text(operands.initial(0)) == "f32[1,6,4]");
  CHECK(text(operands.with_batch(m.in({5, 1, 6, 4}), {5})) == "f32[5,2,3,4]");
  CHECK(text(operands.with_batch(m.in({1, 6, 4}), {})) == "f32[2,3,4]");
}
