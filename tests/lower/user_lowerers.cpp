// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lowered_text.hpp"

#include <new>
#include <stdexcept>

#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/lower/user_lowerers.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

namespace {

const std::string one_equation = "{ lambda ; a:f32[3]. let b:f32[3] = own a in (b,) }";

lowered_text with_own(user_lowerer own, const std::string& text = one_equation) {
  return lowered_text(text, nullptr, {{"own", std::move(own)}});
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
  reported([](const site&) -> jax_values { return {}; }, "the lowering yields 0 results instead of 1");
  reported(
      [](const site& s) -> jax_values {
        return {s.in(0), s.in(0)};
      },
      "the lowering yields 2 results instead of 1");
  reported([](const site& s) -> jax_values { return {cast(s.in(0), dtype::f16)}; },
           "result 0 is f16[3], but is stated as f32[3]");
  reported(
      [](const site& s) -> jax_values {
        return {concat({s.in(0), s.in(0)}, 0)};
      },
      "result 0 is f32[6], but is stated as f32[3]");
  reported([](const site&) -> jax_values { return {value()}; }, "result 0 has no value");
  reported([](const site& s) -> jax_values { return {{s.in(0), s.in(0)}}; }, "result 0 has 2 parts instead of 1");
  reported([](const site&) -> jax_values { throw std::runtime_error("out of ideas"); }, "out of ideas");
  reported([](const site&) -> jax_values { throw std::out_of_range("index 7"); }, "index 7");
  reported([](const site&) -> jax_values { throw build_error("ranks differ"); }, "ranks differ");
  reported([](const site&) -> jax_values { throw error(failure::io, "io", "no such file"); }, "no such file");
  graph other;
  reported(
      [&](const site&) -> jax_values {
        return {other.input({dtype::f32, {3}}, "x")};
      },
      "result 0 belongs to another graph");
  reported(
      [&](const site& s) -> jax_values {
        return {add(s.in(0), other.input({dtype::f32, {3}}, "y"))};
      },
      "an operand of Add belongs to another graph");
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
