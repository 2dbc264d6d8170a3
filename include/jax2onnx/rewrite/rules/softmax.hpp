#pragma once

#include <limits>
#include <string_view>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/rules/tidy_shape.hpp>

/// Softmax and its relatives, as jax.nn and jax.scipy.special write them out.
namespace jax2onnx::rewrite {

/// ONNX's Softmax and LogSoftmax are along one axis, and ONNX Runtime has them for f32 and f64; f16 and bf16 are widened.
inline std::string_view along_one_axis(const reduction& r) {
  if (r.axes.size() != 1) return "it is over more than one axis";
  return r.keep ? std::string_view() : "the reduced axis is not kept";
}

/// The sum over axes, which JAX computes of small floats in f32.
template <class P>
auto m_sum(reduction& r, P p) {
  return m_up_to_casts(m_reduce<"ReduceSum">(r, m_up_to_casts(p)));
}

/// The value bound before, or a Reshape of it that adds leading ones, which a broadcasting operator does without; binds it.
inline auto m_with_leading_ones(value& x) {
  return [&x](const value& v) {
    if (v == x) return true;
    if (!is_reshape(v) || operand(v, 0) != x || !adds_leading_ones(x.dims(), v.dims())) return false;
    x = v;
    return true;
  };
}

// Pattern: Div(e, ReduceSum(e)) -> Softmax(x)   where e = Exp(Sub(x, ReduceMax(x)))
inline outcome fuse_softmax(const context& c, const value& root) {
  value e, x;
  reduction sum, max;
  const auto exponentials = m_op<"Exp">(m_op<"Sub">(m_value(x), m_reduce<"ReduceMax">(max, m_with_leading_ones(x))));
  if (!match(root, m_op<"Div">(m_bind(e, exponentials), m_sum(sum, m_same(e))))) return {};
  if (max != sum) return decline("the maximum and the sum are over different axes");
  if (x.dims() != root.dims()) return {};
  if (const std::string_view why = along_one_axis(sum); !why.empty()) return decline(why);
  return c.g.emit("Softmax", {x}, root.type(), {{"axis", sum.axes[0]}});
}

// Pattern: Sub(d, Log(ReduceSum(Exp(d)))) -> LogSoftmax(x)   where d = Sub(x, ReduceMax(x))
inline outcome fuse_log_softmax(const context& c, const value& root) {
  value d, x;
  reduction sum, max;
  const auto shifted = m_op<"Sub">(m_value(x), m_reduce<"ReduceMax">(max, m_same(x)));
  const auto log_of_sum = m_up_to_casts(m_op<"Log">(m_sum(sum, m_op<"Exp">(m_same(d)))));
  if (!match(root, m_op<"Sub">(m_bind(d, shifted), log_of_sum))) return {};
  if (max != sum) return decline("the maximum and the sum are over different axes");
  if (const std::string_view why = along_one_axis(sum); !why.empty()) return decline(why);
  return c.g.emit("LogSoftmax", {x}, root.type(), {{"axis", sum.axes[0]}});
}

// Pattern: Add(Log(ReduceSum(Exp(Sub(x, m)))), m) -> ReduceLogSumExp(x)   where m = ReduceMax(x), 0 where that is infinite
inline outcome fuse_log_sum_exp(const context&, const value& root) {
  value x, offset, max;
  reduction sum, maximum;
  const auto exponentials = m_op<"Exp">(m_op<"Sub">(m_value(x), m_up_to_ones(m_value(offset))));
  const auto total = m_sum(sum, exponentials);
  const auto log_of_sum = m_up_to_casts(m_op<"Log">(m_any_of(total, m_op<"Abs">(total))));
  const auto is_offset = [&](const value& v) { return match(v, m_up_to_ones(m_same(offset))); };
  if (!match(root, m_commutes<"Add">(log_of_sum, is_offset))) return {};
  const auto greatest = m_up_to_ones(m_bind(max, m_reduce<"ReduceMax">(maximum, m_same(x))));
  const auto is_finite =
      m_op<"Less">(m_op<"Abs">(m_up_to_ones(m_same(max))), m_number(std::numeric_limits<double>::infinity()));
  const auto finite_part = [&](const value& v) {
    return producer(v, "Where") && match(operand(v, 1), greatest) && match(operand(v, 2), m_number(0)) &&
           match(operand(v, 0), is_finite);
  };
  if (!match(offset, m_up_to_ones(finite_part)) && !match(offset, greatest)) return {};
  if (maximum.axes != sum.axes) return decline("the maximum and the sum are over different axes");
  const value y = reduce("ReduceLogSumExp", x, sum.axes, sum.keep);
  return y.dims() == root.dims() ? outcome(y) : outcome(reshape(y, root.dims()));
}

// Pattern: Log(Softmax(x)) -> LogSoftmax(x)   declined: the log of a softmax that underflows is -inf, LogSoftmax's is not

inline constexpr rule softmax_rules[] = {
    {"Softmax", "e / sum(e) -> Softmax(x), e = exp(x - max(x))", ops<"Div">, fuse_softmax, stage::fuse},
    {"LogSoftmax", "d - log(sum(exp(d))) -> LogSoftmax(x), d = x - max(x)", ops<"Sub">, fuse_log_softmax, stage::fuse},
    {"ReduceLogSumExp", "log(sum(exp(x - m))) + m -> ReduceLogSumExp(x), m = max(x)", ops<"Add">, fuse_log_sum_exp,
     stage::fuse},
};

}  // namespace jax2onnx::rewrite
