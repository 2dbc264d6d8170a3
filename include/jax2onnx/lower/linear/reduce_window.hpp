// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <jax2onnx/lower/elementwise/convert.hpp>
#include <jax2onnx/lower/linear/padding.hpp>
#include <jax2onnx/lower/linear/window_types.hpp>
#include <jax2onnx/lower/reduction/reducer.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/pooling.hpp>
#include <jax2onnx/ops/window.hpp>

/// Lowers reduce_window and its variants reduce_window_max, _min and _sum. A single window of all elements becomes a
/// reduction. Other windows become MaxPool or AveragePool, or a Gather of the windows and a reduction. Computations for
/// which ONNX has no reduction become a Scan. Source: jax.lax.reduce_window.
namespace jax2onnx::lower {

/// The parameters of windows over all dimensions of an array.
struct window_form {
  ints sizes, strides, base_dilation, dilation;
  shape low, high;

  /// The dimensions along which windows have more than one element, or a stride other than 1.
  ints windowed() const {
    ints out;
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (sizes[d] != 1 || strides[d] != 1) out.push_back(static_cast<std::int64_t>(d));
    return out;
  }
  /// Returns whether window positions may be in the padding, or between the elements of a dilated operand.
  bool pads() const {
    const auto adds = [](dim d) { return !d.is_constant() || d.extent() > 0; };
    for (std::size_t i = 0; i < sizes.size(); ++i)
      if (adds(low[i]) || adds(high[i]) || base_dilation[i] > 1) return true;
    return false;
  }
  /// x with its dilation and padding, filled with `fill`.
  value padded(const value& x, const value& fill) const {
    ints interior;
    for (std::int64_t d : base_dilation) interior.push_back(jax2onnx::detail::checked_sub(d, 1));
    return pad_between(x, low, high, interior, fill);
  }
  /// The windows along dimension d of a padded x.
  window_axis along(const value& x, std::int64_t d) const {
    const auto i = static_cast<std::size_t>(d);
    window_axis w{d, sizes[i], strides[i], dilation[i], {}};
    w.count = window_count(x.owner(), x.extent(d), w);
    return w;
  }
};

inline window_form read_window_form(const site& s) {
  const ints sizes = s.param<ints>("window_dimensions"), none(sizes.size(), 1);
  const edge_padding padding = read_padding(s);
  return {.sizes = sizes,
          .strides = s.param<ints>("window_strides"),
          .base_dilation = s.param_or<ints>("base_dilation", none),
          .dilation = s.param_or<ints>("window_dilation", none),
          .low = padding.low,
          .high = padding.high};
}

/// All windows of a padded x, each a list of its elements in row-major order: [windows..., elements], or with the
/// elements as axis `at`.
inline value window_lists(value x, const window_form& f, std::optional<std::int64_t> at = {}) {
  const ints axes = f.windowed();
  shape out = x.dims();
  std::int64_t elements = 1;
  for (auto d = axes.rbegin(); d != axes.rend(); ++d) {
    const window_axis w = f.along(x, *d);
    out[static_cast<std::size_t>(*d)] = w.count;
    elements = jax2onnx::detail::checked_mul(elements, w.size);
    x = windows(x, w);
  }
  ints perm, inner;
  for (std::int64_t d = 0, axis = 0; d < std::ssize(out); ++d) {
    perm.push_back(axis++);
    if (has_axis(axes, d)) inner.push_back(axis++);
  }
  const auto before = static_cast<std::ptrdiff_t>(at.value_or(std::ssize(out)));
  perm.insert(perm.begin() + before, inner.begin(), inner.end());
  out.insert(out.begin() + before, dim(elements));
  return reshape(transpose(x, perm), out);
}

/// Reduces the windows of a padded x, one axis after another.
inline value reduce_window_axes(reducer k, value x, const window_form& f) {
  for (std::int64_t d : f.windowed()) {
    const window_axis w = f.along(x, d);
    if (w.size == 1) {
      x = slice(x, {d}, {0}, {x.extent(d)}, {w.stride});
    } else {
      x = reduce_by(k, windows(x, w), {d + 1});
    }
  }
  return x;
}

/// The entries for the spatial dimensions.
inline ints entries_at(const ints& of, const ints& spatial) {
  ints picked;
  for (std::int64_t d : spatial) picked.push_back(of[static_cast<std::size_t>(d)]);
  return picked;
}

/// Returns whether MaxPool or AveragePool can compute the maxima, minima or sums of the windows. The windows must
/// extend over one to three dimensions, with at least one other dimension for the batch. The array must not be dilated,
/// and the operator must support its floating-point type.
inline bool is_pooling(reducer k, const value& x, const window_form& f, std::size_t spatial) {
  const bool sum = k == reducer::sum;
  if (!sum && k != reducer::maximum && k != reducer::minimum) return false;
  if (!is_floating(x.dtype()) || bits(x.dtype()) < 16 || (sum && x.dtype() == dtype::f64)) return false;
  if (spatial == 0 || spatial > 3 || spatial == f.sizes.size()) return false;
  for (std::size_t d = 0; d < f.sizes.size(); ++d) {
    if (sum && f.dilation[d] != 1 && !average_pool_dilates(x.owner())) return false;
    if (f.base_dilation[d] != 1) return false;
  }
  return true;
}

/// Removes from `f` the padding of spatial dimensions that pooling itself can apply, and returns this padding in ONNX's
/// order: all lows, all highs. Negative and symbolic amounts, and amounts that are not less than the size of a window,
/// stay in `f` for a Pad.
inline ints take_pool_padding(window_form& f, const ints& spatial) {
  ints pads(2 * spatial.size(), 0);
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    const auto d = static_cast<std::size_t>(spatial[i]);
    for (shape* side : {&f.low, &f.high}) {
      dim& amount = (*side)[d];
      if (!amount.is_constant() || amount.extent() < 0 || amount.extent() >= f.sizes[d]) continue;
      pads[i + (side == &f.low ? 0 : spatial.size())] = amount.extent();
      amount = 0;
    }
  }
  return pads;
}

/// The shape [n, c, spatial…] of an image: the first of several dimensions `rest` is the batch; the remaining ones, or
/// a single one, are merged to channels.
inline shape pool_image(graph& g, const shape& dims, const ints& rest, const ints& spatial) {
  const shape outer = extents_at(dims, rest);
  shape image{outer.size() > 1 ? outer[0] : dim(1),
              g.dims().product(shape(outer.begin() + (outer.size() > 1), outer.end()))};
  for (dim e : extents_at(dims, spatial)) image.push_back(e);
  return image;
}

/// The number of elements of a window.
inline std::int64_t window_size(const ints& sizes) {
  std::int64_t count = 1;
  for (std::int64_t size : sizes) count = jax2onnx::detail::checked_mul(count, size);
  return count;
}

/// Reduces the windows by MaxPool or AveragePool. The padding is the identity element. nullopt if is_pooling() is
/// false.
inline std::optional<value> reduce_by_pooling(reducer k, value x, window_form f, const shape& out) {
  graph& g = x.owner();
  const ints spatial = f.windowed(), rest = complement(x.rank(), spatial);
  if (!is_pooling(k, x, f, spatial.size())) return std::nullopt;
  const bool sum = k == reducer::sum, minimum = k == reducer::minimum;
  if (minimum) x = neg(x);
  const ints pads = take_pool_padding(f, spatial);
  x = f.padded(x, identity_element(g, sum ? k : reducer::maximum, x.dtype()));
  const ints perm = joined_axes(rest, spatial);
  const shape in_image = pool_image(g, x.dims(), rest, spatial), out_image = pool_image(g, out, rest, spatial);
  x = reshape(transpose(x, perm), in_image);
  const pool_windows windows{entries_at(f.sizes, spatial), entries_at(f.strides, spatial),
                             entries_at(f.dilation, spatial), pads};
  value y =
      sum ? mul(average_pool(x, windows, out_image), window_size(windows.sizes)) : max_pool(x, windows, out_image);
  y = transpose(reshape(y, extents_at(out, perm)), inverse_permutation(perm));
  return minimum ? neg(y) : y;
}

/// The windowed axes if a single window covers all elements along them. nullopt otherwise, and if there is padding or
/// dilation, or no windowed axis.
inline std::optional<ints> wholly_windowed(const value& x, const window_form& f) {
  ints axes;
  for (std::int64_t d : f.windowed()) {
    const auto i = static_cast<std::size_t>(d);
    if (!x.extent(d).is(f.sizes[i]) || f.dilation[i] != 1) return std::nullopt;
    axes.push_back(d);
  }
  return f.pads() || axes.empty() ? std::nullopt : std::optional(axes);
}

/// Reduces the windows of x by k, and combines each result with `init`. The padding is the identity element.
inline value reduce_windows(reducer k, const value& x, const value& init, const window_form& f, const shape& out) {
  if (is_empty(out)) return filled(x.owner(), x.dtype(), out, 0);
  if (const auto axes = wholly_windowed(x, f)) return with_init(k, reshape(reduce_by(k, x, *axes), out), init);
  if (const auto y = reduce_by_pooling(k, x, f, out)) return with_init(k, *y, init);
  return with_init(k, reduce_window_axes(k, f.padded(x, identity_element(x.owner(), k, x.dtype())), f), init);
}

using window_accumulation =
    function_ref<jax_values(const jax_values& accumulators, std::span<const jax_value> elements, const shape& dims)>;

/// Computes accumulators = step(accumulators, elements, extents) over the elements of every window, by a Scan that
/// skips the padding.
inline jax_values scan_windows(const site& s, const jax_values& xs, const jax_values& inits, const window_form& f,
                               window_accumulation step) {
  const auto lists_of = [&](const value& v) { return window_lists(f.padded(v, scalar(s.g, v.dtype(), 0)), f); };
  jax_values lists, first;
  for (const jax_value& x : xs) lists.push_back(each_part(x, lists_of));
  const std::int64_t axis = std::ssize(f.sizes);
  const shape out(lists[0].re().dims().begin(), lists[0].re().dims().end() - 1);
  if (is_empty(out)) return zeros(s);
  for (const jax_value& init : inits) first.push_back(broadcast_parts(init, out));
  if (f.pads()) lists.push_back(lists_of(filled(s.g, dtype::boolean, xs[0].re().dims(), 1)));  // false in the padding
  return scan_axis(s.g, first, lists, axis, false, false,
                   [&](const jax_values& acc, const jax_values& elements) {
                     jax_values next = step(acc, std::span(elements).first(xs.size()), out);
                     for (std::size_t i = 0; i < next.size() && f.pads(); ++i)
                       next[i] = each_part(next[i], acc[i], [&](const value& n, const value& a) {
                         return where(elements.back().re(), n, a);
                       });
                     return next;
                   })
      .last;
}

/// The largest or smallest complex number of every window.
inline jax_values reduce_complex_windows(const site& s, bool largest) {
  const double lowest = (largest ? -1 : 1) * std::numeric_limits<double>::infinity();
  const value init = scalar(s.g, s.in_dtype(), lowest);
  return scan_windows(s, {s.in_parts(0)}, {jax_value(init, init)}, read_window_form(s),
                      [&](const jax_values& acc, std::span<const jax_value> x, const shape&) {
                        return jax_values{lexicographic_extreme(acc[0], x[0], largest)};
                      });
}

/// reduce_window_max, _min and _sum. For booleans, max is or, and min is and.
template <reducer Kind>
jax_values reduce_window_of(const site& s) {
  if (s.is_complex() && Kind != reducer::sum) return reduce_complex_windows(s, Kind == reducer::maximum);
  const reducer k = !is_boolean(s.in_dtype()) ? Kind : Kind == reducer::minimum ? reducer::all : reducer::any;
  const window_form f = read_window_form(s);
  const value init = identity_element(s.g, k, s.in_dtype());
  return {each_part(s.in_parts(0), [&](const value& x) { return reduce_windows(k, x, init, f, s.out_dims()); })};
}

/// reduce_window operand… init…: the parameters of the computation are the accumulators, then one element of every
/// operand.
inline jax_values reduce_window(const site& s) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  const window_form f = read_window_form(s);
  const auto n = static_cast<std::ptrdiff_t>(s.arity() / 2);
  const reducer kind = n == 1 ? reducer_of(body, s.in_type(0)) : reducer::other;
  if (kind == reducer::other)
    return scan_windows(s, {s.ins().begin(), s.ins().begin() + n}, {s.ins().begin() + n, s.ins().end()}, f,
                        [&](jax_values acc, std::span<const jax_value> x, const shape& dims) {
                          acc.insert(acc.end(), x.begin(), x.end());
                          return s.inline_elementwise(body, acc, dims);
                        });
  return {each_part(s.in_parts(0), s.in_parts(1),
                    [&](const value& x, const value& init) { return reduce_windows(kind, x, init, f, s.out_dims()); })};
}

inline constexpr lowering reduce_window_rows[] = {
    {"reduce_window", reduce_window, "MaxPool, AveragePool; Gather of windows, ReduceSum, …; Scan",
     windows_signature(or_more(2), or_more(1), reduce_window_types, {"jaxpr", param_form::body}), parts_rule::own,
     ignores{"consts"}},
    {"reduce_window_max", reduce_window_of<reducer::maximum>, "MaxPool; Gather, ReduceMax",
     windows_signature(1, 1, reduced_window_types<kinds::data>), parts_rule::own},
    {"reduce_window_min", reduce_window_of<reducer::minimum>, "MaxPool; Gather, ReduceMin",
     windows_signature(1, 1, reduced_window_types<kinds::data>), parts_rule::own},
    {"reduce_window_sum", reduce_window_of<reducer::sum>, "AveragePool; Gather, ReduceSum",
     windows_signature(1, 1, reduced_window_types<kinds::number>), parts_rule::own},
};

}  // namespace jax2onnx::lower
