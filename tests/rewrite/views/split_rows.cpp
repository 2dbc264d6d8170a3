// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <string_view>

#include <jax2onnx/rewrite/views/split_rows.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

constexpr std::string_view computed = "the shape would be computed at run time",
                           reshaped_elsewhere = "the reshaped value is read elsewhere too";

}  // namespace

TEST_CASE("matmul-of-split: blocks of rows are rows") {
  model m, n, o, p;
  CHECK(after(matmul(reshape(m.in({6, 4}), {2, 3, 4}), m.in({4, 5})), "matmul-of-split") == "MatMul Reshape");
  const value x = reshape(n.in({6, 4}), {2, 3, 4});
  CHECK(after({matmul(x, n.in({4, 5})), exp(x)}, {"matmul-of-split"}) == reshaped_elsewhere);
  CHECK(after(matmul(jax2onnx::ops::reshape(o.in({o.g.dims().mul(o.B, 2), 4}), {o.B, 2, 4}), o.in({4, 5})),
              "matmul-of-split") == computed);
  CHECK(after(matmul(reshape(p.in({6, 4}), {2, 3, 4}), p.in({2, 4, 5})), "matmul-of-split") == "Reshape MatMul");
}

TEST_CASE("matmul-of-split: blocks that are a batch are rows") {
  const auto blocks = [](model& m) { return transpose(reshape(m.in({2, 6, 4}), {2, 3, 2, 4}), {1, 0, 2, 3}); };
  model m, n, o, p, q, r;
  CHECK(after(matmul(blocks(m), m.in({1, 2, 4, 5})), "matmul-of-split") == "Reshape MatMul Reshape Transpose");
  CHECK(after(matmul(blocks(n), n.in({2, 4, 5})), "matmul-of-split") == "MatMul Reshape Transpose");
  CHECK(after(matmul(blocks(o), o.in({3, 2, 4, 5})), "matmul-of-split") == "Reshape Transpose MatMul");
  const value x = blocks(p);
  CHECK(after({matmul(x, p.in({2, 4, 5})), exp(x)}, {"matmul-of-split"}) == reshaped_elsewhere);
  CHECK(after(matmul(reshape(r.in({24, 4}), {1, 2, 3, 4, 4}), r.in({4, 5})), "matmul-of-split") == "MatMul Reshape");
  const value strided = transpose(reshape(q.in({2, 6, 4}), {2, 2, 3, 4}), {2, 0, 1, 3});
  CHECK(after(matmul(strided, q.in({2, 4, 5})), "matmul-of-split") == "Reshape Transpose MatMul");
}
