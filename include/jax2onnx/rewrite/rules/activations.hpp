#pragma once

#include <cmath>
#include <numbers>
#include <string_view>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/match_math.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Activation functions, as jax.nn writes them out.
namespace jax2onnx::rewrite {

// Pattern: Max(x, 0) -> Relu(x)
inline outcome fuse_relu(const context&, const value& root) {
  value x;
  if (!match(root, m_commutes<"Max">(m_value(x), m_number(0))) || x.dims() != root.dims()) return {};
  if (!is_floating(x.dtype())) return decline("Relu is of floating-point types");
  return unary("Relu", x);
}

// Pattern: Min(Max(x, low), high) -> Clip(x, low, high)   with scalars low <= high; so does Min(Relu(x), high)
inline outcome fuse_clip(const context& c, const value& root) {
  value x, inner;
  double low = 0, high = 0;
  if (!match(root, m_commutes<"Min">(m_bind(inner, m_commutes<"Max">(m_value(x), m_scalar(low))), m_scalar(high))) &&
      !match(root, m_commutes<"Min">(m_bind(inner, m_op<"Relu">(m_value(x))), m_scalar(high))))
    return {};
  if (producer(inner)->op == "Relu") low = 0;
  if (x.dims() != root.dims()) return {};
  if (!(low <= high)) return decline("the bounds are not in order");
  if (!is_floating(x.dtype()) && x.dtype() != dtype::i32 && x.dtype() != dtype::i64)
    return decline("Clip is not of this type everywhere");
  if (!c.single_use(inner)) return decline("the lower clamp is read too");
  const auto bound = [&](double n) {
    return is_floating(x.dtype()) ? scalar(c.g, x.dtype(), n) : scalar(c.g, x.dtype(), static_cast<std::int64_t>(n));
  };
  return c.g.emit("Clip", {x, bound(low), bound(high)}, root.type());
}

// Pattern: Where(x >= 0, x, a x) -> LeakyRelu(x, a)
inline outcome fuse_leaky_relu(const context& c, const value& root) {
  value x;
  double slope = 0;
  const auto scaled = m_commutes<"Mul">(m_same(x), m_scalar(slope));
  const bool found = match(root, m_op<"Where">(m_op<"GreaterOrEqual">(m_value(x), m_number(0)), m_same(x), scaled)) ||
                     match(root, m_op<"Where">(m_op<"Greater">(m_value(x), m_number(0)), m_same(x), scaled)) ||
                     match(root, m_op<"Where">(m_op<"Less">(m_value(x), m_number(0)), scaled, m_same(x)));
  if (!found || x.dims() != root.dims()) return {};
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("LeakyRelu", {x}, root.type(), {{"alpha", static_cast<float>(slope)}});
}

/// x^3
inline auto m_cube(const value& x) {
  const auto factor = m_up_to_casts(m_same(x));
  return m_up_to_casts(
      m_any_of(m_commutes<"Mul">(factor, m_op<"Mul">(factor, factor)), m_op<"Pow">(m_same(x), m_number(3))));
}

inline outcome emit_gelu(const context& c, const value& x, const value& root, std::string approximate) {
  if (c.g.opset() < 20) return decline("Gelu needs opset 20");
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  if (x.dims() != root.dims()) return {};
  return c.g.emit("Gelu", {x}, root.type(), {{"approximate", std::move(approximate)}});
}

// Pattern: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 -> Gelu(x, approximate=tanh)
inline outcome fuse_gelu_tanh(const context& c, const value& root) {
  value x;
  const auto cubic = m_commutes<"Add">(m_same(x), m_commutes<"Mul">(m_number(0.044715), m_cube(x)));
  const auto tangent = m_op<"Tanh">(m_commutes<"Mul">(m_number(std::sqrt(2 / std::numbers::pi)), cubic));
  if (!match(root, m_product(m_value(x), m_number(0.5), m_commutes<"Add">(m_number(1), tangent)))) return {};
  return emit_gelu(c, x, root, "tanh");
}

/// x / sqrt(2)
inline auto m_over_sqrt2(const value& x) {
  return m_any_of(m_commutes<"Mul">(m_same(x), m_number(std::numbers::sqrt2 / 2)),
                  m_op<"Div">(m_same(x), m_number(std::numbers::sqrt2)));
}

// Pattern: x (1 + erf(x / sqrt(2))) / 2 -> Gelu(x), and x (1 - erf(-x / sqrt(2))) / 2, which is jax.nn's erfc form
inline outcome fuse_gelu_erf(const context& c, const value& root) {
  value x, y;
  const auto minus = m_any_of(m_commutes<"Mul">(m_op<"Neg">(m_same(x)), m_number(std::numbers::sqrt2 / 2)),
                              m_op<"Neg">(m_over_sqrt2(x)));
  const pattern_ref negated = minus;
  const auto erf = m_up_to_casts(m_op<"Erf">(m_up_to_casts(m_over_sqrt2(x))));
  const auto cdf =
      m_any_of(m_commutes<"Add">(m_number(1), erf), m_op<"Sub">(m_number(1), m_op<"Erf">(m_up_to_casts(negated))));
  // erfc(y) as it is lowered, with a tail that is relatively exact: Where(y < 1/2, 1 - erf(y), t exp(.. - y^2))
  const auto tail =
      m_op<"Mul">(m_op<"Reciprocal">(m_any()), m_op<"Exp">(m_op<"Sub">(m_any(), m_op<"Mul">(m_same(y), m_same(y)))));
  const auto erfc = m_op<"Where">(m_op<"Less">(m_bind(y, m_up_to_casts(negated)), m_number(0.5)),
                                  m_op<"Sub">(m_number(1), m_op<"Erf">(m_same(y))), tail);
  if (!match(root, m_product(m_value(x), m_number(0.5), m_any_of(pattern_ref(cdf), m_up_to_casts(pattern_ref(erfc))))))
    return {};
  return emit_gelu(c, x, root, "none");
}

// Pattern: Max(x, 0) + log(1 + exp(-|x|)) -> Softplus(x), NaN of x apart   which is jax.numpy.logaddexp(x, 0)
inline outcome fuse_softplus(const context& c, const value& root) {
  value x, e;
  const auto positive = m_any_of(m_op<"Relu">(m_same(x)), m_commutes<"Max">(m_same(x), m_number(0)));
  const auto rest = m_log1p(e, m_op<"Exp">(m_op<"Neg">(m_op<"Abs">(m_same(x)))));
  const auto no_number = m_any_of(m_same(x), m_commutes<"Add">(m_same(x), m_number(0)));
  if (!match(root, m_op<"Where">(m_op<"IsNaN">(m_value(x)), no_number, m_commutes<"Add">(positive, rest)))) return {};
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("Softplus", {x}, root.type());
}

// Pattern: x tanh(Softplus(x)) -> Mish(x)
inline outcome fuse_mish(const context& c, const value& root) {
  value x;
  if (!match(root, m_commutes<"Mul">(m_value(x), m_op<"Tanh">(m_op<"Softplus">(m_same(x)))))) return {};
  if (c.g.opset() < 18) return decline("Mish needs opset 18");
  return unary("Mish", x);
}

/// a p of a constant a, 1 p too
template <class P>
auto m_scaled(double& a, P p) {
  return [&a, p](const value& v) {
    a = 1;
    return p(v) || match(v, m_commutes<"Mul">(m_scalar(a), p));
  };
}

// Pattern: Where(x > 0, x, a (exp(x) - 1)) -> Elu(x, a)   with 0 for the x > 0 in the exponential
inline outcome fuse_elu(const context& c, const value& root) {
  value x, inner;
  double alpha = 1;
  const auto is_positive = m_op<"Greater">(m_value(x), m_number(0));
  const auto negative =
      m_any_of(m_same(x), m_op<"Where">(m_op<"Greater">(m_same(x), m_number(0)), m_number(0), m_same(x)));
  if (!match(root, m_op<"Where">(is_positive, m_same(x), m_scaled(alpha, m_expm1(inner, negative)))) ||
      x.dims() != root.dims())
    return {};
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("Elu", {x}, root.type(), {{"alpha", static_cast<float>(alpha)}});
}

// Pattern: Max(x, 0) + a (exp(Min(x, 0) / a) - 1) -> Celu(x, a)
inline outcome fuse_celu(const context& c, const value& root) {
  value x, inner;
  double alpha = 1, divisor = 1;
  const auto positive = m_any_of(m_op<"Relu">(m_value(x)), m_commutes<"Max">(m_value(x), m_number(0)));
  const auto negative = m_commutes<"Min">(m_same(x), m_number(0));
  const auto quotient = m_any_of(negative, m_op<"Div">(negative, m_scalar(divisor)));
  if (!match(root, m_commutes<"Add">(positive, m_scaled(alpha, m_expm1(inner, quotient)))) || x.dims() != root.dims())
    return {};
  if (divisor != alpha) return decline("it is multiplied by another number than divided");
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("Celu", {x}, root.type(), {{"alpha", static_cast<float>(alpha)}});
}

// Pattern: 1.0507 Elu(x, 1.6733) -> Selu(x)
inline outcome fuse_selu(const context& c, const value& root) {
  constexpr double alpha = 1.6732632423543772, gamma = 1.0507009873554805;
  value x, elu;
  if (!match(root, m_commutes<"Mul">(m_bind(elu, m_op<"Elu">(m_value(x))), m_number(gamma)))) return {};
  if (!same_when_rounded(x.dtype(), *attribute_of<float>(elu, "alpha"), alpha)) return {};
  return c.g.emit("Selu", {x}, root.type(),
                  {{"alpha", *attribute_of<float>(elu, "alpha")}, {"gamma", static_cast<float>(gamma)}});
}

// Pattern: Where(x > high, high, Where(x < low, low, x)) -> Clip(x, low, high)   as jax.nn.hard_tanh is
inline outcome fuse_clip_of_choices(const context& c, const value& root) {
  value x;
  double low = 0, high = 0, above = 0, below = 0;
  const auto lower = m_op<"Where">(m_op<"Less">(m_same(x), m_scalar(below)), m_scalar(low), m_same(x));
  if (!match(root, m_op<"Where">(m_op<"Greater">(m_value(x), m_scalar(above)), m_scalar(high), lower)) ||
      x.dims() != root.dims())
    return {};
  if (above != high || below != low || !(low <= high))
    return decline("the bounds are not those of the comparisons, in order");
  if (!is_floating(x.dtype())) return decline("Clip is not of this type everywhere");
  return c.g.emit("Clip", {x, scalar(c.g, x.dtype(), low), scalar(c.g, x.dtype(), high)}, root.type());
}

// Pattern: x sigmoid(x) -> Swish(x)    [at opset 24 only: later on, ONNX Runtime does not expand the operator]
inline outcome fuse_swish(const context& c, const value& root) {
  value x;
  if (!match(root, m_commutes<"Mul">(m_value(x), m_op<"Sigmoid">(m_same(x))))) return {};
  if (c.g.opset() != 24) return decline("Swish needs opset 24");
  return c.g.emit("Swish", {x}, root.type(), {{"alpha", 1.0f}});
}

// Pattern: Clip(x + 3, 0, 6) / 6 -> HardSigmoid(x, 1/6, 1/2)
inline outcome fuse_hard_sigmoid(const context& c, const value& root) {
  value x;
  const auto clipped = m_op<"Clip">(m_commutes<"Add">(m_value(x), m_number(3)), m_number(0), m_number(6));
  if (!match(root, m_op<"Div">(clipped, m_number(6))) && !match(root, m_commutes<"Mul">(clipped, m_number(1.0 / 6))))
    return {};
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("HardSigmoid", {x}, root.type(), {{"alpha", 1.0f / 6}, {"beta", 0.5f}});
}

// Pattern: x HardSigmoid(x, 1/6, 1/2) -> HardSwish(x)
inline outcome fuse_hard_swish(const context& c, const value& root) {
  value x, gate;
  if (!match(root, m_commutes<"Mul">(m_value(x), m_bind(gate, m_op<"HardSigmoid">(m_same(x)))))) return {};
  if (attribute_of<float>(gate, "alpha") != 1.0f / 6 || attribute_of<float>(gate, "beta") != 0.5f) return {};
  if (c.g.opset() < 14) return decline("HardSwish needs opset 14");
  return unary("HardSwish", x);
}

inline constexpr rule activation_rules[] = {
    {"Relu", "max(x, 0) -> Relu(x)", ops<"Max">, fuse_relu, stage::fuse},
    {"Clip", "min(max(x, a), b) -> Clip(x, a, b)", ops<"Min">, fuse_clip, stage::fuse},
    {"LeakyRelu", "where(x >= 0, x, a x) -> LeakyRelu(x, a)", ops<"Where">, fuse_leaky_relu, stage::fuse},
    {"Gelu-tanh", "x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 -> Gelu(x, tanh)", ops<"Mul">, fuse_gelu_tanh,
     stage::fuse},
    {"Gelu", "x (1 + erf(x / sqrt(2))) / 2 -> Gelu(x)", ops<"Mul">, fuse_gelu_erf, stage::fuse},
    {"Softplus", "max(x, 0) + log(1 + exp(-|x|)) -> Softplus(x)", ops<"Where">, fuse_softplus, stage::fuse},
    {"Mish", "x tanh(Softplus(x)) -> Mish(x)", ops<"Mul">, fuse_mish, stage::fuse},
    {"Elu", "where(x > 0, x, a (exp(x) - 1)) -> Elu(x, a)", ops<"Where">, fuse_elu, stage::fuse},
    {"Celu", "max(x, 0) + a (exp(min(x, 0) / a) - 1) -> Celu(x, a)", ops<"Add">, fuse_celu, stage::fuse},
    {"Selu", "1.0507 Elu(x, 1.6733) -> Selu(x)", ops<"Mul">, fuse_selu, stage::fuse},
    {"Clip-choices", "where(x > b, b, where(x < a, a, x)) -> Clip(x, a, b)", ops<"Where">, fuse_clip_of_choices,
     stage::fuse},
    {"Swish", "x sigmoid(x) -> Swish(x)", ops<"Mul">, fuse_swish, stage::fuse},
    {"HardSigmoid", "clip(x + 3, 0, 6) / 6 -> HardSigmoid(x)", ops<"Div", "Mul">, fuse_hard_sigmoid, stage::fuse},
    {"HardSwish", "x HardSigmoid(x) -> HardSwish(x)", ops<"Mul">, fuse_hard_swish, stage::fuse},
};

}  // namespace jax2onnx::rewrite
