#pragma once

#include <jax2onnx/rewrite/engine/match.hpp>

/// Patterns of the functions that build/math.hpp composes of operators, which small floats take in f32.
namespace jax2onnx::rewrite {

/// exp(p) - 1; binds p.
template <class P>
auto m_expm1(value& x, P p) {
  const auto half = m_commutes<"Mul">(m_up_to_casts(m_bind(x, p)), m_number(0.5));
  return m_up_to_casts(
      m_op<"Mul">(m_op<"Tanh">(half), m_commutes<"Add">(m_op<"Exp">(m_up_to_casts(m_same(x))), m_number(1))));
}

/// log(1 + p); binds p.
template <class P>
auto m_log1p(value& x, P p) {
  return m_up_to_casts([&x, p](const value& v) {
    value sum;
    const auto again = m_up_to_casts(m_same(x));
    const auto is_one =
        m_op<"Equal">(m_bind(sum, m_commutes<"Add">(m_up_to_casts(m_bind(x, p)), m_number(1))), m_number(1));
    const auto rounded = m_op<"Min">(m_op<"Sub">(m_same(sum), m_number(1)), m_any());
    const auto is_still_one = m_op<"Equal">(m_same(sum), m_number(1));
    const auto log = m_op<"Where">(is_one, m_number(1), m_op<"Log">(m_same(sum)));
    return match(v, m_op<"Mul">(log, m_op<"Div">(again, m_op<"Where">(is_still_one, m_number(1), rounded))));
  });
}

}  // namespace jax2onnx::rewrite
