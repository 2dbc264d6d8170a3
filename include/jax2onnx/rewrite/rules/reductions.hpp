#pragma once

#include <cmath>
#include <cstdint>
#include <optional>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Reductions of a higher level than sums.
namespace jax2onnx::rewrite::detail {

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

inline constexpr rule reduction_rules[] = {
    {"sum-of-equal", "ReduceSum(Expand(c), axes) -> Expand(n c), n the product of the reduced extents",
     "a constant integer c, or a whole number with n c at most 2^24 of float32 or float64", ops<"ReduceSum">,
     fold_sum_of_equal, stage::tidy},
    equation<"ReduceMean",
             "s / n -> ReduceMean(x, r) where s = ReduceSum(x, r) for number(n), same_shape(s, root) "
             "if floating(x) 'the mean of integers truncates', "
             "n = size(x, r) 'the divisor is not the number of elements' within 1 ulps of ordinary numbers 'float16 is "
             "added in float32'">(stage::fuse),
    equation<"ReduceSumSquare",
             "ReduceSum(q, r) -> ReduceSumSquare(x, r) where q = x x "
             "if floating(x), once(q) 'the squares are read elsewhere too' within 2 ulps 'added in another order'">(
        stage::late),
    equation<"ReduceL2",
             "Sqrt(s) -> ReduceL2(x, r) where s = ReduceSumSquare(x, r) "
             "if once(s) 'the sum of squares is read elsewhere too' within 4 ulps of ordinary numbers 'float16 is "
             "squared and added in float32'">(stage::late),
};

}  // namespace jax2onnx::rewrite::detail
