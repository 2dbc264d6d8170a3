// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"
#include "rewrite/written.hpp"

#include <limits>

#include <jax2onnx/rewrite/rules/input_factors.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

namespace {

value conv(const value& x, const value& w, std::int64_t groups = 1) {
  return x.owner().emit("Conv", {x, w}, {x.dtype(), {x.extent(0), w.extent(0), x.extent(2), x.extent(3)}},
                        {{"group", groups}});
}

}  // namespace

TEST_CASE("fold-factor-before: of a Conv, along the channels of its input, in groups") {
  model m, n, o;
  CHECK(after(conv(div(m.in({1, 2, 5, 5}), m.weight({2, 1, 1})), m.weight({2, 2, 1, 1})), "fold-factor-before") ==
        "Conv");
  CHECK(written(m.g, "Conv", 1) == numbers{1, 1, 3, 2});
  CHECK(after(conv(mul(n.in({1, 4, 5, 5}), n.weight({4, 1, 1})), n.weight({2, 2, 1, 1}), 2), "fold-factor-before") ==
        "Conv");
  CHECK(written(n.g, "Conv", 1) == numbers{1, 4, 9, 16});
  const value image = transpose(mul(o.in({1, 5, 5, 2}), o.weight({2})), {0, 3, 1, 2});
  CHECK(after(conv(image, o.weight({1, 2, 1, 2})), "fold-factor-before") == "Transpose Conv");
  CHECK(written(o.g, "Conv", 1) == numbers{1, 2, 6, 8});
}

TEST_CASE("fold-factor-before: of products, on either side") {
  model m, n, o, p;
  CHECK(after(matmul(mul(m.in({m.B, 3, 2}), m.weight({2})), m.weight({2, 2})), "fold-factor-before") == "MatMul");
  CHECK(written(m.g, "MatMul", 1) == numbers{1, 2, 6, 8});
  CHECK(after(matmul(n.weight({2, 2}), mul(n.in({2, 3}), n.weight({2, 1}))), "fold-factor-before") == "MatMul");
  CHECK(written(n.g, "MatMul", 0) == numbers{1, 4, 3, 8});
  const value x = mul(o.in({2, 3}), o.weight({2, 1})), w = o.weight({2, 2});
  CHECK(after(o.g.emit("Gemm", {x, w, o.in({2})}, {dtype::f32, {3, 2}},
                       {{"transA", std::int64_t{1}}, {"transB", std::int64_t{1}}}),
              "fold-factor-before") == "Gemm");
  CHECK(written(o.g, "Gemm", 1) == numbers{1, 4, 3, 8});
  CHECK(after(matmul(reshape(mul(p.in({2, 2, 3}), 0.5), {dim(2), dim(6)}), p.weight({6, 1})), "fold-factor-before") ==
        "Reshape MatMul");
  CHECK(written(p.g, "MatMul", 1) == numbers{0.5, 1, 1.5, 2, 2.5, 3});
}

TEST_CASE("fold-factor-before: terms, computed weights and narrow types stay") {
  model m, n, o, p;
  CHECK(after(matmul(sub(m.in({3, 2}), m.weight({2})), m.weight({2, 2})), "fold-factor-before") == "Sub MatMul");
  CHECK(after(matmul(mul(n.in({3, 2}), n.weight({2})), n.in({2, 2})), "fold-factor-before") == "Mul MatMul");
  CHECK(after(matmul(div(o.weight({2}), o.in({3, 2})), o.weight({2, 2})), "fold-factor-before") == "Div MatMul");
  const dtype t = dtype::f16;
  CHECK(after(matmul(mul(p.in({3, 2}, t), p.weight({2}, t)), p.weight({2, 2}, t)), "fold-factor-before") ==
        "Mul MatMul");
}

TEST_CASE("fold-factor-before: reasons to decline") {
  model m, n, o, p, q;
  CHECK(after(matmul(mul(m.in({2, 2}), m.weight({2, 1})), m.weight({2, 2})), "fold-factor-before") ==
        "the factors do not lie along the axis that is summed over");
  CHECK(after(matmul(reshape(mul(n.in({2, 3, 2}), n.weight({3, 1})), {dim(2), dim(6)}), n.weight({6, 1})),
              "fold-factor-before") == "the factors do not lie along the axis that is summed over");
  const value x = mul(o.in({3, 2}), 2);
  CHECK(after({matmul(x, o.weight({2, 2})), exp(x)}, {"fold-factor-before"}) ==
        "the scaled operand is also read elsewhere");
  const value w = p.weight({2, 2});
  CHECK(after({matmul(mul(p.in({3, 2}), 2), w), exp(w)}, {"fold-factor-before"}) == "the weight is also read unscaled");
  CHECK(after(matmul(mul(q.in({3, 2}), std::numeric_limits<double>::infinity()), q.weight({2, 2})),
              "fold-factor-before") == "a factor is not finite, or is very large or very small");
}
