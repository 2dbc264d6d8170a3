// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Normalization layers, as Flax, Equinox, Haiku and Keras decompose them.
namespace jax2onnx::rewrite::detail {

inline constexpr rule normalization_rules[] = {
    // Programs compute the statistics of narrow floats in float32. The reduced axes may be kept, restored or removed.
    // If a program squares a float16 x in float16, the squares of large numbers are infinite, and the program's results
    // are 0. ONNX's results are not 0.
    equation<"LayerNormalization",
             "d i g | (d / q) g -> LayerNormalization(x, spread(g, x, r), axis=r, epsilon=e) "
             "where d = x - u, u = ones?(cast?(ReduceMean(cast?(x), r))), i = ones?(cast?(Reciprocal(k) | 1 / k)), "
             "q = cast?(k), k = Sqrt(cast?(ones?(e + v))), v = z | ones?(Relu(z)), z = ones?(y | w), "
             "y = cast?(ReduceMean(cast?(d d), s)), "
             "w = ones?(cast?(ReduceMean(cast?(x x), t))) - ones?(m m), "
             "m = ones?(cast?(ReduceMean(cast?(x), s))) for number(e), same_axes(t, s), same_shape(x, root) "
             "if same_axes(r, s) 'mean and variance are over different axes', "
             "at_most_f32(x) 'ONNX computes the statistics in float32', squares_fit(x), "
             "trailing(r, x), in_place(u, x, r), in_place(i, x, r), in_place(q, x, r) "
             "within 64 ulps of ordinary numbers 'the variance is computed differently'">(stage::fuse),
    equation<"LayerNormalization-bias",
             "l + b -> LayerNormalization(x, g, alike(b, g), *) where l = LayerNormalization(x, g, *) "
             "for same_shape(x, root) if once(l) 'the result is also read without the bias' "
             "within 4 ulps of ordinary numbers 'rounding differs'">(stage::fuse),
    equation<"RMSNormalization",
             "i x g | (x / q) g -> RMSNormalization(x, spread(g, x, r), axis=r, epsilon=e) "
             "where i = ones?(cast?(Reciprocal(k) | 1 / k)), q = cast?(k), k = Sqrt(cast?(ones?(e + v))), "
             "v = ones?(cast?(ReduceMean(cast?(x x), r))) for number(e), same_shape(x, root) "
             "if 23 <= opset 'RMSNormalization needs opset 23', "
             "at_most_f32(x) 'ONNX computes the statistics in float32', squares_fit(x), "
             "trailing(r, x), in_place(i, x, r), in_place(q, x, r) "
             "within 64 ulps of ordinary numbers 'squares are added in another order'">(stage::fuse),
    equation<"LayerNormalization-plain",
             "d i | d / q -> LayerNormalization(x, all_ones(x, r), axis=r, epsilon=e) "
             "where d = x - u, u = ones?(cast?(ReduceMean(cast?(x), r))), i = ones?(cast?(Reciprocal(k) | 1 / k)), "
             "q = cast?(k), k = Sqrt(cast?(ones?(e + v))), v = z | ones?(Relu(z)), z = ones?(y | w), "
             "y = cast?(ReduceMean(cast?(d d), s)), "
             "w = ones?(cast?(ReduceMean(cast?(x x), t))) - ones?(m m), "
             "m = ones?(cast?(ReduceMean(cast?(x), s))) for number(e), same_axes(t, s), same_shape(x, root) "
             "if same_axes(r, s) 'mean and variance are over different axes', "
             "at_most_f32(x) 'ONNX computes the statistics in float32', squares_fit(x), "
             "trailing(r, x), in_place(u, x, r), in_place(i, x, r), in_place(q, x, r) "
             "within 64 ulps of ordinary numbers 'the variance is computed differently'">(stage::late),
    equation<"RMSNormalization-plain",
             "i x | x / q -> RMSNormalization(x, all_ones(x, r), axis=r, epsilon=e) "
             "where i = ones?(cast?(Reciprocal(k) | 1 / k)), q = cast?(k), k = Sqrt(cast?(ones?(e + v))), "
             "v = ones?(cast?(ReduceMean(cast?(x x), r))) for number(e), same_shape(x, root) "
             "if 23 <= opset 'RMSNormalization needs opset 23', "
             "at_most_f32(x) 'ONNX computes the statistics in float32', squares_fit(x), "
             "trailing(r, x), in_place(i, x, r), in_place(q, x, r) "
             "within 64 ulps of ordinary numbers 'squares are added in another order'">(stage::late),
    // Most libraries have the first form, and Keras has the other two. The channels are the second or the last axis.
    equation<"BatchNormalization",
             "(x - m) i g + b | f x + ((-m) f + b) | f x + (b - m f) -> "
             "channels_back(BatchNormalization(channels_second(x, m), vector_of(g), vector_of(b), vector_of(m), "
             "vector_of(v), epsilon=e), m) "
             "where f = i g, i = ones?(cast?(Reciprocal(k) | 1 / k)), k = Sqrt(cast?(ones?(e + v))) "
             "for number(e), 2 <= rank(x), same_shape(x, root) "
             "if per_channel(m, m, x), per_channel(i, m, x), per_channel(g, m, x), per_channel(b, m, x) "
             "within 64 ulps of ordinary numbers 'rounding differs'">(stage::fuse),
};

}  // namespace jax2onnx::rewrite::detail
