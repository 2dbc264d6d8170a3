// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/shape/types.hpp>

TEST_CASE("the primitives that move elements take what JAX takes") {
  CHECK(problem_of("a:f32[3]", "c:f32[2,3]", "broadcast_in_dim[broadcast_dimensions=(1,) shape=(2, 3)] a") == "(none)");
  CHECK(problem_of("a:f32[B] b:f32[B]", "c:f32[2*B]", "concatenate[dimension=0] a b") == "(none)");
  CHECK(problem_of("a:f32[5] b:f32[]", "c:f32[12]", "pad[padding_config=((1, 2, 1),)] a b") == "(none)");
  CHECK(problem_of("a:f32[0] b:f32[]", "c:f32[3]", "pad[padding_config=((1, 2, 1),)] a b") == "(none)");
  CHECK(problem_of("a:f32[B,4]", "c:f32[4*B]", "reshape[dimensions=None new_sizes=(4*B,)] a") == "(none)");
  CHECK(problem_of("a:f32[7]", "c:f32[3]", "slice[limit_indices=(7,) start_indices=(2,) strides=(2,)] a") == "(none)");
  CHECK(problem_of("a:f32[2,3]", "c:f32[3,2]", "transpose[permutation=(1, 0)] a") == "(none)");
}

TEST_CASE("the primitives that move elements refuse what JAX refuses") {
  CHECK(is_malformed("a:f32[3]", "c:f32[7]", "broadcast_in_dim[broadcast_dimensions=(0,) shape=(7,)] a"));
  CHECK(is_malformed("a:f32[3]", "c:f32[3]", "broadcast_in_dim[broadcast_dimensions=(0,) shape=(7,)] a"));
  CHECK(is_malformed("a:f32[2,3]", "c:f32[3,2]", "broadcast_in_dim[broadcast_dimensions=(1, 0) shape=(3, 2)] a"));
  CHECK(is_malformed("", "c:f32[0]", "concatenate[dimension=0]"));
  CHECK(is_malformed("a:f32[2] b:f32[2]", "c:f32[5]", "concatenate[dimension=0] a b"));
  CHECK(is_malformed("a:f32[2] b:i32[2]", "c:f32[4]", "concatenate[dimension=0] a b"));
  CHECK(is_malformed("", "c:i32[3]", "iota[dimension=1 dtype=int32 shape=(3,)]"));
  CHECK(is_malformed("a:f32[5] b:f32[]", "c:f32[12]", "pad[padding_config=((1, 2),)] a b"));
  CHECK(is_malformed("a:f32[5] b:f32[]", "c:f32[0]", "pad[padding_config=((-3, -3, 0),)] a b"));
  CHECK(is_malformed("a:f32[4]", "c:f32[5]", "reshape[dimensions=None new_sizes=(5,)] a"));
  CHECK(is_malformed("a:f32[7]", "c:f32[3]", "slice[limit_indices=(7,) start_indices=(2,) strides=()] a"));
  CHECK(is_malformed("a:f32[7]", "c:f32[7]", "slice[limit_indices=(9,) start_indices=(2,) strides=None] a"));
  CHECK(is_malformed("a:f32[4]", "b:f32[2] c:f32[3]", "split[axis=0 sizes=(2, 3)] a"));
  CHECK(is_malformed("a:f32[2,1]", "c:f32[2]", "squeeze[dimensions=(9,)] a"));
  CHECK(is_malformed("a:f32[2,2]", "c:f32[2]", "squeeze[dimensions=(1,)] a"));
  CHECK(is_malformed("", "c:f32[0,2]", "stack[axis=0]"));
  CHECK(is_malformed("a:f32[4]", "c:f32[8]", "tile[reps=(3,)] a"));
  CHECK(is_malformed("a:f32[4]", "c:f32[8]", "tile[reps=(2, 2)] a"));
  CHECK(is_malformed("a:f32[2,2]", "c:f32[2,2]", "transpose[permutation=(0, 0)] a"));
  CHECK(is_malformed("a:f32[2,2]", "c:f32[2,2]", "transpose[permutation=(0, 5)] a"));
}
