// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/complex/arithmetic.hpp>
#include <jax2onnx/lower/elementwise/types.hpp>
#include <jax2onnx/lower/table.hpp>

/// Lowers polynomial (jax.lax), which is Horner's rule on real or complex numbers, to Mul and Add.
namespace jax2onnx::lower {

// ops::polynomial is the verb; the lowering has the same name.
using ops::polynomial;

/// polynomial x a0 a1 ... an: a0 + x (a1 + x (a2 + ... + x an)).
inline jax_values polynomial(const site& s) {
  const jax_value& x = s.in_parts(0);
  const std::size_t last = s.arity() - 1;
  jax_value sum = s.in_parts(last);
  // For more than `unroll` coefficients, JAX uses a loop that starts with 0 x, which is NaN for an infinite x.
  const bool starts_at_zero = static_cast<std::int64_t>(last) > s.param_or<std::int64_t>("unroll", 8);
  if (starts_at_zero && !is_integer(s.in_dtype())) sum = cx::add(cx::mul(cx::zeros_like(x), x), sum);
  for (std::size_t i = last - 1; i >= 1; --i) sum = cx::add(cx::mul(sum, x), s.in_parts(i));
  return {each_part(sum, [&](const value& v) { return broadcast_to(v, s.out_dims()); })};
}

inline constexpr lowering polynomial_rows[] = {
    {"polynomial", polynomial, "Mul, Add",
     signature{or_more(2), 1, same_elements<kinds::number>, {{"unroll", param_form::number}}}, parts_rule::own},
};

}  // namespace jax2onnx::lower
