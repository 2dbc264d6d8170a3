// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/dsl/typed/extent_math.hpp>

namespace jax2onnx {

JAX2ONNX_INLINE dim in_table(dim_table& table, const extent& e) {
  if (!e.is_symbolic()) return e;
  dim sum = 0;
  const detail::extent_polynomial p = detail::polynomial_of(e);
  for (const detail::monomial& m : p.terms) {
    dim product = m.coefficient;
    for (std::string_view factor : m.factors) product = table.mul(product, table.symbol(factor));
    sum = table.add(sum, product);
  }
  return sum;
}

JAX2ONNX_INLINE shape in_table(dim_table& table, std::span<const extent> extents) {
  shape out;
  for (const extent& e : extents) out.push_back(in_table(table, e));
  return out;
}

}  // namespace jax2onnx
