#pragma once

#include <cstdint>

#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/opset.hpp>

namespace jax2onnx {

/// The discrete Fourier transform along `axis` of x[..., 2] (re, im) or of real x[..., 1]; `onesided`: of a real
/// signal's spectrum the first n / 2 + 1 values; `inverse`: the inverse one, divided by n. The axis is an input from
/// opset 20 on.
inline value dft(const value& x, std::int64_t axis, bool onesided = false, bool inverse = false) {
  graph& g = x.owner();
  shape out = x.dims();
  out.back() = 2;
  dim& n = out[static_cast<std::size_t>(axis)];
  if (onesided) n = g.dims().add(g.dims().floordiv(n, 2), 1);
  std::vector<attribute> attributes;
  if (onesided) attributes.push_back({"onesided", std::int64_t{1}});
  if (inverse) attributes.push_back({"inverse", std::int64_t{1}});
  if (detail::has(g, detail::feature::dft_axis_as_input))
    return g.emit("DFT", {x, value(), scalar(g, dtype::i64, axis)}, {x.dtype(), out}, std::move(attributes));
  attributes.push_back({"axis", axis});
  return g.emit("DFT", {x}, {x.dtype(), out}, std::move(attributes));
}

}  // namespace jax2onnx
