#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/match_math.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Activation functions, as jax.nn decomposes them.
namespace jax2onnx::rewrite::detail {

inline outcome fuse_relu(const context&, const value& root) {
  value x;
  if (!match(root, m_commutes("Max", m_value(x), m_number(0))) || x.dims() != root.dims()) return {};
  if (!is_floating(x.dtype())) return decline("the element type is not floating-point");
  return unary("Relu", x);
}

/// Clip takes integers of 32 and 64 bits in every opset and runtime, narrower ones only in some.
inline bool has_clip(dtype t) { return is_floating(t) || t == dtype::i32 || t == dtype::i64; }

inline outcome fuse_clip(const context& c, const value& root) {
  value x, inner;
  double low = 0, high = 0;
  const bool of_max =
      match(root, m_commutes("Min", m_bind(inner, m_commutes("Max", m_value(x), m_scalar(low))), m_scalar(high)));
  if (!of_max && !match(root, m_commutes("Min", m_bind(inner, m_op("Relu", m_value(x))), m_scalar(high)))) return {};
  if (!of_max) low = 0;
  if (x.dims() != root.dims()) return {};
  if (!(low <= high)) return decline("the lower bound is above the upper bound");
  if (!has_clip(x.dtype())) return decline("some runtimes have no Clip of this element type");
  if (!c.single_use(inner)) return decline("the lower clamp is read elsewhere too");
  const auto bound = [&](double n) {
    return is_floating(x.dtype()) ? scalar(c.g, x.dtype(), n) : scalar(c.g, x.dtype(), static_cast<std::int64_t>(n));
  };
  return c.g.emit("Clip", {x, bound(low), bound(high)}, root.type());
}

inline outcome fuse_leaky_relu(const context& c, const value& root) {
  value x;
  double slope = 0;
  const auto scaled = [&](const value& v) { return match(v, m_commutes("Mul", m_same(x), m_scalar(slope))); };
  const bool found = match(root, m_op("Where", m_op("GreaterOrEqual", m_value(x), m_number(0)), m_same(x), scaled)) ||
                     match(root, m_op("Where", m_op("Greater", m_value(x), m_number(0)), m_same(x), scaled)) ||
                     match(root, m_op("Where", m_op("Less", m_value(x), m_number(0)), scaled, m_same(x)));
  if (!found || x.dims() != root.dims()) return {};
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("LeakyRelu", {x}, root.type(), {{"alpha", static_cast<float>(slope)}});
}

/// x^3
inline auto m_cube(const value& x) {
  return m_composite([&x](const value& v) {
    const auto factor = [&](const value& f) { return match(f, m_up_to_casts(m_same(x))); };
    return match(v, m_up_to_casts(m_any_of(m_commutes("Mul", factor, m_op("Mul", factor, factor)),
                                           m_op("Pow", m_same(x), m_number(3)))));
  });
}

inline outcome emit_gelu(const context& c, const value& x, const value& root, std::string approximate) {
  if (c.g.opset() < 20) return decline("Gelu needs opset 20");
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  if (x.dims() != root.dims()) return {};
  return c.g.emit("Gelu", {x}, root.type(), {{"approximate", std::move(approximate)}});
}

inline outcome fuse_gelu_tanh(const context& c, const value& root) {
  value x;
  const auto cubic = [&](const value& v) {
    return match(v, m_commutes("Add", m_same(x), m_commutes("Mul", m_number(0.044715), m_cube(x))));
  };
  const auto tangent = [&](const value& v) {
    return match(v, m_op("Tanh", m_commutes("Mul", m_number(std::sqrt(2 / std::numbers::pi)), cubic)));
  };
  if (!match(root, m_product(m_value(x), m_number(0.5), m_commutes("Add", m_number(1), tangent)))) return {};
  return emit_gelu(c, x, root, "tanh");
}

/// x / sqrt(2)
inline bool is_over_sqrt2(const value& v, const value& x) {
  return match(v, m_any_of(m_commutes("Mul", m_same(x), m_number(std::numbers::sqrt2 / 2)),
                           m_op("Div", m_same(x), m_number(std::numbers::sqrt2))));
}
/// -x / sqrt(2)
inline bool is_minus_over_sqrt2(const value& v, const value& x) {
  const auto quotient = [&](const value& q) { return is_over_sqrt2(q, x); };
  return match(
      v, m_any_of(m_commutes("Mul", m_op("Neg", m_same(x)), m_number(std::numbers::sqrt2 / 2)), m_op("Neg", quotient)));
}

/// 1 + erf(x / sqrt(2)) or 1 - erf(-x / sqrt(2))
inline bool is_erf_sum(const value& v, const value& x) {
  const auto positive = [&](const value& y) { return is_over_sqrt2(y, x); };
  const auto negative = [&](const value& y) { return is_minus_over_sqrt2(y, x); };
  return match(v, m_any_of(m_commutes("Add", m_number(1), m_up_to_casts(m_op("Erf", m_up_to_casts(positive)))),
                           m_op("Sub", m_number(1), m_op("Erf", m_up_to_casts(negative)))));
}

/// erfc(-x / sqrt(2)) as `erfc` is lowered, with a tail of small relative error: Where(y < 1/2, 1 - erf(y), t exp(... -
/// y^2))
inline bool is_lowered_erfc(const value& v, const value& x) {
  value y;
  const auto negative = [&](const value& n) { return is_minus_over_sqrt2(n, x); };
  const auto near_zero = [&](const value& n) { return match(n, m_op("Sub", m_number(1), m_op("Erf", m_same(y)))); };
  const auto tail = [&](const value& t) {
    return match(t, m_op("Mul", m_op("Reciprocal", m_any{}),
                         m_op("Exp", m_op("Sub", m_any{}, m_op("Mul", m_same(y), m_same(y))))));
  };
  return match(v, m_op("Where", m_op("Less", m_bind(y, m_up_to_casts(negative)), m_number(0.5)), near_zero, tail));
}

inline outcome fuse_gelu_erf(const context& c, const value& root) {
  value x;
  const auto sum = [&](const value& v) { return is_erf_sum(v, x); };
  const auto erfc = [&](const value& v) { return is_lowered_erfc(v, x); };
  if (!match(root, m_product(m_value(x), m_number(0.5), m_any_of(sum, m_up_to_casts(erfc))))) return {};
  return emit_gelu(c, x, root, "none");
}

/// max(p, 0)
inline auto m_positive_part(const pattern& p) {
  return m_composite([p = subpattern(p)](const value& v) {
    return match(v, m_any_of(m_op("Relu", p), m_commutes("Max", p, m_number(0))));
  });
}

inline outcome fuse_softplus(const context& c, const value& root) {
  value x, e;
  const auto logarithm = [&](const value& v) {
    return match(v, m_log1p(e, m_op("Exp", m_op("Neg", m_op("Abs", m_same(x))))));
  };
  const auto sum = [&](const value& v) { return match(v, m_commutes("Add", m_positive_part(m_same(x)), logarithm)); };
  const auto not_a_number = [&](const value& v) {
    return match(v, m_any_of(m_same(x), m_commutes("Add", m_same(x), m_number(0))));
  };
  if (!match(root, m_op("Where", m_op("IsNaN", m_value(x)), not_a_number, sum))) return {};
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("Softplus", {x}, root.type());
}

inline outcome fuse_mish(const context& c, const value& root) {
  value x;
  if (!match(root, m_commutes("Mul", m_value(x), m_op("Tanh", m_op("Softplus", m_same(x)))))) return {};
  if (c.g.opset() < 18) return decline("Mish needs opset 18");
  return unary("Mish", x);
}

/// a p of a constant a, or p itself; binds a, which is 1 for the latter.
inline auto m_scaled(double& a, const pattern& p) {
  return m_composite([&a, p = subpattern(p)](const value& v) {
    a = 1;
    return p(v) || match(v, m_commutes("Mul", m_scalar(a), p));
  });
}

inline outcome fuse_elu(const context& c, const value& root) {
  value x, inner;
  double alpha = 1;
  const auto guarded = [&](const value& v) {  // 0 where x > 0, so that exp does not overflow
    return match(v,
                 m_any_of(m_same(x), m_op("Where", m_op("Greater", m_same(x), m_number(0)), m_number(0), m_same(x))));
  };
  const auto negative = [&](const value& v) { return match(v, m_scaled(alpha, m_expm1(inner, guarded))); };
  if (!match(root, m_op("Where", m_op("Greater", m_value(x), m_number(0)), m_same(x), negative)) ||
      x.dims() != root.dims())
    return {};
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("Elu", {x}, root.type(), {{"alpha", static_cast<float>(alpha)}});
}

inline outcome fuse_celu(const context& c, const value& root) {
  value x, inner;
  double alpha = 1, divisor = 1;
  const auto negative_part = [&](const value& v) { return match(v, m_commutes("Min", m_same(x), m_number(0))); };
  const auto quotient = [&](const value& v) {
    return match(v, m_any_of(negative_part, m_op("Div", negative_part, m_scalar(divisor))));
  };
  const auto negative = [&](const value& v) { return match(v, m_scaled(alpha, m_expm1(inner, quotient))); };
  if (!match(root, m_commutes("Add", m_positive_part(m_value(x)), negative)) || x.dims() != root.dims()) return {};
  if (divisor != alpha) return decline("the factor differs from the divisor");
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("Celu", {x}, root.type(), {{"alpha", static_cast<float>(alpha)}});
}

inline outcome fuse_selu(const context& c, const value& root) {
  constexpr double alpha = 1.6732632423543772, gamma = 1.0507009873554805;
  value x, elu;
  if (!match(root, m_commutes("Mul", m_bind(elu, m_op("Elu", m_value(x))), m_number(gamma)))) return {};
  const float slope = *attribute_of<float>(elu, "alpha");
  if (!equal_when_rounded(x.dtype(), slope, alpha)) return {};
  return c.g.emit("Selu", {x}, root.type(), {{"alpha", slope}, {"gamma", static_cast<float>(gamma)}});
}

inline outcome fuse_clip_of_choices(const context& c, const value& root) {
  value x;
  double low = 0, high = 0, above = 0, below = 0;
  const auto lower = [&](const value& v) {
    return match(v, m_op("Where", m_op("Less", m_same(x), m_scalar(below)), m_scalar(low), m_same(x)));
  };
  if (!match(root, m_op("Where", m_op("Greater", m_value(x), m_scalar(above)), m_scalar(high), lower)) ||
      x.dims() != root.dims())
    return {};
  if (above != high || below != low) return decline("the bounds differ from the numbers compared with");
  if (!(low <= high)) return decline("the lower bound is above the upper bound");
  if (!is_floating(x.dtype())) return decline("some runtimes have no Clip of this element type");
  return c.g.emit("Clip", {x, scalar(c.g, x.dtype(), low), scalar(c.g, x.dtype(), high)}, root.type());
}

/// At opset 24 only: ONNX Runtime does not expand the Swish of later opsets.
inline outcome fuse_swish(const context& c, const value& root) {
  value x;
  if (!match(root, m_commutes("Mul", m_value(x), m_op("Sigmoid", m_same(x))))) return {};
  if (c.g.opset() != 24) return decline("Swish is used at opset 24 only");
  return c.g.emit("Swish", {x}, root.type(), {{"alpha", 1.0f}});
}

inline outcome fuse_hard_sigmoid(const context& c, const value& root) {
  value x;
  const auto clipped = [&](const value& v) {
    return match(v, m_op("Clip", m_commutes("Add", m_value(x), m_number(3)), m_number(0), m_number(6)));
  };
  if (!match(root, m_op("Div", clipped, m_number(6))) && !match(root, m_commutes("Mul", clipped, m_number(1.0 / 6))))
    return {};
  if (const std::string_view why = only_up_to_f32(root); !why.empty()) return decline(why);
  return c.g.emit("HardSigmoid", {x}, root.type(), {{"alpha", 1.0f / 6}, {"beta", 0.5f}});
}

inline outcome fuse_hard_swish(const context&, const value& root) {
  value x, gate;
  if (!match(root, m_commutes("Mul", m_value(x), m_bind(gate, m_op("HardSigmoid", m_same(x)))))) return {};
  if (attribute_of<float>(gate, "alpha") != 1.0f / 6 || attribute_of<float>(gate, "beta") != 0.5f) return {};
  return unary("HardSwish", x);
}

inline constexpr rule activation_rules[] = {
    {"Relu", "Max(x, 0) -> Relu(x)", "floating-point x", ops<"Max">, fuse_relu, stage::fuse},
    {"Clip", "Min(Max(x, a), b) -> Clip(x, a, b), Min(Relu(x), b) -> Clip(x, 0, b)",
     "scalar constants a <= b; x is floating-point, int32 or int64; the lower clamp is read once", ops<"Min">,
     fuse_clip, stage::fuse},
    {"LeakyRelu", "Where(x >= 0, x, a x) -> LeakyRelu(x, a), also of x > 0 and of Where(x < 0, a x, x)",
     "a scalar constant a; floating-point x, not float64", ops<"Where">, fuse_leaky_relu, stage::fuse},
    {"Gelu-tanh", "x (1 + Tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 -> Gelu(x, approximate=tanh)",
     "opset 20; floating-point x, not float64", ops<"Mul">, fuse_gelu_tanh, stage::fuse},
    {"Gelu",
     "x (1 + Erf(x / sqrt(2))) / 2 -> Gelu(x), x (1 - Erf(-x / sqrt(2))) / 2 -> Gelu(x), "
     "x erfc(-x / sqrt(2)) / 2 -> Gelu(x)",
     "opset 20; floating-point x, not float64", ops<"Mul">, fuse_gelu_erf, stage::fuse},
    {"Softplus", "Where(IsNaN(x), x, Max(x, 0) + log1p(Exp(-Abs(x)))) -> Softplus(x)", "floating-point x, not float64",
     ops<"Where">, fuse_softplus, stage::fuse},
    {"Mish", "x Tanh(Softplus(x)) -> Mish(x)", "opset 18", ops<"Mul">, fuse_mish, stage::fuse},
    {"Elu", "Where(x > 0, x, a (Exp(x) - 1)) -> Elu(x, a), also of Exp(Where(x > 0, 0, x))",
     "a scalar constant a, or none for 1; floating-point x, not float64", ops<"Where">, fuse_elu, stage::fuse},
    {"Celu", "Max(x, 0) + a (Exp(Min(x, 0) / a) - 1) -> Celu(x, a)",
     "a scalar constant a, or none for 1; floating-point x, not float64", ops<"Add">, fuse_celu, stage::fuse},
    {"Selu", "1.0507 Elu(x, 1.6733) -> Selu(x)", "", ops<"Mul">, fuse_selu, stage::fuse},
    {"Clip-choices", "Where(x > b, b, Where(x < a, a, x)) -> Clip(x, a, b)",
     "scalar constants a <= b; floating-point x", ops<"Where">, fuse_clip_of_choices, stage::fuse},
    {"Swish", "x Sigmoid(x) -> Swish(x)", "opset 24, no other", ops<"Mul">, fuse_swish, stage::fuse},
    {"HardSigmoid", "Clip(x + 3, 0, 6) / 6 -> HardSigmoid(x, 1/6, 1/2)", "floating-point x, not float64",
     ops<"Div", "Mul">, fuse_hard_sigmoid, stage::fuse},
    {"HardSwish", "x HardSigmoid(x, 1/6, 1/2) -> HardSwish(x)", "", ops<"Mul">, fuse_hard_swish, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
