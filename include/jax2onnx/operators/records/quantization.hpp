// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/quantization.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// DequantizeLinear
inline constexpr formal dequantize_linear_inputs[] = {
    {"x", 0}, {"x_scale", 1}, {"x_zero_point", 0, presence::optional}};
inline constexpr formal dequantize_linear_outputs[] = {{"y", 1}};
inline constexpr type_constraint dequantize_linear_types[] = {{"T", {.tensors = types({i32, i8, u8})}},
                                                              {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute dequantize_linear_attributes[] = {{"axis", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint dequantize_linear_types_19[] = {{"T1", {.tensors = float8s | types({i32, i8, u8})}},
                                                                 {"T2", {.tensors = types({bf16, f16, f32})}}};
inline constexpr type_constraint dequantize_linear_types_21[] = {
    {"T1", {.tensors = float8s | int4s | types({i16, i32, i8, u16, u8})}},
    {"T2", {.tensors = types({bf16, f16, f32})}}};
inline constexpr formal_attribute dequantize_linear_attributes_21[] = {{"axis", integer, defaulted, {.integer = 1}},
                                                                       {"block_size", integer, defaulted}};
inline constexpr formal dequantize_linear_outputs_23[] = {{"y", 2}};
inline constexpr type_constraint dequantize_linear_types_23[] = {
    {"T1", {.tensors = float8s | int4s | types({f4_e2m1fn, i16, i32, i8, u16, u8})}},
    {"T2", {.tensors = types({bf16, f16, f32})}},
    {"T3", {.tensors = types({bf16, f16, f32})}}};
inline constexpr formal_attribute dequantize_linear_attributes_23[] = {{"axis", integer, defaulted, {.integer = 1}},
                                                                       {"block_size", integer, defaulted},
                                                                       {"output_dtype", integer, defaulted}};
inline constexpr type_constraint dequantize_linear_types_24[] = {
    {"T1", {.tensors = float8s | int4s | types({f4_e2m1fn, i16, i32, i8, u16, u8})}},
    {"T2", {.tensors = types({bf16, f16, f32, f8_e8m0fnu})}},
    {"T3", {.tensors = types({bf16, f16, f32})}}};
inline constexpr type_constraint dequantize_linear_types_25[] = {
    {"T1", {.tensors = float8s | int4s | int2s | types({f4_e2m1fn, i16, i32, i8, u16, u8})}},
    {"T2", {.tensors = types({bf16, f16, f32, f8_e8m0fnu})}},
    {"T3", {.tensors = types({bf16, f16, f32})}}};
// DynamicQuantizeLinear
inline constexpr formal dynamic_quantize_linear_inputs[] = {{"x", 0}};
inline constexpr formal dynamic_quantize_linear_outputs[] = {{"y", 1}, {"y_scale", 2}, {"y_zero_point", 1}};
inline constexpr type_constraint dynamic_quantize_linear_types[] = {
    {"T1", {.tensors = types({f32})}}, {"T2", {.tensors = types({u8})}}, {"tensor(float)", {.tensors = types({f32})}}};
// QuantizeLinear
inline constexpr formal quantize_linear_inputs[] = {{"x", 0}, {"y_scale", 2}, {"y_zero_point", 1, presence::optional}};
inline constexpr formal quantize_linear_outputs[] = {{"y", 1}};
inline constexpr type_constraint quantize_linear_types[] = {{"T1", {.tensors = types({f32, i32})}},
                                                            {"T2", {.tensors = types({i8, u8})}},
                                                            {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute quantize_linear_attributes[] = {{"axis", integer, defaulted, {.integer = 1}}};
inline constexpr formal quantize_linear_inputs_19[] = {
    {"x", 0}, {"y_scale", 0}, {"y_zero_point", 1, presence::optional}};
inline constexpr type_constraint quantize_linear_types_19[] = {{"T1", {.tensors = types({bf16, f16, f32, i32})}},
                                                               {"T2", {.tensors = float8s | types({i8, u8})}}};
inline constexpr formal_attribute quantize_linear_attributes_19[] = {{"axis", integer, defaulted, {.integer = 1}},
                                                                     {"saturate", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint quantize_linear_types_21[] = {
    {"T1", {.tensors = types({bf16, f16, f32, i32})}},
    {"T2", {.tensors = float8s | int4s | types({i16, i8, u16, u8})}}};
inline constexpr formal_attribute quantize_linear_attributes_21[] = {{"axis", integer, defaulted, {.integer = 1}},
                                                                     {"block_size", integer, defaulted},
                                                                     {"output_dtype", integer, defaulted},
                                                                     {"saturate", integer, defaulted, {.integer = 1}}};
inline constexpr formal quantize_linear_inputs_23[] = {
    {"x", 0}, {"y_scale", 1}, {"y_zero_point", 2, presence::optional}};
inline constexpr formal quantize_linear_outputs_23[] = {{"y", 2}};
inline constexpr type_constraint quantize_linear_types_23[] = {
    {"T1", {.tensors = types({bf16, f16, f32, i32})}},
    {"T2", {.tensors = types({bf16, f16, f32, i32})}},
    {"T3", {.tensors = float8s | int4s | types({f4_e2m1fn, i16, i8, u16, u8})}}};
inline constexpr formal_attribute quantize_linear_attributes_23[] = {{"axis", integer, defaulted, {.integer = 1}},
                                                                     {"block_size", integer, defaulted},
                                                                     {"output_dtype", integer, defaulted},
                                                                     {"precision", integer, defaulted},
                                                                     {"saturate", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint quantize_linear_types_24[] = {
    {"T1", {.tensors = types({bf16, f16, f32, i32})}},
    {"T2", {.tensors = types({bf16, f16, f32, f8_e8m0fnu, i32})}},
    {"T3", {.tensors = float8s | int4s | types({f4_e2m1fn, i16, i8, u16, u8})}}};
inline constexpr type_constraint quantize_linear_types_25[] = {
    {"T1", {.tensors = types({bf16, f16, f32, i32})}},
    {"T2", {.tensors = types({bf16, f16, f32, f8_e8m0fnu, i32})}},
    {"T3", {.tensors = float8s | int4s | int2s | types({f4_e2m1fn, i16, i8, u16, u8})}}};

inline constexpr op_record quantization_records[] = {
    {"DequantizeLinear",
     "",
     13,
     dequantize_linear_inputs,
     dequantize_linear_outputs,
     dequantize_linear_types,
     dequantize_linear_attributes,
     2,
     1,
     {rules::dequantize_linear},
     "Computes (x - zero point) * scale"},
    {"DequantizeLinear",
     "",
     19,
     dequantize_linear_inputs,
     dequantize_linear_outputs,
     dequantize_linear_types_19,
     dequantize_linear_attributes,
     2,
     1,
     {rules::dequantize_linear},
     "Computes (x - zero point) * scale"},
    {"DequantizeLinear",
     "",
     21,
     dequantize_linear_inputs,
     dequantize_linear_outputs,
     dequantize_linear_types_21,
     dequantize_linear_attributes_21,
     2,
     1,
     {rules::dequantize_linear},
     "Computes (x - zero point) * scale"},
    {"DequantizeLinear",
     "",
     23,
     dequantize_linear_inputs,
     dequantize_linear_outputs_23,
     dequantize_linear_types_23,
     dequantize_linear_attributes_23,
     2,
     1,
     {rules::dequantize_linear},
     "Computes (x - zero point) * scale"},
    {"DequantizeLinear",
     "",
     24,
     dequantize_linear_inputs,
     dequantize_linear_outputs_23,
     dequantize_linear_types_24,
     dequantize_linear_attributes_23,
     2,
     1,
     {rules::dequantize_linear},
     "Computes (x - zero point) * scale"},
    {"DequantizeLinear",
     "",
     25,
     dequantize_linear_inputs,
     dequantize_linear_outputs_23,
     dequantize_linear_types_25,
     dequantize_linear_attributes_23,
     2,
     1,
     {rules::dequantize_linear},
     "Computes (x - zero point) * scale"},
    {"DequantizeLinear",
     "",
     28,
     dequantize_linear_inputs,
     dequantize_linear_outputs_23,
     dequantize_linear_types_25,
     dequantize_linear_attributes_23,
     2,
     1,
     {rules::dequantize_linear},
     "Computes (x - zero point) * scale"},
    {"DynamicQuantizeLinear",
     "",
     11,
     dynamic_quantize_linear_inputs,
     dynamic_quantize_linear_outputs,
     dynamic_quantize_linear_types,
     {},
     1,
     3,
     {rules::dynamic_quantize_linear},
     "Quantizes a float32 tensor to uint8, with a scale and a zero point that cover its range"},
    {"QuantizeLinear",
     "",
     13,
     quantize_linear_inputs,
     quantize_linear_outputs,
     quantize_linear_types,
     quantize_linear_attributes,
     2,
     1,
     {rules::quantize_linear},
     "Computes x / scale + zero point, rounded and limited to the range of the quantized type"},
    {"QuantizeLinear",
     "",
     19,
     quantize_linear_inputs_19,
     quantize_linear_outputs,
     quantize_linear_types_19,
     quantize_linear_attributes_19,
     2,
     1,
     {rules::quantize_linear},
     "Computes x / scale + zero point, rounded and limited to the range of the quantized type"},
    {"QuantizeLinear",
     "",
     21,
     quantize_linear_inputs_19,
     quantize_linear_outputs,
     quantize_linear_types_21,
     quantize_linear_attributes_21,
     2,
     1,
     {rules::quantize_linear},
     "Computes x / scale + zero point, rounded and limited to the range of the quantized type"},
    {"QuantizeLinear",
     "",
     23,
     quantize_linear_inputs_23,
     quantize_linear_outputs_23,
     quantize_linear_types_23,
     quantize_linear_attributes_23,
     2,
     1,
     {rules::quantize_linear},
     "Computes x / scale + zero point, rounded and limited to the range of the quantized type"},
    {"QuantizeLinear",
     "",
     24,
     quantize_linear_inputs_23,
     quantize_linear_outputs_23,
     quantize_linear_types_24,
     quantize_linear_attributes_23,
     2,
     1,
     {rules::quantize_linear},
     "Computes x / scale + zero point, rounded and limited to the range of the quantized type"},
    {"QuantizeLinear",
     "",
     25,
     quantize_linear_inputs_23,
     quantize_linear_outputs_23,
     quantize_linear_types_25,
     quantize_linear_attributes_23,
     2,
     1,
     {rules::quantize_linear},
     "Computes x / scale + zero point, rounded and limited to the range of the quantized type"},
    {"QuantizeLinear",
     "",
     28,
     quantize_linear_inputs_23,
     quantize_linear_outputs_23,
     quantize_linear_types_25,
     quantize_linear_attributes_23,
     2,
     1,
     {rules::quantize_linear},
     "Computes x / scale + zero point, rounded and limited to the range of the quantized type"},
};

}  // namespace jax2onnx::records
