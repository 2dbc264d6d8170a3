#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/passes/propagate_nan.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

namespace {

std::string propagated(const value& v) {
  output(v, "y");
  rewrite::detail::propagate_nan(v.owner());
  return ops(v.owner());
}
value scattered(model& m, dtype t, const std::string& reduction) {
  const value x = m.in({4}, t);
  return m.g.emit("ScatterElements", {x, m.in({2}, dtype::i64), m.in({2}, t)}, x.type(),
                  {{"axis", std::int64_t{0}}, {"reduction", reduction}});
}

}  // namespace

TEST_CASE("propagate_nan: extremes are bounded by the sum of magnitudes") {
  model m, n;
  CHECK(propagated(m.last("ReduceMax", m.in({2, 3}))) == "ReduceMax ReduceL1 Min");
  CHECK(propagated(n.last("ReduceMin", n.in({2, 3}))) == "ReduceMin ReduceL1 Neg Max");
}

TEST_CASE("propagate_nan: integers and other reductions stay as they are") {
  model m, n;
  CHECK(propagated(m.last("ReduceMax", m.in({2, 3}, dtype::i32))) == "ReduceMax");
  CHECK(propagated(n.last("ReduceSum", n.in({2, 3}))) == "ReduceSum");
}

TEST_CASE("propagate_nan: scatters to a maximum or minimum") {
  model m, n, o;
  CHECK(propagated(scattered(m, dtype::f32, "max")) == "ScatterElements Abs Abs ScatterElements Min");
  CHECK(propagated(scattered(n, dtype::f32, "add")) == "ScatterElements");
  CHECK(propagated(scattered(o, dtype::i32, "max")) == "ScatterElements");
}
