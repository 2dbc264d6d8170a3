// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/weights/products.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using jax2onnx::rewrite::product_by;
using jax2onnx::rewrite::test::model;

namespace {

/// The operators of the product of a Gemm, with these attributes and this term, by another matrix.
std::string made(model& m, const value& c, std::vector<attribute> attributes, const shape& a = {3, 4}) {
  std::vector<value> inputs{m.in(a), m.in({5, 4})};
  if (c) inputs.push_back(c);
  attributes.push_back({"transB", std::int64_t{1}});
  const value y = m.g.emit("Gemm", inputs, {dtype::f32, {3, 5}}, std::move(attributes));
  output(product_by(y, m.in({4, 5})), "y");
  return rewrite::test::op_list(m.g);
}

}  // namespace

TEST_CASE("products by another matrix: of a MatMul") {
  model m;
  output(product_by(matmul(m.in({3, 4}), m.in({4, 5})), m.in({4, 5})), "y");
  CHECK(rewrite::test::op_list(m.g) == "MatMul MatMul");
}

TEST_CASE("products by another matrix: a Gemm stays one with a constant vector, or factors") {
  model m, n, o, p, q;
  CHECK(made(m, m.weight({5}), {}) == "Gemm Gemm");
  CHECK(made(n, n.in({3, 5}), {{"alpha", 2.0F}}) == "Gemm Gemm");
  CHECK(made(o, {}, {}) == "Gemm MatMul");
  CHECK(made(p, p.in({3, 5}), {}) == "Gemm Gemm Add");
  CHECK(made(q, {}, {{"transA", std::int64_t{1}}}, {4, 3}) == "Gemm Transpose MatMul");
}
