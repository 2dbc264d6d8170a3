// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <limits>
#include <string_view>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Softmax and its relatives, as jax.nn and jax.scipy.special decompose them. Log(Softmax(x)) does not become
/// LogSoftmax(x): if the softmax of a finite x underflows, Log(Softmax(x)) is -inf, and LogSoftmax(x) is finite.
namespace jax2onnx::rewrite::detail {

/// Matches a sum over axes; a sum of narrow floats may be computed in f32.
inline auto m_sum(reduction& r, const pattern& p) {
  return m_composite([&r, p = subpattern(p)](const value& v) {
    return match(v, m_up_to_narrowing(m_reduce("ReduceSum", r, m_up_to_widening(p))));
  });
}

/// Log(ReduceSum(Exp(x - offset))) + offset.
struct log_sum_exp {
  value x, offset, exponentials;
  value subtracted;  ///< the offset as it broadcasts to x
  reduction sum;
};

/// The operand of v if v only inserts or removes extents of 1, else v.
inline value without_inserted_ones(const value& v) {
  return is_reshape(v) && moves_only_ones(input_of(v, 0).dims(), v.dims()) ? input_of(v, 0) : v;
}

/// Returns whether each sum has its own offset. A maximum that does not keep its axes may be broadcast along other axes
/// of x.
inline bool is_offset_of_rows(const log_sum_exp& l) {
  shape rows = l.x.dims();
  for (const std::int64_t axis : l.sum.axes) rows[static_cast<std::size_t>(axis)] = 1;
  return adds_leading_ones(l.subtracted.dims(), rows);
}

inline bool match_log_sum_exp(const value& root, log_sum_exp& l) {
  const auto offset = [&](const value& v) { return bool(l.offset = without_inserted_ones(l.subtracted = v)); };
  const auto exponentials = [&](const value& v) { return match(v, m_op("Exp", m_op("Sub", m_value(l.x), offset))); };
  const auto total = [&](const value& v) { return match(v, m_sum(l.sum, m_bind(l.exponentials, exponentials))); };
  const auto log_of_sum = [&](const value& v) {
    return match(v, m_up_to_narrowing(m_op("Log", m_any_of(total, m_op("Abs", total)))));
  };
  return match(root, m_commutes("Add", log_of_sum, m_up_to_ones(m_same(l.offset))));
}

/// Returns whether `offset` is ReduceMax(x), with 0 instead of maxima that are infinite or NaN.
inline bool is_finite_maximum(const value& offset, const value& x, reduction& maximum) {
  value max;
  const auto is_finite = [&](const value& v) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return match(v, m_op("Less", m_op("Abs", m_up_to_ones(m_same(max))), m_number(infinity)));
  };
  const auto greatest = [&](const value& v) {
    return match(v, m_up_to_ones(m_bind(max, m_reduce("ReduceMax", maximum, m_same(x)))));
  };
  // The condition comes last, since it compares what the second operand binds.
  const auto finite_part = [&](const value& v) {
    return producer(v, "Where") && match(input_of(v, 1), greatest) && match(input_of(v, 2), m_number(0)) &&
           match(input_of(v, 0), is_finite);
  };
  return match(offset, m_up_to_ones(finite_part));
}

/// Clips the offset to finite numbers instead of replacing infinite and NaN maxima by 0. With either offset, the sum is
/// 0 or infinite if the maximum is infinite, and NaN if the maximum is NaN. `propagate_nan` recognizes the new form.
inline outcome clip_maximum(const context& c, const value& root) {
  log_sum_exp l;
  reduction maximum;
  if (!is_onnx_runtime(c.runtime) || !match_log_sum_exp(root, l) || !is_finite_maximum(l.offset, l.x, maximum))
    return {};
  if (maximum.axes != l.sum.axes) return decline("the maximum and the sum are over different axes");
  if (!is_offset_of_rows(l)) return {};
  const dtype t = l.x.dtype();
  if (bits(t) < 32) return decline("the element type is not float32 or float64");
  if (!c.single_use(l.exponentials)) return decline("the exponentials are read elsewhere too");
  const value lowest = scalar(c.g, t, -largest_finite(t)), highest = scalar(c.g, t, largest_finite(t));
  const bool keep = l.sum.keep || std::ssize(l.sum.axes) < l.x.rank();  // keepdims lets the offset broadcast
  const value offset = clip(reduce("ReduceMax", l.x, l.sum.axes, keep), lowest, highest);
  const value sum = reduce("ReduceSum", exp(sub(l.x, offset)), l.sum.axes, keep);
  const value kept = add(log(sum), offset);
  const value y = root.rank() == kept.rank() ? kept : keep ? squeeze(kept, l.sum.axes) : reshape(kept, root.dims());
  return y.dims() == root.dims() ? outcome(y) : outcome();
}

inline constexpr rule softmax_rules[] = {
    equation<
        "Softmax",
        "e / cast?(ReduceSum(cast?(e), s)) -> Softmax(x, axis=s); "
        "f / cast?(ReduceSum(cast?(f), t)) -> Softmax(y, axis=t) "
        "where e = Exp(x - ReduceMax(x, r)), f = Exp(z - ReduceMax(y, q)), y = reshaped(z) for leading_ones(y) "
        "if alike(r, s) 'the maximum and the sum are over different axes', "
        "alike(q, t) 'the maximum and the sum are over different axes', one_axis(s), one_axis(t), kept(s), kept(t) "
        "within 4 ulps 'rounding differs'">(stage::fuse),
    equation<
        "LogSoftmax",
        "d - cast?(Log(cast?(ReduceSum(cast?(Exp(d)), s)))) -> LogSoftmax(x, axis=s) where d = x - ReduceMax(x, r) "
        "if alike(r, s) 'the maximum and the sum are over different axes', one_axis(s), kept(s), "
        "finite_or_not_f64(root) within 4 ulps 'rounding differs'">(stage::fuse),
    equation<"ReduceLogSumExp",
             "h + o -> reshaped(ReduceLogSumExp(x, s)) where h = cast?(Log(t | Abs(t))), "
             "t = cast?(ReduceSum(cast?(Exp(x - b)), s)), b = ones?(m), o = ones?(m), "
             "m = ones?(ReduceMax(x, r)) | Where(Abs(n) < inf, n, 0), n = ones?(ReduceMax(x, r)) "
             "if same_axes(r, s) 'the maximum and the sum are over different axes', "
             "in_place(b, x, s), "
             "not_onnx_runtime() 'ONNX Runtime takes 0 as the maximum of rows that begin with -inf' "
             "within 8 ulps of ordinary numbers 'rounding differs'">(stage::fuse),
    {"clip-maximum",
     "Log(ReduceSum(Exp(x - m), axes)) + m -> Log(ReduceSum(Exp(x - m'), axes)) + m', "
     "m = ReduceMax(x, axes), or 0 for an infinite maximum, m' = Clip(ReduceMax(x, axes)) to the finite numbers",
     "only for ONNX Runtime; float32 or float64; the exponentials are read once", ops<"Add">, clip_maximum,
     stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
