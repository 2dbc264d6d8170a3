// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/pallas/calls.hpp"

#include <jax2onnx/lower/pallas/sequential_programs.hpp>

TEST_CASE("one program after the other reads what the last one has written") {
  const called_kernel done("v:f32[2,3] <- x[...]; o[...] += v", "0:i32[]");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Add") == 3);
  CHECK(done.results[0].re().dims() == jax2onnx::shape{6, 3});
}

TEST_CASE("a program knows where it is") {
  const called_kernel done(
      "i:i32[] = program_id[axis=0]; c:f32[] = convert_element_type[new_dtype=float32] i; v:f32[2,3] "
      "<- r[...]; w:f32[2,3] = mul v c; r[...] <- w; o[...] <- w");
  CHECK(done.problem() == "(none)");
  CHECK(called_kernel("i:i32[] = program_id[axis=1]; v:f32[2,3] = broadcast_in_dim[shape=(2, 3) "
                      "broadcast_dimensions=()] i; o[...] <- v")
            .problem()
            .ends_with("the grid has no axis 1"));
}
