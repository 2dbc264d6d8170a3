#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Reductions of a higher level than sums.
namespace jax2onnx::rewrite::detail {

inline outcome fuse_mean(const context& c, const value& root) {
  value sum, x;
  reduction r;
  double n = 0;
  if (!match(root, m_op("Div", m_bind(sum, m_reduce("ReduceSum", r, m_value(x))), m_scalar(n))) ||
      root.dims() != sum.dims())
    return {};
  if (!is_floating(x.dtype())) return decline("the mean of integers truncates");
  const dim count = c.g.dims().product(extents_at(x.dims(), r.axes));
  if (!count.is_constant() || static_cast<double>(count.extent()) != n)
    return decline("the divisor is not the number of elements");
  return reduce("ReduceMean", x, r.axes, r.keep);
}

/// n times the number that fills x; nullopt where the sum of n such numbers could be rounded: a count of ones is exact.
inline std::optional<value> sum_of_equal(const value& x, std::int64_t n) {
  graph& g = x.owner();
  if (const auto k = uniform_integer(x))
    return scalar(g, x.dtype(),
                  static_cast<std::int64_t>(static_cast<std::uint64_t>(*k) * static_cast<std::uint64_t>(n)));
  const auto k = uniform_number(x);
  const double sum = k ? *k * static_cast<double>(n) : 0;
  const bool exact = is_computed_in_double(x.dtype()) && k && std::trunc(*k) == *k && std::abs(sum) <= 0x1p24;
  return exact ? std::optional(scalar(g, x.dtype(), sum)) : std::nullopt;
}

inline outcome fold_sum_of_equal(const context& c, const value& root) {
  value x;
  reduction r;
  if (!match(root, m_reduce("ReduceSum", r, m_value(x))) || !producer(x, "Expand") || is_boolean(x.dtype())) return {};
  const dim n = c.g.dims().product(extents_at(x.dims(), r.axes));
  if (!n.is_constant()) return {};
  const std::optional<value> sum = sum_of_equal(x, n.extent());
  return sum ? outcome(broadcast_to(*sum, root.dims())) : outcome();
}

inline outcome fuse_sum_square(const context& c, const value& root) {
  value x, squares;
  reduction r;
  if (!match(root, m_reduce("ReduceSum", r, m_bind(squares, m_square(x, m_any{}))))) return {};
  if (!is_floating(x.dtype())) return decline("the element type is not floating-point");
  if (!c.single_use(squares)) return decline("the squares are read elsewhere too");
  return reduce("ReduceSumSquare", x, r.axes, r.keep);
}

inline outcome fuse_l2(const context& c, const value& root) {
  value x, sum;
  reduction r;
  if (!match(root, m_op("Sqrt", m_bind(sum, m_reduce("ReduceSumSquare", r, m_value(x)))))) return {};
  if (!c.single_use(sum)) return decline("the sum of squares is read elsewhere too");
  return reduce("ReduceL2", x, r.axes, r.keep);
}

inline constexpr rule reduction_rules[] = {
    {"sum-of-equal", "ReduceSum(Expand(c), axes) -> Expand(n c), n the product of the reduced extents",
     "a constant integer c, or a whole number with n c at most 2^24 of float32 or float64", ops<"ReduceSum">,
     fold_sum_of_equal, stage::tidy},
    {"ReduceMean", "ReduceSum(x, axes) / n -> ReduceMean(x, axes), n the product of the reduced extents",
     "floating-point x", ops<"Div">, fuse_mean, stage::fuse},
    {"ReduceSumSquare", "ReduceSum(x x, axes) -> ReduceSumSquare(x, axes)",
     "floating-point x; the squares are read once", ops<"ReduceSum">, fuse_sum_square, stage::late},
    {"ReduceL2", "Sqrt(ReduceSumSquare(x, axes)) -> ReduceL2(x, axes)", "the sum of squares is read once", ops<"Sqrt">,
     fuse_l2, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
