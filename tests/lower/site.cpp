// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lowered_text.hpp"

#include <jax2onnx/lower/site.hpp>

using namespace jax2onnx;

namespace {

const std::string text = "{ lambda ; a:f32[2,3]. let b:f32[2,3] = p[axes=(1,) k=7 unset=None] a in (b,) }";

/// The problem if `p` is lowered by `show`.
std::string problem(lower_fn show) { return lowered_text(text, show).problem(); }

}  // namespace

TEST_CASE("a site shows operands, types and parameters") {
  CHECK(problem([](const site& s) -> jax_values {
          CHECK(s.primitive() == "p");
          CHECK(s.arity() == 1);
          CHECK(s.out_count() == 1);
          CHECK(s.in(0).dims() == shape{2, 3});
          CHECK(s.in_dtype() == dtype::f32);
          CHECK(s.out_dims() == shape{2, 3});
          CHECK_FALSE(s.is_complex());
          CHECK(s.param<std::int64_t>("k") == 7);
          CHECK(s.param_or<std::int64_t>("unset", 5) == 5);
          CHECK(s.param_or<std::int64_t>("absent", 6) == 6);
          CHECK(s.find("absent") == nullptr);
          CHECK(s.axes("axes", 2) == ints{1});
          CHECK(s.refs().empty());
          return {s.in(0)};
        }) == "(none)");
}

TEST_CASE("a site refuses what the equation lacks") {
  CHECK(problem([](const site& s) -> jax_values { return {s.in(1)}; }) ==
        "lower.malformed: primitive 'p': it lacks operand 1");
  CHECK(problem([](const site& s) -> jax_values { return {s.in(static_cast<std::size_t>(s.out_type(2).rank()))}; }) ==
        "lower.malformed: primitive 'p': it lacks result 2");
  CHECK(problem([](const site& s) -> jax_values {
          return {s.in(static_cast<std::size_t>(s.param<std::int64_t>("q")))};
        }) == "lower.unsupported: 'p' lacks its parameter 'q'");
  CHECK(problem([](const site& s) -> jax_values { return {s.in(s.axes("axes", 1).size())}; }) ==
        "lower.unsupported: primitive 'p': its axes names axis 1, but the array has 1 dimension");
}

TEST_CASE("a parameter is read, ignored by the row or an error") {
  CHECK(problem([](const site& s) -> jax_values {
          s.require_read(ignores{"axes k unset=None"});
          return {s.in(0)};
        }) == "(none)");
  CHECK(problem([](const site& s) -> jax_values {
          s.param<ints>("axes");
          s.ignore("k", "a test");
          s.require_read(ignores{"unset=False"});
          return {s.in(0)};
        }) == "lower.unsupported: primitive 'p': parameter unset=None is not supported");
  CHECK(problem([](const site& s) -> jax_values {
          s.ignore_all("a test");
          s.require_read(ignores{});
          return {s.in(0)};
        }) == "(none)");
}
