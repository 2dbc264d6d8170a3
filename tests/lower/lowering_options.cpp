// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lowered_text.hpp"

#include <jax2onnx/lower/dispatch.hpp>
#include <jax2onnx/lower/lowering_options.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/support/progress.hpp>

using namespace jax2onnx;

namespace {

/// call_it[jaxpr=…] is inlined, any other primitive is the identity.
jax_values builtin(const site& s) {
  if (s.primitive() == "call_it") return s.inline_body(*s.param<const jaxpr::body*>("jaxpr"), s.ins(), s.wanted());
  return {s.in_parts(0)};
}

}  // namespace

TEST_CASE("limits on variables and on the depth of calls") {
  const std::string calls =
      "{ lambda ; a:f32[3]. let b:f32[3] = call_it[jaxpr={ lambda ; c:f32[3]. let d:f32[3] = copy c in (d,) }] a in "
      "(b,) }";
  const auto lowered = [&](std::uint64_t variables, int depth) {
    lowering_options o;
    o.limits.variables = variables;
    o.limits.depth = depth;
    lowered_text(calls, builtin, {}, o);
  };
  // Each jaxpr: 2 slots, 1 equation with 2 variables, 1 result; 1 for the length of the outer equation.
  CHECK_NOTHROW(lowered(13, 1));
  CHECK_THROWS_WITH(lowered(12, 1), Catch::Matchers::Contains("over 12 variables"));
  CHECK_THROWS_WITH(lowered(13, 0), Catch::Matchers::Contains("more than 0 deep"));
}

TEST_CASE("limits that are absent are in proportion to the text") {
  const lowering_limits small = lowering_limits{}.of_text(100), large = lowering_limits{}.of_text(200 << 10);
  CHECK(large.nodes == 4 * *small.nodes);
  CHECK(large.bytes == 4 * *small.bytes);
  lowering_limits given;
  given.nodes = 7;
  CHECK(given.of_text(200 << 10).nodes == 7u);
}

TEST_CASE("types that no array has are refused") {
  const auto lowered = [](const std::string& type) {
    lowered_text("{ lambda ; a:" + type + ". let  in (a,) }", builtin);
  };
  CHECK_NOTHROW(lowered("f32[0,9223372036854775]"));
  CHECK_THROWS_AS(lowered("f32[4294967296,4294967296]"), limit_error);
  CHECK_THROWS_AS(lowered("f32[4294967296,0,4294967296]"), limit_error);
  CHECK_THROWS_AS(lowered("f32[4611686018427387904]"), limit_error);
  CHECK_THROWS_WITH(lowered("f32[3 - 5]"), Catch::Matchers::Contains("negative dimension"));
  std::string many = "f32[1";
  for (int i = 0; i < 256; ++i) many += ",1";
  CHECK_THROWS_AS(lowered(many + "]"), limit_error);
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

TEST_CASE("values that are stated to be finite need no nodes for NaN") {
  const std::string text =
      "{ lambda ; a:f32[3]. let b:i32[] = argmax[axes=(0,) index_dtype=int32] a; c:f32[3] = sort[dimension=0 "
      "is_stable=True num_keys=1] a in (b, c) }";
  const auto operators = [&](bool finite) {
    const auto made = lowered_text(text, lower_builtin, {},
                                   {.limits = {}, .partitionable_keys = {}, .assume_finite = finite, .progress = {}});
    std::string names;
    for (const node_id n : made.g.at(block_id::main).nodes) names += std::string(made.g.at(n).op) + " ";
    return names;
  };
  CHECK(operators(false).find("IsNaN") != std::string::npos);
  CHECK(operators(true).find("IsNaN") == std::string::npos);
  CHECK(operators(true).find("ArgMax") != std::string::npos);
}

TEST_CASE("progress hears of every 1024th equation") {
  std::string text = "{ lambda ; a:f32[3]. let b:Ref{f32[3]} = new_ref a; ";
  for (int i = 0; i < 2500; ++i) text += "keep b; ";
  std::vector<std::uint64_t> heard;
  lowering_options o;
  o.progress = [&](std::string_view phase, std::uint64_t done, std::uint64_t) {
    CHECK(phase == "lowering");
    heard.push_back(done);
  };
  const auto lower = [](const site& s) {
    return s.primitive() == "new_ref" ? jax_values{s.new_ref(s.in_parts(0))} : jax_values{};
  };
  const lowered_text made(text + "in (a,) }", lower, {}, o);
  CHECK(made.problem() == "(none)");
  CHECK(heard == std::vector<std::uint64_t>{1024, 2048});
}
