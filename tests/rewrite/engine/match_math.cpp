#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/ops/math.hpp>
#include <jax2onnx/rewrite/engine/match_math.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("match_math: expm1 and log1p as the verbs compose them") {
  model m;
  const value x = m.in({2});
  value a;
  CHECK(match(expm1(x), m_expm1(a, m_any{})));
  CHECK(a == x);
  CHECK(match(log1p(x), m_log1p(a, m_same(x))));
  CHECK_FALSE(match(log(add(x, 1)), m_log1p(a, m_any{})));
}
