// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lowered_text.hpp"

#include <jax2onnx/lower/dispatch.hpp>

using namespace jax2onnx;

static std::string problem(const std::string& equation, const std::string& result, user_lowerers own = {}) {
  return lowered_text("{ lambda ; a:f32[3] c:c64[3] k:key<fry>[3]. let " + equation + " in (" + result + ",) }",
                      lower_builtin, std::move(own))
      .problem();
}

TEST_CASE("a parameter that the primitive does not have is an error") {
  CHECK(problem("b:f32[3] = add[mode=False] a a", "b") ==
        "lower.unsupported: primitive 'add': parameter mode=False is not supported");
  CHECK(problem("b:f32[3] = add[shape=(9,) num_consts=7] a a", "b") ==
        "lower.unsupported: primitive 'add': parameter shape=(9,) is not supported");
  CHECK(problem("b:f32[3] = exp[accuracy=AccuracyMode.HIGHEST] a", "b") == "(none)");
  CHECK(problem("b:c64[3] = exp[accuracy=None] c", "b") == "(none)");
  CHECK(problem("b:f32[3] = mul[out_dtype=None] a a", "b") == "(none)");
}

TEST_CASE("a parameter of a newer JAX is taken as absent if it is None, with a warning") {
  const lowered_text l("{ lambda ; a:f32[3]. let b:f32[3] = add[later=None] a a in (b,) }", lower_builtin);
  CHECK(l.problem() == "(none)");
  REQUIRE(l.machine.warnings.size() == 1);
  CHECK(l.machine.warnings[0].code == "lower.unknown-parameter");
  CHECK(l.machine.warnings[0].message ==
        "'add' has the parameter later=None, which JAX up to 0.12 does not print: it is taken as absent");
  const lowered_text other("{ lambda ; a:f32[3]. let b:f32[3] = name[name=x later=()] a in (b,) }", lower_builtin);
  CHECK(other.problem() == "lower.unsupported: primitive 'name': parameter later=() is not supported");
  CHECK(other.machine.problems[0].help ==
        "JAX up to 0.12 does not print this parameter for 'name' (known: name): a newer JAX printed the text");
}

TEST_CASE("a primitive without a lowering") {
  CHECK(problem("b:f32[3] = frobnicate a", "b") == "lower.unsupported: no lowering for primitive 'frobnicate'");
  CHECK(problem("b:f32[3] = pure_callback[callback=f] a", "b").find("calls back into Python") != std::string::npos);
}

TEST_CASE("complex numbers and keys go to rows that take them") {
  CHECK(problem("b:c64[3] = neg c", "b") == "(none)");
  CHECK(problem("b:c64[3] = rev[dimensions=(0,)] c", "b") == "(none)");
  CHECK(problem("b:key<fry>[3] = rev[dimensions=(0,)] k", "b") == "(none)");
  CHECK(problem("b:c64[3] = cumlogsumexp[axis=0 reverse=False] c", "b") == "(none)");
  CHECK(problem("b:bool[3] = eq k k", "b") ==
        "lower.unsupported: primitive 'eq': PRNG keys are not supported as operands");
  CHECK(problem("b:c64[3] = floor c", "b") ==
        "lower.malformed: primitive 'floor': operand 0 is c64[3]; it must be floating-point");
}

TEST_CASE("a lowerer of the user may call the built-in one") {
  bool called = false;
  const user_lowerer own = [&](const site& s) {
    called = true;
    return lower_builtin(s);
  };
  CHECK(problem("b:f32[3] = exp[accuracy=1] a", "b", {{"exp", own}}) == "(none)");
  CHECK(called);
}
