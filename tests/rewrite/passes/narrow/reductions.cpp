// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <string>
#include <vector>

#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/narrow/reductions.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The operators of a reduction after the corrections, which keep its type.
std::string faster(operator_name op, const shape& dims, const ints& axes, bool keep = false, dtype t = dtype::f32) {
  model m;
  const value y = reduce(op, m.in(dims, t), axes, keep);
  const tensor_type type = y.type();
  output(y, "y");
  rewrite::detail::speed_reductions(m.g);
  rewrite::detail::dead_code(m.g).run();
  CHECK(m.g.at(m.g.at(block_id::main).outputs[0]).type == type);
  return op_list(m.g);
}

}  // namespace

TEST_CASE("faster reductions: separate groups of axes follow one another") {
  for (const operator_name op : rewrite::ops<"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd">)
    CHECK(faster(op, {8, 8, 8, 16}, {1, 3}, true) == std::string(op) + " " + std::string(op));
  CHECK(faster("ReduceSum", {8, 8, 8, 16}, {1, 3}) == "ReduceSum ReduceSum");
  CHECK(faster("ReduceMax", {4, 8, 4, 8, 4}, {0, 2, 4}) == "ReduceMax ReduceMax ReduceMax");
  CHECK(faster("ReduceMax", {4, 4, 8, 4, 8}, {0, 1, 3}) == "ReduceMax ReduceMax");
  CHECK(faster("ReduceL2", {8, 8, 8, 16}, {1, 3}) == "Mul ReduceSum ReduceSum Sqrt");
}

TEST_CASE("faster reductions: an extent of 1 separates nothing") {
  CHECK(faster("ReduceMax", {64, 8, 1, 16}, {1, 3}) == "ReduceMax");
  CHECK(faster("ReduceMax", {1, 64, 64}, {0, 2}) == "ReduceMax");
}

TEST_CASE("faster reductions: squares and absolute values are summed") {
  CHECK(faster("ReduceSumSquare", {64, 64}, {1}) == "Mul ReduceSum");
  CHECK(faster("ReduceL2", {64, 64}, {1}, true) == "Mul ReduceSum Sqrt");
  CHECK(faster("ReduceL1", {64, 64}, {0}, true) == "Abs ReduceSum");
  CHECK(faster("ReduceL1", {64, 64}, {0}, true, dtype::f64) == "Abs ReduceSum");
}

TEST_CASE("faster reductions: sums of a few rows or of short rows are products with ones") {
  CHECK(faster("ReduceSum", {3, 64, 32}, {0}) == "Reshape MatMul Reshape");
  CHECK(faster("ReduceSum", {1, 3, 2048}, {1}, true) == "Reshape MatMul Reshape");
  CHECK(faster("ReduceSum", {64, 64, 3}, {2}) == "Reshape Gemm Reshape");
  CHECK(faster("ReduceSumSquare", {4096, 2, 4}, {1, 2}) == "Mul Reshape Gemm Reshape");
}

TEST_CASE("faster reductions: other sums stay") {
  CHECK(faster("ReduceSum", {2048, 3}, {1}) == "ReduceSum");
  CHECK(faster("ReduceSum", {4096, 64}, {1}) == "ReduceSum");
  CHECK(faster("ReduceSum", {32, 4096}, {0}) == "ReduceSum");
  CHECK(faster("ReduceSum", {8, 512}, {0}) == "ReduceSum");
  CHECK(faster("ReduceSum", {64, 3, 64}, {1}) == "ReduceSum");
  CHECK(faster("ReduceSum", {3, 4096}, {0}, false, dtype::f64) == "ReduceSum");
  CHECK(faster("ReduceSum", {3, 4096}, {0, 1}) == "ReduceSum");
  CHECK(faster("ReduceSum", {1, 4096}, {0}) == "ReduceSum");
}

TEST_CASE("faster reductions: few elements, other types and symbolic extents stay") {
  CHECK(faster("ReduceSumSquare", {63, 64}, {1}) == "ReduceSumSquare");
  CHECK(faster("ReduceL1", {1, 64, 64}, {1, 2}) == "ReduceL1");
  CHECK(faster("ReduceMax", {8, 8, 8, 4}, {1, 3}) == "ReduceMax");
  CHECK(faster("ReduceSum", {8, 8, 8, 16}, {1, 3}, false, dtype::i32) == "ReduceSum");
  CHECK(faster("ReduceSumSquare", {64, 64}, {1}, false, dtype::f16) == "ReduceSumSquare");
  model m;
  output(reduce("ReduceL2", m.in({m.B, 4096}), {1}), "y");
  rewrite::detail::speed_reductions(m.g);
  CHECK(op_list(m.g) == "ReduceL2");
}

TEST_CASE("faster reductions: products of constant selections of columns") {
  const auto product = [](const shape& dims, bool same_rows, std::int64_t axis) {
    model m;
    const std::int64_t columns = dims.back().extent(), rows = dims[0].extent();
    ints chosen;
    for (std::int64_t i = 0; i < rows * columns; ++i) chosen.push_back(same_rows ? i % columns % 2 : i % 7 % 2);
    const value c = array(m.g, dtype::boolean, {rows, columns}, std::span<const std::int64_t>(chosen));
    const value x = m.in(dims), y = m.in(dims);
    output(reduce("ReduceProd", where(c, x, y), {axis}, true), "y");
    rewrite::detail::speed_reductions(m.g);
    rewrite::detail::dead_code(m.g).run();
    return op_list(m.g);
  };
  CHECK(product({128, 3}, true, 1) == "Gather Gather Mul Gather Mul");
  CHECK(product({127, 3}, true, 1) == "Where ReduceProd");
  CHECK(product({128, 5}, true, 1) == "Where ReduceProd");
  CHECK(product({128, 3}, false, 1) == "Where ReduceProd");
  CHECK(product({128, 3}, true, 0) == "Where ReduceProd");
}
