#pragma once

#include <string_view>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/op_sets.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>

/// Reductions of a higher level than sums.
namespace jax2onnx::rewrite {

// Pattern: ReduceSum(x, axes) / n -> ReduceMean(x, axes)   where n is the product of the reduced extents
inline outcome fuse_mean(const context& c, const value& root) {
  value sum, x;
  reduction r;
  double n = 0;
  if (!match(root, m_op<"Div">(m_bind(sum, m_reduce<"ReduceSum">(r, m_value(x))), m_scalar(n))) ||
      root.dims() != sum.dims())
    return {};
  if (!is_floating(x.dtype())) return decline("the mean of integers truncates");
  const dim count = c.g.dims().product(extents_at(x.dims(), r.axes));
  if (!count.is_constant() || static_cast<double>(count.extent()) != n)
    return decline("the divisor is not the number of elements");
  return reduce("ReduceMean", x, r.axes, r.keep);
}

// Pattern: ReduceSum(x x) -> ReduceSumSquare(x)
inline outcome fuse_sum_square(const context& c, const value& root) {
  value x, squares;
  reduction r;
  if (!match(root, m_reduce<"ReduceSum">(r, m_bind(squares, m_square(x, m_any()))))) return {};
  if (!is_floating(x.dtype())) return decline("ONNX Runtime's kernel is for floating-point types");
  if (!c.single_use(squares)) return decline("the squares are read too");
  return reduce("ReduceSumSquare", x, r.axes, r.keep);
}

// Pattern: Sqrt(ReduceSumSquare(x)) -> ReduceL2(x)
inline outcome fuse_l2(const context& c, const value& root) {
  value x, sum;
  reduction r;
  if (!match(root, m_op<"Sqrt">(m_bind(sum, m_reduce<"ReduceSumSquare">(r, m_value(x)))))) return {};
  if (!c.single_use(sum)) return decline("the sum of squares is read too");
  return reduce("ReduceL2", x, r.axes, r.keep);
}

inline constexpr rule reduction_rules[] = {
    {"ReduceMean", "ReduceSum(x) / n -> ReduceMean(x)", ops<"Div">, fuse_mean, stage::fuse},
    {"ReduceSumSquare", "ReduceSum(x x) -> ReduceSumSquare(x)", ops<"ReduceSum">, fuse_sum_square, stage::late},
    {"ReduceL2", "Sqrt(ReduceSumSquare(x)) -> ReduceL2(x)", ops<"Sqrt">, fuse_l2, stage::late},
};

}  // namespace jax2onnx::rewrite
