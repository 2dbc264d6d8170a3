// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/control/types.hpp>

namespace {

const std::string sine = "{ lambda ; d:f32[]. let e:f32[] = sin d in (e,) }";
const std::string positive = "{ lambda ; d:f32[]. let e:bool[] = gt d 0.0:f32[] in (e,) }";
const std::string twice =
    "{ lambda ; d:f32[]. let e:f32[2] = broadcast_in_dim[broadcast_dimensions=() shape=(2,)] d in (e,) }";
const std::string scan_counts = " linear=(False,) num_carry=1 num_consts=0 reverse=False unroll=1] ";

}  // namespace

TEST_CASE("operands and results of calls have the types of their jaxprs") {
  CHECK(problem_of("a:f32[]", "c:f32[]", "jit[name=f jaxpr=" + sine + "] a") == "(none)");
  CHECK(is_malformed("a:f32[2]", "c:f32[]", "jit[name=f jaxpr=" + sine + "] a"));
  CHECK(is_malformed("a:i32[]", "c:f32[]", "jit[name=f jaxpr=" + sine + "] a"));
  CHECK(is_malformed("a:f32[]", "c:f64[]", "jit[name=f jaxpr=" + sine + "] a"));
  CHECK(is_malformed("a:f32[]", "c:f32[]", "jit[name=f jaxpr=" + sine + "] a a"));
  CHECK(is_malformed("a:f32[] b:f32[]", "c:f32[]", "name[name=f] a b"));
}

TEST_CASE("branches of a cond have the types of its results") {
  CHECK(problem_of("i:i32[] a:f32[]", "c:f32[]", "cond[branches=(" + sine + " " + sine + ")] i a") == "(none)");
  CHECK(is_malformed("i:i32[] a:f32[]", "c:f32[]", "cond[branches=()] i a"));
  CHECK(is_malformed("i:i32[] a:f32[]", "c:f32[]", "cond[branches=(" + sine + " " + twice + ")] i a"));
  CHECK(is_malformed("i:f32[] a:f32[]", "c:f32[]", "cond[branches=(" + sine + " " + sine + ")] i a"));
  CHECK(is_malformed("i:i32[] a:f32[]", "c:f32[]", "cond[branches=(" + sine + ")] i"));
}

TEST_CASE("carried values keep their types") {
  CHECK(problem_of("a:f32[]", "c:f32[]", "scan[jaxpr=" + sine + " length=3" + scan_counts + "a") == "(none)");
  CHECK(is_malformed("a:f32[]", "c:f32[]", "scan[jaxpr=" + sine + " length=-5" + scan_counts + "a"));
  CHECK(is_malformed("a:f32[]", "c:f32[2]", "scan[jaxpr=" + twice + " length=3" + scan_counts + "a"));
  const auto loop = [](const std::string& condition) {
    return "while[body_jaxpr=" + sine + " body_nconsts=0 cond_jaxpr=" + condition + " cond_nconsts=0] a";
  };
  CHECK(problem_of("a:f32[]", "c:f32[]", loop(positive)) == "(none)");
  CHECK(is_malformed("a:f32[]", "c:f32[]", loop(sine)));
  CHECK(is_malformed("a:f32[]", "c:f32[] f:f32[]", loop(positive)));
}

TEST_CASE("a reference has the type of its content") {
  CHECK(is_malformed("a:u64[4]", "c:Ref{f32[4]}", "new_ref a"));
  CHECK(is_malformed("a:f32[4]", "c:f32[4]", "freeze a"));
  const auto problem = [](const std::string& equation) {
    const std::string operands = "a:f32[4] b:i32[4]", made = "r:Ref{f32[4]} = new_ref a; ";
    return lowered_text("{ lambda ; " + operands + ". let " + made + equation + " in (c,) }", jax2onnx::lower_builtin)
        .problem();
  };
  const std::string malformed = "lower.malformed: ", whole = "[tree=PyTreeDef(())] ";
  CHECK(problem("c:f32[4] = freeze r") == "(none)");
  CHECK(problem("c:f64[4] = freeze r").starts_with(malformed));
  CHECK(problem("c:f64[4] = get" + whole + "r").starts_with(malformed));
  CHECK(problem("c:f32[4] = swap" + whole + "r a") == "(none)");
  CHECK(problem("c:f32[4] = swap" + whole + "r b").starts_with(malformed));
  CHECK(problem("addupdate" + whole + "r b; c:f32[4] = freeze r").starts_with(malformed));
}

TEST_CASE("what an equation shows of a reference") {
  const auto problem = [](const std::string& equation) {
    return lowered_text("{ lambda ; a:f32[4,6]. let\n    r:Ref{f32[4,6]} = new_ref a\n    " + equation +
                            "\n    z:f32[4,6] = freeze r\n  in (c, z) }",
                        jax2onnx::lower_builtin)
        .problem();
  };
  const std::string refused = "lower.unsupported: primitive 'get': the transform ";
  CHECK(problem("c:i32[6] <- r{bitcast(int32)}[0,:]") == "(none)");
  CHECK(problem("c:f32[4] <- r{reshape([6, 4])}[1,:]") == "(none)");
  CHECK(problem("c:f32[2,6] <- r[1:4,:][:2,:]") == "(none)");
  CHECK(problem("c:i16[8,6] <- r{bitcast(int16)}") ==
        refused + "'{bitcast(int16)}' of a mutable reference is not supported");
  CHECK(problem("c:f32[4] <- r{transpose([1, 0])}[1,:]") ==
        refused + "'{transpose([1, 0])}' of a mutable reference is not supported");
  CHECK(problem("c:f32[5,5] <- r{reshape([5, 5])}") ==
        refused + "'{reshape([5, 5])}' of a mutable reference is not supported");
}

TEST_CASE("a slice of a reference that may have a stride is a warning") {
  const auto warnings = [](const std::string& index, const std::string& type) {
    return lowered_text("{ lambda ; a:f32[8]. let\n    r:Ref{f32[8]} = new_ref a\n    c:" + type + " <- r" + index +
                            "\n  in (c,) }",
                        jax2onnx::lower_builtin)
        .machine.warnings.size();
  };
  CHECK(warnings("[:4]", "f32[4]") == 1);
  CHECK(warnings("[1:4]", "f32[3]") == 1);
  CHECK(warnings("[3:6]", "f32[3]") == 1);
  CHECK(warnings("[4:7]", "f32[3]") == 0);
  CHECK(warnings("[2:]", "f32[6]") == 0);
  CHECK(warnings("[5:6]", "f32[1]") == 0);
  CHECK(warnings("[...]", "f32[8]") == 0);
}

TEST_CASE("a class whose parameters the text does not have") {
  CHECK(problem_of("a:f32[]", "c:f32[]", "call_hi_primitive[_prim=CustomRoot] a").find("applies a Python class") !=
        std::string::npos);
  CHECK(problem_of("a:f32[]", "c:f32[]", "_RootLinearMap[f=fun transposed=False] a").find("derivative") !=
        std::string::npos);
  CHECK(problem_of("a:f32[]", "c:f32[]", "call_hi_primitive[_prim=CheckpointName[name=kept]] a") == "(none)");
}
