// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Rules of arithmetic that are exact for every value of the dtype.
namespace jax2onnx::rewrite::detail {

inline constexpr rule tidy_algebra_rules[] = {
    equation<"join-casts", "Cast(y) -> Cast(x) where y = Cast(x) if exact(x, y)">(),
    equation<"cast-of-table",
             "Cast(g) -> Gather(converted(c), i, *) where g = Gather(c, i, *) for constant(c) "
             "if once(g) 'the gathered elements are read elsewhere too'">(),
    equation<"compare-of-bool", "n == 1 | n > 0 -> b; n == 0 | n < 1 -> Not(b) where n = Cast(b) for boolean(b)">(),
    equation<"cast-of-choice",
             "Cast(Where(c, 1, 0) | Where(c, -1, 0)) -> c; Cast(Where(c, 0, 1)) -> Not(c) for boolean(root)">(),
    // ONNX Runtime has no kernel of Where for bool.
    equation<"choice-of-truths",
             "Where(c, 1, 0) -> c; Where(c, 0, 1) -> Not(c); Where(c, a, 0) -> And(c, a); Where(c, 1, b) -> Or(c, b); "
             "Where(c, 0, b) -> And(Not(c), b); Where(c, a, 1) -> Or(Not(c), a) for boolean(root)">(),
    // x + 0 does not become x, since -0 + 0 is 0.
    equation<"drop-neutral",
             "x + filled(-0) | x - filled(+0) | x filled(1) | x / filled(1) | Pow(x, filled(1)) | "
             "Max(x, filled(-inf)) | Min(x, filled(inf)) | And(x, filled(1)) | Or(x, filled(0)) | Xor(x, filled(0)) "
             "-> shaped(x)">(),
    // Adam computes this root of its second moment if its parameter eps_root is 0. The sign of a zero under the root
    // does not matter, since c is added to the root.
    equation<"drop-zero-under-root", "Sqrt(x + 0) + c -> Sqrt(x) + c for number(c), c != 0">(),
    // 1 / (1 / x) does not become x, since Reciprocal rounds.
    equation<"drop-involution", "-(-x) | Not(Not(x)) -> x">(),
    equation<"join-negations",
             "And(n, m) -> Not(Or(a, b)); Or(n, m) -> Not(And(a, b)) where n = Not(a), m = Not(b) "
             "if once(n) 'a negation is read elsewhere too', once(m) 'a negation is read elsewhere too'">(),
    // Floats are excluded, since no comparison with NaN holds.
    equation<"drop-negation",
             "Not(l) -> x >= y; Not(g) -> x <= y; Not(m) -> x > y; Not(n) -> x < y "
             "where l = Less(x, y), g = Greater(x, y), m = LessOrEqual(x, y), n = GreaterOrEqual(x, y) for integer(x) "
             "if once(l) 'the comparison is read elsewhere too', once(g) 'the comparison is read elsewhere too', "
             "once(m) 'the comparison is read elsewhere too', once(n) 'the comparison is read elsewhere too'">(),
    // JAX's indexing adds the extent to negative indices only. If the range analysis knows the sign of an index, the
    // condition is constant.
    equation<"known-where",
             "Where(filled(1), a, b) | Where(_, a, a) -> broadcast(a); Where(filled(0), a, b) -> broadcast(b) "
             "within 0 ulps 'Where of ONNX Runtime drops the sign of -0'">(),
    // Checks of indices compare an index with the clamped index. If the range analysis removes the clamp, both are the
    // same value.
    equation<"equal-to-itself",
             "Where(x == x, a, b) -> broadcast(a) for integer(x) "
             "within 0 ulps 'Where of ONNX Runtime drops the sign of -0'">(),
    equation<"turn-where",
             "Where(Not(c), a, b) -> Where(c, b, a) "
             "within 0 ulps 'Where of ONNX Runtime drops the sign of -0'">(),
    // The gradient of a ReLU before max pooling has two nested Wheres.
    equation<"join-choices",
             "Where(c, n, b) -> Where(And(c, d), a, b); Where(c, v, b) -> as(Where(And(as(c, w), d), a, b), root) "
             "where n = Where(d, a, b), v = reshaped(w), w = Where(d, a, b) for number(b), rank(b) = 0 "
             "if once(n) 'the inner choice is read elsewhere too', once(v) 'the inner choice is read elsewhere too', "
             "once(w) 'the inner choice is read elsewhere too', same_shape(c, v) 'a condition is broadcast', "
             "same_shape(v, root) 'a condition is broadcast', same_shape(d, w) 'a condition is broadcast' "
             "within 0 ulps 'Where of ONNX Runtime drops the sign of -0'">(stage::fuse),
    // jnp.trunc has this form. ONNX Runtime's Where keeps -0 only if it is in the last operand.
    equation<"turn-truncation",
             "Where(x < 0, u, d) -> Where(x > 0, d, u) where u = Ceil(x), d = Floor(x) "
             "within 0 ulps 'Where of ONNX Runtime drops the sign of -0'">(),
    // jnp.copysign has this form. ONNX Runtime's Where drops the sign of -0, and the product keeps it.
    equation<"sign-factor",
             "Where(c, n, x) -> x Where(c, -1, 1); Where(c, x, n) -> x Where(c, 1, -1) where n = -x "
             "for floating(x), same_shape(x, root) if once(n) 'the negative is read elsewhere too' "
             "within 0 ulps 'Where of ONNX Runtime drops the sign of -0'">(stage::exact),
};

}  // namespace jax2onnx::rewrite::detail
