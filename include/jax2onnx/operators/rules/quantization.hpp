// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of quantization.
namespace jax2onnx::rules {

/// Fails unless a scale in blocks is [.., blocks, ..] for an operand [.., elements, ..].
constexpr bool expect_blocks(inference& c, std::int64_t block) {
  if (!c.expect(c.rank(1) == c.rank(0), "the scale of blocks has {} dimension{|s}, the operand {}", c.rank(1),
                c.rank(0)))
    return false;
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  for (std::int64_t i = 0; i < c.rank(0); ++i) {
    const dim extent = c.dims(0)[static_cast<std::size_t>(i)];
    const dim blocks = i == axis ? c.ceildiv(extent, block) : extent;
    c.expect_equal(c.dims(1)[static_cast<std::size_t>(i)], blocks, "the scale has {} element{|s} for {} block{|s}");
  }
  return !c.failed();
}

/// Fails unless the scale is a scalar, a vector along the axis, or has a number for each block, and unless the zero
/// point has the shape of the scale.
constexpr bool expect_scale(inference& c) {
  const std::int64_t block = c.integer("block_size");
  c.expect(block >= 0, "block_size is {}; it must not be negative", block);
  if (c.has(2) &&
      c.expect(c.rank(2) == c.rank(1), "the zero point has {} dimension{|s}, the scale {}", c.rank(2), c.rank(1)))
    for (std::size_t i = 0; i < c.dims(1).size(); ++i)
      c.expect_equal(c.dims(2)[i], c.dims(1)[i], "the zero point has an extent of {}, the scale of {}");
  if (c.failed() || !c.defaults_apply() || c.rank(1) == 0) return !c.failed();
  if (block > 0) return expect_blocks(c, block);
  if (!c.expect_rank(1, 1, "the scale has {} dimension{|s}; without block_size it must be a scalar or a vector"))
    return false;
  const dim elements = c.dims(1)[0];
  if (elements.is(1) || c.rank(0) == 0) return true;
  const std::int64_t axis = c.rank(0) == 1 ? 0 : c.axis(c.integer("axis"), c.rank(0));
  if (c.failed()) return false;
  return c.expect_equal(elements, c.dims(0)[static_cast<std::size_t>(axis)],
                        "the scale has {} element{|s} for an axis of {}");
}

/// QuantizeLinear: a result of the type of the zero point, else of output_dtype, else u8.
constexpr void quantize_linear(inference& c) {
  if (!expect_scale(c)) return;
  const dtype stated = c.type("output_dtype"), precision = c.type("precision");
  c.expect(!c.given("precision") || is_floating(precision), "precision is not a floating-point type");
  const bool typed = stated != dtype::undefined;
  dtype type = typed ? stated : dtype::u8;
  if (!c.defaults_apply() && !typed) type = dtype::undefined;
  if (c.has(2)) type = c.in(2).type;
  c.expect(!typed || stated == type, "output_dtype is not the type of the zero point");
  c.expect(!typed || c.allows(0, stated), "output_dtype is not an allowed type of the result");
  c.result(0, type, c.dims(0));
}

/// DequantizeLinear: a result of output_dtype, else of the type of the scale.
constexpr void dequantize_linear(inference& c) {
  if (!expect_scale(c)) return;
  if (c.has(2) && c.in(2).type == dtype::i32)
    c.expect_elements(2, 0, 0, "the zero point of int32 is {}; it must be {}");
  const dtype stated = c.type("output_dtype");
  if (stated == dtype::undefined) {
    const bool open = c.since() >= 23 && !c.defaults_apply();
    return c.result(0, open ? dtype::undefined : c.in(1).type, c.dims(0));
  }
  c.expect(c.allows(0, stated), "output_dtype is not an allowed type of the result");
  c.result(0, stated, c.dims(0));
}

/// DynamicQuantizeLinear: the numbers, their scale and their zero point.
constexpr void dynamic_quantize_linear(inference& c) {
  c.result(0, c.dims(0));
  c.result(1, shape{});
  c.result(2, shape{});
}

}  // namespace jax2onnx::rules
