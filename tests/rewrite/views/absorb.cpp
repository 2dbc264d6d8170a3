// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/views/absorb.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("matmul-of-merged: heads that are merged with the batch and taken apart again stay apart") {
  const auto product = [](model& m, const shape& left, const shape& right) {
    const auto merged = [&](const shape& dims) {
      return jax2onnx::ops::reshape(m.in(dims), {m.g.dims().mul(dims[0], dims[1]), dims[2], dims[3]});
    };
    return matmul(merged(left), merged(right));
  };
  model m;
  const value p = product(m, {m.B, 2, 5, 4}, {m.B, 2, 4, 6});
  CHECK(after({jax2onnx::ops::reshape(p, {m.B, 2, 5, 6})}, {"join-reshapes", "drop-reshape", "matmul-of-merged"}) ==
        "MatMul");
  model other;  // 2 x 3 and 3 x 2 are both 6
  CHECK(after(product(other, {2, 3, 5, 4}, {3, 2, 4, 6}), "matmul-of-merged") == "Reshape Reshape MatMul");
}

TEST_CASE("transpose-of-merged and softmax-of-merged: the last axes are what they see") {
  model m;
  const value x = jax2onnx::ops::reshape(m.in({m.B, 2, 5, 4}), {m.g.dims().mul(m.B, 2), 5, 4});
  CHECK(after({jax2onnx::ops::reshape(transpose(x, {0, 2, 1}), {m.B, 2, 4, 5})},
              {"join-reshapes", "drop-reshape", "transpose-of-merged"}) == "Transpose");
  model n;
  const value y = jax2onnx::ops::reshape(n.in({6, 4, 5}), {24, 5});
  CHECK(after(transpose(y, {1, 0}), "transpose-of-merged") == "Reshape Transpose");
  model s;
  const value z = jax2onnx::ops::reshape(s.in({2, 3, 5}), {6, 5});
  const value soft = s.g.emit("Softmax", {z}, z.type(), {{"axis", std::int64_t{-1}}});
  CHECK(after({jax2onnx::ops::reshape(soft, {2, 3, 5})}, {"join-reshapes", "drop-reshape", "softmax-of-merged"}) ==
        "Softmax");
  model t;
  const value w = jax2onnx::ops::reshape(t.in({2, 3, 5}), {6, 5});
  CHECK(after(t.g.emit("Softmax", {w}, w.type(), {{"axis", std::int64_t{0}}}), "softmax-of-merged") ==
        "Reshape Softmax");
}

namespace {

/// [2, 3, 5, 4] as [6, 5, 4]
value flat(model& m) { return jax2onnx::ops::reshape(m.in({2, 3, 5, 4}), {6, 5, 4}); }
/// [B, C, D, 4] as [B C, D, 4]
value symbolic(model& m) {
  const dim C = m.g.dims().symbol("C"), D = m.g.dims().symbol("D");
  return jax2onnx::ops::reshape(m.in({m.B, C, D, 4}), {m.g.dims().mul(m.B, C), D, 4});
}
value softmax(const value& x) { return x.owner().emit("Softmax", {x}, x.type(), {{"axis", std::int64_t{-1}}}); }

}  // namespace

TEST_CASE("merged axes: reshapes that are read elsewhere stay") {
  const std::string_view elsewhere = "the reshaped value is read elsewhere too";
  model a, b, c;
  const value x = flat(a), y = jax2onnx::ops::reshape(a.in({2, 3, 4, 5}), {6, 4, 5}), u = flat(b), v = flat(c);
  CHECK(after({matmul(x, y), exp(x), exp(y)}, {"matmul-of-merged"}) == "the merged values are read elsewhere too");
  CHECK(after({transpose(u, {0, 2, 1}), exp(u)}, {"transpose-of-merged"}) == elsewhere);
  CHECK(after({softmax(v), exp(v)}, {"softmax-of-merged"}) == elsewhere);
}

TEST_CASE("merged axes: nothing moves where a shape would be computed at run time") {
  const std::string_view computed = "the shape would be computed at run time";
  model a, b, c;
  const value left = symbolic(a);
  const shape wide{a.B, a.g.dims().symbol("C"), 4, a.g.dims().symbol("D")};
  const value right = jax2onnx::ops::reshape(a.in(wide), {left.extent(0), 4, left.extent(1)});
  CHECK(after(matmul(left, right), "matmul-of-merged") == computed);
  const dim C = b.g.dims().symbol("C"), D = b.g.dims().symbol("D");
  const value y = jax2onnx::ops::reshape(b.in({b.B, C, 4, D}), {b.g.dims().mul(b.B, C), 4, D});
  CHECK(after(transpose(y, {0, 2, 1}), "transpose-of-merged") == computed);
  CHECK(after(softmax(symbolic(c)), "softmax-of-merged") == computed);
}
