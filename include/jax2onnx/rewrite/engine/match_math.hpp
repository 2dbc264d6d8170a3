#pragma once

#include <jax2onnx/rewrite/engine/match.hpp>

/// Patterns of the functions that ops/math.hpp composes, which are computed in f32 for narrower types.
namespace jax2onnx::rewrite {

/// exp(p) - 1, as tanh(p / 2) (exp(p) + 1); binds p.
inline auto m_expm1(value& x, const pattern& p) {
  return m_composite([&x, p = subpattern(p)](const value& v) {
    const auto half = [&](const value& h) {
      return match(h, m_commutes("Mul", m_up_to_casts(m_bind(x, p)), m_number(0.5)));
    };
    return match(v, m_up_to_casts(m_op("Mul", m_op("Tanh", half),
                                       m_commutes("Add", m_op("Exp", m_up_to_casts(m_same(x))), m_number(1)))));
  });
}

/// log(1 + p), as with s = 1 + p: log(s) (p / (s - 1)), where s is not 1; binds p.
inline auto m_log1p(value& x, const pattern& p) {
  return m_composite([&x, p = subpattern(p)](const value& v) {
    value sum;
    const auto is_one = [&](const value& b) {
      return match(
          b, m_op("Equal", m_bind(sum, m_commutes("Add", m_up_to_casts(m_bind(x, p)), m_number(1))), m_number(1)));
    };
    const auto log_of_sum = [&](const value& l) {
      return match(l, m_op("Where", is_one, m_number(1), m_op("Log", m_same(sum))));
    };
    const auto rounded = [&](const value& r) {
      return match(r, m_op("Where", m_op("Equal", m_same(sum), m_number(1)), m_number(1),
                           m_op("Min", m_op("Sub", m_same(sum), m_number(1)), m_any{})));
    };
    return match(v, m_up_to_casts(m_op("Mul", log_of_sum, m_op("Div", m_up_to_casts(m_same(x)), rounded))));
  });
}

}  // namespace jax2onnx::rewrite
