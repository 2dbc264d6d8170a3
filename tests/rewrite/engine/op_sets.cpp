#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/op_sets.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("op_sets: membership, and sets as template arguments") {
  CHECK(contains(unary_ops, "Exp"));
  CHECK_FALSE(contains(unary_ops, "Add"));
  CHECK(contains(broadcasting_ops, "Where"));
  CHECK(contains(rewrite::ops<"Mul", "Div">, "Div"));
  CHECK_FALSE(contains(rewrite::ops<"Mul", "Div">, "Mu"));
}
