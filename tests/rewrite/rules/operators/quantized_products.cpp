// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/quantized_products.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

constexpr std::string_view rule_name = "DequantizeLinear";

value f32(const value& x) { return cast(x, dtype::f32); }

value bitwise(operator_name op, const value& x, std::int64_t number) {
  return x.owner().emit(op, {x, scalar(x.owner(), x.dtype(), number)}, x.type());
}
value signed_half(const value& x) { return sub(bitwise("BitwiseXor", bitwise("BitwiseAnd", x, 15), 8), 8); }
value low(const value& x) { return signed_half(x); }
value high(const value& x) {
  const value u = cast(x, dtype::u8);
  const value shifted =
      x.owner().emit("BitShift", {u, scalar(x.owner(), dtype::u8, 4)}, u.type(), {{"direction", "RIGHT"}});
  return signed_half(cast(shifted, dtype::i8));
}
value halves(const value& first, const value& second, std::int64_t axis) {
  return concat({unsqueeze(first, {axis}), unsqueeze(second, {axis})}, axis);
}

}  // namespace

TEST_CASE("DequantizeLinear: factors of the weight, its columns, and blocks of rows") {
  for (const dtype t : {dtype::i8, dtype::u8}) {
    model m, n;
    const value scaled = mul(f32(m.weight({256, 256}, t)), m.weight({256}));
    CHECK(after(matmul(m.in({m.B, 256}), scaled), rule_name) == "DequantizeLinear MatMul");
    CHECK(after(matmul(n.in({3, 256}), f32(n.weight({256, 256}, t))), rule_name) == "DequantizeLinear MatMul");
  }
  model m;
  const value blocks = mul(f32(m.weight({8, 32, 256}, dtype::i8)), m.weight({8, 1, 256}));
  CHECK(after(matmul(m.in({3, 256}), ops::reshape(blocks, {256, 256})), rule_name) == "DequantizeLinear MatMul");
}

TEST_CASE("DequantizeLinear: a Gemm of a transposed weight") {
  model m;
  const value w = mul(f32(m.weight({256, 512}, dtype::i8)), m.weight({256, 1})), x = m.in({3, 512});
  const value y = m.g.emit("Gemm", {x, w}, {dtype::f32, {3, 256}}, {{"transB", std::int64_t{1}}});
  CHECK(after(y, rule_name) == "DequantizeLinear MatMul");
  CHECK(operators::input_of(value(m.g, m.g.at(block_id::main).outputs[0]), 1).dims() == shape{512, 256});
}

TEST_CASE("DequantizeLinear: what stays") {
  model m;
  CHECK(after(matmul(m.in({3, 16}), f32(m.weight({16, 16}, dtype::i8))), rule_name) == "the weight is small");
  model n(20);
  CHECK(after(matmul(n.in({3, 256}), f32(n.weight({256, 256}, dtype::i8))), rule_name) ==
        "DequantizeLinear of blocks needs opset 21");
  model o;
  const value odd = mul(f32(o.weight({256, 256}, dtype::i8)), o.weight({256, 1}));
  CHECK(after(matmul(o.in({3, 256}), odd), rule_name) ==
        "the factors are neither for columns nor for blocks of 16, 32, 64, ... rows");
  model p;
  CHECK(after(matmul(p.in({3, 256}), f32(p.in({256, 256}, dtype::i8))), rule_name) == "Cast MatMul");
}

TEST_CASE("DequantizeLinear: for releases of ONNX Runtime") {
  const auto product = [](target runtime, dtype t) {
    model m;
    return after({matmul(m.in({3, 512}), f32(m.weight({512, 128}, t)))}, {rule_name}, runtime);
  };
  CHECK(product({runtime::ort, 24}, dtype::u8) == "ONNX Runtime before 1.26 has no products by weights of 8 bits");
  CHECK(product({runtime::ort, 26}, dtype::u8) == "DequantizeLinear MatMul");
  CHECK(product(target::ort, dtype::u8) == "DequantizeLinear MatMul");
}

TEST_CASE("DequantizeLinear: not in loops") {
  model m;
  const value q = m.weight({256, 256}, dtype::i8), start = m.in({3, 256});
  const auto body = [&](const value&, const std::vector<value>& carried) {
    return loop_step{{}, {matmul(carried[0], f32(q))}};
  };
  const value y = loop(m.g, scalar(m.g, dtype::i64, 20), {}, {start}, body).carried[0];
  CHECK(after(y, rule_name) == "in a loop, ONNX Runtime would compute the weight in every iteration");
}

TEST_CASE("int4: both halves of bytes, along any axis") {
  for (const std::int64_t axis : {0, 1, 2}) {
    model m;
    const value c = m.weight({4, 6}, dtype::i8);
    CHECK(after(halves(low(c), high(c), axis), "int4") == (axis == 2 ? "Cast" : "Cast Transpose"));
  }
}

TEST_CASE("int4: what stays") {
  model m;
  const value c = m.weight({4, 6}, dtype::i8), x = m.in({4, 6}, dtype::i8);
  const auto stays = [](const value& v) { return after(v, "int4").ends_with("Concat"); };
  CHECK(stays(halves(high(c), low(c), 1)));
  CHECK(stays(halves(low(c), low(c), 1)));
  CHECK(stays(halves(low(x), high(x), 1)));
  CHECK(stays(concat({low(c), high(c)}, 1)));
  model n(20);
  const value e = n.weight({4, 6}, dtype::i8);
  CHECK(after(halves(low(e), high(e), 1), "int4") == "DequantizeLinear of int4 needs opset 21");
}
