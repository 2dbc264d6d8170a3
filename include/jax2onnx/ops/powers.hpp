#pragma once

#include <cstdint>

#include <jax2onnx/ops/math.hpp>

/// Powers and roots.
namespace jax2onnx {

/// x to the power y; the result has x's dtype, y may have another one.
inline value pow(const value& x, const value& y) {
  return x.owner().emit("Pow", {x, y}, {x.dtype(), checked("Pow", infer::broadcast(x.dims(), y.dims()), {x, y})});
}
/// The same with a number for y, which takes x's dtype.
template <arithmetic Number>
value pow(const value& x, Number y) {
  return pow(x, scalar(x.owner(), x.dtype(), y));
}

/// 2^x
inline value exp2(const value& x) { return pow(scalar(x.owner(), x.dtype(), 2), x); }

/// x * x
inline value square(const value& x) { return mul(x, x); }
/// 1 / sqrt(x)
inline value rsqrt(const value& x) { return reciprocal(sqrt(x)); }

/// The real cube root, sign(x) |x|^(1/3).
inline value cbrt(const value& x) { return mul(unary("Sign", x), pow(abs(x), 1.0 / 3.0)); }

/// x to a constant power, by repeated squaring.
inline value power_by_squaring(const value& x, std::uint64_t n) {
  value base = x, product;
  for (; n; n >>= 1) {
    if (n & 1) product = product ? mul(product, base) : base;
    if (n > 1) base = mul(base, base);
  }
  return product;
}

}  // namespace jax2onnx
