#pragma once

#include <cmath>
#include <numbers>
#include <string_view>

#include <jax2onnx/build/ops.hpp>
#include <jax2onnx/rewrite/match.hpp>
#include <jax2onnx/rewrite/rule.hpp>

/// Activation functions, as jax.nn writes them out.
namespace jax2onnx::rewrite {

/// ONNX Runtime has the kernel for f32 only; f16 and bf16 are widened to it, f64 has nothing wider.
inline std::string_view only_up_to_f32(const value& v) {
  if (!is_floating(v.dtype())) return "it is not of floating-point type";
  return v.dtype() == dtype::f64 ? "ONNX Runtime has no float64 kernel of it" : std::string_view();
}

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
  if (!is_floating(x.dtype()) && x.dtype() != dtype::i32 && x.dtype() != dtype::i64) return decline("Clip is not of this type everywhere");
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
  return m_any_of(m_commutes<"Mul">(m_same(x), m_op<"Mul">(m_same(x), m_same(x))), m_op<"Pow">(m_same(x), m_number(3)));
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
  return m_any_of(m_commutes<"Mul">(m_same(x), m_number(std::numbers::sqrt2 / 2)), m_op<"Div">(m_same(x), m_number(std::numbers::sqrt2)));
}

// Pattern: x (1 + erf(x / sqrt(2))) / 2 -> Gelu(x), and x (1 - erf(-x / sqrt(2))) / 2, which is jax.nn's erfc form
inline outcome fuse_gelu_erf(const context& c, const value& root) {
  value x;
  const auto negated = m_any_of(m_commutes<"Mul">(m_op<"Neg">(m_same(x)), m_number(std::numbers::sqrt2 / 2)), m_op<"Neg">(m_over_sqrt2(x)));
  const auto cdf = m_any_of(m_commutes<"Add">(m_number(1), m_op<"Erf">(m_over_sqrt2(x))), m_op<"Sub">(m_number(1), m_op<"Erf">(negated)));
  const auto exact_cdf = m_any_of(cdf, m_op<"Where">(m_any(), cdf, m_any()));  // with a tail for large operands of erfc
  if (!match(root, m_product(m_value(x), m_number(0.5), exact_cdf))) return {};
  return emit_gelu(c, x, root, "none");
}

// Pattern: x sigmoid(x) -> Swish(x)
inline outcome fuse_swish(const context& c, const value& root) {
  value x;
  if (!match(root, m_commutes<"Mul">(m_value(x), m_op<"Sigmoid">(m_same(x))))) return {};
  if (c.g.opset() < 24) return decline("Swish needs opset 24");
  return c.g.emit("Swish", {x}, root.type(), {{"alpha", 1.0f}});
}

// Pattern: Clip(x + 3, 0, 6) / 6 -> HardSigmoid(x, 1/6, 1/2)
inline outcome fuse_hard_sigmoid(const context& c, const value& root) {
  value x;
  const auto clipped = m_op<"Clip">(m_commutes<"Add">(m_value(x), m_number(3)), m_number(0), m_number(6));
  if (!match(root, m_op<"Div">(clipped, m_number(6))) && !match(root, m_commutes<"Mul">(clipped, m_number(1.0 / 6)))) return {};
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

inline constexpr std::string_view max_root[] = {"Max"}, min_root[] = {"Min"}, where_roots[] = {"Where"}, mul_root[] = {"Mul"},
                                  scaled_roots[] = {"Div", "Mul"};

inline constexpr rule activation_rules[] = {
    {"Relu", "max(x, 0) -> Relu(x)", max_root, fuse_relu, stage::fuse},
    {"Clip", "min(max(x, a), b) -> Clip(x, a, b)", min_root, fuse_clip, stage::fuse},
    {"LeakyRelu", "where(x >= 0, x, a x) -> LeakyRelu(x, a)", where_roots, fuse_leaky_relu, stage::fuse},
    {"Gelu-tanh", "x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 -> Gelu(x, tanh)", mul_root, fuse_gelu_tanh, stage::fuse},
    {"Gelu", "x (1 + erf(x / sqrt(2))) / 2 -> Gelu(x)", mul_root, fuse_gelu_erf, stage::fuse},
    {"Swish", "x sigmoid(x) -> Swish(x)", mul_root, fuse_swish, stage::fuse},
    {"HardSigmoid", "clip(x + 3, 0, 6) / 6 -> HardSigmoid(x)", scaled_roots, fuse_hard_sigmoid, stage::fuse},
    {"HardSwish", "x HardSigmoid(x) -> HardSwish(x)", mul_root, fuse_hard_swish, stage::fuse},
};

}  // namespace jax2onnx::rewrite
