// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/axis_parts.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Products of quantized numbers (docs/decisions/0056).
namespace jax2onnx::rewrite::detail {

/// If v is a Cast of integers x of 8 or 4 bits, returns x with 8 bits. Transposes and Reshapes that follow the Cast are
/// applied to x. Absent for any other value.
inline value before_widening(const value& v, int depth = 4) {
  if (is_view(v) && depth > 0) {
    const value narrow = before_widening(input_of(v, 0), depth - 1);
    if (!narrow) return {};
    std::vector<value> inputs = inputs_of(v);
    inputs.front() = narrow;
    return with_inputs(v, inputs, {narrow.dtype(), v.dims()});
  }
  value x;
  if (!match(v, m_op("Cast", m_value(x)))) return {};
  if (x.dtype() == dtype::i4) return cast(x, dtype::i8);
  if (x.dtype() == dtype::u4) return cast(x, dtype::u8);
  return x.dtype() == dtype::i8 || x.dtype() == dtype::u8 ? x : value();
}

/// Numbers of 8 bits and the zero point that is subtracted from them.
struct quantized {
  value numbers, zero_point;
};

/// x with a zero point of 0. For ONNX Runtime, an int8 x becomes x + 128 as uint8 with a zero point of 128, since its
/// kernels for int8 are slow, and wrong on CPUs without VNNI.
inline quantized as_factor(const context& c, const value& x) {
  constexpr int sign_bit = 0x80;
  if (x.dtype() == dtype::u8 || !is_onnx_runtime(c.runtime)) return {x, scalar(c.g, x.dtype(), 0)};
  const value zero_point = scalar(c.g, dtype::u8, sign_bit);
  const value bits = cast(x, dtype::u8);
  return {c.g.emit("BitwiseXor", {bits, zero_point}, bits.type()), zero_point};
}

inline outcome fuse_matmul_integer(const context& c, const value& root) {
  if (root.dtype() != dtype::i32 || input_of(root, 0).rank() < 2 || input_of(root, 1).rank() < 2) return {};
  const value a = before_widening(input_of(root, 0)), b = before_widening(input_of(root, 1));
  if (!a || !b) return {};
  constexpr int opset_of_xor = 18;
  if (is_onnx_runtime(c.runtime) && c.g.opset() < opset_of_xor) return decline("BitwiseXor needs opset 18");
  constexpr std::int64_t fewest = 4096;  // for fewer elements, the added nodes cost more time than MatMulInteger saves
  const dim matrix = c.g.dims().mul(b.dims()[b.dims().size() - 2], b.dims().back());
  if (!matrix.is_constant() || matrix.extent() < fewest)
    return decline("the matrices of the right operand are small, or of symbolic size");
  const quantized left = as_factor(c, a), right = as_factor(c, b);
  return c.g.emit("MatMulInteger", {left.numbers, right.numbers, left.zero_point, right.zero_point}, root.type());
}

inline constexpr rule integer_product_rules[] = {
    {"MatMulInteger", "MatMul(Cast(a), Cast(b)) -> MatMulInteger(a, b)",
     "a and b are int8, uint8, int4 or uint4, cast to int32; Transposes and Reshapes may follow the Casts; each "
     "matrix of b has 4096 elements or more; for ONNX Runtime int8 becomes uint8 with a zero point of 128, from opset "
     "18 on",
     ops<"MatMul">, fuse_matmul_integer, stage::weights},
};

}  // namespace jax2onnx::rewrite::detail
