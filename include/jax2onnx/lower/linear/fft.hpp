// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>

#include <jax2onnx/lower/complex/arithmetic.hpp>
#include <jax2onnx/lower/linear/fourier.hpp>
#include <jax2onnx/lower/linear/types.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/linear.hpp>
#include <jax2onnx/support/message.hpp>

/// Lowers fft (FFT, IFFT, RFFT and IRFFT over the last one to three axes) to products with constant matrices, or to DFT
/// for long and symbolic lengths. Source: jax.lax.fft.
namespace jax2onnx::lower {

/// Returns whether a length is symbolic or not a power of two. Then DFT is computed in double: for lengths other than
/// powers of two, runtimes use a chirp whose phases exceed the precision of float.
inline bool needs_double(const shape& lengths) {
  for (dim n : lengths)
    if (!n.is_constant() || n.extent() <= 0 || !std::has_single_bit(static_cast<std::uint64_t>(n.extent())))
      return true;
  return false;
}

/// The whole spectrum of a real signal of n values from its first half, along the second to last axis:
/// spectrum[n - k] = conj(spectrum[k]). The parts of the mirrored half are multiplied by `signs`, one of which is -1.
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

/// A transform of a tensor [..., 2] of complex numbers, or [..., 1] of real numbers for RFFT, over the last axes, whose
/// extents are `lengths`. IRFFT yields only real parts.
struct transform {
  fft_kind kind;
  shape lengths;
  bool inverse;  ///< DFT computes the inverse

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

/// Plans the products for each transformed axis; empty if an axis cannot use products.
inline std::vector<fourier_axis> planned_axes(fft_kind kind, const shape& lengths, bool real_operand) {
  std::vector<fourier_axis> out;
  for (const dim length : lengths) {
    if (!length.is_constant()) return {};
    const std::int64_t n = length.extent();
    const bool last = out.size() + 1 == lengths.size();
    fourier_axis axis{n, n, n, real_operand && last, false, kind == fft_kind::ifft || kind == fft_kind::irfft};
    if (last && kind == fft_kind::rfft) axis.outputs = n / 2 + 1;
    if (last && kind == fft_kind::irfft) axis = {n, n / 2 + 1, n, false, true, true};
    const std::optional<fourier_axis> planned_axis = planned(axis);
    if (!planned_axis) return {};
    out.push_back(*planned_axis);
  }
  return out;
}

/// Applies the products of all axes. The last axis comes first, or last for IRFFT.
inline jax_value fft_by_products(jax_value z, fft_kind kind, const std::vector<fourier_axis>& axes) {
  const std::int64_t count = std::ssize(axes), first = z.re().rank() - count;
  const auto apply = [&](std::int64_t i) { z = fourier_transform(z, axes[static_cast<std::size_t>(i)], first + i); };
  if (kind != fft_kind::irfft) apply(count - 1);
  for (std::int64_t i = count - 2; i >= 0; --i) apply(i);
  if (kind == fft_kind::irfft) apply(count - 1);
  return z;
}

inline jax_values fft(const site& s) {
  const fft_kind kind = fft_type(s);
  const bool inverse = kind == fft_kind::ifft || kind == fft_kind::irfft;
  const jax_value operand = kind == fft_kind::irfft ? s.in_parts(0) : cx::simplest(s.in_parts(0));
  const auto axes = planned_axes(kind, s.param<shape>("fft_lengths"), cx::is_real(operand));
  if (!axes.empty()) return {fft_by_products(operand, kind, axes)};
  const transform t{kind, s.param<shape>("fft_lengths"), inverse};
  // Runtimes may scale DFT's inverse by 1 / n in float, which loses double precision.
  if (inverse && s.in_dtype() == dtype::f64) return inverse_fft_in_double(s, {kind, t.lengths, false});
  const jax_value& x = s.in_parts(0);
  const value z = x.count == 1 ? unsqueeze(x.re(), {x.re().rank()}) : pack(x);
  const value y = cast(t(cast(z, needs_double(t.lengths) ? dtype::f64 : s.in_dtype())), s.in_dtype());
  return {kind == fft_kind::irfft ? jax_value(y) : unpack(y, s.out_type(0))};
}

inline constexpr lowering fft_rows[] = {
    {"fft", fft, "MatMul with constant matrices; DFT for long and symbolic lengths", fft_signature, parts_rule::own},
};

}  // namespace jax2onnx::lower
