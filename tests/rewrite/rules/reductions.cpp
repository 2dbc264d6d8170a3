#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/reductions.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

TEST_CASE("ReduceMean, ReduceSumSquare, ReduceL2: the divisor is the number of elements") {
  model m;
  CHECK(after(div(m.last("ReduceSum", m.in({2, 8})), 8), "ReduceMean") == "ReduceMean");
  model n;
  CHECK(after(div(n.last("ReduceSum", n.in({2, 8})), 7), "ReduceMean") == "the divisor is not the number of elements");
  model o;
  CHECK(after(div(o.last("ReduceSum", o.in({2, o.B})), 7), "ReduceMean") ==
        "the divisor is not the number of elements");
  model p;
  const value x = p.in({2, 8});
  CHECK(after({sqrt(p.last("ReduceSum", mul(x, x)))}, {"ReduceSumSquare", "ReduceL2"}) == "ReduceL2");
}
