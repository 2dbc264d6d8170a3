// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/pallas/calls.hpp"

#include <jax2onnx/lower/pallas/parallel_programs.hpp>

TEST_CASE("parallel programs compute all blocks at once") {
  const called_kernel done("v:f32[2,3] <- x[...]; w:f32[2,3] = neg v; o[...] <- w");
  CHECK(done.count("Reshape") == 2);
  CHECK(done.count("Neg") == 1);
  CHECK(done.count("Slice") + done.count("Concat") == 0);
}

TEST_CASE("what cannot be computed at once is computed one after the other") {
  const called_kernel done("v:f32[2,3] <- x[...]; dma_start(p0) x[...] -> o[...] r[...]");
  CHECK(done.problem() == "(none)");
  CHECK(done.results[0].re().dims() == jax2onnx::shape{6, 3});
}
