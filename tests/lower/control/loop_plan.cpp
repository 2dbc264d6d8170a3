// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/lowered_text.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/control/loop_plan.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::lower;

namespace {

std::vector<std::string> input_names(const graph& g, const block& body) {
  std::vector<std::string> names;
  for (value_id v : body.inputs) names.push_back(g.at(v).name);
  return names;
}

}  // namespace

TEST_CASE("a Loop carries the parts of values and the contents of references") {
  const lowered_text done(
      "{ lambda ; a:c64[2] x:f32[3]. let r:Ref{float32[3]} = make x; b:c64[2] c:f32[4,2] = p a r in (b, c) }",
      [](const site& s) -> jax_values {
        if (s.primitive() == "make") return {s.new_ref(s.in(0))};
        loop_plan plan(s);
        plan.carry(s.in_type(0), s.in_parts(0), "z");
        plan.collected_types.push_back(s.out_type(1));
        const loop_values end =
            emit_loop(plan, scalar(s.g, dtype::i64, 4), {}, [&](const value&, const jax_values& carried) {
              jax_value& held = s.content(s.in_parts(1));
              held = neg(held.re());
              return loop_values{{jax_value(carried[0].im(), carried[0].re())}, {carried[0].re()}};
            });
        const value re = end.carried[0].re();
        CHECK(op_of(re) == "Loop");
        CHECK(producer(re).inputs.size() == 5);
        CHECK(input_names(s.g, body_of(re)) == std::vector<std::string>{"iteration", "going", "z", "z", "ref"});
        CHECK(body_of(re).outputs.size() == 5);
        CHECK(op_of(s.content(s.in_parts(1)).re()) == "Loop");
        CHECK(end.collected[0].re().dims() == shape{4, 2});
        return {end.carried[0], end.collected[0]};
      });
  CHECK(done.problem() == "(none)");
}

TEST_CASE("a Scan reads elements of sequences, backward on request") {
  const lowered_text done(
      "{ lambda ; a:f32[] x:f32[5,3]. let b:f32[] c:f32[5,3] = p a x in (b, c) }", [](const site& s) -> jax_values {
        loop_plan plan(s);
        CHECK(plan.empty());
        plan.carry(s.in_type(0), s.in_parts(0), "a");
        plan.collected_types.push_back(s.out_type(1));
        const std::vector<std::string_view> names{"x"};
        const loop_values end =
            emit_scan(plan, {s.in_parts(1)}, names, true, [&](const jax_values& carried, const jax_values& elements) {
              CHECK(elements[0].re().dims() == shape{3});
              return loop_values{carried, elements};
            });
        const value all = end.collected[0].re();
        CHECK(op_of(all) == "Scan");
        CHECK(input_names(s.g, body_of(all)) == std::vector<std::string>{"a", "x"});
        CHECK(std::get<ints>(producer(all).find("scan_input_directions")->value) == ints{1});
        return {end.carried[0], end.collected[0]};
      });
  CHECK(done.problem() == "(none)");
}
