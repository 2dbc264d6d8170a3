// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/pallas/calls.hpp"

#include <jax2onnx/lower/pallas/parallel_plan.hpp>

TEST_CASE("programs that write different blocks are parallel") {
  const called_kernel done("v:f32[2,3] <- x[...]; w:f32[2,3] = neg v; o[...] <- w");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Neg") == 1);
  CHECK(called_kernel("v:f32[2,3] <- x[...]; w:f32[2,3] = neg v; o[...] <- w", "j").count("Neg") == 1);
}

TEST_CASE("programs that write the same block are not") {
  const called_kernel done("v:f32[2,3] <- x[...]; w:f32[2,3] = neg v; o[...] <- w", "0:i32[]");
  CHECK(done.problem() == "(none)");
  CHECK(done.count("Neg") == 3);
}

TEST_CASE("programs that read what the one before left in scratch are not") {
  const std::string sum = "v:f32[2,3] <- x[...]; w:f32[2,3] = neg v; ";
  CHECK(called_kernel(sum + "q:f32[2,3] <- r[...]; r[...] <- w; o[...] <- q").count("Neg") == 3);
  CHECK(called_kernel(sum + "r[...] <- w; q:f32[2,3] <- r[...]; o[...] <- q").count("Neg") == 1);
}

TEST_CASE("programs that write to an input are not") {
  CHECK(called_kernel("v:f32[2,3] <- x[...]; w:f32[2,3] = neg v; o[...] <- w; x[...] <- w").count("Neg") == 3);
}
