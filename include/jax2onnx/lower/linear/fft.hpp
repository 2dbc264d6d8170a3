#pragma once

#include <array>
#include <bit>

#include <jax2onnx/lower/complex/arithmetic.hpp>
#include <jax2onnx/lower/parts.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/dft.hpp>

/// fft: FFT, IFFT, RFFT and IRFFT of the last one to three axes.
namespace jax2onnx::lower {

enum class fft_kind : std::uint8_t { fft, ifft, rfft, irfft };

/// Printed as 2, or as FftType.RFFT.
inline fft_kind fft_type(const site& s) {
  constexpr std::string_view names[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  const jaxpr::value* v = s.find("fft_type");
  if (!v) s.unsupported("it lacks its parameter 'fft_type'");
  std::string_view text = v->text;
  text.remove_prefix(std::min(text.rfind('.') + 1, text.size()));
  for (std::size_t i = 0; i < 4; ++i)
    if (text == names[i] || (v->tag == jaxpr::value::kind::integer && v->integer == static_cast<std::int64_t>(i)))
      return static_cast<fft_kind>(i);
  s.unsupported(fmt::format("the fft_type '{}'", v->text));
}

/// Lengths that are no power of two go through a chirp whose phases float cannot hold: those transforms are made in
/// double.
inline bool needs_double(const shape& lengths) {
  return !std::ranges::all_of(lengths, [](dim n) {
    return n.is_constant() && n.extent() > 0 && std::has_single_bit(static_cast<std::uint64_t>(n.extent()));
  });
}

/// From half the spectrum of a real signal of n values to all of it, along the last axis but one:
/// spectrum[n - k] = conj(spectrum[k]), which `signs` make of the mirrored parts.
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

/// The transforms of the tensor [..., 2] along axes from the last one down to `first`, IRFFT's last one to real parts.
struct transform {
  fft_kind kind;
  shape lengths;
  bool inverse;  ///< by DFT's own inverse

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

/// With s(x) = (im, re) the inverse transform is s(DFT(s(x))) / n.
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
  // DFT's own inverse may divide by n by way of a float 1 / n, which is no double precision.
  if (inverse && s.in_dtype() == dtype::f64) return inverse_fft_in_double(s, {kind, t.lengths, false});
  const jax_value& x = s.in_parts(0);
  const value z = x.count == 1 ? unsqueeze(x.re(), {x.re().rank()}) : pack(x);
  const value y = cast(t(cast(z, needs_double(t.lengths) ? dtype::f64 : s.in_dtype())), s.in_dtype());
  return {kind == fft_kind::irfft ? jax_value(y) : unpack(y, s.out_type(0))};
}

inline constexpr lowering fft_rows[] = {
    {"fft", fft, "DFT", parts_rule::own},
};

}  // namespace jax2onnx::lower
