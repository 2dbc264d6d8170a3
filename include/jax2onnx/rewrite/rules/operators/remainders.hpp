// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Remainders with the sign of the divisor, and quotients that are rounded down. jnp.remainder (%) computes these
/// remainders from remainders with the sign of the dividend. jnp.floor_divide (//) computes these quotients from
/// truncated quotients.
namespace jax2onnx::rewrite::detail {

// Division of an integer by 0, or of the lowest integer by -1, ends the process that runs the model. r is the remainder
// of truncated division: Mod for 32 bits and fewer, x - (x / d) d for 64 bits. If r is not 0 and its sign differs from
// that of d, d has to be added.
inline constexpr rule remainder_rules[] = {
    equation<"Mod",
             "Where(And(r < 0, Not(r == 0)), r + d, r) -> Mod(x, d, fmod=0); "
             "Where(And(Xor(t < 0, 1), Not(t == 0)), t + e, t) -> Mod(x, e, fmod=0) "
             "where r = Mod(x, d, fmod=1) | x - (x / d) d, t = Mod(x, e, fmod=1) | x - (x / e) e "
             "for integer(x), constant(d, e) "
             "if 0 < filled(d) 'the divisor may be 0 or -1', filled(e) < -1 'the divisor may be 0 or -1'">(stage::fuse),
    equation<"fraction",
             "Where(And(r < 0, Not(r == 0)), r + 1, r) -> x - Floor(x) where r = Mod(x, 1, fmod=1) for floating(x) "
             "within 0 ulps 'signs of zeros'">(stage::fuse),
    // For a positive d, the truncated quotient is too large by 1 if the remainder is negative. If the range analysis
    // shows that x is not negative, the comparison becomes a constant, and only the quotient remains.
    equation<"floor-quotient",
             "Where(Or(Sign(x) == 1, r == 0), q, q - 1) -> Where(r < 0, q - 1, q) "
             "where q = x / d, r = Mod(x, d, fmod=1) | x - (x / d) d for integer(x), constant(d) "
             "if 0 < filled(d) 'the divisor may be negative'">(),
    // jnp.remainder compares the remainder with 0 in this way. This rule runs late, since the rules above match both
    // comparisons.
    equation<"negative-not-zero", "And(r < 0, Not(r == 0)) -> r < 0">(stage::late),
};

}  // namespace jax2onnx::rewrite::detail
