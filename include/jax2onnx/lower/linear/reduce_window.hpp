#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <jax2onnx/lower/elementwise/convert.hpp>
#include <jax2onnx/lower/reduction/reducer.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/window.hpp>

/// The reduce_window family. Source: jax.lax.reduce_window.
namespace jax2onnx::lower {

/// Windows over all dimensions of an array, as the parameters say.
struct window_form {
  ints sizes, strides, base_dilation, dilation;
  shape low, high;

  explicit window_form(const site& s)
      : sizes(s.param<ints>("window_dimensions")),
        strides(s.param<ints>("window_strides")),
        base_dilation(s.param_or<ints>("base_dilation", ints(sizes.size(), 1))),
        dilation(s.param_or<ints>("window_dilation", ints(sizes.size(), 1))) {
    for (const shape& axis : s.param<std::vector<shape>>("padding")) {
      low.push_back(axis.at(0));
      high.push_back(axis.at(1));
    }
  }
  /// Dimensions along which a window is more than its one element.
  ints windowed() const {
    ints out;
    for (std::size_t d = 0; d < sizes.size(); ++d)
      if (sizes[d] != 1 || strides[d] != 1) out.push_back(static_cast<std::int64_t>(d));
    return out;
  }
  /// There are places in windows that x has no element for.
  bool pads() const {
    const auto adds = [](dim d) { return !d.is_constant() || d.extent() > 0; };
    return std::ranges::any_of(low, adds) || std::ranges::any_of(high, adds) ||
           std::ranges::any_of(base_dilation, [](std::int64_t d) { return d > 1; });
  }
  /// x with its base dilation and padding.
  value padded(const value& x, const value& fill) const {
    ints interior;
    for (std::int64_t d : base_dilation) interior.push_back(d - 1);
    return pad_between(x, low, high, interior, fill);
  }
  window_axis along(const value& x, std::int64_t d) const {
    const auto i = static_cast<std::size_t>(d);
    window_axis w{d, sizes[i], strides[i], dilation[i], {}};
    w.count = window_count(x.owner(), x.extent(d), w);
    return w;
  }
};

/// All windows of a padded x, each as one list of its elements in row-major order: [windows..., elements].
inline value window_lists(value x, const window_form& f) {
  const ints axes = f.windowed();
  shape out = x.dims();
  std::int64_t elements = 1;
  for (auto d = axes.rbegin(); d != axes.rend(); ++d) {
    const window_axis w = f.along(x, *d);
    out[static_cast<std::size_t>(*d)] = w.count;
    elements *= w.size;
    x = windows(x, w);
  }
  ints outer, inner;
  for (std::int64_t d = 0, axis = 0; d < std::ssize(out); ++d) {
    outer.push_back(axis++);
    if (std::ranges::find(axes, d) != axes.end()) inner.push_back(axis++);
  }
  out.push_back(elements);
  return jax2onnx::reshape(jax2onnx::transpose(x, joined(outer, inner)), out);
}

/// Folds the windows of a padded x, an axis after the other.
inline value reduce_window_axes(reducer k, value x, const window_form& f) {
  for (std::int64_t d : f.windowed()) {
    const window_axis w = f.along(x, d);
    if (w.size == 1) {
      x = jax2onnx::slice(x, {d}, {0}, {x.extent(d)}, {w.stride});
    } else {
      x = reduce_by(k, windows(x, w), {d + 1});
    }
  }
  return x;
}

/// MaxPool or AveragePool, over the last dimensions of [n, c, …].
inline value pool(std::string_view op, const value& x, const window_form& f, const ints& spatial, const shape& out,
                  ints pads, bool same) {
  const auto at = [&](const ints& of) {
    ints picked;
    for (std::int64_t d : spatial) picked.push_back(of[static_cast<std::size_t>(d)]);
    return picked;
  };
  const auto ones = [](const ints& v) { return std::ranges::all_of(v, [](std::int64_t n) { return n == 1; }); };
  std::vector<attribute> attributes{{"kernel_shape", at(f.sizes)}};
  if (!ones(at(f.strides))) attributes.push_back({"strides", at(f.strides)});
  if (!ones(at(f.dilation))) attributes.push_back({"dilations", at(f.dilation)});
  if (same) attributes.push_back({"auto_pad", std::string("SAME_UPPER")});
  const bool padded = std::ranges::any_of(pads, [](std::int64_t n) { return n != 0; });
  if (padded) attributes.push_back({"pads", std::move(pads)});
  if (padded && op == "AveragePool") attributes.push_back({"count_include_pad", std::int64_t{1}});
  return x.owner().emit(op, {x}, {x.dtype(), out}, std::move(attributes));
}

/// Windows over one to three dimensions of a floating-point array, which ONNX's pooling can do; the identity pads.
inline std::optional<value> reduce_by_pooling(reducer k, value x, window_form f, const shape& out) {
  graph& g = x.owner();
  const bool maximum = k == reducer::maximum, minimum = k == reducer::minimum;
  const ints spatial = f.windowed(), rest = complement(x.rank(), spatial);
  if (!is_floating(x.dtype()) || bits(x.dtype()) < 16 || spatial.empty() || spatial.size() > 3) return std::nullopt;
  if (rest.empty() || (!maximum && !minimum && k != reducer::sum)) return std::nullopt;
  if (k == reducer::sum && x.dtype() == dtype::f64) return std::nullopt;
  for (std::size_t d = 0; d < f.sizes.size(); ++d) {
    if (k == reducer::sum && f.dilation[d] != 1 && g.opset() < 19) return std::nullopt;
    if (f.base_dilation[d] != 1) return std::nullopt;
  }
  if (minimum) x = neg(x);
  // What pooling cannot pad is padded before: negative and symbolic amounts, and those of a window's size.
  shape low = f.low, high = f.high;
  ints pads(2 * spatial.size(), 0);
  for (std::size_t i = 0; i < spatial.size(); ++i) {
    const auto d = static_cast<std::size_t>(spatial[i]);
    for (shape* side : {&low, &high}) {
      dim& amount = (*side)[d];
      if (!amount.is_constant() || amount.extent() < 0 || amount.extent() >= f.sizes[d]) continue;
      pads[i + (side == &low ? 0 : spatial.size())] = amount.extent();
      amount = 0;
    }
  }
  f.low = low;
  f.high = high;
  x = f.padded(x, identity_element(g, k == reducer::sum ? k : reducer::maximum, x.dtype()));
  // [n, c, spatial…]
  const ints perm = joined(rest, spatial);
  const auto image = [&](const shape& dims) {
    const shape outer = extents_at(dims, rest);
    shape s{outer.size() > 1 ? outer[0] : dim(1),
            g.dims().product(shape(outer.begin() + (outer.size() > 1), outer.end()))};
    for (dim e : extents_at(dims, spatial)) s.push_back(e);
    return s;
  };
  const shape in_image = image(x.dims());
  x = jax2onnx::reshape(jax2onnx::transpose(x, perm), in_image);
  value y = pool(k == reducer::sum ? "AveragePool" : "MaxPool", x, f, spatial, image(out), pads, false);
  if (k == reducer::sum) {
    std::int64_t count = 1;
    for (std::int64_t d : spatial) count *= f.sizes[static_cast<std::size_t>(d)];
    y = mul(y, count);
  }
  y = jax2onnx::transpose(jax2onnx::reshape(y, extents_at(out, perm)), inverse(perm));
  return minimum ? neg(y) : y;
}

/// One of ONNX's folds of the windows of x, `init` folded in once: padding counts for nothing.
inline value reduce_windows(reducer k, const value& x, const value& init, const window_form& f, const shape& out) {
  if (std::ranges::any_of(out, [](dim d) { return d.is(0); })) return filled(x.owner(), x.dtype(), out, 0);
  if (const auto y = reduce_by_pooling(k, x, f, out)) return with_init(k, *y, init);
  return with_init(k, reduce_window_axes(k, f.padded(x, identity_element(x.owner(), k, x.dtype())), f), init);
}

/// Folds the windows of xs by a step of their accumulators and elements; padding is skipped.
template <class Step>
jax_values scan_windows(const site& s, const jax_values& xs, const jax_values& inits, const window_form& f,
                        Step&& step) {
  jax_values lists, first = inits;
  for (const jax_value& x : xs) {
    lists.push_back(x);
    for (std::size_t p = 0; p < x.count; ++p)
      lists.back().parts[p] = window_lists(f.padded(x.parts[p], scalar(s.g, x.parts[p].dtype(), 0)), f);
  }
  const std::int64_t axis = std::ssize(f.sizes);
  const shape out(lists[0].re().dims().begin(), lists[0].re().dims().end() - 1);
  if (std::ranges::any_of(out, [](dim d) { return d.is(0); })) return zeros(s);
  for (jax_value& o : first)
    for (std::size_t p = 0; p < o.count; ++p) o.parts[p] = broadcast_to(o.parts[p], out);
  if (f.pads()) {
    const value there = filled(s.g, dtype::boolean, xs[0].re().dims(), 1);
    lists.push_back(window_lists(f.padded(there, scalar(s.g, dtype::boolean, 0)), f));
  }
  return scan_axis(s.g, first, lists, axis, false, false,
                   [&](const jax_values& acc, const jax_values& elements) {
                     jax_values next = step(acc, std::span(elements).first(xs.size()), out);
                     for (std::size_t i = 0; i < next.size() && f.pads(); ++i)
                       for (std::size_t p = 0; p < next[i].count; ++p)
                         next[i].parts[p] = where(elements.back().re(), next[i].parts[p], acc[i].parts[p]);
                     return next;
                   })
      .last;
}

/// The larger or smaller complex number in every window.
inline jax_values reduce_complex_windows(const site& s, bool largest) {
  const double lowest = (largest ? -1 : 1) * std::numeric_limits<double>::infinity();
  const value init = scalar(s.g, s.in_dtype(), lowest);
  return scan_windows(s, {s.in_parts(0)}, {jax_value(init, init)}, window_form(s),
                      [&](const jax_values& acc, std::span<const jax_value> x, const shape&) {
                        return jax_values{lexicographic_extreme(acc[0], x[0], largest)};
                      });
}

template <reducer Kind>
jax_values reduce_window_of(const site& s) {
  if (s.is_complex() && Kind != reducer::sum) return reduce_complex_windows(s, Kind == reducer::maximum);
  const reducer k = !is_boolean(s.in_dtype()) ? Kind : Kind == reducer::minimum ? reducer::all : reducer::any;
  const window_form f(s);
  jax_value out;
  for (std::size_t p = 0; p < s.in_parts(0).count; ++p)
    out.parts[out.count++] =
        reduce_windows(k, s.in_parts(0).parts[p], identity_element(s.g, k, s.in_dtype()), f, s.out_dims());
  return {out};
}

/// reduce_window operand… init…, with a computation of scalars.
inline jax_values reduce_window(const site& s) {
  const auto& body = *s.param<const jaxpr::body*>("jaxpr");
  const window_form f(s);
  const auto n = static_cast<std::ptrdiff_t>(s.arity() / 2);
  if (n == 0 || std::ssize(s.ins()) != 2 * n) s.unsupported("it lacks an operand or an initial value");
  const reducer kind = n == 1 ? reducer_of(body, s.in_type(0)) : reducer::other;
  if (kind == reducer::other)
    return scan_windows(s, {s.ins().begin(), s.ins().begin() + n}, {s.ins().begin() + n, s.ins().end()}, f,
                        [&](jax_values acc, std::span<const jax_value> x, const shape& dims) {
                          acc.insert(acc.end(), x.begin(), x.end());
                          return s.inline_elementwise(body, acc, dims);
                        });
  jax_value out;
  for (std::size_t p = 0; p < s.in_parts(0).count; ++p)
    out.parts[out.count++] = reduce_windows(kind, s.in_parts(0).parts[p], s.in_parts(1).parts[p], f, s.out_dims());
  return {out};
}

inline constexpr lowering reduce_window_rows[] = {
    {"reduce_window", reduce_window, "MaxPool, AveragePool; Gather of windows, ReduceSum, …; Scan", parts_rule::own,
     ignores{"consts"}},
    {"reduce_window_max", reduce_window_of<reducer::maximum>, "MaxPool; Gather, ReduceMax", parts_rule::own},
    {"reduce_window_min", reduce_window_of<reducer::minimum>, "MaxPool; Gather, ReduceMin", parts_rule::own},
    {"reduce_window_sum", reduce_window_of<reducer::sum>, "AveragePool; Gather, ReduceSum", parts_rule::own},
};

}  // namespace jax2onnx::lower
