// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The convolution operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of causal_conv_with_state.
struct causal_conv_with_state_attributes {
  chosen<jax2onnx::conv_activation> activation = jax2onnx::conv_activation::none;
};
/// The results of causal_conv_with_state.
struct causal_conv_with_state_outputs {
  value output, present_state;
};
/// Computes a causal depthwise convolution that continues from a state, and the next state (CausalConvWithState,
/// opset 27).
inline causal_conv_with_state_outputs causal_conv_with_state(const operand& input, const operand& weight,
                                                             const operand& bias = {}, const operand& past_state = {},
                                                             const causal_conv_with_state_attributes& attributes = {}) {
  node_builder n("CausalConvWithState", {input, weight, bias, past_state});
  n.set("activation", attributes.activation.value, jax2onnx::conv_activation::none);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of col2im.
struct col2im_attributes {
  ints strides = {};
  ints pads = {};
  ints dilations = {};
};
/// Arranges columns of blocks as an image; overlapping elements are added (Col2Im, opset 18).
inline value col2im(const operand& input, const operand& image_shape, const operand& block_shape,
                    const col2im_attributes& attributes = {}) {
  node_builder n("Col2Im", {input, image_shape, block_shape});
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  n.set("dilations", attributes.dilations);
  return n.build();
}

/// The attributes of conv.
struct conv_attributes {
  ints kernel_shape = {};
  ints strides = {};
  ints pads = {};
  ints dilations = {};
  std::int64_t group = 1;
  chosen<jax2onnx::auto_pad> auto_pad = jax2onnx::auto_pad::notset;
};
/// Computes the convolution of a tensor with a filter (Conv).
inline value conv(const operand& x, const operand& w, const operand& b = {}, const conv_attributes& attributes = {}) {
  node_builder n("Conv", {x, w, b});
  n.set("kernel_shape", attributes.kernel_shape);
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  n.set("dilations", attributes.dilations);
  n.set("group", attributes.group, 1);
  n.set("auto_pad", attributes.auto_pad.value, jax2onnx::auto_pad::notset);
  return n.build();
}

/// The attributes of conv_integer.
struct conv_integer_attributes {
  ints kernel_shape = {};
  ints strides = {};
  ints pads = {};
  ints dilations = {};
  std::int64_t group = 1;
  chosen<jax2onnx::auto_pad> auto_pad = jax2onnx::auto_pad::notset;
};
/// Computes the convolution of integers minus their zero points; the result is int32 (ConvInteger).
inline value conv_integer(const operand& x, const operand& w, const operand& x_zero_point = {},
                          const operand& w_zero_point = {}, const conv_integer_attributes& attributes = {}) {
  node_builder n("ConvInteger", {x, w, x_zero_point, w_zero_point});
  n.set("kernel_shape", attributes.kernel_shape);
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  n.set("dilations", attributes.dilations);
  n.set("group", attributes.group, 1);
  n.set("auto_pad", attributes.auto_pad.value, jax2onnx::auto_pad::notset);
  return n.build();
}

/// The attributes of conv_transpose.
struct conv_transpose_attributes {
  ints kernel_shape = {};
  ints strides = {};
  ints pads = {};
  ints dilations = {};
  std::int64_t group = 1;
  chosen<jax2onnx::auto_pad> auto_pad = jax2onnx::auto_pad::notset;
  ints output_padding = {};
  ints output_shape = {};
};
/// Computes the transposed convolution of a tensor with a filter (ConvTranspose).
inline value conv_transpose(const operand& x, const operand& w, const operand& b = {},
                            const conv_transpose_attributes& attributes = {}) {
  node_builder n("ConvTranspose", {x, w, b});
  n.set("kernel_shape", attributes.kernel_shape);
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  n.set("dilations", attributes.dilations);
  n.set("group", attributes.group, 1);
  n.set("auto_pad", attributes.auto_pad.value, jax2onnx::auto_pad::notset);
  n.set("output_padding", attributes.output_padding);
  n.set("output_shape", attributes.output_shape);
  return n.build();
}

/// The attributes of deform_conv.
struct deform_conv_attributes {
  ints kernel_shape = {};
  ints strides = {};
  ints pads = {};
  ints dilations = {};
  std::int64_t group = 1;
  std::int64_t offset_group = 1;
};
/// Computes a deformable convolution (https://arxiv.org/abs/1703.06211, https://arxiv.org/abs/1811.11168)
/// (DeformConv, opset 19).
inline value deform_conv(const operand& x, const operand& w, const operand& offset, const operand& b = {},
                         const operand& mask = {}, const deform_conv_attributes& attributes = {}) {
  node_builder n("DeformConv", {x, w, offset, b, mask});
  n.set("kernel_shape", attributes.kernel_shape);
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  n.set("dilations", attributes.dilations);
  n.set("group", attributes.group, 1);
  n.set("offset_group", attributes.offset_group, 1);
  return n.build();
}

/// The attributes of qlinear_conv.
struct qlinear_conv_attributes {
  ints kernel_shape = {};
  ints strides = {};
  ints pads = {};
  ints dilations = {};
  std::int64_t group = 1;
  chosen<jax2onnx::auto_pad> auto_pad = jax2onnx::auto_pad::notset;
};
/// Computes the convolution of quantized tensors, and quantizes the result (QLinearConv).
inline value qlinear_conv(const operand& x, const operand& x_scale, const operand& x_zero_point, const operand& w,
                          const operand& w_scale, const operand& w_zero_point, const operand& y_scale,
                          const operand& y_zero_point, const operand& b = {},
                          const qlinear_conv_attributes& attributes = {}) {
  node_builder n("QLinearConv", {x, x_scale, x_zero_point, w, w_scale, w_zero_point, y_scale, y_zero_point, b});
  n.set("kernel_shape", attributes.kernel_shape);
  n.set("strides", attributes.strides);
  n.set("pads", attributes.pads);
  n.set("dilations", attributes.dilations);
  n.set("group", attributes.group, 1);
  n.set("auto_pad", attributes.auto_pad.value, jax2onnx::auto_pad::notset);
  return n.build();
}

}  // namespace jax2onnx
