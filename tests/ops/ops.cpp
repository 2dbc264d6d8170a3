#include "catch.hpp"

#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

std::string_view op_of(const value& v) { return v.owner().at(v.owner().at(v.id()).producer).op; }
value operand(const value& v, std::size_t i) {
  return {v.owner(), v.owner().at(v.owner().at(v.id()).producer).inputs[i]};
}

struct model {
  graph g;
  dim B = g.dims().symbol("B");
  value x = g.input({dtype::f32, {B, 4, 6}}, "x");
};

}  // namespace

TEST_CASE("verbs: what changes nothing returns its operand") {
  model m;
  CHECK(reshape(m.x, m.x.dims()) == m.x);
  CHECK(transpose(m.x, {0, 1, 2}) == m.x);
  CHECK(cast(m.x, dtype::f32) == m.x);
  CHECK(unsqueeze(m.x, {}) == m.x);
  CHECK(squeeze(m.x, {}) == m.x);
  CHECK(broadcast_to(m.x, {m.B, 4, 6}) == m.x);
  CHECK(slice(m.x, {0, 1}, {0, 0}, {m.B, 4}, {1, 1}) == m.x);
  CHECK(pad(m.x, {0, 0, 0}, {0, 0, 0}, scalar(m.g, dtype::f32, 0)) == m.x);
  CHECK(reverse(m.x, {}) == m.x);
  CHECK(reduce("ReduceSum", m.x, {}) == m.x);
  CHECK(concat({m.x}, 0) == m.x);
  CHECK(m.g.node_count() == 0);
}

TEST_CASE("reshape: zeros copy extents and one -1 stands for what is left") {
  model m;
  CHECK(constant_int64s(operand(reshape(m.x, {m.B, 24}), 1)) == ints{0, 24});
  CHECK(constant_int64s(operand(reshape(m.x, {m.g.dims().mul(m.B, 4), 6}), 1)) == ints{-1, 6});
  CHECK(constant_int64s(operand(reshape(m.x, {4, m.B, 6}), 1)) == ints{4, -1, 6});
  const value two = reshape(m.x, {4, m.B, 6});
  CHECK(two.dims() == shape{4, m.B, 6});
  CHECK(m.g.node_count() == 4);
}

TEST_CASE("reshape: a shape with a zero is meant literally") {
  graph g;
  const dim batch = g.dims().symbol("B");
  const value x = g.input({dtype::f32, {batch, 0}}, "x");
  const value y = reshape(x, {0, 3});
  CHECK(g.at(g.at(y.id()).producer).find("allowzero"));
}

TEST_CASE("broadcast_to: asks only for the extents that x lacks") {
  model m;
  const value row = m.g.input({dtype::f32, {1, 6}}, "row");
  CHECK(constant_int64s(operand(broadcast_to(row, {4, 6}), 1)) == ints{4, 1});
  CHECK(constant_int64s(operand(broadcast_to(m.x, {2, m.B, 4, 6}), 1)) == ints{2, 1, 1, 1});
  const value batched = broadcast_to(row, {m.B, 4, 6});
  CHECK(op_of(operand(batched, 1)) == "Concat");  // B is read from x at run time
}

TEST_CASE("reduce: axes are an attribute before opset 18, but for ReduceSum") {
  graph old(17);
  const value x = old.input({dtype::f32, {2, 3}}, "x");
  CHECK(old.at(old.at(reduce("ReduceMax", x, {1}).id()).producer).find("axes"));
  CHECK(old.at(old.at(reduce("ReduceSum", x, {1}).id()).producer).inputs.size() == 2);
  graph g(18);
  const value y = g.input({dtype::f32, {2, 3}}, "y");
  CHECK(reduce("ReduceMax", y, {1}, true).dims() == shape{2, 1});
  CHECK(g.at(node_id{0}).inputs.size() == 2);
}

TEST_CASE("dense: Gemm of a matrix, MatMul and Add of more dimensions") {
  graph g;
  const value w = g.input({dtype::f32, {4, 5}}, "w"), b = g.input({dtype::f32, {5}}, "b");
  CHECK(op_of(dense(g.input({dtype::f32, {2, 4}}, "x"), w, b)) == "Gemm");
  CHECK(op_of(dense(g.input({dtype::f32, {3, 2, 4}}, "y"), w, b)) == "Add");
}

TEST_CASE("verbs: operands that do not fit are named with their types") {
  model m;
  const value y = m.g.input({dtype::f32, {5}}, "y"), i = m.g.input({dtype::i32, {6}}, "i");
  CHECK_THROWS_WITH(add(m.x, y), "Add: the shapes do not broadcast: f32[B,4,6] and f32[5]");
  CHECK_THROWS_WITH(add(m.x, i), "Add: the dtypes differ: f32[B,4,6] and i32[6]");
  CHECK_THROWS_WITH(matmul(m.x, m.x), Contains("MatMul: the inner dimensions differ"));
  CHECK_THROWS_WITH(transpose(m.x, {0, 1}), Contains("Transpose: the permutation has another length"));
  CHECK_THROWS_WITH(reshape(m.x, {m.B, 23}), Contains("Reshape: the number of elements differs: f32[B,4,6]"));
  CHECK_THROWS_WITH(slice(m.x, 1, 2, 9), Contains("Slice: a bound is out of range"));
  CHECK_THROWS_WITH(broadcast_to(m.x, {m.B, 4, 7}), Contains("Expand: only a dimension of 1 can be repeated"));
}

TEST_CASE("output: a value that is an input, a constant or an output already is copied") {
  model m;
  const value y = neg(m.x);
  output(y, "a");
  output(y, "b");
  output(m.x, "c");
  const std::vector<value_id>& out = m.g.at(block_id::main).outputs;
  REQUIRE(out.size() == 3);
  CHECK(out[0] == y.id());
  CHECK(op_of({m.g, out[1]}) == "Identity");
  CHECK(op_of({m.g, out[2]}) == "Identity");
  CHECK(m.g.at(out[1]).name == "b");
}
