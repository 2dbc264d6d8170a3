// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Activation functions, as jax.nn decomposes them. Functions that ops/math.hpp composes (expm1, log1p) are computed in
/// f32 for narrower types.
namespace jax2onnx::rewrite::detail {

/// Softplus(x) = Relu(x) + log(1 + u) with u = exp(-|x|). The rounded sum s = u + 1 lacks u - (s - 1), so log(1 + u) is
/// computed as log(s) + (u - (s - 1)) / s.
inline outcome softplus_of_many(const context& c, const value& root) {
  constexpr std::int64_t least = 4096;
  const value x = input_of(root, 0);
  if (!is_onnx_runtime(c.runtime) || x.dtype() != dtype::f32 || !is_static(x.dims())) return {};
  if (c.g.dims().product(x.dims()).extent() < least) return decline("x has few elements");
  const value u = exp(neg(abs(x))), s = add(u, 1), rounding = div(sub(u, sub(s, 1)), s);
  const value positive = unary("Relu", x), later = add(log(s), rounding);
  return add(positive, later);
}

inline constexpr rule activation_rules[] = {
    equation<"Relu", "Max(x, 0) -> Relu(x) if floating(x) within 0 ulps 'signs of zeros'">(stage::fuse),
    equation<"Clip",
             "Min(m, b) -> Clip(x, a, b); Min(r, c) -> Clip(x, 0, c) where m = Max(x, a), r = Relu(x) "
             "for number(a, b, c) "
             "if a <= b 'the lower bound is above the upper bound', 0 <= c 'the lower bound is above the upper bound', "
             "has_clip(x), once(m) 'the lower clamp is read elsewhere too', once(r) 'the lower clamp is read elsewhere "
             "too' within 0 ulps 'signs of zeros'">(stage::fuse),
    equation<"LeakyRelu",
             "Where(x >= 0 | x > 0, x, y) | Where(x < 0, y, x) -> LeakyRelu(x, alpha=a) where y = a x "
             "for number(a), finite(a) if floating(x), at_most_f32(x) "
             "within 0 ulps 'Where of ONNX Runtime drops the sign of -0'">(stage::fuse),
    equation<"Gelu-tanh",
             "x 0.5 (1 + t) -> Gelu(x, approximate=tanh) where t = Tanh(sqrt(2 / pi) (x + 0.044715 c)), "
             "c = cast?(y (y y) | Pow(x, 3)), y = cast?(x) "
             "if 20 <= opset 'Gelu needs opset 20', at_most_f32(x) within 8 ulps 'rounding differs'">(stage::fuse),
    equation<"Gelu",
             "x 0.5 (s | cast?(c)) -> Gelu(x, approximate=none) "
             "where s = 1 + cast?(Erf(cast?(q))) | 1 - Erf(cast?(n)), "
             "q = x (sqrt(2) / 2) | x / sqrt(2), n = (-x) (sqrt(2) / 2) | -q, "
             "c = Where(y < 0.5, 1 - Erf(y), z Exp(t - y y)), y = cast?(n), z = Reciprocal(y 0.5 + 1), "
             "t = ((((((((z 0.17087277 + -0.82215223) z + 1.48851587) z + -1.13520398) z + 0.27886807) z + "
             "-0.18628806) z + 0.09678418) z + 0.37409196) z + 1.00002368) z + -1.26551223 "
             "if 20 <= opset 'Gelu needs opset 20', at_most_f32(x) within 2 ulps 'rounding differs'">(stage::fuse),
    equation<
        "Softplus",
        "Where(IsNaN(x), x | x + 0, p + cast?(l (cast?(e) / d))) -> Softplus(x) "
        "where p = Relu(x) | Max(x, 0), e = Exp(-Abs(x)), s = cast?(e) + 1, l = Where(s == 1, 1, Log(s)), "
        "d = Where(s == 1, 1, Min(s - 1, 3.4028234663852886e38)) for at_most_f32(x) within 2 ulps 'rounding differs'">(
        stage::fuse),
    equation<"Mish",
             "x Tanh(Softplus(x)) -> Mish(x) if 18 <= opset 'Mish needs opset 18' within 1 ulps 'rounding differs'">(
        stage::fuse),
    equation<"Elu",
             "Where(x > 0, x, m) -> Elu(x, alpha=1); Where(x > 0, x, a m) -> Elu(x, alpha=a) "
             "where m = cast?(Tanh(cast?(u) 0.5) (Exp(cast?(u)) + 1)), u = x | Where(x > 0, 0, x) "
             "for number(a), finite(a) if at_most_f32(x), "
             "not_onnx_runtime() 'ONNX Runtime computes exp(x) - 1, which is imprecise near 0' "
             "within 8 ulps 'rounding differs'">(stage::fuse),
    equation<"elu-without-choice",
             "Where(x > 0, x, m) -> Relu(x) + Tanh(n 0.5) (Exp(n) + 1); "
             "Where(x > 0, x, a m) -> Relu(x) + a (Tanh(n 0.5) (Exp(n) + 1)) "
             "where m = Tanh(u 0.5) (Exp(u) + 1), u = x | Where(x > 0, 0, x), n = Min(x, 0) "
             "for number(a), finite(a) if floating(x), onnx_runtime() 'only ONNX Runtime has a slow Where' "
             "within 0 ulps 'signs of zeros'">(stage::fuse),
    equation<"Celu",
             "p + cast?(Tanh(cast?(u) 0.5) (Exp(cast?(u)) + 1)) -> Celu(x, alpha=1); "
             "p + a cast?(Tanh(cast?(w) 0.5) (Exp(cast?(w)) + 1)) -> Celu(x, alpha=a) "
             "where p = Relu(x) | Max(x, 0), u = Min(x, 0), w = Min(x, 0) / d for number(a, d), finite(a), a != 0 "
             "if a = d 'the factor differs from the divisor', at_most_f32(x), "
             "not_onnx_runtime() 'ONNX Runtime computes exp(x) - 1, which is imprecise near 0' "
             "within 8 ulps 'rounding differs'">(stage::fuse),
    equation<"Selu",
             "1.0507009873554805 Elu(x, alpha=a) -> Selu(x, alpha=a, gamma=1.0507009873554805) "
             "for rounded(a, 1.6732632423543772, x) within 2 ulps 'rounding differs'">(stage::fuse),
    equation<"Clip-choices",
             "Where(x > c, b, Where(x < d, a, x)) -> Clip(x, a, b) for number(a, b, c, d) "
             "if b = c 'the bounds are not the numbers that x is compared with', "
             "a = d 'the bounds are not the numbers that x is compared with', "
             "a <= b 'the lower bound is above the upper bound', "
             "floating(x) 'some runtimes have no Clip of this element type' within 0 ulps 'signs of zeros'">(
        stage::fuse),
    equation<"Swish",
             "x Sigmoid(x) -> Swish(x, alpha=1) if opset = 24 'Swish is used at opset 24 only' "
             "within 1 ulps 'rounding differs'">(stage::fuse),
    equation<"HardSigmoid",
             "c / 6 | c (1 / 6) -> HardSigmoid(x, alpha=1/6, beta=0.5) where c = Clip(x + 3, 0, 6) "
             "if floating(x), at_most_f32(x) within 1 ulps 'rounding differs'">(stage::fuse),
    equation<"HardSwish", "x HardSigmoid(x, alpha=1/6, beta=0.5) -> HardSwish(x) within 1 ulps 'rounding differs'">(
        stage::fuse),
    {"softplus-of-many", "Softplus(x) -> Relu(x) + (Log(s) + (u - (s - 1)) / s), u = Exp(-Abs(x)), s = u + 1",
     "only for ONNX Runtime, whose Softplus takes three times as long; float32; constant extents, at least 4096 "
     "elements",
     ops<"Softplus">, softplus_of_many, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
