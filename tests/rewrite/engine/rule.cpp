#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/rule.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("use_counts: reads by nodes and as outputs") {
  model m;
  const value x = m.in({2}), y = exp(x);
  output(mul(y, y), "z");
  output(y, "y");
  use_counts uses;
  uses.count(m.g);
  CHECK(uses.of(x) == 1);
  CHECK(uses.of(y) >= 3);
  uses.add(x.id(), 1);
  CHECK(uses.of(x) == 2);
  CHECK_FALSE(context{m.g, uses}.single_use(x));
  CHECK(uses.of(exp(y)) == 0);  // newer than the count
}

TEST_CASE("only_up_to_f32: why ONNX Runtime cannot compute in a type") {
  model m;
  CHECK(only_up_to_f32(m.in({2}, dtype::bf16)).empty());
  CHECK(only_up_to_f32(m.in({2}, dtype::f64)) == "ONNX Runtime has no float64 kernel");
  CHECK(only_up_to_f32(m.in({2}, dtype::i32)) == "the element type is not floating-point");
}
