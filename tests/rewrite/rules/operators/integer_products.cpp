// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/integer_products.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

namespace {

value wide(const value& x) { return cast(x, dtype::i32); }

std::string fused(const value& y, target runtime = target::ort) { return after({y}, {"MatMulInteger"}, runtime); }

}  // namespace

TEST_CASE("MatMulInteger: signed and unsigned operands") {
  const auto product = [](dtype left, dtype right, target runtime) {
    model m;
    return fused(matmul(wide(m.in({m.B, 64}, left)), wide(m.in({64, 64}, right))), runtime);
  };
  CHECK(product(dtype::u8, dtype::u8, target::ort) == "MatMulInteger");
  CHECK(product(dtype::i8, dtype::u8, target::ort) == "Cast BitwiseXor MatMulInteger");
  CHECK(product(dtype::i8, dtype::i8, target::ort) == "Cast BitwiseXor Cast BitwiseXor MatMulInteger");
  CHECK(product(dtype::i8, dtype::i8, target::generic) == "MatMulInteger");
  CHECK(product(dtype::i16, dtype::i8, target::ort) == "Cast Cast MatMul");
  CHECK(product(dtype::u8, dtype::u4, target::ort) == "Cast MatMulInteger");
  CHECK(product(dtype::u8, dtype::i4, target::generic) == "Cast MatMulInteger");
}

TEST_CASE("MatMulInteger: Transposes and Reshapes after the Casts") {
  model m;
  const value a = jax2onnx::ops::reshape(wide(m.in({2, 3, 64}, dtype::u8)), {6, 64});
  const value b = transpose(wide(m.in({64, 64}, dtype::u8)), {1, 0});
  CHECK(fused(matmul(a, b)) == "Reshape Transpose MatMulInteger");
}

TEST_CASE("MatMulInteger: what stays") {
  model m;
  CHECK(fused(matmul(wide(m.in({64, 63}, dtype::i8)), wide(m.in({63, 64}, dtype::i8)))) ==
        "the matrices of the right operand are small, or of symbolic size");
  model n(17);
  CHECK(fused(matmul(wide(n.in({4, 64}, dtype::i8)), wide(n.in({64, 64}, dtype::i8)))) == "BitwiseXor needs opset 18");
  model o;
  CHECK(fused(matmul(wide(o.in({64}, dtype::i8)), wide(o.in({64, 64}, dtype::i8)))) == "Cast Cast MatMul");
  model p;
  CHECK(fused(matmul(wide(p.in({4, 64}, dtype::i8)), p.in({64, 64}, dtype::i32))) == "Cast MatMul");
}
