// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Updates of parameters by optimizers, in training steps.
namespace jax2onnx::rewrite::detail {

inline constexpr rule optimizer_rules[] = {
    // The bias correction of Adam's mean joins the learning rate, which is 0 or far from both 0 and infinity.
    equation<"Adam",
             "r q -> (m / d) (r / s) where q = k / d, k = m / s, s = 1 - Pow(b, n) "
             "for number(b), 0 < b, b < 1, rank(s) = 0, rank(r) = 0, 1 <= rank(root), same_shape(m, root) "
             "if at_least_f32(root), once(k) 'a quotient is read elsewhere too', "
             "once(q) 'a quotient is read elsewhere too' within 4 ulps of ordinary numbers 'rounding differs'">(
        stage::fuse),
};

}  // namespace jax2onnx::rewrite::detail
