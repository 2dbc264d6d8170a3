// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <jax2onnx/lower/linear/dot.hpp>
#include <jax2onnx/lower/linear/padding.hpp>
#include <jax2onnx/lower/linear/window_types.hpp>
#include <jax2onnx/ops/window.hpp>

/// Lowers conv_general_dilated to Conv or ConvTranspose, or to a MatMul over the windows if Conv and ConvTranspose do
/// not apply or are slower. Source: jax.lax.conv_general_dilated, ConvDimensionNumbers.
namespace jax2onnx::lower {

/// The parameters of a convolution. A spec lists the batch, feature and spatial dimensions of an array; for the kernel,
/// the output feature, input feature and spatial dimensions.
struct conv_form {
  ints lhs_spec, rhs_spec, out_spec, strides, lhs_dilation, rhs_dilation;
  shape low, high;
  dim groups = 1, batch_groups = 1;

  std::size_t spatial() const { return strides.size(); }
};

inline conv_form read_conv_form(const site& s) {
  const conv_specs specs(s);
  const edge_padding padding = read_padding(s);
  return {.lhs_spec = specs.lhs,
          .rhs_spec = specs.rhs,
          .out_spec = specs.out,
          .strides = s.param<ints>("window_strides"),
          .lhs_dilation = s.param<ints>("lhs_dilation"),
          .rhs_dilation = s.param<ints>("rhs_dilation"),
          .low = padding.low,
          .high = padding.high,
          .groups = group_count(s, "feature_group_count"),
          .batch_groups = group_count(s, "batch_group_count")};
}

/// Moves groups of the batch to the features: [b * n, c, …] to [n, b * c, …].
inline value batch_groups_as_features(const value& x, dim groups) {
  graph& g = x.owner();
  const shape& dims = x.dims();
  shape split{groups, g.dims().floordiv(dims[0], groups)}, merged{split[1], g.dims().mul(dims[1], groups)};
  split.append(dims.tail(1));
  merged.append(dims.tail(2));
  ints perm = iota_axes(x.rank() + 1);
  std::swap(perm[0], perm[1]);
  return reshape(transpose(reshape(x, split), perm), merged);
}

/// Amounts for the spatial axes as amounts for all axes, with 0 for batch and feature.
inline shape for_all_axes(const shape& amounts) {
  shape out{0, 0};
  out.insert(out.end(), amounts.begin(), amounts.end());
  return out;
}
inline ints for_all_axes(const ints& amounts) { return joined_axes(ints{0, 0}, amounts); }

/// x with its dilation and zero padding.
inline value conv_pad(const value& x, const conv_form& f, const shape& low, const shape& high) {
  ints interior;
  for (std::int64_t d : f.lhs_dilation) interior.push_back(jax2onnx::detail::checked_sub(d, 1));
  return pad_between(x, for_all_axes(low), for_all_axes(high), for_all_axes(interior), scalar(x.owner(), x.dtype(), 0));
}

/// Returns whether the kernel is not dilated and the padding is ONNX's SAME_UPPER, JAX's "SAME". Conv allows symbolic
/// padding only in this form.
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

/// The windows of the kernel along every spatial axis of x.
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

/// ONNX's Conv of x[n, c, …] and w[o, c / groups, …]; the result has the extents `out`. kernel_shape is omitted if the
/// kernel has symbolic extents, as in the gradient of a kernel for images of any size.
inline value onnx_conv(value x, const value& w, const conv_form& f, const shape& out) {
  std::vector<attribute> attributes;
  if (is_static(w.dims().tail(2))) attributes.push_back({"kernel_shape", kernel_shape(w)});
  shape low = f.low, high = f.high;
  if (!all_ones(f.lhs_dilation)) {
    x = conv_pad(x, f, low, high);
  } else if (!is_static(f.low) && is_same_padding(x, w, f)) {
    attributes.push_back({"auto_pad", std::string("SAME_UPPER")});
  } else {
    // Conv applies nonnegative constant padding; a Pad or Slice before it applies the rest.
    ints pads(2 * f.spatial(), 0);
    for (std::size_t i = 0; i < f.spatial(); ++i)
      for (shape* side : {&low, &high}) {
        dim& amount = (*side)[i];
        if (!amount.is_constant() || amount.extent() < 0) continue;
        pads[i + (side == &low ? 0 : f.spatial())] = amount.extent();
        amount = 0;
      }
    x = conv_pad(x, f, low, high);
    if (!all_zeros(pads)) attributes.push_back({"pads", pads});
  }
  if (!all_ones(f.strides)) attributes.push_back({"strides", f.strides});
  if (!all_ones(f.rhs_dilation)) attributes.push_back({"dilations", f.rhs_dilation});
  if (!f.groups.is(1)) attributes.push_back({"group", f.groups.extent()});
  return x.owner().emit("Conv", {x, w}, {x.dtype(), out}, std::move(attributes));
}

/// The kernel [o, c / groups, …] for ConvTranspose: [c, o / groups, …], with its elements reversed along the spatial
/// axes.
inline value transposed_kernel(const value& w, std::int64_t groups) {
  ints swapped = iota_axes(w.rank());
  std::swap(swapped[0], swapped[1]);
  const value flipped = reverse(w, complement(w.rank(), ints{0, 1}));
  if (groups == 1) return transpose(flipped, swapped);
  const std::int64_t out = w.extent(0).extent() / groups, in = w.extent(1).extent();
  shape split{groups, out, in}, merged{w.owner().dims().mul(groups, in), out};
  split.append(w.dims().tail(2));
  merged.append(w.dims().tail(2));
  ints perm = iota_axes(w.rank() + 1);
  std::swap(perm[1], perm[2]);
  return reshape(transpose(reshape(flipped, split), perm), merged);
}

/// The padding attributes of a ConvTranspose.
struct transposed_padding {
  ints pads, output_padding;
};

/// The padding of the ConvTranspose for a convolution of a dilated input. At the beginning of an axis, the full result
/// of the ConvTranspose loses (size - 1) * dilation - low elements; at the end of the axis, (size - 1) * dilation -
/// high elements. nullopt if ConvTranspose cannot express the padding.
inline std::optional<transposed_padding> transposed_padding_of(const shape& kernel, const conv_form& f) {
  const std::size_t n = f.spatial();
  transposed_padding out{ints(2 * n, 0), ints(n, 0)};
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t full = jax2onnx::detail::checked_mul(kernel[i + 2].extent() - 1, f.rhs_dilation[i]);
    const std::int64_t cut = jax2onnx::detail::checked_sub(full, f.high[i].extent());
    out.pads[i] = jax2onnx::detail::checked_sub(full, f.low[i].extent());
    out.pads[i + n] = std::max<std::int64_t>(cut, 0);
    out.output_padding[i] = std::max<std::int64_t>(jax2onnx::detail::checked_sub(0, cut), 0);
    if (out.pads[i] < 0 || out.output_padding[i] >= f.lhs_dilation[i]) return std::nullopt;
  }
  return out;
}

/// A convolution of a dilated input as ONNX's ConvTranspose with the reversed kernel. nullopt if the input is not
/// dilated, or if ConvTranspose cannot express the convolution.
inline std::optional<value> onnx_conv_transpose(const value& x, const value& w, const conv_form& f, const shape& out) {
  if (!all_ones(f.strides) || all_ones(f.lhs_dilation) || !is_static(f.low) || !is_static(f.high)) return std::nullopt;
  if (!is_static(w.dims().tail(2))) return std::nullopt;
  const auto padding = transposed_padding_of(w.dims(), f);
  if (!padding) return std::nullopt;
  std::vector<attribute> attributes{{"kernel_shape", kernel_shape(w)}, {"strides", f.lhs_dilation}};
  if (!all_zeros(padding->pads)) attributes.push_back({"pads", padding->pads});
  if (!all_zeros(padding->output_padding)) attributes.push_back({"output_padding", padding->output_padding});
  if (!all_ones(f.rhs_dilation)) attributes.push_back({"dilations", f.rhs_dilation});
  if (!f.groups.is(1)) attributes.push_back({"group", f.groups.extent()});
  return x.owner().emit("ConvTranspose", {x, transposed_kernel(w, f.groups.extent())}, {x.dtype(), out},
                        std::move(attributes));
}

/// MatMul of the windows and the kernel: for element types that Conv or the runtimes' kernels of Conv lack, for a
/// symbolic number of groups, and for convolutions without spatial axes.
inline value conv_by_matmul(value x, const value& w, const conv_form& f, const shape& out) {
  graph& g = x.owner();
  const auto n = static_cast<std::int64_t>(f.spatial());
  if (n == 0 && f.groups.is(1)) return matmul(x, transpose(w, {1, 0}));
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
  x = transpose(reshape(x, split), joined_axes(perm, kernel_axes));
  x = reshape(x, {x.extent(0), f.groups, places, depth});
  const value kernel = transpose(reshape(w, {f.groups, outputs, depth}), {0, 2, 1});
  const value y = matmul(x, kernel);  // [n, group, outputs' positions, features]
  return reshape(transpose(y, {0, 1, 3, 2}), out);
}

/// x with padding of its spatial axes, which begin at `axis`.
inline value pad_image(const value& x, const conv_form& f, std::int64_t axis) {
  shape low(x.dims().size(), dim(0)), high = low;
  std::copy(f.low.begin(), f.low.end(), low.begin() + axis);
  std::copy(f.high.begin(), f.high.end(), high.begin() + axis);
  return pad(x, low, high, scalar(x.owner(), x.dtype(), 0));
}

/// Positions after adding an axis of `extent`: for each of `places`, `count` positions that are `step` apart along the
/// axis.
inline ints more_places(const ints& places, std::int64_t extent, std::int64_t count, std::int64_t step) {
  ints more;
  for (const std::int64_t at : places)
    for (std::int64_t i = 0; i < count; ++i) more.push_back(at * extent + i * step);
  return more;
}

/// The elements of x[n, c, …] that each output reads, as the matrix [c * kernel, outputs * n]. One Gather of runs of n
/// elements computes the matrix.
inline value gathered_windows(const value& x, const ints& kernel, const shape& outputs, const conv_form& f) {
  graph& g = x.owner();
  const dim n = x.extent(0), c = x.extent(1);
  const value image = pad_image(transpose(x, joined_axes(ints{1}, complement(x.rank(), ints{0, 1}), ints{0})), f, 1);
  ints of_first{0}, of_outputs{0};
  std::int64_t area = 1;
  for (std::size_t i = 0; i < f.spatial(); ++i) {
    const std::int64_t extent = image.dims()[i + 1].extent();
    of_first = more_places(of_first, extent, kernel[i], f.rhs_dilation[i]);
    of_outputs = more_places(of_outputs, extent, outputs[i].extent(), f.strides[i]);
    area *= extent;
  }
  const std::int64_t elements = std::ssize(of_first), count = std::ssize(of_outputs);
  const value places = add(reshape(int64s(g, of_first), {elements, 1}), int64s(g, of_outputs));
  return reshape(gather(reshape(image, {c, area, n}), places, 1), {g.dims().mul(c, elements), g.dims().mul(n, count)});
}

/// gathered_windows() as the matrix [outputs * n, c * kernel], computed by one Slice for each output.
inline value sliced_windows(const value& x, const ints& kernel, const shape& outputs, const conv_form& f) {
  const value image = pad_image(x, f, 2);
  std::vector<ints> starts{{}};
  for (std::size_t i = 0; i < f.spatial(); ++i) {
    std::vector<ints> more;
    for (const ints& start : starts)
      for (std::int64_t at = 0; at < outputs[i].extent(); ++at)
        more.push_back(joined_axes(start, ints{at * f.strides[i]}));
    starts = std::move(more);
  }
  std::vector<value> windows;
  std::int64_t elements = x.extent(1).extent();
  for (const std::int64_t extent : kernel) elements *= extent;
  for (const ints& start : starts) {
    const shape from(start.begin(), start.end());
    shape to = from;
    for (std::size_t i = 0; i < f.spatial(); ++i) to[i] = start[i] + (kernel[i] - 1) * f.rhs_dilation[i] + 1;
    windows.push_back(slice(image, complement(x.rank(), ints{0, 1}), from, to, f.rhs_dilation));
  }
  return reshape(concat(windows, 0), {std::ssize(starts) * x.extent(0).extent(), elements});
}

/// The product of constant extents.
inline std::int64_t product_of(const shape& extents) {
  std::int64_t n = 1;
  for (const dim d : extents) n = jax2onnx::detail::checked_mul(n, d.extent());
  return n;
}

/// The least length of runs for which a Gather of the runs is faster than a Slice for each output.
inline constexpr std::int64_t least_run = 16;

/// Returns whether a convolution has at least as many kernel elements as outputs, as in the gradient of a kernel, and
/// few enough windows to list them; false for groups, dilated inputs and symbolic extents. For these convolutions, ONNX
/// Runtime's Conv takes two to three times as long as MatMul. A kernel of one element does not count as a gradient: it
/// is a layer on channels, for which no windows need to be listed.
inline bool is_kernel_gradient(const value& x, const value& w, const conv_form& f, const shape& out) {
  constexpr std::int64_t most_slices = 64, most_places = 1 << 16, most_elements = 1 << 24;
  if (f.spatial() == 0 || !f.groups.is(1) || !all_ones(f.lhs_dilation)) return false;
  if (!is_static(f.low) || !is_static(f.high) || !is_static(x.dims()) || !is_static(out)) return false;
  const std::int64_t kernel = product_of(w.dims().tail(2)), outputs = product_of(out.tail(2)), n = x.extent(0).extent();
  if (kernel == 1 || kernel < outputs || kernel > most_places || (n < least_run && outputs > most_slices)) return false;
  return product_of({n, x.extent(1), kernel, outputs}) <= most_elements;
}

/// A convolution of x[n, c, …] and w[o, c, …] as one MatMul of the windows of x and the kernel.
inline value conv_by_windows(const value& x, const value& w, const conv_form& f, const shape& out) {
  const ints kernel = kernel_shape(w), spatial_axes = complement(x.rank(), ints{0, 1});
  const dim n = x.extent(0), o = w.extent(0);
  const value windows = n.extent() < least_run ? sliced_windows(x, kernel, out.tail(2), f)
                                               : transpose(gathered_windows(x, kernel, out.tail(2), f), {1, 0});
  const value rows = reshape(transpose(w, joined_axes(ints{1}, spatial_axes, ints{0})), {windows.extent(1), o});
  shape split = out.tail(2);
  split.push_back(n);
  split.push_back(o);
  return transpose(reshape(matmul(windows, rows), split), inverse_permutation(joined_axes(spatial_axes, ints{0, 1})));
}

/// The convolution of real arrays of one dtype.
inline value convolve(const site& s, const value& lhs, const value& rhs, conv_form f) {
  const shape out = extents_at(s.out_dims(), f.out_spec);
  value x = transpose(lhs, f.lhs_spec);
  const value w = transpose(rhs, f.rhs_spec);
  if (!f.batch_groups.is(1)) {
    x = batch_groups_as_features(x, f.batch_groups);
    f.groups = f.batch_groups;
  }
  const bool has_kernel = is_floating(x.dtype()) && x.dtype() != dtype::f64;
  const bool has_conv = has_kernel && f.spatial() > 0 && f.groups.is_constant();
  if (!has_conv && !is_static(w.dims().tail(2)))
    s.unsupported("its kernel has a symbolic size, and Conv does not support its element type or number of groups");
  value y;
  if (!has_conv) y = conv_by_matmul(x, w, f, out);
  else if (!rhs.is_constant() && is_kernel_gradient(x, w, f, out)) y = conv_by_windows(x, w, f, out);
  else if (const auto transposed = onnx_conv_transpose(x, w, f, out)) y = *transposed;
  else y = onnx_conv(x, w, f, out);
  return transpose(y, inverse_permutation(f.out_spec));
}

/// A complex product by three real products, as JAX computes convolutions. The sums of real and imaginary parts are
/// rounded to the type of the operands, which may be narrower than the type of the result.
inline jax_value gauss_product(const jax_value& a, const jax_value& b, real_product real) {
  const value k1 = real(add(a.re(), a.im()), b.re());
  const value k2 = real(a.re(), sub(b.im(), b.re()));
  const value k3 = real(a.im(), add(b.re(), b.im()));
  return {sub(k1, k3), add(k1, k2)};
}

inline jax_values conv_general_dilated(const site& s) {
  const conv_form f = read_conv_form(s);
  const auto real = [&](const value& a, const value& b) {
    if (is_empty(a.dims()) || is_empty(b.dims()) || is_empty(s.out_dims()))
      return filled(s.g, a.dtype(), s.out_dims(), 0);
    return convolve(s, a, b, f);
  };
  if (!s.is_complex()) return bilinear(s, real);
  return {gauss_product(s.in_parts(0), s.in_parts(1), [&](const value& a, const value& b) {
    return real(cast(a, s.out_dtype()), cast(b, s.out_dtype()));
  })};
}

inline constexpr lowering conv_rows[] = {
    {"conv_general_dilated", conv_general_dilated, "Conv, ConvTranspose, Transpose; MatMul of windows", conv_signature,
     parts_rule::own, ignores{"out_sharding precision preferred_element_type"}},
};

}  // namespace jax2onnx::lower
