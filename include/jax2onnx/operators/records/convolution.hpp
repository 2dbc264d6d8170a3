// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/convolution.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// CausalConvWithState
inline constexpr formal causal_conv_with_state_inputs[] = {
    {"input", 0}, {"weight", 0}, {"bias", 0, presence::optional}, {"past_state", 0, presence::optional}};
inline constexpr formal causal_conv_with_state_outputs[] = {{"output", 0}, {"present_state", 0}};
inline constexpr type_constraint causal_conv_with_state_types[] = {{"T", {.tensors = types({bf16, f16, f32})}}};
inline constexpr formal_attribute causal_conv_with_state_attributes[] = {
    {"activation", text, defaulted, {.text = "none"}}};
// Col2Im
inline constexpr formal col2im_inputs[] = {{"input", 0}, {"image_shape", 1}, {"block_shape", 1}};
inline constexpr formal col2im_outputs[] = {{"output", 0}};
inline constexpr type_constraint col2im_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                   {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute col2im_attributes[] = {
    {"dilations", integers}, {"pads", integers}, {"strides", integers}};
// Conv
inline constexpr formal conv_inputs[] = {{"X", 0}, {"W", 0}, {"B", 0, presence::optional}};
inline constexpr formal conv_outputs[] = {{"Y", 0}};
inline constexpr type_constraint conv_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute conv_attributes[] = {{"auto_pad", text, defaulted, {.text = "NOTSET"}},
                                                       {"dilations", integers},
                                                       {"group", integer, defaulted, {.integer = 1}},
                                                       {"kernel_shape", integers},
                                                       {"pads", integers},
                                                       {"strides", integers}};
inline constexpr type_constraint conv_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// ConvInteger
inline constexpr formal conv_integer_inputs[] = {
    {"x", 0}, {"w", 1}, {"x_zero_point", 0, presence::optional}, {"w_zero_point", 1, presence::optional}};
inline constexpr formal conv_integer_outputs[] = {{"y", 2}};
inline constexpr type_constraint conv_integer_types[] = {
    {"T1", {.tensors = types({i8, u8})}}, {"T2", {.tensors = types({i8, u8})}}, {"T3", {.tensors = types({i32})}}};
inline constexpr formal_attribute conv_integer_attributes[] = {{"auto_pad", text, defaulted, {.text = "NOTSET"}},
                                                               {"dilations", integers},
                                                               {"group", integer, defaulted, {.integer = 1}},
                                                               {"kernel_shape", integers},
                                                               {"pads", integers},
                                                               {"strides", integers}};
// ConvTranspose
inline constexpr formal conv_transpose_inputs[] = {{"X", 0}, {"W", 0}, {"B", 0, presence::optional}};
inline constexpr formal conv_transpose_outputs[] = {{"Y", 0}};
inline constexpr type_constraint conv_transpose_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute conv_transpose_attributes[] = {{"auto_pad", text, defaulted, {.text = "NOTSET"}},
                                                                 {"dilations", integers},
                                                                 {"group", integer, defaulted, {.integer = 1}},
                                                                 {"kernel_shape", integers},
                                                                 {"output_padding", integers},
                                                                 {"output_shape", integers},
                                                                 {"pads", integers},
                                                                 {"strides", integers}};
inline constexpr type_constraint conv_transpose_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// DeformConv
inline constexpr formal deform_conv_inputs[] = {
    {"X", 0}, {"W", 0}, {"offset", 0}, {"B", 0, presence::optional}, {"mask", 0, presence::optional}};
inline constexpr formal deform_conv_outputs[] = {{"Y", 0}};
inline constexpr type_constraint deform_conv_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute deform_conv_attributes[] = {
    {"dilations", integers},    {"group", integer, defaulted, {.integer = 1}},
    {"kernel_shape", integers}, {"offset_group", integer, defaulted, {.integer = 1}},
    {"pads", integers},         {"strides", integers}};
inline constexpr type_constraint deform_conv_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// QLinearConv
inline constexpr formal qlinear_conv_inputs[] = {{"x", 0},       {"x_scale", 4},      {"x_zero_point", 0},
                                                 {"w", 1},       {"w_scale", 4},      {"w_zero_point", 1},
                                                 {"y_scale", 4}, {"y_zero_point", 2}, {"B", 3, presence::optional}};
inline constexpr formal qlinear_conv_outputs[] = {{"y", 2}};
inline constexpr type_constraint qlinear_conv_types[] = {{"T1", {.tensors = types({i8, u8})}},
                                                         {"T2", {.tensors = types({i8, u8})}},
                                                         {"T3", {.tensors = types({i8, u8})}},
                                                         {"T4", {.tensors = types({i32})}},
                                                         {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute qlinear_conv_attributes[] = {{"auto_pad", text, defaulted, {.text = "NOTSET"}},
                                                               {"dilations", integers},
                                                               {"group", integer, defaulted, {.integer = 1}},
                                                               {"kernel_shape", integers},
                                                               {"pads", integers},
                                                               {"strides", integers}};

inline constexpr op_record convolution_records[] = {
    {"CausalConvWithState",
     "",
     27,
     causal_conv_with_state_inputs,
     causal_conv_with_state_outputs,
     causal_conv_with_state_types,
     causal_conv_with_state_attributes,
     2,
     2,
     {rules::causal_conv},
     "Computes a causal depthwise convolution that continues from a state, and the next state"},
    {"Col2Im",
     "",
     18,
     col2im_inputs,
     col2im_outputs,
     col2im_types,
     col2im_attributes,
     3,
     1,
     {rules::col2im},
     "Arranges columns of blocks as an image; overlapping elements are added"},
    {"Conv",
     "",
     11,
     conv_inputs,
     conv_outputs,
     conv_types,
     conv_attributes,
     2,
     1,
     {rules::conv},
     "Computes the convolution of a tensor with a filter"},
    {"Conv",
     "",
     22,
     conv_inputs,
     conv_outputs,
     conv_types_22,
     conv_attributes,
     2,
     1,
     {rules::conv},
     "Computes the convolution of a tensor with a filter"},
    {"ConvInteger",
     "",
     10,
     conv_integer_inputs,
     conv_integer_outputs,
     conv_integer_types,
     conv_integer_attributes,
     2,
     1,
     {rules::conv},
     "Computes the convolution of integers minus their zero points; the result is int32"},
    {"ConvTranspose",
     "",
     11,
     conv_transpose_inputs,
     conv_transpose_outputs,
     conv_transpose_types,
     conv_transpose_attributes,
     2,
     1,
     {rules::conv_transpose},
     "Computes the transposed convolution of a tensor with a filter"},
    {"ConvTranspose",
     "",
     22,
     conv_transpose_inputs,
     conv_transpose_outputs,
     conv_transpose_types_22,
     conv_transpose_attributes,
     2,
     1,
     {rules::conv_transpose},
     "Computes the transposed convolution of a tensor with a filter"},
    {"DeformConv",
     "",
     19,
     deform_conv_inputs,
     deform_conv_outputs,
     deform_conv_types,
     deform_conv_attributes,
     3,
     1,
     {rules::deform_conv},
     "Computes a deformable convolution (https://arxiv.org/abs/1703.06211, https://arxiv.org/abs/1811.11168)"},
    {"DeformConv",
     "",
     22,
     deform_conv_inputs,
     deform_conv_outputs,
     deform_conv_types_22,
     deform_conv_attributes,
     3,
     1,
     {rules::deform_conv},
     "Computes a deformable convolution (https://arxiv.org/abs/1703.06211, https://arxiv.org/abs/1811.11168)"},
    {"QLinearConv",
     "",
     10,
     qlinear_conv_inputs,
     qlinear_conv_outputs,
     qlinear_conv_types,
     qlinear_conv_attributes,
     8,
     1,
     {rules::conv},
     "Computes the convolution of quantized tensors, and quantizes the result"},
};

}  // namespace jax2onnx::records
