// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <jax2onnx/operators/opset.hpp>
#include <jax2onnx/ops/elementwise.hpp>
#include <jax2onnx/ops/shape.hpp>

/// Products of matrices, and the discrete Fourier transform.
namespace jax2onnx::ops {

/// numpy's matmul (MatMul). Empty sums are folded to zeros and empty products to constants: some runtimes leave such
/// elements uninitialized or refuse them. Throws a build_error if dtypes or shapes do not fit.
inline value matmul(const value& a, const value& b) {
  detail::require_same_dtype("MatMul", a, b);
  graph& g = a.owner();
  shape out = detail::checked("MatMul", infer::matmul(a.dims(), b.dims()), {a, b});
  if (a.dims().back().is(0) || is_empty(out)) return broadcast_to(scalar(g, a.dtype(), 0), out);
  return g.emit("MatMul", {a, b}, {a.dtype(), std::move(out)});
}

/// x w + b over the last dimension of x: a Gemm if x is a matrix, else MatMul and Add.
inline value dense(const value& x, const value& w, const value& b) {
  detail::require_same_dtype("dense", x, w);
  detail::require_same_dtype("dense", x, b);
  shape out = detail::checked("dense", infer::dense(x.dims(), w.dims(), b.dims()), {x, w, b});
  if (x.rank() == 2) return x.owner().emit("Gemm", {x, w, b}, {x.dtype(), std::move(out)});
  return add(x.owner().emit("MatMul", {x, w}, {x.dtype(), std::move(out)}), b);
}

/// The discrete Fourier transform along `axis` of x[..., 2] (re, im) or of real x[..., 1]. If `onesided` is set, keeps
/// the first n / 2 + 1 values of a real signal's spectrum. If `inverse` is set, computes the inverse transform, divided
/// by n. The axis is an input from opset 20 on.
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

}  // namespace jax2onnx::ops
