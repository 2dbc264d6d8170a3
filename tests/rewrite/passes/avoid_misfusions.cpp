#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/passes/avoid_misfusions.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

namespace {

std::string avoided(const value& v) {
  output(v, "y");
  rewrite::detail::avoid_misfusions(v.owner());
  rewrite::detail::dead_code(v.owner()).run();
  return ops(v.owner());
}
value relu(const value& x) { return unary("Relu", x); }

}  // namespace

TEST_CASE("avoid_misfusions: 1 / x of signed integers divides -1") {
  model m, n, o, p;
  const value x = m.in({2}, dtype::i64), y = p.in({2}, dtype::i64);
  CHECK(avoided(mul(div(scalar(m.g, dtype::i64, 1), x), x)) == "Div Neg Mul");
  CHECK(avoided(div(scalar(n.g, dtype::u32, 1), n.in({2}, dtype::u32))) == "Div");
  CHECK(avoided(div(scalar(o.g, dtype::i64, 2), o.in({2}, dtype::i64))) == "Div");
  CHECK(avoided(div(y, scalar(p.g, dtype::i64, 1))) == "Div");
}

TEST_CASE("avoid_misfusions: 1 / x of floating-point numbers, where the 1 has more axes") {
  model m, n;
  const double one = 1;
  const auto ones = [&](graph& g, const ints& extents) { return array(g, dtype::f32, extents, std::span(&one, 1)); };
  CHECK(avoided(div(ones(m.g, {1, 1}), m.in({3}))) == "Div Neg");
  CHECK(avoided(div(ones(n.g, {1}), n.in({3}))) == "Div");
}

TEST_CASE("avoid_misfusions: no Relu in front of a Clip of other types than float32 and float16") {
  model m, n;
  const auto number = [](model& of, dtype t, double v) { return scalar(of.g, t, v); };
  CHECK(avoided(clip(relu(m.in({2}, dtype::f64)), number(m, dtype::f64, -1), number(m, dtype::f64, 1))) == "Max Clip");
  CHECK(avoided(clip(relu(n.in({2})), number(n, dtype::f32, -1), number(n, dtype::f32, 1))) == "Relu Clip");
}

TEST_CASE("avoid_misfusions: no Relu as a bound of a Clip, and one with other readers stays") {
  model m;
  const value x = m.in({2}), high = relu(m.in({}));
  CHECK(avoided(mul(clip(x, scalar(m.g, dtype::f32, -1), high), high)) == "Relu Max Clip Mul");
}

TEST_CASE("avoid_misfusions: in bodies, with the origin of what is replaced") {
  model m;
  const value c = m.in({}, dtype::boolean), x = m.in({2}, dtype::i64);
  block_id body;
  {
    const block_scope scope(m.g);
    body = scope.id();
    m.g.set_outputs(body, std::vector{div(scalar(m.g, dtype::i64, 1), x)});
  }
  m.g.set_origin({7, 9, {}});
  CHECK(avoided(m.g.emit("If", {c}, x.type(), {{"then_branch", body}})) == "If");
  REQUIRE(m.g.at(body).nodes.size() == 2);
  CHECK(m.g.at(m.g.at(body).nodes[0]).origin == m.g.at(m.g.at(body).nodes[1]).origin);
}
