// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/rule.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("only_up_to_f32: why ONNX Runtime cannot compute in a type") {
  model m;
  CHECK(only_up_to_f32(m.in({2}, dtype::bf16)).empty());
  CHECK(only_up_to_f32(m.in({2}, dtype::f64)) == "ONNX Runtime has no float64 kernel");
  CHECK(only_up_to_f32(m.in({2}, dtype::i32)) == "the element type is not floating-point");
}
