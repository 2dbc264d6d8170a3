#pragma once

#include <cstdint>
#include <optional>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Remainders with the sign of the divisor, as jnp.remainder and % make them of those with the sign of the dividend.
namespace jax2onnx::rewrite::detail {

/// r = rem(x, d), which truncates: Mod of 32 bits and fewer, x - x / d d of 64 bits.
inline bool match_truncated_remainder(const value& r, value& x, const value& d) {
  if (match(r, m_op("Mod", m_value(x), m_same(d)))) return flag_of(r, "fmod");
  return match(r, m_op("Sub", m_value(x), m_commutes("Mul", m_op("Div", m_same(x), m_same(d)), m_same(d))));
}

/// Where r is not 0 and has another sign than d.
inline bool is_wrong_sign(const value& v, const value& r, double d) {
  const auto negative = [&](const value& b) { return match(b, m_op("Less", m_same(r), m_number(0))); };
  const auto other = [&](const value& b) {
    return d > 0 ? negative(b) : match(b, m_commutes("Xor", negative, m_number(1)));
  };
  return match(v, m_commutes("And", other, m_op("Not", m_commutes("Equal", m_same(r), m_number(0)))));
}

/// Dividing integers by 0, or the least one by -1, ends the process.
inline outcome fuse_remainder(const context& c, const value& root) {
  value wrong, d, r, x;
  if (!match(root, m_op("Where", m_value(wrong), m_op("Add", m_value(r), m_value(d)), m_same(r)))) return {};
  const std::optional<double> divisor = splat_number(d);
  if (!is_integer(r.dtype()) || !match_truncated_remainder(r, x, d)) return {};
  if (!divisor || *divisor == 0 || *divisor == -1) return decline("the divisor may be 0 or -1");
  if (!is_wrong_sign(wrong, r, *divisor) || r.dims() != root.dims()) return {};
  return c.g.emit("Mod", {x, d}, root.type(), {{"fmod", std::int64_t{0}}});
}

inline constexpr rule remainder_rules[] = {
    {"Mod", "Where(And(r < 0, Not(r = 0)), r + d, r) -> Mod(x, d), r = Mod(x, d, fmod=1) or x - x / d d",
     "integers, a constant d other than 0 and -1; r < 0 is negated for a negative d", ops<"Where">, fuse_remainder,
     stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
