#pragma once

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Updates of parameters by optimizers, in training steps.
namespace jax2onnx::rewrite::detail {

/// 1 - Pow(b, n), a scalar, with a constant b between 0 and 1: 0, or far from both 0 and infinity. Binds it.
inline auto m_bias_correction(value& out) {
  return m_composite([&out](const value& v) {
    double decay = 0;
    if (v.rank() != 0 || !match(v, m_op("Sub", m_number(1), m_op("Pow", m_scalar(decay), m_any{})))) return false;
    out = v;
    return 0 < decay && decay < 1;
  });
}

/// The correction of Adam's mean joins the learning rate.
inline outcome correct_rate(const context& c, const value& root) {
  value mean, corrected, s, deviation, quotient, rate;
  const auto correction = [&](const value& v) { return match(v, m_op("Div", m_value(mean), m_bias_correction(s))); };
  if (!match(root, m_commutes("Mul", m_bind(quotient, m_op("Div", m_bind(corrected, correction), m_value(deviation))),
                              m_value(rate))))
    return {};
  if (rate.rank() != 0 || root.rank() == 0 || mean.dims() != root.dims()) return {};
  if (root.dtype() != dtype::f32 && root.dtype() != dtype::f64) return decline("the element type has few bits");
  if (!c.single_use(corrected) || !c.single_use(quotient)) return decline("a quotient is read elsewhere too");
  const value corrected_rate = div(rate, s);
  return mul(div(mean, deviation), corrected_rate);
}

inline constexpr rule optimizer_rules[] = {
    {"Adam", "r ((m / s) / d) -> (m / d) (r / s)",
     "float32 or float64; a scalar r; s is 1 - Pow(b, n) with 0 < b < 1; the quotients are read once", ops<"Mul">,
     correct_rate, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
