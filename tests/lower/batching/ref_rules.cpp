// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/pallas/calls.hpp"

#include <jax2onnx/lower/batching/ref_rules.hpp>

TEST_CASE("an index that is the same for all programs takes their axes whole") {
  const called_kernel done("v:f32[3] <- x[0,:]; o[0,:] <- v; w:f32[1,3] <- x[1:2,:]; o[1:2,:] <- w");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Slice") + done.count("Gather") > 0);
  CHECK(done.results[0].re().dims() == jax2onnx::shape{6, 3});
}

TEST_CASE("an index that differs is a gather from all blocks") {
  const called_kernel done(
      "i:i32[] = program_id[axis=0]; j:i32[] = rem i 2:i32[]; v:f32[3] <- x[j,:]; o[0,:] <- v; o[1,:] <- v; o[j,:] <- "
      "v");
  CHECK(done.problem() == "(none)");
  CHECK(done.results[0].re().dims() == jax2onnx::shape{6, 3});
}

TEST_CASE("a condition that differs selects what references hold") {
  const called_kernel done(
      "i:i32[] = program_id[axis=0]; t:bool[] = gt i 0:i32[]; c:i32[] = convert_element_type[new_dtype=int32] t; "
      "v:f32[2,3] "
      "<- x[...]; o[...] <- v; cond[branches=({ lambda ; y:Ref{f32[2,3]} w:f32[2,3]. let  in () } { lambda ; "
      "y:Ref{f32[2,3]} w:f32[2,3]. let y[...] += w in () })] c o v");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Where") == 1);
  CHECK(done.count("If") == 0);
}

TEST_CASE("references of a part of a kernel have the axes of its programs") {
  const called_kernel done(
      "run_scoped[collective_axes=() jaxpr={ lambda y:Ref{f32[2,3]} z:Ref{f32[2,3]}; t:Ref{f32[2,3]}. let v:f32[2,3] "
      "<- "
      "y[...]; t[...] <- v; w:f32[2,3] <- t[...]; u:f32[2,3] = neg w; z[...] <- u in () }] x o");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Neg") == 1);
}
