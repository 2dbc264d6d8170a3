// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <initializer_list>
#include <string>

#include <jax2onnx/rewrite/passes/dead_code.hpp>
#include <jax2onnx/rewrite/passes/narrow/columns.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

/// The operators after the pass, which keeps the types of results.
std::string moved(std::initializer_list<value> outputs) {
  graph& g = outputs.begin()->owner();
  std::vector<tensor_type> types;
  for (const value& v : outputs) {
    types.push_back(v.type());
    output(v, "y" + std::to_string(types.size()));
  }
  rewrite::detail::move_columns(g);
  rewrite::detail::dead_code(g).run();
  for (std::size_t i = 0; i < types.size(); ++i) CHECK(g.at(g.at(block_id::main).outputs[i]).type == types[i]);
  return op_list(g);
}
/// Differences of all pairs of n and k points.
value pairs(model& m, std::int64_t n, std::int64_t k, std::int64_t coordinates, dtype t = dtype::f32) {
  const value a = m.in({n, coordinates}, t), b = m.in({k, coordinates}, t);
  return sub(reshape(a, {n, 1, coordinates}), b);
}

}  // namespace

TEST_CASE("columns: squared distances of all pairs") {
  model m;
  CHECK(moved({reduce("ReduceSumSquare", pairs(m, 40, 40, 3), {2})}) ==
        "Transpose Reshape Transpose Reshape Sub ReduceSumSquare");
  model n;
  CHECK(moved({reduce("ReduceSumSquare", pairs(n, 40, 40, 3), {2}, true)}) ==
        "Transpose Reshape Transpose Reshape Sub ReduceSumSquare Reshape");
  model o;
  CHECK(moved({reduce("ReduceMax", abs(pairs(o, 40, 40, 16, dtype::f64)), {2})}) ==
        "Transpose Reshape Transpose Reshape Sub Abs ReduceMax");
}

TEST_CASE("columns: points that are subtracted from themselves are transposed once") {
  model m;
  const value x = m.in({2, 32, 3}), d = sub(reshape(x, {2, 1, 32, 3}), reshape(x, {2, 32, 1, 3}));
  const value weight = m.in({2, 32, 32}), force = mul(d, reshape(weight, {2, 32, 32, 1}));
  CHECK(moved({reduce("ReduceSum", force, {1})}) == "Transpose Reshape Reshape Sub Reshape Mul ReduceSum Transpose");
}

TEST_CASE("columns: a result that is read as it was is transposed back") {
  model m;
  CHECK(moved({pairs(m, 40, 40, 3)}) == "Transpose Reshape Transpose Reshape Sub Transpose");
  model n;
  const value d = pairs(n, 40, 40, 3);
  CHECK(moved({add(d, n.in({40, 40, 3}))}) == "Transpose Reshape Transpose Reshape Sub Transpose Add");
}

TEST_CASE("columns: numbers, lines and a bounded operand stay operands") {
  model m;
  const value d = pairs(m, 40, 40, 3);
  const value y = clip(mul(add(d, m.in({3})), m.in({})), scalar(m.g, dtype::f32, 0), scalar(m.g, dtype::f32, 1));
  CHECK(moved({reduce("ReduceProd", y, {2})}) ==
        "Transpose Reshape Transpose Reshape Sub Reshape Add Mul Clip ReduceProd");
}

TEST_CASE("columns: what is fast as it is stays") {
  model few, wide, kept, shortest, symbolic, scalars, whole;
  CHECK(moved({pairs(few, 20, 20, 3)}) == "Reshape Sub");
  CHECK(moved({reduce("ReduceSum", abs(pairs(wide, 40, 40, 17)), {2})}) == "Reshape Sub Abs ReduceSum");
  CHECK(moved({pairs(kept, 40, 40, 5)}) == "Reshape Sub");
  CHECK(moved({pairs(shortest, 400, 8, 3)}) == "Reshape Sub");
  const value a = symbolic.in({symbolic.B, 1, 3});
  CHECK(moved({sub(a, symbolic.in({40, 3}))}) == "Sub");
  CHECK(moved({sub(scalars.in({40, 40, 3}), scalars.in({}))}) == "Sub");
  CHECK(moved({sub(whole.in({40, 40, 3}), whole.in({40, 1, 3}))}) == "Sub");
}

TEST_CASE("columns: a sum of the other axes leaves a vector of columns") {
  model m;
  CHECK(moved({reduce("ReduceSum", pairs(m, 40, 40, 3), {0, 1})}) ==
        "Transpose Reshape Transpose Reshape Sub Transpose ReduceSum");
}

TEST_CASE("columns: single coordinates of all pairs") {
  model m;
  const value d = abs(pairs(m, 40, 40, 3));
  CHECK(moved({maximum(pick(d, 0, 2), pick(d, 2, 2))}) ==
        "Transpose Reshape Transpose Reshape Sub Abs Gather Gather Max");
  model n;  // of another axis
  CHECK(moved({pick(pairs(n, 40, 40, 3), 0, 1)}) == "Transpose Reshape Transpose Reshape Sub Transpose Gather");
}
