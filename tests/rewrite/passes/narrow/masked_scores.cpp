// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <limits>
#include <string>

#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/narrow/masked_scores.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Scores of 4 queries and keys for each of many heads, with positions that count up.
struct scores : model {
  value x = in({1024, 4, 4});
  value query = range_of({4, 1}), key = range_of({4});
  value lowest = scalar(g, dtype::f32, -infinity);

  value range_of(const ints& extents, dtype t = dtype::i32) {
    const ints numbers{0, 1, 2, 3};
    return array(g, t, extents, std::span<const std::int64_t>(numbers));
  }
  /// The operators of the product of weights and values after the pass.
  std::string faster(const value& masked, runtime r = runtime::ort) {
    output(matmul(softmax(masked, 2), in({1024, 4, 2})), "y");
    return pass(r);
  }
  std::string pass(runtime r = runtime::ort) {
    rewrite::detail::speed_masked_softmax(g, {r});
    rewrite::detail::dead_code(g).run();
    return op_list(g);
  }
};

const std::string clipped = "ReduceMax Sub Clip Softmax HardSigmoid MatMul";

value compared(operator_name op, const value& a, const value& b) {
  return a.owner().emit(op, {a, b}, {dtype::boolean, {4, 4}});
}

/// The triangle of a mask, as text.
std::string triangle(const value& mask) {
  const auto found = rewrite::detail::triangle_of(mask);
  return !found ? "none" : (found->upper ? "upper " : "lower ") + std::to_string(found->diagonal);
}

}  // namespace

TEST_CASE("masked scores: weights of masked keys are not subnormal") {
  scores a;
  CHECK(a.faster(where(a.in({4}, dtype::boolean), a.x, a.lowest)) == "Where " + clipped);
  scores b;
  CHECK(b.faster(where(b.in({4}, dtype::boolean), scalar(b.g, dtype::f32, -1e9), b.x)) == "Where " + clipped);
  scores c;
  const value added = where(c.in({4}, dtype::boolean), scalar(c.g, dtype::f32, 0), c.lowest);
  CHECK(c.faster(add(c.x, added)) == "Where Add " + clipped);
  scores d;
  CHECK(d.faster(add(d.x, neg(d.weight({4})))) == "Neg Add Softmax MatMul");
  scores e;
  const float numbers[] = {0, 0, -1e4f, 0};
  CHECK(e.faster(add(e.x, array(e.g, dtype::f32, {4}, std::span(numbers)))) == "Add " + clipped);
}

TEST_CASE("masked scores: few scores, other numbers, types, readers and runtimes stay") {
  scores a;
  CHECK(a.faster(where(a.in({4}, dtype::boolean), a.x, scalar(a.g, dtype::f32, -10))) == "Where Softmax MatMul");
  scores b;
  CHECK(b.faster(where(b.in({4}, dtype::boolean), b.x, b.lowest), runtime::ort_gpu) == "Where Softmax MatMul");
  scores c;
  output(softmax(where(c.in({4}, dtype::boolean), c.x, c.lowest), 2), "y");
  CHECK(c.pass() == "Where Softmax");
  scores d;
  const value weights = softmax(where(d.in({4}, dtype::boolean), d.x, d.lowest), 2);
  output(matmul(weights, d.in({1024, 4, 2})), "y");
  output(weights, "weights");
  CHECK(d.pass() == "Where Softmax MatMul");
  scores e;
  const value few = e.in({1023, 4, 4});
  output(matmul(softmax(where(e.in({4}, dtype::boolean), few, e.lowest), 2), e.in({1023, 4, 2})), "y");
  CHECK(e.pass() == "Where Softmax MatMul");
  scores f;
  const value doubles = where(f.in({4}, dtype::boolean), cast(f.x, dtype::f64), scalar(f.g, dtype::f64, -infinity));
  output(matmul(softmax(doubles, 2), f.in({1024, 4, 2}, dtype::f64)), "y");
  CHECK(f.pass() == "Cast Where Softmax MatMul");
}

TEST_CASE("masked scores: the weights may be viewed before the product, and the extents symbolic") {
  scores a;
  const value weights = softmax(where(a.in({4}, dtype::boolean), a.x, a.lowest), 2);
  output(matmul(transpose(weights, {0, 2, 1}), a.in({1024, 4, 2})), "y");
  CHECK(a.pass() == "Where ReduceMax Sub Clip Softmax HardSigmoid Transpose MatMul");
  scores b;
  const value x = b.in({b.B, 4, 4});
  output(matmul(softmax(where(b.in({4}, dtype::boolean), x, b.lowest), 2), b.in({b.B, 4, 2})), "y");
  CHECK(b.pass() == "Where " + clipped);
}

TEST_CASE("masked scores: causal masks are triangles") {
  scores s;
  CHECK(triangle(compared("GreaterOrEqual", s.query, s.key)) == "lower 0");
  CHECK(triangle(greater(s.query, s.key)) == "lower -1");
  CHECK(triangle(compared("LessOrEqual", s.query, s.key)) == "upper 0");
  CHECK(triangle(less(s.query, s.key)) == "upper 1");
  CHECK(triangle(compared("GreaterOrEqual", s.key, s.query)) == "upper 0");
  CHECK(triangle(greater(s.key, s.query)) == "upper 1");
  CHECK(triangle(compared("LessOrEqual", s.key, s.query)) == "lower 0");
  CHECK(triangle(less(s.key, s.query)) == "lower -1");
  CHECK(triangle(greater(sub(s.key, s.query), 2)) == "upper 3");
  CHECK(triangle(compared("LessOrEqual", sub(s.query, s.key), scalar(s.g, dtype::i32, 2))) == "upper -2");
  CHECK(triangle(unsqueeze(less(s.query, s.key), {0})) == "upper 1");
  const value wrapping = sub(s.range_of({4, 1}, dtype::u32), s.range_of({4}, dtype::u32));
  CHECK(triangle(less(wrapping, 2)) == "none");
  CHECK(triangle(greater(sub(s.key, s.query), std::int64_t{1} << 30)) == "none");
  CHECK(triangle(equal(s.query, s.key)) == "none");
  CHECK(triangle(greater(s.in({4, 1}, dtype::i32), s.key)) == "none");
  CHECK(triangle(greater(s.in({4, 1}), s.in({4}))) == "none");
  CHECK(triangle(s.in({4, 4}, dtype::boolean)) == "none");
}

TEST_CASE("masked scores: triangles are kept by Trilu") {
  const std::string kept = " Trilu Where Add " + clipped;
  scores a;
  const value up_to_own = compared("GreaterOrEqual", a.query, a.key);
  CHECK(a.faster(where(up_to_own, a.x, a.lowest)) == "GreaterOrEqual" + kept);
  scores b;
  CHECK(b.faster(where(less(b.query, b.key), b.lowest, b.x)) == "Less" + kept);
  scores c;
  const value one_head = c.in({128, 128}), mask = less(c.in({128, 1}, dtype::i32), c.in({128}, dtype::i32));
  output(matmul(softmax(where(mask, c.lowest, one_head), 1), c.in({128, 2})), "y");
  CHECK(c.pass() == "Less Where " + clipped);
}
