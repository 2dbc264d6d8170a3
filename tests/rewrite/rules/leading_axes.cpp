#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/leading_axes.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite::test;

TEST_CASE("matmul-of-merged: heads that are merged with the batch and taken apart again stay apart") {
  const auto product = [](model& m, const shape& left, const shape& right) {
    const auto merged = [&](const shape& dims) {
      return jax2onnx::reshape(m.in(dims), {m.g.dims().mul(dims[0], dims[1]), dims[2], dims[3]});
    };
    return matmul(merged(left), merged(right));
  };
  model m;
  const value p = product(m, {m.B, 2, 5, 4}, {m.B, 2, 4, 6});
  CHECK(after({jax2onnx::reshape(p, {m.B, 2, 5, 6})}, {"join-reshapes", "drop-reshape", "matmul-of-merged"}) ==
        "MatMul");
  model other;  // 2 x 3 and 3 x 2 are both 6
  CHECK(after(product(other, {2, 3, 5, 4}, {3, 2, 4, 6}), "matmul-of-merged") == "Reshape Reshape MatMul");
}

TEST_CASE("transpose-of-merged and softmax-of-merged: the last axes are what they see") {
  model m;
  const value x = jax2onnx::reshape(m.in({m.B, 2, 5, 4}), {m.g.dims().mul(m.B, 2), 5, 4});
  CHECK(after({jax2onnx::reshape(transpose(x, {0, 2, 1}), {m.B, 2, 4, 5})},
              {"join-reshapes", "drop-reshape", "transpose-of-merged"}) == "Transpose");
  model n;
  const value y = jax2onnx::reshape(n.in({6, 4, 5}), {24, 5});
  CHECK(after(transpose(y, {1, 0}), "transpose-of-merged") == "Reshape Transpose");
  model s;
  const value z = jax2onnx::reshape(s.in({2, 3, 5}), {6, 5});
  const value soft = s.g.emit("Softmax", {z}, z.type(), {{"axis", std::int64_t{-1}}});
  CHECK(after({jax2onnx::reshape(soft, {2, 3, 5})}, {"join-reshapes", "drop-reshape", "softmax-of-merged"}) ==
        "Softmax");
  model t;
  const value w = jax2onnx::reshape(t.in({2, 3, 5}), {6, 5});
  CHECK(after(t.g.emit("Softmax", {w}, w.type(), {{"axis", std::int64_t{0}}}), "softmax-of-merged") ==
        "Reshape Softmax");
}
