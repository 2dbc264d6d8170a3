// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/indexing.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// Compress
inline constexpr formal compress_inputs[] = {{"input", 0}, {"condition", 1}};
inline constexpr formal compress_outputs[] = {{"output", 0}};
inline constexpr type_constraint compress_types[] = {{"T", {.tensors = basic_types}},
                                                     {"T1", {.tensors = types({boolean})}}};
inline constexpr formal_attribute compress_attributes[] = {{"axis", integer}};
inline constexpr type_constraint compress_types_28[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                        {"T1", {.tensors = types({boolean})}}};
// Gather
inline constexpr formal gather_inputs[] = {{"data", 0}, {"indices", 1}};
inline constexpr formal gather_outputs[] = {{"output", 0}};
inline constexpr type_constraint gather_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                   {"Tind", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute gather_attributes[] = {{"axis", integer, defaulted}};
// GatherElements
inline constexpr formal gather_elements_inputs[] = {{"data", 0}, {"indices", 1}};
inline constexpr formal gather_elements_outputs[] = {{"output", 0}};
inline constexpr type_constraint gather_elements_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                            {"Tind", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute gather_elements_attributes[] = {{"axis", integer, defaulted}};
// GatherND
inline constexpr formal gather_nd_inputs[] = {{"data", 0}, {"indices", 1}};
inline constexpr formal gather_nd_outputs[] = {{"output", 0}};
inline constexpr type_constraint gather_nd_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                      {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute gather_nd_attributes[] = {{"batch_dims", integer, defaulted}};
// NonMaxSuppression
inline constexpr formal non_max_suppression_inputs[] = {{"boxes", 0},
                                                        {"scores", 0},
                                                        {"max_output_boxes_per_class", 1, presence::optional},
                                                        {"iou_threshold", 0, presence::optional},
                                                        {"score_threshold", 0, presence::optional}};
inline constexpr formal non_max_suppression_outputs[] = {{"selected_indices", 1}};
inline constexpr type_constraint non_max_suppression_types[] = {{"tensor(float)", {.tensors = types({f32})}},
                                                                {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute non_max_suppression_attributes[] = {{"center_point_box", integer, defaulted}};
// NonZero
inline constexpr formal non_zero_inputs[] = {{"X", 0}};
inline constexpr formal non_zero_outputs[] = {{"Y", 1}};
inline constexpr type_constraint non_zero_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                     {"tensor(int64)", {.tensors = types({i64})}}};
// OneHot
inline constexpr formal one_hot_inputs[] = {{"indices", 0}, {"depth", 1}, {"values", 2}};
inline constexpr formal one_hot_outputs[] = {{"output", 2}};
inline constexpr type_constraint one_hot_types[] = {
    {"T1", {.tensors = numbers}}, {"T2", {.tensors = numbers}}, {"T3", {.tensors = basic_types}}};
inline constexpr formal_attribute one_hot_attributes[] = {{"axis", integer, defaulted, {.integer = -1}}};
inline constexpr type_constraint one_hot_types_28[] = {
    {"T1", {.tensors = numbers}}, {"T2", {.tensors = numbers}}, {"T3", {.tensors = basic_types | types({bf16})}}};
// ScatterElements
inline constexpr formal scatter_elements_inputs[] = {{"data", 0}, {"indices", 1}, {"updates", 0}};
inline constexpr formal scatter_elements_outputs[] = {{"output", 0}};
inline constexpr type_constraint scatter_elements_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                             {"Tind", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute scatter_elements_attributes[] = {{"axis", integer, defaulted},
                                                                   {"reduction", text, defaulted, {.text = "none"}}};
// ScatterND
inline constexpr formal scatter_nd_inputs[] = {{"data", 0}, {"indices", 1}, {"updates", 0}};
inline constexpr formal scatter_nd_outputs[] = {{"output", 0}};
inline constexpr type_constraint scatter_nd_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                       {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute scatter_nd_attributes[] = {{"reduction", text, defaulted, {.text = "none"}}};
// TensorScatter
inline constexpr formal tensor_scatter_inputs[] = {
    {"past_cache", 0}, {"update", 0}, {"write_indices", 1, presence::optional}};
inline constexpr formal tensor_scatter_outputs[] = {{"present_cache", 0}};
inline constexpr type_constraint tensor_scatter_types[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute tensor_scatter_attributes[] = {{"axis", integer, defaulted, {.integer = -2}},
                                                                 {"mode", text, defaulted, {.text = "linear"}}};
// TopK
inline constexpr formal top_k_inputs[] = {{"X", 0}, {"K", 2}};
inline constexpr formal top_k_outputs[] = {{"Values", 0}, {"Indices", 1}};
inline constexpr type_constraint top_k_types[] = {
    {"T", {.tensors = numbers}}, {"I", {.tensors = types({i64})}}, {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute top_k_attributes[] = {{"axis", integer, defaulted, {.integer = -1}},
                                                        {"largest", integer, defaulted, {.integer = 1}},
                                                        {"sorted", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint top_k_types_24[] = {{"T", {.tensors = numbers | types({bf16})}},
                                                     {"I", {.tensors = types({i64})}},
                                                     {"tensor(int64)", {.tensors = types({i64})}}};
// Unique
inline constexpr formal unique_inputs[] = {{"X", 0}};
inline constexpr formal unique_outputs[] = {{"Y", 0},
                                            {"indices", 1, presence::optional},
                                            {"inverse_indices", 1, presence::optional},
                                            {"counts", 1, presence::optional}};
inline constexpr type_constraint unique_types[] = {{"T", {.tensors = basic_types}},
                                                   {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute unique_attributes[] = {{"axis", integer},
                                                         {"sorted", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint unique_types_28[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                      {"tensor(int64)", {.tensors = types({i64})}}};

inline constexpr op_record indexing_records[] = {
    {"Compress",
     "",
     11,
     compress_inputs,
     compress_outputs,
     compress_types,
     compress_attributes,
     2,
     1,
     {rules::compress},
     "Selects the slices along an axis for which a condition is true"},
    {"Compress",
     "",
     28,
     compress_inputs,
     compress_outputs,
     compress_types_28,
     compress_attributes,
     2,
     1,
     {rules::compress},
     "Selects the slices along an axis for which a condition is true"},
    {"Gather",
     "",
     13,
     gather_inputs,
     gather_outputs,
     gather_types,
     gather_attributes,
     2,
     1,
     {rules::gather},
     "Gathers slices along an axis by their indices"},
    {"GatherElements",
     "",
     13,
     gather_elements_inputs,
     gather_elements_outputs,
     gather_elements_types,
     gather_elements_attributes,
     2,
     1,
     {rules::gather_elements},
     "Gathers elements by their indices along an axis, one index for each element of the result"},
    {"GatherND",
     "",
     13,
     gather_nd_inputs,
     gather_nd_outputs,
     gather_nd_types,
     gather_nd_attributes,
     2,
     1,
     {rules::gather_nd},
     "Gathers elements or slices by vectors of indices"},
    {"NonMaxSuppression",
     "",
     11,
     non_max_suppression_inputs,
     non_max_suppression_outputs,
     non_max_suppression_types,
     non_max_suppression_attributes,
     2,
     1,
     {rules::non_max_suppression},
     "Selects boxes by score, without those that overlap a selected box too much"},
    {"NonZero",
     "",
     13,
     non_zero_inputs,
     non_zero_outputs,
     non_zero_types,
     {},
     1,
     1,
     {rules::non_zero},
     "Returns the indices of all elements that are not 0, in row-major order"},
    {"OneHot",
     "",
     11,
     one_hot_inputs,
     one_hot_outputs,
     one_hot_types,
     one_hot_attributes,
     3,
     1,
     {rules::one_hot},
     "Expands indices to one-hot vectors"},
    {"OneHot",
     "",
     28,
     one_hot_inputs,
     one_hot_outputs,
     one_hot_types_28,
     one_hot_attributes,
     3,
     1,
     {rules::one_hot},
     "Expands indices to one-hot vectors"},
    {"ScatterElements",
     "",
     16,
     scatter_elements_inputs,
     scatter_elements_outputs,
     scatter_elements_types,
     scatter_elements_attributes,
     3,
     1,
     {rules::scatter_elements},
     "Copies a tensor and updates elements by their indices along an axis, one index for each update"},
    {"ScatterElements",
     "",
     18,
     scatter_elements_inputs,
     scatter_elements_outputs,
     scatter_elements_types,
     scatter_elements_attributes,
     3,
     1,
     {rules::scatter_elements},
     "Copies a tensor and updates elements by their indices along an axis, one index for each update"},
    {"ScatterND",
     "",
     16,
     scatter_nd_inputs,
     scatter_nd_outputs,
     scatter_nd_types,
     scatter_nd_attributes,
     3,
     1,
     {rules::scatter_nd},
     "Copies a tensor and updates elements or slices by vectors of indices"},
    {"ScatterND",
     "",
     18,
     scatter_nd_inputs,
     scatter_nd_outputs,
     scatter_nd_types,
     scatter_nd_attributes,
     3,
     1,
     {rules::scatter_nd},
     "Copies a tensor and updates elements or slices by vectors of indices"},
    {"TensorScatter",
     "",
     24,
     tensor_scatter_inputs,
     tensor_scatter_outputs,
     tensor_scatter_types,
     tensor_scatter_attributes,
     2,
     1,
     {rules::tensor_scatter},
     "Writes updates into a cache along an axis, at a start for each sequence of the batch"},
    {"TopK",
     "",
     11,
     top_k_inputs,
     top_k_outputs,
     top_k_types,
     top_k_attributes,
     2,
     2,
     {rules::top_k},
     "Returns the k largest or smallest elements along an axis, and their indices"},
    {"TopK",
     "",
     24,
     top_k_inputs,
     top_k_outputs,
     top_k_types_24,
     top_k_attributes,
     2,
     2,
     {rules::top_k},
     "Returns the k largest or smallest elements along an axis, and their indices"},
    {"Unique",
     "",
     11,
     unique_inputs,
     unique_outputs,
     unique_types,
     unique_attributes,
     1,
     1,
     {rules::unique},
     "Returns the unique elements of a tensor, or its unique slices along an axis"},
    {"Unique",
     "",
     28,
     unique_inputs,
     unique_outputs,
     unique_types_28,
     unique_attributes,
     1,
     1,
     {rules::unique},
     "Returns the unique elements of a tensor, or its unique slices along an axis"},
};

}  // namespace jax2onnx::records
