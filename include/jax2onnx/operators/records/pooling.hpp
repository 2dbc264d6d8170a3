// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/pooling.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// AveragePool
inline constexpr formal average_pool_inputs[] = {{"X", 0}};
inline constexpr formal average_pool_outputs[] = {{"Y", 0}};
inline constexpr type_constraint average_pool_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute average_pool_attributes[] = {{"auto_pad", text, defaulted, {.text = "NOTSET"}},
                                                               {"ceil_mode", integer, defaulted},
                                                               {"count_include_pad", integer, defaulted},
                                                               {"kernel_shape", integers, required},
                                                               {"pads", integers},
                                                               {"strides", integers}};
inline constexpr formal_attribute average_pool_attributes_19[] = {{"auto_pad", text, defaulted, {.text = "NOTSET"}},
                                                                  {"ceil_mode", integer, defaulted},
                                                                  {"count_include_pad", integer, defaulted},
                                                                  {"dilations", integers},
                                                                  {"kernel_shape", integers, required},
                                                                  {"pads", integers},
                                                                  {"strides", integers}};
inline constexpr type_constraint average_pool_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// GlobalAveragePool
inline constexpr formal global_average_pool_inputs[] = {{"X", 0}};
inline constexpr formal global_average_pool_outputs[] = {{"Y", 0}};
inline constexpr type_constraint global_average_pool_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint global_average_pool_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// GlobalLpPool
inline constexpr formal global_lp_pool_inputs[] = {{"X", 0}};
inline constexpr formal global_lp_pool_outputs[] = {{"Y", 0}};
inline constexpr type_constraint global_lp_pool_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute global_lp_pool_attributes[] = {{"p", integer, defaulted, {.integer = 2}}};
inline constexpr type_constraint global_lp_pool_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// GlobalMaxPool
inline constexpr formal global_max_pool_inputs[] = {{"X", 0}};
inline constexpr formal global_max_pool_outputs[] = {{"Y", 0}};
inline constexpr type_constraint global_max_pool_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint global_max_pool_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// LpPool
inline constexpr formal lp_pool_inputs[] = {{"X", 0}};
inline constexpr formal lp_pool_outputs[] = {{"Y", 0}};
inline constexpr type_constraint lp_pool_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute lp_pool_attributes[] = {{"auto_pad", text, defaulted, {.text = "NOTSET"}},
                                                          {"kernel_shape", integers, required},
                                                          {"p", integer, defaulted, {.integer = 2}},
                                                          {"pads", integers},
                                                          {"strides", integers}};
inline constexpr formal_attribute lp_pool_attributes_18[] = {{"auto_pad", text, defaulted, {.text = "NOTSET"}},
                                                             {"ceil_mode", integer, defaulted},
                                                             {"dilations", integers},
                                                             {"kernel_shape", integers, required},
                                                             {"p", integer, defaulted, {.integer = 2}},
                                                             {"pads", integers},
                                                             {"strides", integers}};
inline constexpr type_constraint lp_pool_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// MaxPool
inline constexpr formal max_pool_inputs[] = {{"X", 0}};
inline constexpr formal max_pool_outputs[] = {{"Y", 0}, {"Indices", 1, presence::optional}};
inline constexpr type_constraint max_pool_types[] = {{"T", {.tensors = floats | types({i8, u8})}},
                                                     {"I", {.tensors = types({i64})}}};
inline constexpr formal_attribute max_pool_attributes[] = {{"auto_pad", text, defaulted, {.text = "NOTSET"}},
                                                           {"ceil_mode", integer, defaulted},
                                                           {"dilations", integers},
                                                           {"kernel_shape", integers, required},
                                                           {"pads", integers},
                                                           {"storage_order", integer, defaulted},
                                                           {"strides", integers}};
inline constexpr type_constraint max_pool_types_22[] = {{"T", {.tensors = floats | types({bf16, i8, u8})}},
                                                        {"I", {.tensors = types({i64})}}};
// MaxRoiPool
inline constexpr formal max_roi_pool_inputs[] = {{"X", 0}, {"rois", 0}};
inline constexpr formal max_roi_pool_outputs[] = {{"Y", 0}};
inline constexpr type_constraint max_roi_pool_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute max_roi_pool_attributes[] = {{"pooled_shape", integers, required},
                                                               {"spatial_scale", real, defaulted, {.real = 1.0}}};
inline constexpr type_constraint max_roi_pool_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// MaxUnpool
inline constexpr formal max_unpool_inputs[] = {{"X", 0}, {"I", 1}, {"output_shape", 1, presence::optional}};
inline constexpr formal max_unpool_outputs[] = {{"output", 0}};
inline constexpr type_constraint max_unpool_types[] = {{"T1", {.tensors = floats}}, {"T2", {.tensors = types({i64})}}};
inline constexpr formal_attribute max_unpool_attributes[] = {
    {"kernel_shape", integers, required}, {"pads", integers}, {"strides", integers}};
inline constexpr type_constraint max_unpool_types_22[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                          {"T2", {.tensors = types({i64})}}};
// RoiAlign
inline constexpr formal roi_align_inputs[] = {{"X", 0}, {"rois", 0}, {"batch_indices", 1}};
inline constexpr formal roi_align_outputs[] = {{"Y", 0}};
inline constexpr type_constraint roi_align_types[] = {{"T1", {.tensors = floats}}, {"T2", {.tensors = types({i64})}}};
inline constexpr formal_attribute roi_align_attributes[] = {
    {"coordinate_transformation_mode", text, defaulted, {.text = "half_pixel"}},
    {"mode", text, defaulted, {.text = "avg"}},
    {"output_height", integer, defaulted, {.integer = 1}},
    {"output_width", integer, defaulted, {.integer = 1}},
    {"sampling_ratio", integer, defaulted},
    {"spatial_scale", real, defaulted, {.real = 1.0}}};
inline constexpr type_constraint roi_align_types_22[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                         {"T2", {.tensors = types({i64})}}};

inline constexpr op_record pooling_records[] = {
    {"AveragePool",
     "",
     11,
     average_pool_inputs,
     average_pool_outputs,
     average_pool_types,
     average_pool_attributes,
     1,
     1,
     {rules::pool},
     "Computes the mean of each window"},
    {"AveragePool",
     "",
     19,
     average_pool_inputs,
     average_pool_outputs,
     average_pool_types,
     average_pool_attributes_19,
     1,
     1,
     {rules::pool},
     "Computes the mean of each window"},
    {"AveragePool",
     "",
     22,
     average_pool_inputs,
     average_pool_outputs,
     average_pool_types_22,
     average_pool_attributes_19,
     1,
     1,
     {rules::pool},
     "Computes the mean of each window"},
    {"GlobalAveragePool",
     "",
     1,
     global_average_pool_inputs,
     global_average_pool_outputs,
     global_average_pool_types,
     {},
     1,
     1,
     {rules::global_pool},
     "Computes the mean of each channel over all spatial axes"},
    {"GlobalAveragePool",
     "",
     22,
     global_average_pool_inputs,
     global_average_pool_outputs,
     global_average_pool_types_22,
     {},
     1,
     1,
     {rules::global_pool},
     "Computes the mean of each channel over all spatial axes"},
    {"GlobalLpPool",
     "",
     2,
     global_lp_pool_inputs,
     global_lp_pool_outputs,
     global_lp_pool_types,
     global_lp_pool_attributes,
     1,
     1,
     {rules::global_pool},
     "Computes the Lp norm of each channel over all spatial axes"},
    {"GlobalLpPool",
     "",
     22,
     global_lp_pool_inputs,
     global_lp_pool_outputs,
     global_lp_pool_types_22,
     global_lp_pool_attributes,
     1,
     1,
     {rules::global_pool},
     "Computes the Lp norm of each channel over all spatial axes"},
    {"GlobalMaxPool",
     "",
     1,
     global_max_pool_inputs,
     global_max_pool_outputs,
     global_max_pool_types,
     {},
     1,
     1,
     {rules::global_pool},
     "Computes the maximum of each channel over all spatial axes"},
    {"GlobalMaxPool",
     "",
     22,
     global_max_pool_inputs,
     global_max_pool_outputs,
     global_max_pool_types_22,
     {},
     1,
     1,
     {rules::global_pool},
     "Computes the maximum of each channel over all spatial axes"},
    {"LpPool",
     "",
     11,
     lp_pool_inputs,
     lp_pool_outputs,
     lp_pool_types,
     lp_pool_attributes,
     1,
     1,
     {rules::pool},
     "Computes the Lp norm of each window"},
    {"LpPool",
     "",
     18,
     lp_pool_inputs,
     lp_pool_outputs,
     lp_pool_types,
     lp_pool_attributes_18,
     1,
     1,
     {rules::pool},
     "Computes the Lp norm of each window"},
    {"LpPool",
     "",
     22,
     lp_pool_inputs,
     lp_pool_outputs,
     lp_pool_types_22,
     lp_pool_attributes_18,
     1,
     1,
     {rules::pool},
     "Computes the Lp norm of each window"},
    {"MaxPool",
     "",
     12,
     max_pool_inputs,
     max_pool_outputs,
     max_pool_types,
     max_pool_attributes,
     1,
     1,
     {rules::pool},
     "Computes the maximum of each window"},
    {"MaxPool",
     "",
     22,
     max_pool_inputs,
     max_pool_outputs,
     max_pool_types_22,
     max_pool_attributes,
     1,
     1,
     {rules::pool},
     "Computes the maximum of each window"},
    {"MaxRoiPool",
     "",
     1,
     max_roi_pool_inputs,
     max_roi_pool_outputs,
     max_roi_pool_types,
     max_roi_pool_attributes,
     2,
     1,
     {rules::max_roi_pool},
     "Divides each region of interest into a grid, and computes the maximum of each of its cells"},
    {"MaxRoiPool",
     "",
     22,
     max_roi_pool_inputs,
     max_roi_pool_outputs,
     max_roi_pool_types_22,
     max_roi_pool_attributes,
     2,
     1,
     {rules::max_roi_pool},
     "Divides each region of interest into a grid, and computes the maximum of each of its cells"},
    {"MaxUnpool",
     "",
     11,
     max_unpool_inputs,
     max_unpool_outputs,
     max_unpool_types,
     max_unpool_attributes,
     2,
     1,
     {rules::max_unpool},
     "Inverts MaxPool in part: writes the maxima at their indices, and zeros elsewhere"},
    {"MaxUnpool",
     "",
     22,
     max_unpool_inputs,
     max_unpool_outputs,
     max_unpool_types_22,
     max_unpool_attributes,
     2,
     1,
     {rules::max_unpool},
     "Inverts MaxPool in part: writes the maxima at their indices, and zeros elsewhere"},
    {"RoiAlign",
     "",
     16,
     roi_align_inputs,
     roi_align_outputs,
     roi_align_types,
     roi_align_attributes,
     3,
     1,
     {rules::roi_align},
     "Samples each region of interest on a grid by interpolation, as Mask R-CNN does"},
    {"RoiAlign",
     "",
     22,
     roi_align_inputs,
     roi_align_outputs,
     roi_align_types_22,
     roi_align_attributes,
     3,
     1,
     {rules::roi_align},
     "Samples each region of interest on a grid by interpolation, as Mask R-CNN does"},
};

}  // namespace jax2onnx::records
