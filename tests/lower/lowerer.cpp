#include "catch.hpp"
#include "lowered_text.hpp"

#include <new>
#include <stdexcept>

#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;

namespace {

/// Built-in lowerings for these tests: call[jaxpr=…], flip, and any other primitive as the identity.
jax_values builtin(const site& s) {
  if (s.primitive() == "call_it") return s.inline_body(*s.param<const jaxpr::body*>("jaxpr"), s.ins(), s.wanted());
  if (s.primitive() == "refused") s.unsupported("no", "try another");
  if (s.primitive() == "newer") throw opset_error("Later", 99);
  if (s.primitive() == "broken") throw build_error("operands do not fit");
  return {s.in_parts(0)};
}

const std::string one_equation = "{ lambda ; a:f32[3]. let b:f32[3] = own a in (b,) }";

lowered_text with_own(user_lowerer own, const std::string& text = one_equation) {
  return lowered_text(text, builtin, {{"own", std::move(own)}});
}

}  // namespace

TEST_CASE("a lowerer of the user replaces the built-in lowering") {
  const auto made = with_own([](const site& s) -> jax_values { return {neg(s.in(0))}; });
  CHECK(made.machine.problems.empty());
  CHECK(made.g.at(made.g.at(made.results[0].re().id()).producer).op == "Neg");
}

TEST_CASE("a wrong lowerer of the user is reported as the user's") {
  const auto reported = [](user_lowerer own, std::string_view what) {
    const auto made = with_own(std::move(own));
    CHECK(made.problem() == "lower.user-lowerer: the program's own lowerer of 'own': " + std::string(what));
    CHECK(made.place() == "b:f32[3] = own a");
    CHECK(made.machine.is_malformed);
  };
  reported([](const site&) -> jax_values { return {}; }, "the lowering yields 0 results, the text has 1");
  reported(
      [](const site& s) -> jax_values {
        return {s.in(0), s.in(0)};
      },
      "the lowering yields 2 results, the text has 1");
  reported([](const site& s) -> jax_values { return {cast(s.in(0), dtype::f16)}; },
           "result 0 is f16[3], the text says f32[3]");
  reported(
      [](const site& s) -> jax_values {
        return {concat({s.in(0), s.in(0)}, 0)};
      },
      "result 0 is f32[6], the text says f32[3]");
  reported([](const site&) -> jax_values { return {value()}; }, "result 0 has no value");
  reported([](const site& s) -> jax_values { return {{s.in(0), s.in(0)}}; }, "result 0 has 2 parts instead of 1");
  reported([](const site&) -> jax_values { throw std::runtime_error("out of ideas"); }, "out of ideas");
  reported([](const site&) -> jax_values { throw std::out_of_range("index 7"); }, "index 7");
  reported([](const site&) -> jax_values { throw build_error("ranks differ"); }, "ranks differ");
  graph other;
  reported(
      [&](const site&) -> jax_values {
        return {other.input({dtype::f32, {3}}, "x")};
      },
      "result 0 is of another graph");
}

TEST_CASE("a lowerer of the user may refuse as a built-in one does") {
  const auto refused = with_own([](const site& s) -> jax_values { s.unsupported("only float16"); });
  CHECK(refused.problem() == "lower.unsupported: primitive 'own': only float16");
  CHECK_FALSE(refused.machine.is_malformed);
  const auto older = with_own([](const site&) -> jax_values { throw opset_error("Later", 99); });
  CHECK(older.problem() == "lower.opset: primitive 'own': Later needs opset 99");
  CHECK_THROWS_AS(with_own([](const site&) -> jax_values { throw limit_error("too large"); }), limit_error);
  CHECK_THROWS_AS(with_own([](const site&) -> jax_values { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST_CASE("a lowerer of the user reads or ignores each parameter that is set") {
  const user_lowerer identity = [](const site& s) -> jax_values { return {s.in(0)}; };
  const std::string unset = "{ lambda ; a:f32[3]. let b:f32[3] = own[k=None l=False m=()] a in (b,) }";
  const std::string set = "{ lambda ; a:f32[3]. let b:f32[3] = own[k=7] a in (b,) }";
  CHECK(with_own(identity, unset).problem() == "(none)");
  CHECK(with_own(identity, set).problem() == "lower.unsupported: primitive 'own': parameter k=7 is not supported");
  CHECK(with_own(identity, set).place() == "k");
  CHECK(with_own(
            [](const site& s) -> jax_values {
              s.ignore("k", "a test");
              return {s.in(0)};
            },
            set)
            .problem() == "(none)");
}

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

TEST_CASE("limits on equations and on the depth of calls") {
  const std::string calls =
      "{ lambda ; a:f32[3]. let b:f32[3] = call_it[jaxpr={ lambda ; c:f32[3]. let d:f32[3] = copy c in (d,) }] a in "
      "(b,) }";
  CHECK_NOTHROW(lowered_text(calls, builtin, {},
                             {.limits = {.equations = 2, .depth = 1}, .partitionable_keys = {}, .progress = {}}));
  CHECK_THROWS_AS(lowered_text(calls, builtin, {},
                               {.limits = {.equations = 1, .depth = 1}, .partitionable_keys = {}, .progress = {}}),
                  limit_error);
  CHECK_THROWS_AS(lowered_text(calls, builtin, {},
                               {.limits = {.equations = 2, .depth = 0}, .partitionable_keys = {}, .progress = {}}),
                  limit_error);
}

TEST_CASE("random keys are partitionable as the option or the version of the text says") {
  const std::string newer = "{ lambda ; a:f32[3]. let b:f32[3] = square a in (b,) }";
  const std::string older =
      "{ lambda ; a:f32[3]. let b:f32[3] = pjit[jaxpr={ lambda ; . let  in () }] a; c:f32[3] = reshape[dimensions=None "
      "new_sizes=(3,)] a in (c,) }";
  CHECK(lowered_text(newer, builtin).machine.partitionable_keys());
  CHECK_FALSE(lowered_text(older, builtin).machine.partitionable_keys());
  CHECK(lowered_text(older, builtin, {}, {.limits = {}, .partitionable_keys = true, .progress = {}})
            .machine.partitionable_keys());
}
