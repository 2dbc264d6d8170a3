#pragma once

#include <array>
#include <bit>

#include <jax2onnx/lower/complex/arithmetic.hpp>
#include <jax2onnx/lower/linear/types.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/linear.hpp>
#include <jax2onnx/support/message.hpp>

/// Lowers fft (FFT, IFFT, RFFT and IRFFT over the last one to three axes) to DFT. Source: jax.lax.fft.
namespace jax2onnx::lower {

/// Whether to compute in double: for lengths that are not powers of two, runtimes use a chirp whose phases exceed the
/// precision of float.
inline bool needs_double(const shape& lengths) {
  for (dim n : lengths)
    if (!n.is_constant() || n.extent() <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(n.extent())))
      return true;
  return false;
}

/// The whole spectrum of a real signal of n values from its first half, along the second to last axis:
/// spectrum[n - k] = conj(spectrum[k]). `signs` are the factors of the two parts that conjugate.
inline value hermitian(const value& half, dim n, const std::array<double, 2>& signs) {
  graph& g = half.owner();
  const std::int64_t axis = half.rank() - 2;
  const dim rest = g.dims().sub(n, half.extent(axis));
  if (rest.is(0)) return half;
  shape dims = half.dims();
  dims[static_cast<std::size_t>(axis)] = rest;
  const value mirrored = g.emit("Slice", {half, dim_value(g, rest), int64s(g, {0}), int64s(g, {axis}), int64s(g, {-1})},
                                {half.dtype(), dims});
  return concat({half, mul(mirrored, array(g, half.dtype(), {2}, std::span<const double>(signs)))}, axis);
}

/// A transform of a tensor [..., 2] of complex numbers over the axes that `lengths` are the extents of. IRFFT gives
/// real parts.
struct transform {
  fft_kind kind;
  shape lengths;
  bool inverse;  ///< whether DFT computes the inverse

  value operator()(value z) const {
    const std::int64_t last = z.rank() - 2, first = last + 1 - std::ssize(lengths);
    if (kind == fft_kind::rfft) z = dft(z, last, true);
    for (std::int64_t axis = last - (kind >= fft_kind::rfft ? 1 : 0); axis >= first; --axis)
      z = dft(z, axis, false, inverse);
    if (kind != fft_kind::irfft) return z;
    constexpr std::array<double, 2> conjugate{1, -1}, conjugate_swapped{-1, 1};
    return pick(dft(hermitian(z, lengths.back(), inverse ? conjugate : conjugate_swapped), last, false, inverse),
                inverse ? 0 : 1, last + 1);
  }
};

inline jax_value swapped(const jax_value& z) { return jax_value(z.im(), z.re()); }

/// The inverse transform is s(DFT(s(x))) / n, where s swaps real and imaginary parts.
inline jax_values inverse_fft_in_double(const site& s, const transform& forward) {
  const dim n = s.g.dims().product(forward.lengths);
  const value z = forward(pack(swapped(s.in_parts(0))));
  const value y = div(z, n.is_constant() ? scalar(s.g, z.dtype(), n.extent()) : cast(dim_value(s.g, n), z.dtype()));
  if (forward.kind == fft_kind::irfft) return {y};
  return {swapped(unpack(y, s.out_type(0)))};
}

inline jax_values fft(const site& s) {
  const fft_kind kind = fft_type(s);
  const bool inverse = kind == fft_kind::ifft || kind == fft_kind::irfft;
  const transform t{kind, s.param<shape>("fft_lengths"), inverse};
  // Runtimes may scale DFT's inverse by 1 / n in float, which loses double precision.
  if (inverse && s.in_dtype() == dtype::f64) return inverse_fft_in_double(s, {kind, t.lengths, false});
  const jax_value& x = s.in_parts(0);
  const value z = x.count == 1 ? unsqueeze(x.re(), {x.re().rank()}) : pack(x);
  const value y = cast(t(cast(z, needs_double(t.lengths) ? dtype::f64 : s.in_dtype())), s.in_dtype());
  return {kind == fft_kind::irfft ? jax_value(y) : unpack(y, s.out_type(0))};
}

inline constexpr lowering fft_rows[] = {
    {"fft", fft, "DFT", fft_signature, parts_rule::own},
};

}  // namespace jax2onnx::lower
