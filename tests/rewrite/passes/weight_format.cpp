// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <limits>
#include <string>
#include <vector>

#include <jax2onnx/rewrite/optimize.hpp>
#include <jax2onnx/rewrite/passes/weight_format.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using jax2onnx::rewrite::test::model;
using jax2onnx::rewrite::test::op_list;

namespace {

std::string stored(model& m, std::initializer_list<value> results, weight_format format) {
  for (const value& v : results) output(v, "y" + std::to_string(m.g.at(block_id::main).outputs.size()));
  rewrite_options o;
  o.target = target::ort;
  o.weight_format = format;
  optimize(m.g, o);
  return op_list(m.g);
}
value rows(const value& table, const value& index) {
  return table.owner().emit("Gather", {table, index}, {table.dtype(), {index.extent(0), table.extent(1)}});
}
std::int64_t bytes_of_constants(const graph& g) {
  std::int64_t sum = 0;
  for (const node_id n : g.at(block_id::main).nodes)
    for (const value_id v : g.at(n).inputs)
      if (v != value_id::none && value(const_cast<graph&>(g), v).is_constant())
        sum += static_cast<std::int64_t>(value(const_cast<graph&>(g), v).data().size());
  return sum;
}

}  // namespace

TEST_CASE("weight formats: matrices of products") {
  for (const auto format : {weight_format::int8, weight_format::int4}) {
    model m;
    CHECK(stored(m, {matmul(m.in({3, 64}), m.weight({64, 128}))}, format) == "DequantizeLinear MatMul");
    const bool eight = format == weight_format::int8;
    CHECK(bytes_of_constants(m.g) == (eight ? 64 * 128 + 128 * 4 : 64 * 64 + 2 * 128 * 4));
  }
}

TEST_CASE("weight formats: a Gemm of a transposed matrix") {
  model m;
  const value y =
      m.g.emit("Gemm", {m.in({3, 64}), m.weight({128, 64})}, {dtype::f32, {3, 128}}, {{"transB", std::int64_t{1}}});
  CHECK(stored(m, {y}, weight_format::int4) == "DequantizeLinear MatMul");
}

TEST_CASE("weight formats: a product that is added to a matrix is a Gemm with a vector of zeros") {
  model m;
  const value y = add(matmul(m.in({3, 64}), m.weight({64, 128})), m.in({3, 128}));
  CHECK(stored(m, {y}, weight_format::int4) == "DequantizeLinear Gemm Add");
}

TEST_CASE("weight formats: rows that no block divides have 8 bits") {
  model m;
  CHECK(stored(m, {matmul(m.in({3, 72}), m.weight({72, 64}))}, weight_format::int4) == "DequantizeLinear MatMul");
  CHECK(bytes_of_constants(m.g) == 72 * 64 + 64 * 4);
}

TEST_CASE("weight formats: tables, and tables that are also the matrix of a product") {
  model m;
  const value table = m.weight({128, 64}), index = m.in({5}, dtype::i64);
  CHECK(stored(m, {rows(table, index)}, weight_format::int4) == "Gather Cast Gather Unsqueeze Mul");
  model n;
  const value tied = n.weight({128, 64});
  const value logits = matmul(n.in({3, 64}), transpose(tied, {1, 0}));
  CHECK(stored(n, {rows(tied, n.in({5}, dtype::i64)), logits}, weight_format::int8) ==
        "Gather Transpose Cast Gather Unsqueeze Mul DequantizeLinear MatMul");
  CHECK(bytes_of_constants(n.g) <= 2 * (128 * 64 + 128 * 4) + 16);  // one matrix, read by two nodes
}

TEST_CASE("weight formats: what stays") {
  model m;
  CHECK(stored(m, {matmul(m.in({3, 8}), m.weight({8, 8}))}, weight_format::int8) == "MatMul");
  model n;
  const value w = n.weight({64, 64});
  CHECK(stored(n, {matmul(n.in({3, 64}), w), add(n.in({64, 64}), w)}, weight_format::int8) == "MatMul Add");
  model o;
  CHECK(stored(o, {add(o.in({64, 64}), o.weight({64, 64}))}, weight_format::int8) == "Add");
  model p;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> numbers(64 * 64, nan);
  const value bad = array(p.g, dtype::f32, {64, 64}, std::span<const float>(numbers));
  CHECK(stored(p, {matmul(p.in({3, 64}), bad)}, weight_format::int4) == "MatMul");
}

TEST_CASE("weight formats: float16 and bfloat16 are cast where they are read") {
  for (const auto format : {weight_format::float16, weight_format::bfloat16}) {
    model m;
    CHECK(stored(m, {add(m.in({64, 64}), m.weight({64, 64}))}, format) == "Cast Add");
    CHECK(bytes_of_constants(m.g) == 64 * 64 * 2);
  }
  model n;  // too large for float16
  const std::vector<float> numbers(64 * 64, 1e6F);
  const value large = array(n.g, dtype::f32, {64, 64}, std::span<const float>(numbers));
  CHECK(stored(n, {add(n.in({64, 64}), large)}, weight_format::float16) == "Add");
}
