// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/passes/correct_casts.hpp>
#include <jax2onnx/rewrite/passes/dead_code.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

std::string corrected(const value& x, dtype to) {
  graph& g = x.owner();
  output(cast(x, to), "y");
  rewrite::detail::correct_casts(g);
  rewrite::detail::dead_code(g).run();
  return op_list(g);
}
std::string corrected(dtype from, dtype to) {
  model m;
  return corrected(m.in({2}, from), to);
}
std::string clipped(double bound, dtype to) {
  model m;
  const value x = m.in({2});
  return corrected(clip(x, scalar(m.g, dtype::f32, -bound), scalar(m.g, dtype::f32, bound)), to);
}

}  // namespace

TEST_CASE("correct_casts: numbers that round beyond the range") {
  CHECK(corrected(dtype::f32, dtype::f8_e4m3fn) == "Abs Greater Where Cast");
  CHECK(corrected(dtype::f32, dtype::f8_e5m2) == "Abs GreaterOrEqual Mul Where Cast");
  CHECK(corrected(dtype::bf16, dtype::f8_e5m2) == "Cast Abs GreaterOrEqual Mul Where Cast");
  CHECK(corrected(dtype::f32, dtype::f8_e8m0fnu) == "Greater Less And Clip Where Cast");
}

TEST_CASE("correct_casts: types and operands that cannot overflow") {
  CHECK(corrected(dtype::f32, dtype::f8_e4m3fnuz) == "Cast");
  CHECK(corrected(dtype::i8, dtype::f8_e4m3fn) == "Cast");
  CHECK(corrected(dtype::f32, dtype::f16) == "Cast");
  CHECK(clipped(448, dtype::f8_e4m3fn) == "Clip Cast");
  CHECK(clipped(57344, dtype::f8_e5m2) == "Clip Cast");
  CHECK(clipped(61440, dtype::f8_e5m2) == "Clip Abs GreaterOrEqual Mul Where Cast");
}

TEST_CASE("correct_casts: doubles are rounded once") {
  CHECK(corrected(dtype::f64, dtype::f8_e5m2fnuz) == "Abs Log Mul Add Floor Clip Pow Div Round Mul Cast Cast");
}
