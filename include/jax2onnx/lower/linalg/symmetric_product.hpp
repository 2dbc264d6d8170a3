// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/linalg/matrix.hpp>
#include <jax2onnx/lower/linalg/types.hpp>

/// symmetric_product a c = alpha a a^T + beta c, as MatMul, Mul and Add. Source: jax/_src/lax/linalg.py.
namespace jax2onnx::lower {

inline jax_values symmetric_product(const site& s) {
  const value a = s.in(0);
  const value product = mul(matmul(a, linalg::transposed(a).re()), s.param<double>("alpha"));
  return {add(product, mul(s.in(1), s.param<double>("beta")))};
}

inline constexpr lowering symmetric_product_rows[] = {
    {"symmetric_product", symmetric_product, "MatMul, Mul, Add", linalg::symmetric_product_signature,
     parts_rule::plain},
};

}  // namespace jax2onnx::lower
