// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lowered_text.hpp"

#include <jax2onnx/lower/signature.hpp>

using namespace jax2onnx;

namespace {

/// The result of checking a jaxpr against `Expected`.
template <const signature& Expected>
std::string problem(std::string_view equation) {
  const std::string text = "{ lambda ; a:f32[2,3] b:f32[B]. let " + std::string(equation) + " in (c,) }";
  return lowered_text(text,
                      [](const site& s) -> jax_values {
                        check_signature(s, Expected, ignores{"ignored"});
                        s.ignore_all("a test");
                        return {s.in(0)};
                      })
      .problem();
}

std::vector<aval> as_operand(const site& s) { return {s.in_type(0)}; }

constexpr signature one_to_one{1, 1, as_operand};
constexpr signature lists{1,
                          1,
                          as_operand,
                          {{"axes", param_form::axes},
                           {"order", param_form::permutation},
                           {"strides", param_form::per_axis, 1},
                           {"k", param_form::number, 0, 8},
                           {"axis", param_form::axis},
                           {"body", param_form::body},
                           {"flag", param_form::flag},
                           {"real", param_form::real}}};

std::string malformed(std::string_view what) { return "lower.malformed: primitive 'p': " + std::string(what); }

}  // namespace

TEST_CASE("counts of operands and results") {
  static_assert(counts(2).admits(2));
  static_assert(!counts(2).admits(3));
  static_assert(counts(1, 3).admits(3));
  static_assert(or_more(1).admits(1000));
  static_assert(!or_more(1).admits(0));
  CHECK(problem<one_to_one>("c:f32[2,3] = p a") == "(none)");
  CHECK(problem<one_to_one>("c:f32[2,3] = p a a") == malformed("it has 2 operands instead of 1"));
  CHECK(problem<one_to_one>("c:f32[2,3] d:f32[2,3] = p a") == malformed("it has 2 results instead of 1"));
}

TEST_CASE("the results have the types of the rule") {
  CHECK(problem<one_to_one>("c:f32[3,2] = p a") == malformed("result 0 is f32[2,3], but is stated as f32[3,2]"));
  CHECK(problem<one_to_one>("c:f64[2,3] = p a") == malformed("result 0 is f32[2,3], but is stated as f64[2,3]"));
  CHECK(problem<one_to_one>("c:f32[B + 1] = p b") == malformed("result 0 is f32[B], but is stated as f32[B + 1]"));
}

TEST_CASE("a parameter has its form and its range") {
  CHECK(problem<lists>(
            "c:f32[2,3] = p[axes=(0, 1) order=(1, 0) strides=(1, 2) k=8 axis=1 body={ lambda ; . let in () }] a") ==
        "(none)");
  CHECK(problem<lists>("c:f32[2,3] = p[axes=None] a") == "(none)");
  CHECK(problem<lists>("c:f32[2,3] = p[axes=(0, 2)] a") ==
        malformed("its axes names axis 2, but the array has 2 dimensions"));
  CHECK(problem<lists>("c:f32[2,3] = p[axes=(-1,)] a") ==
        malformed("its axes names axis -1, but the array has 2 dimensions"));
  CHECK(problem<lists>("c:f32[2,3] = p[axes=(0, 0)] a") == malformed("its axes names axis 0 twice"));
  CHECK(problem<lists>("c:f32[2,3] = p[axes=1] a") == malformed("its axes is '1' instead of axes"));
  CHECK(problem<lists>("c:f32[2,3] = p[order=(0,)] a") ==
        malformed("its order has 1 entry for an array of 2 dimensions"));
  CHECK(problem<lists>("c:f32[2,3] = p[strides=(1, 0)] a") ==
        malformed("its strides has the value 0; values must be integers of at least 1"));
  CHECK(problem<lists>("c:f32[2,3] = p[strides=(1, True)] a") ==
        malformed("its strides has 'True' instead of one integer for each axis"));
  CHECK(problem<lists>("c:f32[2,3] = p[k=9] a") ==
        malformed("its k has the value 9; values must be integers from 0 to 8"));
  CHECK(problem<lists>("c:f32[2,3] = p[axis=2] a") ==
        malformed("its axis names axis 2, but the array has 2 dimensions"));
  CHECK(problem<lists>("c:f32[2,3] = p[body=3] a") == malformed("its body has '3' instead of jaxpr"));
  CHECK(problem<lists>("c:f32[2,3] = p[flag=True real=0.5] a") == "(none)");
  CHECK(problem<lists>("c:f32[2,3] = p[flag=1] a") == "(none)");
  CHECK(problem<lists>("c:f32[2,3] = p[flag=1.5] a") == malformed("its flag has '1.5' instead of bool"));
  CHECK(problem<lists>("c:f32[2,3] = p[real=x] a") == malformed("its real has 'x' instead of real"));
}

TEST_CASE("a parameter that is neither listed nor ignored is an error") {
  CHECK(problem<lists>("c:f32[2,3] = p[ignored=7] a") == "(none)");
  CHECK(problem<lists>("c:f32[2,3] = p[other=7] a") ==
        "lower.unsupported: primitive 'p': parameter other=7 is not supported");
}

TEST_CASE("a signature as text") {
  CHECK(text(one_to_one) == "1 → 1");
  CHECK(text(signature{or_more(1), {}}) == "1+ → any");
  CHECK(text(signature{{1, 2}, 1, nullptr, {{"k", param_form::number, 0, 8}, {"axes", param_form::axes}}}) ==
        "1 to 2 → 1; `k`: integer from 0 to 8; `axes`: axes");
  CHECK(text(signature{1, 1, nullptr, {{"numbers", param_form::structure, "lhs, rhs"}}}) ==
        "1 → 1; `numbers`: structure of lhs, rhs");
}
