// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Sums of equal elements, sums that become ReduceMean, ReduceSumSquare or ReduceL2, and maxima or minima of few
/// elements.
namespace jax2onnx::rewrite::detail {

/// Computes the maximum or minimum of each of many short rows by one Max or Min of the columns. ONNX Runtime's
/// ReduceMax and ReduceMin take longer than Max and Min, and lose NaN.
inline outcome extremes_of_columns(const context& c, const value& root) {
  constexpr std::int64_t most_columns = 4, fewest_rows = 1024;
  const auto r = reduction_of(root);
  const value x = input_of(root, 0);
  if (!is_onnx_runtime(c.runtime) || !r || r->axes != ints{x.rank() - 1} || !is_static(x.dims())) return {};
  if (x.dtype() != dtype::f32 && x.dtype() != dtype::f64) return {};
  const std::int64_t columns = x.dims().back().extent();
  if (columns < 2 || columns > most_columns) return {};
  if (c.g.dims().product(x.dims().head(x.rank() - 1)).extent() < fewest_rows) return decline("there are few rows");
  std::vector<value> elements;
  for (std::int64_t i = 0; i < columns; ++i) elements.push_back(pick(x, i, x.rank() - 1));
  constexpr operator_name largest = "Max", smallest = "Min";
  const value y = c.g.emit(producer(root, "ReduceMax") ? largest : smallest, elements, elements[0].type());
  return r->keep ? unsqueeze(y, r->axes) : y;
}

inline constexpr rule reduction_rules[] = {
    equation<"sum-of-equal", "ReduceSum(x, r) -> broadcast(counted(c, x, r)) where x = Expand(c, s) for number(c)">(),
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
    {"few-extremes", "ReduceMax(x, last) -> Max(x[..., 0], x[..., 1], ...), ReduceMin(x, last) -> Min(...)",
     "only for ONNX Runtime; float32 or float64; 2 to 4 elements in each of at least 1024 rows; constant extents",
     ops<"ReduceMax", "ReduceMin">, extremes_of_columns, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
