// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/convolution.hpp>

/// Shape rules of pooling.
namespace jax2onnx::rules {

/// The extents of the windows of pooling along n spatial axes: attribute kernel_shape.
constexpr shape pooling_kernel(inference& c, std::size_t n) {
  shape kernel(n, dim::dyn());
  if (!c.given("kernel_shape")) return kernel;
  const std::span<const std::int64_t> stated = c.integers("kernel_shape");
  if (!c.expect(stated.size() == n, "kernel_shape has {} entr{y|ies} for {} spatial ax{is|es}",
                static_cast<std::int64_t>(stated.size()), static_cast<std::int64_t>(n)))
    return kernel;
  for (std::size_t i = 0; i < n; ++i) kernel[i] = stated[i];
  return kernel;
}

/// Fails unless the first operand is [batch, channels, spatial axes...].
constexpr bool expect_pooled(inference& c) {
  return c.expect(c.rank(0) >= 3, "the operand has {} dimension{|s}; it must be [batch, channels, spatial axes...]",
                  c.rank(0));
}

/// Fails for padding that fills a whole window, which ONNX Runtime refuses.
constexpr bool expect_padding_within(inference& c, const shape& kernel) {
  const std::span<const std::int64_t> pads = c.integers("pads");
  for (std::size_t i = 0; i < pads.size() && !c.failed(); ++i) {
    const dim k = kernel[i % kernel.size()];
    c.expect(!k.is_constant() || pads[i] < k.extent(), "a padding of {} is not less than the window's extent of {}",
             pads[i], k);
  }
  return !c.failed();
}

/// MaxPool, AveragePool, LpPool: an element for each window; MaxPool also gives the index of that element.
constexpr void pool(inference& c) {
  if (!expect_pooled(c)) return;
  const std::int64_t order = c.integer("storage_order");
  c.expect(order == 0 || order == 1, "storage_order is {}; it must be 0 or 1", order);
  const shape& x = c.dims(0);
  const shape kernel = pooling_kernel(c, x.size() - 2);
  const windows w(c, kernel);
  c.expect(c.op() != "LpPool" || !c.known("p") || c.integer("p") > 0, "p is {}; it must be 1 or more", c.integer("p"));
  if (!expect_padding_within(c, kernel)) return;
  const shape out = images(c, w, x[1]);
  for (std::size_t i = 0; i < c.result_count(); ++i) c.result(i, out);
}

/// GlobalMaxPool and the other global poolings: all spatial axes are one window.
constexpr void global_pool(inference& c) {
  if (!c.expect(c.rank(0) >= 2, "the operand has {} dimension{|s}; it must be [batch, channels, spatial axes...]",
                c.rank(0)))
    return;
  shape out = c.dims(0);
  for (std::size_t i = 2; i < out.size(); ++i) out[i] = 1;
  c.result(0, std::move(out));
}

/// MaxUnpool: operand 1 has an index for each element; operand 2 may state the shape of the result.
constexpr void max_unpool(inference& c) {
  if (!expect_pooled(c)) return;
  const shape& x = c.dims(0);
  if (!c.expect(c.rank(1) == c.rank(0), "the indices have {} dimension{|s}, the elements {}", c.rank(1), c.rank(0)))
    return;
  for (std::size_t i = 0; i < x.size(); ++i)
    c.expect_equal(x[i], c.dims(1)[i], "the operand has an extent of {} where the indices have {}");
  const windows w(c, pooling_kernel(c, x.size() - 2));
  if (c.has(2)) {
    const shape out = c.numbers(2).value_or(shape(x.size(), dim::dyn()));
    c.expect_rank(2, 1, "the shape of the result has {} dimension{|s}; it must be a vector");
    c.expect(out.size() == x.size(), "the result has {} dimension{|s}, the operand {}",
             static_cast<std::int64_t>(out.size()), c.rank(0));
    return c.result(0, out);
  }
  shape out{x[0], x[1]};
  for (std::size_t i = 2; i < x.size(); ++i) out.push_back(transposed_extent(c, w, i - 2, x[i]));
  for (dim extent : out)
    c.expect(!extent.is_constant() || extent.extent() >= 0, "the padding makes an extent {}; it must not be negative",
             extent);
  c.result(0, std::move(out));
}

/// Fails unless the operands are [batch, channels, height, width] and regions of `numbers` numbers each.
constexpr bool expect_regions(inference& c, std::int64_t numbers, std::string_view problem) {
  return c.expect_rank(0, 4, "the operand has {} dimension{|s}; it must be [batch, channels, height, width]") &&
         c.expect_rank(1, 2, "the regions have {} dimension{|s}; they must be a matrix") &&
         c.expect_equal(c.dims(1)[1], numbers, problem);
}

/// MaxRoiPool: pooled_shape has the number of windows of a region along both axes.
constexpr void max_roi_pool(inference& c) {
  if (!expect_regions(c, 5, "a region has {} number{|s}; it must have {}: image, x1, y1, x2, y2")) return;
  shape out{c.dims(1)[0], c.dims(0)[1], dim::dyn(), dim::dyn()};
  expect_entries(c, "pooled_shape", 2, 1, "pooled_shape has {} entr{y|ies}; it must have {}",
                 "a pooled extent is {}; it must be positive");
  const std::span<const std::int64_t> pooled = c.integers("pooled_shape");
  for (std::size_t i = 0; i < pooled.size() && i < 2; ++i) out[i + 2] = pooled[i];
  c.result(0, std::move(out));
}

/// RoiAlign: operand 2 has the image of each region.
constexpr void roi_align(inference& c) {
  if (!expect_regions(c, 4, "a region has {} number{|s}; it must have {}: x1, y1, x2, y2")) return;
  if (!c.expect_rank(2, 1, "the indices of images have {} dimension{|s}; they must be a vector")) return;
  c.expect_equal(c.dims(2)[0], c.dims(1)[0], "the number of indices of images is {} for {} region{|s}");
  c.expect_elements(2, 0, c.sub(c.dims(0)[0], 1), "there is no image {}; the last one is {}");
  c.expect_choice("mode", {"avg", "max"}, "mode must be avg or max");
  c.expect_choice("coordinate_transformation_mode", {"half_pixel", "output_half_pixel"},
                  "coordinate_transformation_mode must be half_pixel or output_half_pixel");
  const dim height = c.number("output_height"), width = c.number("output_width");
  for (dim d : {height, width}) c.expect_positive(d, "an extent of the result is {}; it must be positive");
  c.expect(c.integer("sampling_ratio") >= 0, "sampling_ratio is {}; it must not be negative",
           c.integer("sampling_ratio"));
  c.result(0, {c.dims(1)[0], c.dims(0)[1], height, width});
}

}  // namespace jax2onnx::rules
