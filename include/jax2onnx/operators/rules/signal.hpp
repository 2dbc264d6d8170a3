// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of signals and images.
namespace jax2onnx::rules {

/// The axis of a Fourier transform, which is not the last one: an attribute before version 20, and operand 2 from
/// version 20 on. Nullopt if the axis is not known or not valid.
constexpr std::optional<std::size_t> transformed_axis(inference& c) {
  const bool attribute = c.since() < 20;
  if (attribute && !c.known("axis")) return std::nullopt;
  const dim stated = attribute ? dim(c.integer("axis")) : c.has(2) ? c.number(2) : dim(-2);
  if (!stated.is_constant()) return std::nullopt;
  const std::int64_t axis = c.axis(stated.extent(), c.rank(0));
  if (!c.expect(axis != c.rank(0) - 1, "the axis {} holds the real and imaginary parts", stated)) return std::nullopt;
  return static_cast<std::size_t>(axis);
}

/// The result of a Fourier transform of known direction along a known axis.
constexpr void transform(inference& c, std::size_t axis) {
  const bool half = c.flag("onesided"), inverse = c.flag("inverse");
  shape out = c.dims(0);
  dim length = out[axis];
  if (c.has(1)) length = c.number(1);
  else if (half && inverse) length = c.mul(c.sub(length, 1), 2);
  c.expect(!length.is_constant() || length.extent() > 0 || out[axis].is(0),
           "the length of the transform is {}; it must be positive", length);
  out[axis] = half && !inverse ? c.add(c.floordiv(length, 2), 1) : length;
  out.back() = half && inverse ? 1 : 2;
  c.result(0, std::move(out));
}

/// DFT: the last axis has 1 number for real elements, and 2 numbers for complex elements. Onesided transforms take or
/// give half of a spectrum.
constexpr void dft(inference& c) {
  if (!c.expect(c.rank(0) >= 2,
                "the operand has {} dimension{|s}; it needs 2 or more, the last one for real and imaginary parts",
                c.rank(0)))
    return;
  c.expect_flag("onesided");
  c.expect_flag("inverse");
  const dim parts = c.dims(0).back();
  c.expect(!parts.is_constant() || parts.is(1) || parts.is(2), "the last dimension is {}; it must be 1 or 2", parts);
  const bool known = c.known("onesided") && c.known("inverse"), half = c.flag("onesided"), inverse = c.flag("inverse");
  if (known && half)
    c.expect_equal(parts, inverse ? 2 : 1, "the last dimension is {}; for this onesided transform it must be {}");
  const std::optional<std::size_t> axis = transformed_axis(c);
  if (c.failed()) return;
  if (known && axis) return transform(c, *axis);
  shape out = inference::unknown(c.rank(0));
  if (known) out.back() = half && inverse ? 1 : 2;
  c.result(0, std::move(out));
}

/// The length of STFT's frames: operand 3, else the length of the window, else the length of the signal.
constexpr dim frame_length(inference& c) {
  if (!c.expect_rank(2, 1, "the window has {} dimension{|s}; it must be a vector")) return dim::dyn();
  const dim window = c.has(2) ? c.dims(2)[0] : dim::dyn();
  if (!c.has(3)) return c.has(2) ? window : c.dims(0)[1];
  const dim stated = c.number(3);
  c.expect_equal(window, stated, "the window has {} element{|s}, the frames {}");
  return c.either(stated, window);
}

/// STFT: signals [batch, length, 1 or 2] become [batch, frames, frequencies, 2].
constexpr void stft(inference& c) {
  if (!c.expect_rank(0, 3, "the signal has {} dimension{|s}; it must be [batch, length, real and imaginary part]"))
    return;
  const shape& x = c.dims(0);
  c.expect(!x[2].is_constant() || x[2].is(1) || x[2].is(2), "the last dimension is {}; it must be 1 or 2", x[2]);
  c.expect_flag("onesided");
  const bool known = c.known("onesided"), half = c.flag("onesided");
  c.expect(!known || !half || !x[2].is(2), "a complex signal has no onesided transform");
  const dim step = c.number(1), length = frame_length(c);
  c.expect_positive(step, "the step between frames is {}; it must be positive");
  c.expect_positive(length, "frames have {} element{|s}; they must have at least one");
  const dim rest = length.is_dyn() || x[1].is_dyn() ? dim::dyn() : c.sub(x[1], length);
  if (!c.expect(!rest.is_constant() || rest.extent() >= 0, "frames have {} element{|s}, the signal {}", length, x[1]))
    return;
  const bool counted = rest.is(0) || (!rest.is_dyn() && step.is_constant());
  const dim frames = rest.is(0) ? dim(1) : counted ? c.add(c.floordiv(rest, step), 1) : dim::dyn();
  const dim bins = half ? c.add(c.floordiv(length, 2), 1) : length;
  c.result(0, {x[0], frames, known ? bins : dim::dyn(), 2});
}

/// The dtype that output_datatype states; undefined if it is not known.
constexpr dtype output_dtype(inference& c) {
  if (!c.known("output_datatype")) return dtype::undefined;
  const dtype t = c.type("output_datatype");
  c.expect(c.allows(0, t), "output_datatype is not an allowed type of the result");
  return t;
}

/// BlackmanWindow and the other windows: the operand is the number of elements.
constexpr void window(inference& c) {
  const dim size = c.number(0);
  c.expect(!size.is_constant() || size.extent() >= 0, "the window has {} element{|s}, fewer than 0", size);
  const dtype type = output_dtype(c);
  c.result(0, type, {size});
}

/// MelWeightMatrix: the result is [frequencies, bands].
constexpr void mel_weight_matrix(inference& c) {
  const dim bands = c.number(0), length = c.number(1);
  for (std::size_t i = 2; i < 5; ++i) c.number(i);
  c.expect_positive(bands, "it has {} bands; it must have at least one");
  c.expect_positive(length, "the length of the transform is {}; it must be positive");
  const dtype type = output_dtype(c);
  if (!c.failed()) c.result(0, type, {c.add(c.floordiv(length, 2), 1), bands});
}

/// floor(extent * scale). The result is `dyn` if f32 and f64 disagree, for a symbolic extent if the scale is not an
/// integer, and for numbers that are too large for a decision.
constexpr dim scaled(const inference& c, dim extent, double scale) {
  if (extent.is_dyn() || scale == 1) return extent;
  const bool whole = scale < 1e9 && static_cast<double>(static_cast<std::int64_t>(scale)) == scale;
  if (whole) return c.mul(extent, static_cast<std::int64_t>(scale));
  if (!extent.is_constant() || extent.extent() > (std::int64_t{1} << 24) || scale > 1e9) return dim::dyn();
  const auto exact = static_cast<std::int64_t>(static_cast<double>(extent.extent()) * scale);
  const auto rounded = static_cast<std::int64_t>(static_cast<float>(extent.extent()) * static_cast<float>(scale));
  return exact == rounded ? dim(exact) : dim::dyn();
}

/// The shape after Resize scales these axes by the factors in operand 2.
constexpr shape by_scales(inference& c, const std::vector<std::int64_t>& axes) {
  shape out = c.dims(0);
  const bool crops =
      !c.known("coordinate_transformation_mode") || c.text("coordinate_transformation_mode") == "tf_crop_and_resize";
  const std::string_view policy = c.text("keep_aspect_ratio_policy");
  c.expect(policy.empty() || policy == "stretch", "keep_aspect_ratio_policy is for sizes; scales state the ratio");
  const std::optional<std::vector<double>> scales = c.reals(2);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    dim& extent = out[static_cast<std::size_t>(axes[i])];
    const double scale = scales && i < scales->size() ? (*scales)[i] : 1;
    c.expect(scale > 0, "a scale is not positive");
    extent = scales && !crops && !c.failed() ? scaled(c, extent, scale) : dim::dyn();
  }
  return out;
}

/// The index of the axis with the least, or the largest, ratio of new to old extent. Nullopt if a ratio is not known.
constexpr std::optional<std::size_t> extreme_ratio(const shape& from, const shape& to, bool least) {
  std::size_t extreme = 0;
  for (std::size_t i = 0; i < to.size(); ++i) {
    const bool known = from[i].is_constant() && to[i].is_constant();
    if (!known || from[i].extent() <= 0 || from[i].extent() >> 31 || to[i].extent() >> 31) return std::nullopt;
    const std::int64_t a = to[i].extent() * from[extreme].extent(), b = to[extreme].extent() * from[i].extent();
    if (least ? a < b : a > b) extreme = i;
  }
  return extreme;
}

/// extent * to / from, rounded to the nearest integer, halves up. A half gives `dyn` if `from` is not a power of two:
/// to / from is then inexact in f32.
constexpr dim proportional(dim extent, dim from, dim to) {
  if (extent == from) return to;
  const std::int64_t divisor = from.extent(), product = extent.extent() * to.extent();
  const bool exact = (divisor & (divisor - 1)) == 0, half = 2 * (product % divisor) == divisor;
  if (half && !exact) return dim::dyn();
  return (2 * product + divisor) / (2 * divisor);
}

/// The shape after Resize gives these axes the extents in operand 3.
constexpr shape by_sizes(inference& c, const std::vector<std::int64_t>& axes) {
  shape out = c.dims(0), from;
  const shape to = c.numbers(3).value_or(shape(axes.size(), dim::dyn()));
  for (std::int64_t axis : axes) from.push_back(out[static_cast<std::size_t>(axis)]);
  for (dim size : to)
    c.expect(!size.is_constant() || size.extent() >= 0, "an extent of the result is {}; it must not be negative", size);
  if (c.failed()) return out;
  const std::string_view policy = c.text("keep_aspect_ratio_policy");
  const bool stretched = c.known("keep_aspect_ratio_policy") && (policy.empty() || policy == "stretch");
  const std::optional<std::size_t> k = extreme_ratio(from, to, policy == "not_larger");
  const bool known = c.known("keep_aspect_ratio_policy") && k && !to.empty();
  for (std::size_t i = 0; i < axes.size(); ++i)
    out[static_cast<std::size_t>(axes[i])] = stretched ? to[i]
                                             : known   ? proportional(from[i], from[*k], to[*k])
                                                       : dim::dyn();
  return out;
}

/// Fails unless Resize's attributes have values that ONNX defines.
constexpr bool expect_interpolation(inference& c) {
  c.expect_choice("mode", {"nearest", "linear", "cubic"}, "mode must be nearest, linear or cubic");
  c.expect_choice("nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"},
                  "nearest_mode must be round_prefer_floor, round_prefer_ceil, floor or ceil");
  c.expect_choice("keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"},
                  "keep_aspect_ratio_policy must be stretch, not_larger or not_smaller");
  return c.expect_choice(
      "coordinate_transformation_mode",
      {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"},
      "coordinate_transformation_mode is not one that Resize knows");
}

/// Resize: X, roi, scales, sizes. An empty operand counts as absent.
constexpr void resize(inference& c) {
  const auto is_given = [&](std::size_t i) { return c.has(i) && !(c.rank(i) == 1 && c.dims(i)[0].is(0)); };
  const bool scales = is_given(2), sizes = is_given(3), all = !c.given("axes");
  if (!expect_interpolation(c)) return;
  if (!c.expect(scales || sizes, "it needs scales or sizes")) return;
  c.expect(!scales || !sizes, "scales and sizes exclude each other");
  for (std::size_t i = 1; i < 4; ++i)
    c.expect_rank(i, 1, "roi, scales or sizes have {} dimension{|s}; they must be vectors");
  if (c.failed()) return;
  std::vector<std::int64_t> axes = c.axes(c.integers("axes"), c.rank(0));
  for (std::int64_t i = 0; all && i < c.rank(0); ++i) axes.push_back(i);
  if (!c.known("axes")) return c.result(0, inference::unknown(c.rank(0)));
  const auto n = static_cast<std::int64_t>(axes.size());
  if (!c.expect_equal(c.dims(sizes ? 3 : 2)[0], n, "it has {} scale{|s} or size{|s} for {} ax{is|es}")) return;
  if (c.text("coordinate_transformation_mode") == "tf_crop_and_resize" &&
      c.expect(c.has(1), "tf_crop_and_resize needs roi"))
    c.expect_equal(c.dims(1)[0], 2 * n, "roi has {} element{|s} instead of {}");
  if (sizes) c.result(0, by_sizes(c, axes));
  else c.result(0, by_scales(c, axes));
}

/// GridSample: X [batch, channels, spatial axes...], grid [batch, spatial axes of the result…, coordinates].
constexpr void grid_sample(inference& c) {
  const shape &x = c.dims(0), &grid = c.dims(1);
  const bool planar = c.since() < 20;
  c.expect(c.rank(0) >= (planar ? 4 : 3),
           "the operand has {} dimension{|s}; it must be [batch, channels, spatial axes...]", c.rank(0));
  c.expect(!planar || c.rank(0) == 4, "the operand has {} dimension{|s}; before opset 20 it must have 4", c.rank(0));
  if (!c.expect(grid.size() == x.size(), "the grid has {} dimension{|s}, the operand {}", c.rank(1), c.rank(0))) return;
  c.expect_equal(grid[0], x[0], "the grid is for a batch of {} instead of {}");
  c.expect_equal(grid.back(), c.rank(0) - 2, "the grid has {} coordinates instead of {}");
  c.expect_choice("padding_mode", {"zeros", "border", "reflection"},
                  "padding_mode must be zeros, border or reflection");
  if (planar) c.expect_choice("mode", {"bilinear", "nearest", "bicubic"}, "mode must be bilinear, nearest or bicubic");
  else c.expect_choice("mode", {"linear", "nearest", "cubic"}, "mode must be linear, nearest or cubic");
  if (c.failed()) return;
  shape out{c.either(x[0], grid[0]), x[1]};
  out.insert(out.end(), grid.begin() + 1, grid.end() - 1);
  c.result(0, std::move(out));
}

/// AffineGrid: theta [batch, axes, axes + 1]; operand 1 is [batch, channels, spatial axes...].
constexpr void affine_grid(inference& c) {
  c.expect_rank(0, 3, "theta has {} dimension{|s}; it must be [batch, axes, axes + 1]");
  if (!c.expect_rank(1, 1, "the size has {} dimension{|s}; it must be a vector")) return;
  const shape& theta = c.dims(0);
  std::optional<shape> size = c.numbers(1);
  if (!size && theta[1].is_constant()) size = inference::unknown(theta[1].extent() == 3 ? 5 : 4);
  if (!size) return c.unranked_result(0);
  const auto axes = static_cast<std::int64_t>(size->size()) - 2;
  if (!c.expect(axes == 2 || axes == 3, "the size has {} element{|s}; it must have 4 or 5", axes + 2)) return;
  c.expect_equal(theta[1], axes, "theta has {} row{|s} for {} spatial ax{is|es}");
  c.expect_equal(theta[2], axes + 1, "theta has {} column{|s} instead of {}");
  c.expect_equal(theta[0], size->front(), "theta is for a batch of {} instead of {}");
  shape out{c.either(size->front(), theta[0])};
  out.append(size->tail(2));
  out.push_back(axes);
  c.result(0, std::move(out));
}

/// ImageDecoder: an image [height, width, channels], which is empty if the stream is broken.
constexpr void image_decoder(inference& c) {
  c.expect_rank(0, 1, "the stream has {} dimension{|s}; it must be a vector");
  c.expect_choice("pixel_format", {"RGB", "BGR", "Grayscale"}, "pixel_format must be RGB, BGR or Grayscale");
  c.result(0, inference::unknown(3));
}

}  // namespace jax2onnx::rules
