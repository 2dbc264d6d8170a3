// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/convolution.hpp>
#include <jax2onnx/ops/verbs/convolution.hpp>

/// The convolution operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using causal_conv_with_state = operator_at<records::convolution_records, 0>;
using col2im = operator_at<records::convolution_records, 1>;
using conv = operator_at<records::convolution_records, 3>;
using conv_integer = operator_at<records::convolution_records, 4>;
using conv_transpose = operator_at<records::convolution_records, 6>;
using deform_conv = operator_at<records::convolution_records, 8>;
using qlinear_conv = operator_at<records::convolution_records, 9>;
}  // namespace typed_operators

/// The attributes of causal_conv_with_state as a template argument.
struct causal_conv_with_state_attributes_of {
  jax2onnx::conv_activation activation = jax2onnx::conv_activation::none;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "activation",
                            .given = activation != jax2onnx::conv_activation::none,
                            .text = jax2onnx::name(activation)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::causal_conv_with_state_attributes run_time() const { return {.activation = activation}; }
};

/// The results of causal_conv_with_state.
template <class OutputType, class PresentStateType>
struct causal_conv_with_state_results {
  OutputType output;
  PresentStateType present_state;
};

/// Computes a causal depthwise convolution that continues from a state, and the next state (CausalConvWithState).
/// @{
template <class InputType, class WeightType, class BiasType = absent, class PastStateType = absent>
requires typed_operands<InputType, WeightType, BiasType, PastStateType>
auto causal_conv_with_state(const InputType& input, const WeightType& weight, const BiasType& bias = {},
                            const PastStateType& past_state = {}) {
  using call = typed_call<typed_operators::causal_conv_with_state, default_attributes, 2, InputType, WeightType,
                          BiasType, PastStateType>;
  using results = causal_conv_with_state_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::causal_conv_with_state(as_value(input), as_operand(weight), as_operand(bias),
                                                       as_operand(past_state), {});
    return results{call::template result<0>(made.output), call::template result<1>(made.present_state)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <class InputType, class WeightType, class BiasType = absent, class PastStateType = absent>
requires typed_operands<InputType, WeightType, BiasType, PastStateType>
auto causal_conv_with_state(const InputType& input, const WeightType& weight, const BiasType& bias,
                            const PastStateType& past_state,
                            const jax2onnx::causal_conv_with_state_attributes& attributes) {
  using call = typed_call<typed_operators::causal_conv_with_state, run_time_attributes, 2, InputType, WeightType,
                          BiasType, PastStateType>;
  using results = causal_conv_with_state_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::causal_conv_with_state(as_value(input), as_operand(weight), as_operand(bias),
                                                       as_operand(past_state), attributes);
    return results{call::template result<0>(made.output), call::template result<1>(made.present_state)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <causal_conv_with_state_attributes_of Attributes, class InputType, class WeightType, class BiasType = absent,
          class PastStateType = absent>
requires typed_operands<InputType, WeightType, BiasType, PastStateType>
auto causal_conv_with_state(const InputType& input, const WeightType& weight, const BiasType& bias = {},
                            const PastStateType& past_state = {}) {
  using call = typed_call<typed_operators::causal_conv_with_state, fixed_attributes<Attributes>, 2, InputType,
                          WeightType, BiasType, PastStateType>;
  using results = causal_conv_with_state_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::causal_conv_with_state(as_value(input), as_operand(weight), as_operand(bias),
                                                       as_operand(past_state), Attributes.run_time());
    return results{call::template result<0>(made.output), call::template result<1>(made.present_state)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of col2im as a template argument.
struct col2im_attributes_of {
  fixed_integers strides = {};
  fixed_integers pads = {};
  fixed_integers dilations = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {
        known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
        known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()},
        known_attribute{.name = "dilations", .given = !(dilations == fixed_integers{}), .integers = dilations.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::col2im_attributes run_time() const {
    return {.strides = strides.vector(), .pads = pads.vector(), .dilations = dilations.vector()};
  }
};

/// Arranges columns of blocks as an image; overlapping elements are added (Col2Im).
/// @{
template <class InputType, class ImageShapeType, class BlockShapeType>
requires typed_operands<InputType, ImageShapeType, BlockShapeType>
auto col2im(const InputType& input, const ImageShapeType& image_shape, const BlockShapeType& block_shape) {
  using call = typed_call<typed_operators::col2im, default_attributes, 1, InputType, ImageShapeType, BlockShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::col2im(as_value(input), as_operand(image_shape), as_operand(block_shape), {}));
  else return typename refusal<call>::result();
}
template <class InputType, class ImageShapeType, class BlockShapeType>
requires typed_operands<InputType, ImageShapeType, BlockShapeType>
auto col2im(const InputType& input, const ImageShapeType& image_shape, const BlockShapeType& block_shape,
            const jax2onnx::col2im_attributes& attributes) {
  using call = typed_call<typed_operators::col2im, run_time_attributes, 1, InputType, ImageShapeType, BlockShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::col2im(as_value(input), as_operand(image_shape), as_operand(block_shape), attributes));
  else return typename refusal<call>::result();
}
template <col2im_attributes_of Attributes, class InputType, class ImageShapeType, class BlockShapeType>
requires typed_operands<InputType, ImageShapeType, BlockShapeType>
auto col2im(const InputType& input, const ImageShapeType& image_shape, const BlockShapeType& block_shape) {
  using call =
      typed_call<typed_operators::col2im, fixed_attributes<Attributes>, 1, InputType, ImageShapeType, BlockShapeType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::col2im(as_value(input), as_operand(image_shape), as_operand(block_shape), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of conv as a template argument.
struct conv_attributes_of {
  fixed_integers kernel_shape = {};
  fixed_integers strides = {};
  fixed_integers pads = {};
  fixed_integers dilations = {};
  std::int64_t group = 1;
  jax2onnx::auto_pad auto_pad = jax2onnx::auto_pad::notset;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 6> known() const {
    return {
        known_attribute{
            .name = "kernel_shape", .given = !(kernel_shape == fixed_integers{}), .integers = kernel_shape.list()},
        known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
        known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()},
        known_attribute{.name = "dilations", .given = !(dilations == fixed_integers{}), .integers = dilations.list()},
        known_attribute{.name = "group", .given = group != 1, .integer = static_cast<std::int64_t>(group)},
        known_attribute{
            .name = "auto_pad", .given = auto_pad != jax2onnx::auto_pad::notset, .text = jax2onnx::name(auto_pad)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::conv_attributes run_time() const {
    return {.kernel_shape = kernel_shape.vector(),
            .strides = strides.vector(),
            .pads = pads.vector(),
            .dilations = dilations.vector(),
            .group = group,
            .auto_pad = auto_pad};
  }
};

/// Computes the convolution of a tensor with a filter (Conv).
/// @{
template <class XType, class WType, class BType = absent>
requires typed_operands<XType, WType, BType>
auto conv(const XType& x, const WType& w, const BType& b = {}) {
  using call = typed_call<typed_operators::conv, default_attributes, 1, XType, WType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::conv(as_value(x), as_operand(w), as_operand(b), {}));
  else return typename refusal<call>::result();
}
template <class XType, class WType, class BType = absent>
requires typed_operands<XType, WType, BType>
auto conv(const XType& x, const WType& w, const BType& b, const jax2onnx::conv_attributes& attributes) {
  using call = typed_call<typed_operators::conv, run_time_attributes, 1, XType, WType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::conv(as_value(x), as_operand(w), as_operand(b), attributes));
  else return typename refusal<call>::result();
}
template <conv_attributes_of Attributes, class XType, class WType, class BType = absent>
requires typed_operands<XType, WType, BType>
auto conv(const XType& x, const WType& w, const BType& b = {}) {
  using call = typed_call<typed_operators::conv, fixed_attributes<Attributes>, 1, XType, WType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::conv(as_value(x), as_operand(w), as_operand(b), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of conv_integer as a template argument.
struct conv_integer_attributes_of {
  fixed_integers kernel_shape = {};
  fixed_integers strides = {};
  fixed_integers pads = {};
  fixed_integers dilations = {};
  std::int64_t group = 1;
  jax2onnx::auto_pad auto_pad = jax2onnx::auto_pad::notset;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 6> known() const {
    return {
        known_attribute{
            .name = "kernel_shape", .given = !(kernel_shape == fixed_integers{}), .integers = kernel_shape.list()},
        known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
        known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()},
        known_attribute{.name = "dilations", .given = !(dilations == fixed_integers{}), .integers = dilations.list()},
        known_attribute{.name = "group", .given = group != 1, .integer = static_cast<std::int64_t>(group)},
        known_attribute{
            .name = "auto_pad", .given = auto_pad != jax2onnx::auto_pad::notset, .text = jax2onnx::name(auto_pad)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::conv_integer_attributes run_time() const {
    return {.kernel_shape = kernel_shape.vector(),
            .strides = strides.vector(),
            .pads = pads.vector(),
            .dilations = dilations.vector(),
            .group = group,
            .auto_pad = auto_pad};
  }
};

/// Computes the convolution of integers minus their zero points; the result is int32 (ConvInteger).
/// @{
template <class XType, class WType, class XZeroPointType = absent, class WZeroPointType = absent>
requires typed_operands<XType, WType, XZeroPointType, WZeroPointType>
auto conv_integer(const XType& x, const WType& w, const XZeroPointType& x_zero_point = {},
                  const WZeroPointType& w_zero_point = {}) {
  using call =
      typed_call<typed_operators::conv_integer, default_attributes, 1, XType, WType, XZeroPointType, WZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::conv_integer(as_value(x), as_operand(w), as_operand(x_zero_point), as_operand(w_zero_point), {}));
  else return typename refusal<call>::result();
}
template <class XType, class WType, class XZeroPointType = absent, class WZeroPointType = absent>
requires typed_operands<XType, WType, XZeroPointType, WZeroPointType>
auto conv_integer(const XType& x, const WType& w, const XZeroPointType& x_zero_point,
                  const WZeroPointType& w_zero_point, const jax2onnx::conv_integer_attributes& attributes) {
  using call =
      typed_call<typed_operators::conv_integer, run_time_attributes, 1, XType, WType, XZeroPointType, WZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::conv_integer(as_value(x), as_operand(w), as_operand(x_zero_point),
                                                           as_operand(w_zero_point), attributes));
  else return typename refusal<call>::result();
}
template <conv_integer_attributes_of Attributes, class XType, class WType, class XZeroPointType = absent,
          class WZeroPointType = absent>
requires typed_operands<XType, WType, XZeroPointType, WZeroPointType>
auto conv_integer(const XType& x, const WType& w, const XZeroPointType& x_zero_point = {},
                  const WZeroPointType& w_zero_point = {}) {
  using call = typed_call<typed_operators::conv_integer, fixed_attributes<Attributes>, 1, XType, WType, XZeroPointType,
                          WZeroPointType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::conv_integer(as_value(x), as_operand(w), as_operand(x_zero_point),
                                                           as_operand(w_zero_point), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of conv_transpose as a template argument.
struct conv_transpose_attributes_of {
  fixed_integers kernel_shape = {};
  fixed_integers strides = {};
  fixed_integers pads = {};
  fixed_integers dilations = {};
  std::int64_t group = 1;
  jax2onnx::auto_pad auto_pad = jax2onnx::auto_pad::notset;
  fixed_integers output_padding = {};
  fixed_integers output_shape = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 8> known() const {
    return {
        known_attribute{
            .name = "kernel_shape", .given = !(kernel_shape == fixed_integers{}), .integers = kernel_shape.list()},
        known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
        known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()},
        known_attribute{.name = "dilations", .given = !(dilations == fixed_integers{}), .integers = dilations.list()},
        known_attribute{.name = "group", .given = group != 1, .integer = static_cast<std::int64_t>(group)},
        known_attribute{
            .name = "auto_pad", .given = auto_pad != jax2onnx::auto_pad::notset, .text = jax2onnx::name(auto_pad)},
        known_attribute{.name = "output_padding",
                        .given = !(output_padding == fixed_integers{}),
                        .integers = output_padding.list()},
        known_attribute{
            .name = "output_shape", .given = !(output_shape == fixed_integers{}), .integers = output_shape.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::conv_transpose_attributes run_time() const {
    return {.kernel_shape = kernel_shape.vector(),
            .strides = strides.vector(),
            .pads = pads.vector(),
            .dilations = dilations.vector(),
            .group = group,
            .auto_pad = auto_pad,
            .output_padding = output_padding.vector(),
            .output_shape = output_shape.vector()};
  }
};

/// Computes the transposed convolution of a tensor with a filter (ConvTranspose).
/// @{
template <class XType, class WType, class BType = absent>
requires typed_operands<XType, WType, BType>
auto conv_transpose(const XType& x, const WType& w, const BType& b = {}) {
  using call = typed_call<typed_operators::conv_transpose, default_attributes, 1, XType, WType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::conv_transpose(as_value(x), as_operand(w), as_operand(b), {}));
  else return typename refusal<call>::result();
}
template <class XType, class WType, class BType = absent>
requires typed_operands<XType, WType, BType>
auto conv_transpose(const XType& x, const WType& w, const BType& b,
                    const jax2onnx::conv_transpose_attributes& attributes) {
  using call = typed_call<typed_operators::conv_transpose, run_time_attributes, 1, XType, WType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::conv_transpose(as_value(x), as_operand(w), as_operand(b), attributes));
  else return typename refusal<call>::result();
}
template <conv_transpose_attributes_of Attributes, class XType, class WType, class BType = absent>
requires typed_operands<XType, WType, BType>
auto conv_transpose(const XType& x, const WType& w, const BType& b = {}) {
  using call = typed_call<typed_operators::conv_transpose, fixed_attributes<Attributes>, 1, XType, WType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::conv_transpose(as_value(x), as_operand(w), as_operand(b), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of deform_conv as a template argument.
struct deform_conv_attributes_of {
  fixed_integers kernel_shape = {};
  fixed_integers strides = {};
  fixed_integers pads = {};
  fixed_integers dilations = {};
  std::int64_t group = 1;
  std::int64_t offset_group = 1;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 6> known() const {
    return {
        known_attribute{
            .name = "kernel_shape", .given = !(kernel_shape == fixed_integers{}), .integers = kernel_shape.list()},
        known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
        known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()},
        known_attribute{.name = "dilations", .given = !(dilations == fixed_integers{}), .integers = dilations.list()},
        known_attribute{.name = "group", .given = group != 1, .integer = static_cast<std::int64_t>(group)},
        known_attribute{
            .name = "offset_group", .given = offset_group != 1, .integer = static_cast<std::int64_t>(offset_group)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::deform_conv_attributes run_time() const {
    return {.kernel_shape = kernel_shape.vector(),
            .strides = strides.vector(),
            .pads = pads.vector(),
            .dilations = dilations.vector(),
            .group = group,
            .offset_group = offset_group};
  }
};

/// Computes a deformable convolution (https://arxiv.org/abs/1703.06211, https://arxiv.org/abs/1811.11168)
/// (DeformConv).
/// @{
template <class XType, class WType, class OffsetType, class BType = absent, class MaskType = absent>
requires typed_operands<XType, WType, OffsetType, BType, MaskType>
auto deform_conv(const XType& x, const WType& w, const OffsetType& offset, const BType& b = {},
                 const MaskType& mask = {}) {
  using call =
      typed_call<typed_operators::deform_conv, default_attributes, 1, XType, WType, OffsetType, BType, MaskType>;
  if constexpr (call::fits)
    return call::template result<0>(
        jax2onnx::deform_conv(as_value(x), as_operand(w), as_operand(offset), as_operand(b), as_operand(mask), {}));
  else return typename refusal<call>::result();
}
template <class XType, class WType, class OffsetType, class BType = absent, class MaskType = absent>
requires typed_operands<XType, WType, OffsetType, BType, MaskType>
auto deform_conv(const XType& x, const WType& w, const OffsetType& offset, const BType& b, const MaskType& mask,
                 const jax2onnx::deform_conv_attributes& attributes) {
  using call =
      typed_call<typed_operators::deform_conv, run_time_attributes, 1, XType, WType, OffsetType, BType, MaskType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::deform_conv(as_value(x), as_operand(w), as_operand(offset), as_operand(b),
                                                          as_operand(mask), attributes));
  else return typename refusal<call>::result();
}
template <deform_conv_attributes_of Attributes, class XType, class WType, class OffsetType, class BType = absent,
          class MaskType = absent>
requires typed_operands<XType, WType, OffsetType, BType, MaskType>
auto deform_conv(const XType& x, const WType& w, const OffsetType& offset, const BType& b = {},
                 const MaskType& mask = {}) {
  using call = typed_call<typed_operators::deform_conv, fixed_attributes<Attributes>, 1, XType, WType, OffsetType,
                          BType, MaskType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::deform_conv(as_value(x), as_operand(w), as_operand(offset), as_operand(b),
                                                          as_operand(mask), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of qlinear_conv as a template argument.
struct qlinear_conv_attributes_of {
  fixed_integers kernel_shape = {};
  fixed_integers strides = {};
  fixed_integers pads = {};
  fixed_integers dilations = {};
  std::int64_t group = 1;
  jax2onnx::auto_pad auto_pad = jax2onnx::auto_pad::notset;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 6> known() const {
    return {
        known_attribute{
            .name = "kernel_shape", .given = !(kernel_shape == fixed_integers{}), .integers = kernel_shape.list()},
        known_attribute{.name = "strides", .given = !(strides == fixed_integers{}), .integers = strides.list()},
        known_attribute{.name = "pads", .given = !(pads == fixed_integers{}), .integers = pads.list()},
        known_attribute{.name = "dilations", .given = !(dilations == fixed_integers{}), .integers = dilations.list()},
        known_attribute{.name = "group", .given = group != 1, .integer = static_cast<std::int64_t>(group)},
        known_attribute{
            .name = "auto_pad", .given = auto_pad != jax2onnx::auto_pad::notset, .text = jax2onnx::name(auto_pad)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::qlinear_conv_attributes run_time() const {
    return {.kernel_shape = kernel_shape.vector(),
            .strides = strides.vector(),
            .pads = pads.vector(),
            .dilations = dilations.vector(),
            .group = group,
            .auto_pad = auto_pad};
  }
};

/// Computes the convolution of quantized tensors, and quantizes the result (QLinearConv).
/// @{
template <class XType, class XScaleType, class XZeroPointType, class WType, class WScaleType, class WZeroPointType,
          class YScaleType, class YZeroPointType, class BType = absent>
requires typed_operands<XType, XScaleType, XZeroPointType, WType, WScaleType, WZeroPointType, YScaleType,
                        YZeroPointType, BType>
auto qlinear_conv(const XType& x, const XScaleType& x_scale, const XZeroPointType& x_zero_point, const WType& w,
                  const WScaleType& w_scale, const WZeroPointType& w_zero_point, const YScaleType& y_scale,
                  const YZeroPointType& y_zero_point, const BType& b = {}) {
  using call = typed_call<typed_operators::qlinear_conv, default_attributes, 1, XType, XScaleType, XZeroPointType,
                          WType, WScaleType, WZeroPointType, YScaleType, YZeroPointType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::qlinear_conv(
        as_value(x), as_operand(x_scale), as_operand(x_zero_point), as_operand(w), as_operand(w_scale),
        as_operand(w_zero_point), as_operand(y_scale), as_operand(y_zero_point), as_operand(b), {}));
  else return typename refusal<call>::result();
}
template <class XType, class XScaleType, class XZeroPointType, class WType, class WScaleType, class WZeroPointType,
          class YScaleType, class YZeroPointType, class BType = absent>
requires typed_operands<XType, XScaleType, XZeroPointType, WType, WScaleType, WZeroPointType, YScaleType,
                        YZeroPointType, BType>
auto qlinear_conv(const XType& x, const XScaleType& x_scale, const XZeroPointType& x_zero_point, const WType& w,
                  const WScaleType& w_scale, const WZeroPointType& w_zero_point, const YScaleType& y_scale,
                  const YZeroPointType& y_zero_point, const BType& b,
                  const jax2onnx::qlinear_conv_attributes& attributes) {
  using call = typed_call<typed_operators::qlinear_conv, run_time_attributes, 1, XType, XScaleType, XZeroPointType,
                          WType, WScaleType, WZeroPointType, YScaleType, YZeroPointType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::qlinear_conv(
        as_value(x), as_operand(x_scale), as_operand(x_zero_point), as_operand(w), as_operand(w_scale),
        as_operand(w_zero_point), as_operand(y_scale), as_operand(y_zero_point), as_operand(b), attributes));
  else return typename refusal<call>::result();
}
template <qlinear_conv_attributes_of Attributes, class XType, class XScaleType, class XZeroPointType, class WType,
          class WScaleType, class WZeroPointType, class YScaleType, class YZeroPointType, class BType = absent>
requires typed_operands<XType, XScaleType, XZeroPointType, WType, WScaleType, WZeroPointType, YScaleType,
                        YZeroPointType, BType>
auto qlinear_conv(const XType& x, const XScaleType& x_scale, const XZeroPointType& x_zero_point, const WType& w,
                  const WScaleType& w_scale, const WZeroPointType& w_zero_point, const YScaleType& y_scale,
                  const YZeroPointType& y_zero_point, const BType& b = {}) {
  using call = typed_call<typed_operators::qlinear_conv, fixed_attributes<Attributes>, 1, XType, XScaleType,
                          XZeroPointType, WType, WScaleType, WZeroPointType, YScaleType, YZeroPointType, BType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::qlinear_conv(
        as_value(x), as_operand(x_scale), as_operand(x_zero_point), as_operand(w), as_operand(w_scale),
        as_operand(w_zero_point), as_operand(y_scale), as_operand(y_zero_point), as_operand(b), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
