// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of convolutions, and the windows that they share with pooling.
namespace jax2onnx::rules {

/// True if both extents are known, and a is not a multiple of b.
constexpr bool indivisible(dim a, dim b) {
  return a.is_constant() && b.is_constant() && b.extent() > 0 && a.extent() % b.extent() != 0;
}

/// Fails if a list is given, but does not have n entries, or has an entry less than `least`.
constexpr bool expect_entries(inference& c, std::string_view name, std::size_t n, std::int64_t least,
                              std::string_view wrong_count, std::string_view wrong_entry) {
  if (!c.given(name)) return !c.failed();
  const std::span<const std::int64_t> list = c.integers(name);
  c.expect(list.size() == n, wrong_count, static_cast<std::int64_t>(list.size()), static_cast<std::int64_t>(n));
  for (std::int64_t entry : list) c.expect(entry >= least, wrong_entry, entry);
  return !c.failed();
}

/// Windows that slide over spatial axes, as stated by the attributes strides, dilations, pads, auto_pad and ceil_mode.
class windows {
 public:
  /// Windows of these extents, one for each axis; fails if the attributes do not fit.
  constexpr windows(inference& c, shape extents) : c_(c), extents_(std::move(extents)) {
    const std::size_t n = extents_.size();
    for (dim k : extents_) c.expect_positive(k, "a window has the extent {}; it must be positive");
    expect_entries(c, "strides", n, 1, "strides has {} entr{y|ies} for {} spatial ax{is|es}",
                   "a stride is {}; it must be positive");
    expect_entries(c, "dilations", n, 1, "dilations has {} entr{y|ies} for {} spatial ax{is|es}",
                   "a dilation is {}; it must be positive");
    expect_entries(c, "pads", 2 * n, 0, "pads has {} entr{y|ies}; it needs {}, two for each spatial axis",
                   "a padding is {}; it must not be negative");
    c.expect_flag("ceil_mode");
    c.expect_choice("auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"},
                    "auto_pad must be NOTSET, SAME_UPPER, SAME_LOWER or VALID");
    if (explicit_padding()) return;
    for (std::int64_t p : c.integers("pads")) c.expect(p == 0, "pads and auto_pad exclude each other");
  }

  /// The number of elements from one window to the next.
  constexpr std::int64_t stride(std::size_t axis) const { return entry("strides", axis, 1); }
  /// The number of elements from one element of a window to the next.
  constexpr std::int64_t dilation(std::size_t axis) const { return entry("dilations", axis, 1); }
  /// The padding before an axis.
  constexpr dim begin(std::size_t axis) const { return entry("pads", axis, 0); }
  /// The padding after an axis.
  constexpr dim end(std::size_t axis) const { return entry("pads", axis + extents_.size(), 0); }
  /// The number of elements that a window covers, gaps included.
  constexpr dim reach(std::size_t axis) const {
    const dim k = extents_[axis];
    return dilation(axis) == 1 ? k : c_.add(c_.mul(c_.sub(k, 1), dilation(axis)), 1);
  }
  /// True for SAME padding: an axis has ceil(extent / stride) windows.
  constexpr bool same() const { return c_.text("auto_pad").starts_with("SAME"); }

  /// The number of windows along an axis of an operand.
  constexpr dim count(std::size_t axis, dim extent) const {
    if (c_.failed() || !c_.defaults_apply()) return dim::dyn();
    if (same()) return c_.ceildiv(extent, stride(axis));
    const dim padding = c_.add(begin(axis), end(axis)), padded = c_.add(extent, padding);
    if (is_less(padded, reach(axis))) return none(axis, extent, padded);
    if (stride(axis) == 1) return c_.add(extent, c_.sub(c_.add(padding, 1), reach(axis)));
    const dim room = c_.add(extent, c_.sub(padding, reach(axis)));
    if (c_.flag("ceil_mode") && explicit_padding()) return rounded_up(axis, extent, room);
    return c_.add(c_.floordiv(room, stride(axis)), 1);
  }

 private:
  constexpr bool explicit_padding() const { return c_.text("auto_pad").empty() || c_.text("auto_pad") == "NOTSET"; }
  constexpr std::int64_t entry(std::string_view name, std::size_t i, std::int64_t fallback) const {
    const std::span<const std::int64_t> list = c_.integers(name);
    return i < list.size() ? list[i] : fallback;
  }
  static constexpr bool is_less(dim a, dim b) { return a.is_constant() && b.is_constant() && a.extent() < b.extent(); }
  /// Returns 0, the number of windows if no window fits into the axis. Fails unless the axis is empty.
  constexpr dim none(std::size_t axis, dim extent, dim padded) const {
    c_.expect(extent.is(0), "a window covers {} element{|s} of an axis that has {} with its padding", reach(axis),
              padded);
    return 0;
  }
  /// With ceil_mode, elements that do not fill a window get another window, unless that window would start in the
  /// padding at the end.
  constexpr dim rounded_up(std::size_t axis, dim extent, dim room) const {
    const dim steps = c_.ceildiv(room, stride(axis));
    if (is_less(c_.sub(c_.add(end(axis), stride(axis)), 1), reach(axis))) return c_.add(steps, 1);
    if (!steps.is_constant()) return dim::dyn();
    return is_less(c_.mul(steps, stride(axis)), c_.add(extent, begin(axis))) ? c_.add(steps, 1) : steps;
  }

  inference& c_;
  shape extents_;
};

/// The spatial extents of the weights, which follow the first two dimensions. Fails if the attribute kernel_shape
/// states other extents.
constexpr shape kernel_of(inference& c, std::size_t weights) {
  shape kernel = c.dims(weights).tail(2);
  if (!c.given("kernel_shape")) return kernel;
  const std::span<const std::int64_t> stated = c.integers("kernel_shape");
  if (!c.expect(stated.size() == kernel.size(), "kernel_shape has {} entr{y|ies} for {} spatial ax{is|es}",
                static_cast<std::int64_t>(stated.size()), static_cast<std::int64_t>(kernel.size())))
    return kernel;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    c.expect_equal(stated[i], kernel[i], "kernel_shape has {} where the weights have {}");
    kernel[i] = stated[i];
  }
  return kernel;
}

/// Fails unless the operands are images [batch, channels, spatial axes...] and weights with as many dimensions.
constexpr bool expect_images(inference& c, std::size_t weights) {
  c.expect(c.rank(0) >= 3, "the first operand has {} dimension{|s}; it must be [batch, channels, spatial axes...]",
           c.rank(0));
  return c.expect(c.rank(weights) == c.rank(0), "the weights have {} dimension{|s}, the first operand {}",
                  c.rank(weights), c.rank(0));
}

/// Fails unless `group` divides these channels.
constexpr bool expect_groups(inference& c, dim group, dim channels, std::string_view problem) {
  c.expect_positive(group, "the number of groups is {}; it must be positive");
  return c.expect(!indivisible(channels, group), problem, channels, group);
}

/// Fails unless the bias, if given, is [channels].
constexpr bool expect_bias(inference& c, std::size_t bias, dim channels) {
  if (!c.has(bias)) return !c.failed();
  return c.expect_rank(bias, 1, "the bias has {} dimension{|s}; it must be a vector") &&
         c.expect_equal(c.dims(bias)[0], channels, "the bias has {} element{|s} for {} channel{|s}");
}

/// Fails unless an operand, if given, has one element.
constexpr bool expect_scalar(inference& c, std::size_t i, std::string_view problem) {
  if (!c.has(i)) return !c.failed();
  return c.expect(c.rank(i) == 0 || (c.rank(i) == 1 && !c.differ(c.dims(i)[0], 1)), problem, c.rank(i));
}

/// Fails unless an operand, if given, has one element, or one for each channel.
constexpr bool expect_per_channel(inference& c, std::size_t i, dim channels) {
  if (!c.has(i) || c.rank(i) == 0) return !c.failed();
  return c.expect_rank(i, 1,
                       "a scale or zero point of the weights has {} dimension{|s}; it must be a scalar or a vector") &&
         c.expect(c.dims(i)[0].is(1) || !c.differ(c.dims(i)[0], channels),
                  "a scale or zero point of the weights has {} element{|s} for {} channel{|s}", c.dims(i)[0], channels);
}

/// Fails unless the scales and zero points of a quantized convolution fit.
constexpr bool expect_quantization(inference& c, dim channels) {
  const bool linear = c.op() == "QLinearConv", integers = c.op() == "ConvInteger";
  constexpr std::string_view problem = "a scale or zero point has {} dimension{|s}; it must be a scalar";
  if (integers) return expect_scalar(c, 2, problem) && expect_per_channel(c, 3, channels);
  if (linear)
    return expect_scalar(c, 1, problem) && expect_scalar(c, 2, problem) && expect_per_channel(c, 4, channels) &&
           expect_per_channel(c, 5, channels) && expect_scalar(c, 6, problem) && expect_scalar(c, 7, problem);
  return !c.failed();
}

/// The shape of a result with an element for each window: [batch, channels, spatial axes...].
constexpr shape images(inference& c, const windows& w, dim channels) {
  shape out{c.dims(0)[0], channels};
  for (std::size_t i = 2; i < c.dims(0).size(); ++i) out.push_back(w.count(i - 2, c.dims(0)[i]));
  return out;
}

/// An extent of ConvTranspose's result.
constexpr dim transposed_extent(inference& c, const windows& w, std::size_t axis, dim extent) {
  const std::span<const std::int64_t> stated = c.integers("output_shape"), more = c.integers("output_padding");
  if (!c.defaults_apply()) return dim::dyn();
  if (!stated.empty()) return stated[axis];
  if (w.same()) return c.mul(extent, w.stride(axis));
  const dim trimmed = c.sub(c.add(w.reach(axis), more.empty() ? 0 : more[axis]), c.add(w.begin(axis), w.end(axis)));
  if (w.stride(axis) == 1) return c.add(extent, c.sub(trimmed, 1));
  return c.add(c.mul(extent, w.stride(axis)), c.sub(trimmed, w.stride(axis)));
}

/// Fails unless output_padding and output_shape fit.
constexpr bool expect_outputs(inference& c, const windows& w, std::size_t n) {
  expect_entries(c, "output_shape", n, 0, "output_shape has {} entr{y|ies} for {} spatial ax{is|es}",
                 "an extent is {}; it must not be negative");
  if (!expect_entries(c, "output_padding", n, 0, "output_padding has {} entr{y|ies} for {} spatial ax{is|es}",
                      "an output padding is {}; it must not be negative"))
    return false;
  std::size_t i = 0;
  for (std::int64_t p : c.integers("output_padding")) {
    c.expect(p == 0 || p < w.stride(i) || p < w.dilation(i),
             "an output padding is {}; it must be less than the stride or the dilation", p);
    ++i;
  }
  return !c.failed();
}

/// Conv, ConvInteger, QLinearConv: weights [outputs, inputs / group, windows…].
constexpr void conv(inference& c) {
  const bool linear = c.op() == "QLinearConv";
  const std::size_t weights = linear ? 3 : 1;
  if (!expect_images(c, weights)) return;
  const shape &x = c.dims(0), &w = c.dims(weights);
  const dim group = c.number("group");
  if (!expect_groups(c, group, w[0], "{} output channel{|s} cannot be divided into {} group{|s}")) return;
  if (!expect_groups(c, group, x[1], "{} input channel{|s} cannot be divided into {} group{|s}")) return;
  c.expect_equal(x[1], c.mul(w[1], group), "the operand has {} channel{|s}, the weights are for {}");
  expect_quantization(c, w[0]);
  if (c.op() != "ConvInteger") expect_bias(c, linear ? 8 : 2, w[0]);
  const windows kernel(c, kernel_of(c, weights));
  c.result(0, images(c, kernel, w[0]));
}

/// ConvTranspose: weights [inputs, outputs / group, windows…].
constexpr void conv_transpose(inference& c) {
  if (!expect_images(c, 1)) return;
  const shape &x = c.dims(0), &w = c.dims(1);
  const dim group = c.number("group");
  if (!expect_groups(c, group, x[1], "{} input channel{|s} cannot be divided into {} group{|s}")) return;
  c.expect_equal(x[1], w[0], "the operand has {} channel{|s}, the weights are for {}");
  const dim channels = c.mul(w[1], group);
  expect_bias(c, 2, channels);
  const windows kernel(c, kernel_of(c, 1));
  if (!expect_outputs(c, kernel, x.size() - 2)) return;
  shape out{x[0], channels};
  for (std::size_t i = 2; i < x.size(); ++i) {
    out.push_back(transposed_extent(c, kernel, i - 2, x[i]));
    c.expect(!out[i].is_constant() || out[i].extent() >= 0, "the padding makes an extent {}; it must not be negative",
             out[i]);
  }
  c.result(0, std::move(out));
}

/// DeformConv: the offsets are [batch, groups of offsets * window * axes, spatial axes of the result...]. The mask is
/// [batch, groups of offsets * window, spatial axes of the result...].
constexpr void deform_conv(inference& c) {
  if (!expect_images(c, 1)) return;
  const shape &x = c.dims(0), &w = c.dims(1);
  const dim group = c.number("group"), offsets = c.number("offset_group");
  if (!expect_groups(c, group, w[0], "{} output channel{|s} cannot be divided into {} group{|s}")) return;
  if (!expect_groups(c, offsets, x[1], "{} input channel{|s} cannot be divided into {} group{|s} of offsets")) return;
  c.expect_equal(x[1], c.mul(w[1], group), "the operand has {} channel{|s}, the weights are for {}");
  expect_bias(c, 3, w[0]);
  const shape kernel = kernel_of(c, 1);
  shape out = images(c, windows(c, kernel), w[0]);
  const dim window = c.mul(offsets, c.product(kernel));
  const dim axes = c.rank(0) - 2;
  for (std::size_t i : {std::size_t{2}, std::size_t{4}}) {
    if (!c.has(i) || c.failed()) continue;
    if (!c.expect(c.rank(i) == c.rank(0), "offsets or mask have {} dimension{|s}, the first operand {}", c.rank(i),
                  c.rank(0)))
      return;
    c.expect_equal(c.dims(i)[0], x[0], "offsets or mask are for {} image{|s} instead of {}");
    if (i == 2) c.expect_equal(c.dims(i)[1], c.mul(window, axes), "the offsets have {} channel{|s} instead of {}");
    if (i == 4 && axes.is(2)) c.expect_equal(c.dims(i)[1], window, "the mask has {} channel{|s} instead of {}");
    for (std::size_t j = 2; j < out.size(); ++j)
      c.expect_equal(c.dims(i)[j], out[j], "offsets or mask have an extent of {} where the result has {}");
  }
  c.result(0, std::move(out));
}

/// Col2Im: blocks [batch, channels * window, windows] become images [batch, channels, spatial axes…].
constexpr void col2im(inference& c) {
  c.expect_rank(0, 3, "the first operand has {} dimension{|s}; it must be [batch, channels * window, windows]");
  c.expect_rank(1, 1, "the shape of the image has {} dimension{|s}; it must be a vector");
  if (!c.expect_rank(2, 1, "the shape of the window has {} dimension{|s}; it must be a vector")) return;
  std::optional<shape> image = c.numbers(1), block = c.numbers(2);
  if (!image && !block) return c.unranked_result(0);
  if (!image) image = shape(block->size(), dim::dyn());
  if (!block) block = shape(image->size(), dim::dyn());
  if (!c.expect(image->size() == block->size(), "the image has {} spatial ax{is|es}, the window {}",
                static_cast<std::int64_t>(image->size()), static_cast<std::int64_t>(block->size())))
    return;
  const windows w(c, *block);
  const dim window = c.product(*block);
  if (c.failed()) return;
  c.expect(!indivisible(c.dims(0)[1], window), "{} row{|s} cannot be divided into windows of {} element{|s}",
           c.dims(0)[1], window);
  shape out{c.dims(0)[0], c.floordiv(c.dims(0)[1], window)};
  dim blocks = 1;
  for (std::size_t i = 0; i < image->size(); ++i) {
    blocks = c.mul(blocks, w.count(i, (*image)[i]));
    out.push_back((*image)[i]);
  }
  c.expect_equal(c.dims(0)[2], blocks, "the first operand has {} window{|s}, the image {}");
  c.result(0, std::move(out));
}

/// CausalConvWithState: input [batch, channels, length], weight [channels, 1, window], bias, past_state.
constexpr void causal_conv(inference& c) {
  if (!c.expect_rank(0, 3, "the operand has {} dimension{|s}; it must be [batch, channels, length]") ||
      !c.expect_rank(1, 3, "the weight has {} dimension{|s}; it must be [channels, 1, window]") ||
      !c.expect_rank(2, 1, "the bias has {} dimension{|s}; it must be a vector") ||
      !c.expect_rank(3, 3, "the state has {} dimension{|s}; it must be [batch, channels, window - 1]"))
    return;
  c.expect_choice("activation", {"none", "silu", "swish"}, "activation must be none, silu or swish");
  const dim batch = c.dims(0)[0], channels = c.dims(0)[1], window = c.dims(1)[2];
  c.expect_equal(c.dims(1)[0], channels, "the weight is for {} channel{|s} instead of {}");
  c.expect_equal(c.dims(1)[1], 1, "the weight has an extent of {} in the middle, not {}");
  if (!c.expect_positive(window, "the window has the extent {}; it must be positive")) return;
  if (c.has(2)) c.expect_equal(c.dims(2)[0], channels, "the bias is for {} channel{|s} instead of {}");
  const shape state{batch, channels, c.sub(window, 1)};
  for (std::size_t i = 0; c.has(3) && i < state.size(); ++i)
    c.expect_equal(c.dims(3)[i], state[i], "the state has an extent of {} instead of {}");
  c.result(0, c.dims(0));
  if (c.result_count() > 1) c.result(1, state);
}

}  // namespace jax2onnx::rules
