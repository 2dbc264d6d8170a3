// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Reductions of a higher level than sums.
namespace jax2onnx::rewrite::detail {

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
};

}  // namespace jax2onnx::rewrite::detail
