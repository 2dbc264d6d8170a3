// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lowered_text.hpp"

#include <jax2onnx/lower/lowerer.hpp>
#include <jax2onnx/lower/site.hpp>

using namespace jax2onnx;

namespace {

/// The built-in lowerings of these tests: call[jaxpr=…] and flip; any other primitive is the identity.
jax_values builtin(const site& s) {
  if (s.primitive() == "call_it") return s.inline_body(*s.param<const jaxpr::body*>("jaxpr"), s.ins(), s.wanted());
  if (s.primitive() == "refused") s.unsupported("no", "try another");
  if (s.primitive() == "newer") throw opset_error("Later", 99);
  if (s.primitive() == "broken") throw build_error("operands do not fit");
  return {s.in_parts(0)};
}

}  // namespace

TEST_CASE("problems are collected, equal ones counted") {
  const lowered_text made(
      "{ lambda ; a:f32[3]. let b:f32[3] = refused a; c:f32[3] = refused b; d:f32[3] = newer c; e:f32[3] = broken d "
      "in (e,) }",
      builtin);
  REQUIRE(made.machine.problems.size() == 3);
  CHECK(made.problem(0) == "lower.unsupported: primitive 'refused': no");
  CHECK(made.machine.problems[0].help == "try another");
  CHECK(made.machine.repeats[0] == 2);
  CHECK(made.problem(1) == "lower.opset: primitive 'newer': Later needs opset 99");
  CHECK(made.problem(2) == "lower.inconsistent: primitive 'broken': operands do not fit");
  CHECK(made.machine.is_malformed);
}

TEST_CASE("a problem in an inlined jaxpr names the calls around it") {
  const lowered_text made(
      "{ lambda ; a:f32[3]. let b:f32[3] = call_it[jaxpr={ lambda ; c:f32[3]. let d:f32[3] = refused c in (d,) }] a in "
      "(b,) }",
      builtin);
  REQUIRE(made.machine.problems.size() == 1);
  REQUIRE(made.machine.problems[0].notes.size() == 1);
  CHECK(made.machine.problems[0].notes[0].message == "while lowering 'call_it'");
  CHECK(made.place() == "d:f32[3] = refused c");
}

TEST_CASE("equations that no result needs are not lowered") {
  const lowered_text made("{ lambda ; a:f32[3]. let b:f32[3] = refused a; c:f32[3] = copy a in (c,) }", builtin);
  CHECK(made.machine.problems.empty());
  CHECK(made.machine.lowered == 1);
}

TEST_CASE("an element type that ONNX lacks is refused before the lowering") {
  const lowered_text made("{ lambda ; a:f32[3]. let b:f3[3] = own a in (b,) }", builtin);
  CHECK(made.problem() == "lower.unsupported: primitive 'own': ONNX has no element type f3");
}
