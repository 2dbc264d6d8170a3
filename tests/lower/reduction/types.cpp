// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/reduction/types.hpp>

TEST_CASE("reductions take what JAX takes") {
  CHECK(problem_of("a:f32[2,3]", "c:f32[2]", "reduce_sum[axes=(1,)] a") == "(none)");
  CHECK(problem_of("a:i32[2,3]", "c:i32[]", "reduce_max[axes=(1, 0)] a") == "(none)");
  CHECK(problem_of("a:f32[2,3]", "c:i32[3]", "argmax[axes=(0,) index_dtype=int32] a") == "(none)");
  CHECK(problem_of("a:f32[2,3]", "c:f32[2,3]", "cumsum[axis=1 reverse=True] a") == "(none)");
}

TEST_CASE("reductions refuse what JAX refuses") {
  CHECK(is_malformed("a:f32[2,3]", "c:f32[3]", "reduce_sum[axes=(1,)] a"));
  CHECK(is_malformed("a:f32[2,3]", "c:f32[2,3]", "reduce_sum[axes=(2,)] a"));
  CHECK(is_malformed("a:f32[2,3]", "c:f32[2]", "reduce_and[axes=(1,)] a"));
  CHECK(is_malformed("a:f32[2,3]", "c:f32[3]", "argmax[axes=(0,) index_dtype=float32] a"));
  CHECK(is_malformed("a:f32[0,3]", "c:i32[3]", "argmax[axes=(0,) index_dtype=int32] a"));
  CHECK(is_malformed("a:f32[2]", "c:f32[2]", "cumsum[axis=3 reverse=False] a"));
  constexpr std::string_view body = "{ lambda ; d:f32[] e:f32[]. let f:f32[] = add d e in (f,) }";
  const std::string reduce = "reduce[dimensions=(0,) jaxpr=" + std::string(body) + "] a ";
  CHECK(problem_of("a:f32[2] b:f32[]", "c:f32[]", reduce + "b") == "(none)");
  CHECK(is_malformed("a:f32[2] b:f32[1]", "c:f32[]", reduce + "b"));
  CHECK(is_malformed("a:f32[2] b:f32[]", "c:f32[]", reduce + "b b"));
}
