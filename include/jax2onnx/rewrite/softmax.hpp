#pragma once

#include <string_view>

#include <jax2onnx/build/ops.hpp>
#include <jax2onnx/rewrite/match.hpp>
#include <jax2onnx/rewrite/rule.hpp>

/// Softmax and its relatives, as jax.nn and jax.scipy.special write them out.
namespace jax2onnx::rewrite {

/// ONNX's Softmax and LogSoftmax are along one axis, and ONNX Runtime has them for f32 and f64; f16 and bf16 are widened.
inline std::string_view along_one_axis(const reduction& r) {
  if (r.axes.size() != 1) return "it is over more than one axis";
  return r.keep ? std::string_view() : "the reduced axis is not kept";
}

// Pattern: Div(e, ReduceSum(e)) -> Softmax(x)   where e = Exp(Sub(x, ReduceMax(x)))
inline outcome fuse_softmax(const context& c, const value& root) {
  value e, x;
  reduction sum, max;
  const auto exponentials = m_op<"Exp">(m_op<"Sub">(m_value(x), m_reduce<"ReduceMax">(max, m_same(x))));
  if (!match(root, m_op<"Div">(m_bind(e, exponentials), m_reduce<"ReduceSum">(sum, m_same(e))))) return {};
  if (max != sum) return decline("the maximum and the sum are over different axes");
  if (const std::string_view why = along_one_axis(sum); !why.empty()) return decline(why);
  return c.g.emit("Softmax", {x}, root.type(), {{"axis", sum.axes[0]}});
}

// Pattern: Sub(d, Log(ReduceSum(Exp(d)))) -> LogSoftmax(x)   where d = Sub(x, ReduceMax(x))
inline outcome fuse_log_softmax(const context& c, const value& root) {
  value d, x;
  reduction sum, max;
  const auto shifted = m_op<"Sub">(m_value(x), m_reduce<"ReduceMax">(max, m_same(x)));
  if (!match(root, m_op<"Sub">(m_bind(d, shifted), m_op<"Log">(m_reduce<"ReduceSum">(sum, m_op<"Exp">(m_same(d))))))) return {};
  if (max != sum) return decline("the maximum and the sum are over different axes");
  if (const std::string_view why = along_one_axis(sum); !why.empty()) return decline(why);
  return c.g.emit("LogSoftmax", {x}, root.type(), {{"axis", sum.axes[0]}});
}

// Pattern: Log(Softmax(x)) -> LogSoftmax(x)   declined: the log of a softmax that underflows is -inf, LogSoftmax's is not

inline constexpr std::string_view softmax_root[] = {"Div"}, log_softmax_root[] = {"Sub"};

inline constexpr rule softmax_rules[] = {
    {"Softmax", "e / sum(e) -> Softmax(x), e = exp(x - max(x))", softmax_root, fuse_softmax, stage::fuse},
    {"LogSoftmax", "d - log(sum(exp(d))) -> LogSoftmax(x), d = x - max(x)", log_softmax_root, fuse_log_softmax, stage::fuse},
};

}  // namespace jax2onnx::rewrite
