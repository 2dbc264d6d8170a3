#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <jax2onnx/lower/linear/dot.hpp>
#include <jax2onnx/ops/window.hpp>

/// conv_general_dilated in every form. Source: jax.lax.conv_general_dilated, ConvDimensionNumbers.
namespace jax2onnx::lower {

/// The parameters; the specs tell where batch, feature and spatial dimensions are (of the kernel: out, in, spatial).
struct conv_form {
  ints lhs_spec, rhs_spec, out_spec, strides, lhs_dilation, rhs_dilation;
  shape low, high;
  std::int64_t groups = 1, batch_groups = 1;

  explicit conv_form(const site& s)
      : strides(s.param<ints>("window_strides")),
        lhs_dilation(s.param<ints>("lhs_dilation")),
        rhs_dilation(s.param<ints>("rhs_dilation")),
        groups(s.param_or<std::int64_t>("feature_group_count", 1)),
        batch_groups(s.param_or<std::int64_t>("batch_group_count", 1)) {
    const jaxpr::value& d = s.tree("dimension_numbers");
    lhs_spec = s.argument_or<ints>(d, "lhs_spec", {});
    rhs_spec = s.argument_or<ints>(d, "rhs_spec", {});
    out_spec = s.argument_or<ints>(d, "out_spec", {});
    for (const shape& axis : s.param<std::vector<shape>>("padding")) {
      low.push_back(axis.at(0));
      high.push_back(axis.at(1));
    }
  }
  std::size_t spatial() const { return strides.size(); }
};

inline bool all_ones(const ints& numbers) {
  return std::ranges::all_of(numbers, [](std::int64_t n) { return n == 1; });
}
inline bool all_constant(const shape& dims) {
  return std::ranges::all_of(dims, [](dim d) { return d.is_constant(); });
}

/// The batch's groups become groups of features: [b * n, c, …] to [n, b * c, …].
inline value batch_groups_as_features(const value& x, std::int64_t groups) {
  graph& g = x.owner();
  const shape& dims = x.dims();
  shape split{groups, g.dims().floordiv(dims[0], groups)}, merged{split[1], g.dims().mul(dims[1], groups)};
  split.append(dims.tail(1));
  merged.append(dims.tail(2));
  ints perm = iota_axes(x.rank() + 1);
  std::swap(perm[0], perm[1]);
  return reshape(jax2onnx::transpose(reshape(x, split), perm), merged);
}

/// Padding of the spatial axes as padding of all axes: batch and feature get none.
inline shape with_batch(const shape& amounts) {
  shape out{0, 0};
  out.insert(out.end(), amounts.begin(), amounts.end());
  return out;
}
inline ints with_batch(const ints& amounts) { return joined(ints{0, 0}, amounts); }

inline value conv_pad(const value& x, const conv_form& f, const shape& low, const shape& high) {
  ints interior;
  for (std::int64_t d : f.lhs_dilation) interior.push_back(d - 1);
  return pad_between(x, with_batch(low), with_batch(high), with_batch(interior), scalar(x.owner(), x.dtype(), 0));
}

/// The paddings are those that ONNX calls SAME_UPPER (and JAX "SAME"), which matters where they are symbolic.
inline bool is_same_padding(const value& x, const value& w, const conv_form& f) {
  if (!all_ones(f.rhs_dilation)) return false;
  dim_table& dims = x.owner().dims();
  for (std::size_t i = 0; i < f.spatial(); ++i) {
    const dim n = x.dims()[i + 2], stride = f.strides[i], count = dims.floordiv(dims.add(n, f.strides[i] - 1), stride);
    const dim covered = dims.add(dims.mul(dims.sub(count, 1), stride), w.dims()[i + 2]);
    const dim total = dims.max(dims.sub(covered, n), 0), low = dims.floordiv(total, 2);
    if (f.low[i] != low || f.high[i] != dims.sub(total, low)) return false;
  }
  return true;
}

/// The extents of ONNX's result: batch, features, then the windows along every spatial axis.
inline std::vector<window_axis> conv_windows(const value& x, const value& w, const conv_form& f) {
  std::vector<window_axis> out;
  for (std::size_t i = 0; i < f.spatial(); ++i) {
    const auto axis = static_cast<std::int64_t>(i) + 2;
    out.push_back({axis, w.extent(axis).extent(), f.strides[i], f.rhs_dilation[i], {}});
    out.back().count = window_count(x.owner(), x.extent(axis), out.back());
  }
  return out;
}

inline ints kernel_shape(const value& w) {
  ints out;
  for (std::int64_t axis = 2; axis < w.rank(); ++axis) out.push_back(w.extent(axis).extent());
  return out;
}

/// ONNX's Conv: x is [n, c, …], w is [o, c / groups, …]; `out` are the extents of the result.
inline value onnx_conv(value x, const value& w, const conv_form& f, const shape& out) {
  std::vector<attribute> attributes{{"kernel_shape", kernel_shape(w)}};
  shape low = f.low, high = f.high;
  if (!all_ones(f.lhs_dilation)) {
    x = conv_pad(x, f, low, high);
  } else if (!all_constant(f.low) && is_same_padding(x, w, f)) {
    attributes.push_back({"auto_pad", std::string("SAME_UPPER")});
  } else {
    // Conv takes what is constant and adds zeros; the rest is a Pad or a Slice before it.
    ints pads(2 * f.spatial(), 0);
    for (std::size_t i = 0; i < f.spatial(); ++i)
      for (shape* side : {&low, &high}) {
        dim& amount = (*side)[i];
        if (!amount.is_constant() || amount.extent() < 0) continue;
        pads[i + (side == &low ? 0 : f.spatial())] = amount.extent();
        amount = 0;
      }
    x = conv_pad(x, f, low, high);
    if (std::ranges::any_of(pads, [](std::int64_t n) { return n != 0; })) attributes.push_back({"pads", pads});
  }
  if (!all_ones(f.strides)) attributes.push_back({"strides", f.strides});
  if (!all_ones(f.rhs_dilation)) attributes.push_back({"dilations", f.rhs_dilation});
  if (f.groups != 1) attributes.push_back({"group", f.groups});
  return x.owner().emit("Conv", {x, w}, {x.dtype(), out}, std::move(attributes));
}

/// [o, c / groups, …] to what ConvTranspose wants, [c, o / groups, …], with the kernel's elements in reverse.
inline value transposed_kernel(const value& w, std::int64_t groups) {
  ints swapped = iota_axes(w.rank());
  std::swap(swapped[0], swapped[1]);
  const value flipped = reverse(w, complement(w.rank(), ints{0, 1}));
  if (groups == 1) return jax2onnx::transpose(flipped, swapped);
  const std::int64_t out = w.extent(0).extent() / groups, in = w.extent(1).extent();
  shape split{groups, out, in}, merged{groups * in, out};
  split.append(w.dims().tail(2));
  merged.append(w.dims().tail(2));
  ints perm = iota_axes(w.rank() + 1);
  std::swap(perm[1], perm[2]);
  return reshape(jax2onnx::transpose(reshape(flipped, split), perm), merged);
}

/// A convolution of a dilated input is ONNX's ConvTranspose with the kernel reversed: reach - 1 - low elements of its
/// full result are cut at the beginning, likewise at the end. Nothing where the form is another one.
inline std::optional<value> onnx_conv_transpose(const value& x, const value& w, const conv_form& f, const shape& out) {
  if (!all_ones(f.strides) || all_ones(f.lhs_dilation) || !all_constant(f.low) || !all_constant(f.high))
    return std::nullopt;
  const std::size_t n = f.spatial();
  ints pads(2 * n, 0), output_padding(n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t reach = (w.dims()[i + 2].extent() - 1) * f.rhs_dilation[i];
    pads[i] = reach - f.low[i].extent();
    const std::int64_t cut = reach - f.high[i].extent();
    pads[i + n] = std::max<std::int64_t>(cut, 0);
    output_padding[i] = std::max<std::int64_t>(-cut, 0);
    if (pads[i] < 0 || output_padding[i] >= f.lhs_dilation[i]) return std::nullopt;
  }
  std::vector<attribute> attributes{{"kernel_shape", kernel_shape(w)}, {"strides", f.lhs_dilation}};
  const auto given = [](const ints& v) { return std::ranges::any_of(v, [](std::int64_t k) { return k != 0; }); };
  if (given(pads)) attributes.push_back({"pads", pads});
  if (given(output_padding)) attributes.push_back({"output_padding", output_padding});
  if (!all_ones(f.rhs_dilation)) attributes.push_back({"dilations", f.rhs_dilation});
  if (f.groups != 1) attributes.push_back({"group", f.groups});
  return x.owner().emit("ConvTranspose", {x, transposed_kernel(w, f.groups)}, {x.dtype(), out}, std::move(attributes));
}

/// Windows times kernels, by MatMul: for element types that ONNX's Conv has not, or runtimes lack a kernel for.
inline value conv_by_matmul(value x, const value& w, const conv_form& f, const shape& out) {
  graph& g = x.owner();
  const auto n = static_cast<std::int64_t>(f.spatial());
  if (n == 0 && f.groups == 1) return matmul(x, jax2onnx::transpose(w, {1, 0}));
  x = conv_pad(x, f, f.low, f.high);
  std::vector<window_axis> axes = conv_windows(x, w, f);
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) x = windows(x, *axis);
  // [n, c, o1, k1, o2, k2, …] to [n, group, o1 * o2 * …, c * k1 * k2 * … of the group]
  const dim features = g.dims().floordiv(x.extent(1), f.groups), outputs = g.dims().floordiv(w.extent(0), f.groups);
  shape split{x.extent(0), f.groups, features};
  split.append(x.dims().tail(2));
  ints perm{0, 1}, kernel_axes{2};
  dim places = 1, depth = features;
  for (std::int64_t i = 0; i < n; ++i) {
    perm.push_back(3 + 2 * i);
    kernel_axes.push_back(4 + 2 * i);
    places = g.dims().mul(places, axes[static_cast<std::size_t>(i)].count);
    depth = g.dims().mul(depth, axes[static_cast<std::size_t>(i)].size);
  }
  x = jax2onnx::transpose(reshape(x, split), joined(perm, kernel_axes));
  x = reshape(x, {x.extent(0), f.groups, places, depth});
  const value kernel = jax2onnx::transpose(reshape(w, {f.groups, outputs, depth}), {0, 2, 1});
  const value y = matmul(x, kernel);  // [n, group, places, outputs]
  return reshape(jax2onnx::transpose(y, {0, 1, 3, 2}), out);
}

/// One convolution of real operands of one dtype.
inline value convolve(const site& s, const value& lhs, const value& rhs, conv_form f) {
  const shape out = extents_at(s.out_dims(), f.out_spec);
  value x = jax2onnx::transpose(lhs, f.lhs_spec);
  const value w = jax2onnx::transpose(rhs, f.rhs_spec);
  if (!all_constant(w.dims().tail(2))) s.unsupported("a kernel of symbolic size");
  if (f.batch_groups != 1) {
    x = batch_groups_as_features(x, f.batch_groups);
    f.groups = f.batch_groups;
  }
  const bool has_conv = is_floating(x.dtype()) && x.dtype() != dtype::f64 && f.spatial() > 0;
  value y;
  if (!has_conv) y = conv_by_matmul(x, w, f, out);
  else if (const auto transposed = onnx_conv_transpose(x, w, f, out)) y = *transposed;
  else y = onnx_conv(x, w, f, out);
  return jax2onnx::transpose(y, inverse(f.out_spec));
}

inline jax_values conv_general_dilated(const site& s) {
  const conv_form f(s);
  const auto is_empty = [](const shape& dims) { return std::ranges::any_of(dims, [](dim d) { return d.is(0); }); };
  return bilinear(s, [&](const value& a, const value& b) {
    if (is_empty(a.dims()) || is_empty(b.dims()) || is_empty(s.out_dims()))
      return filled(s.g, a.dtype(), s.out_dims(), 0);
    return convolve(s, a, b, f);
  });
}

inline constexpr lowering conv_rows[] = {
    {"conv_general_dilated", conv_general_dilated, "Conv, ConvTranspose, Transpose; MatMul of windows", parts_rule::own,
     ignores{"out_sharding precision preferred_element_type"}},
};

}  // namespace jax2onnx::lower
