// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/constant.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// Constant
inline constexpr formal constant_outputs[] = {{"output", 0}};
inline constexpr type_constraint constant_types[] = {{"T", {.tensors = basic_types | types({bf16})}}};
inline constexpr formal_attribute constant_attributes[] = {
    {"value", tensor},        {"value_float", real},  {"value_floats", reals}, {"value_int", integer},
    {"value_ints", integers}, {"value_string", text}, {"value_strings", texts}};
inline constexpr type_constraint constant_types_19[] = {{"T", {.tensors = basic_types | float8s | types({bf16})}}};
inline constexpr type_constraint constant_types_21[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16})}}};
inline constexpr type_constraint constant_types_23[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}}};
inline constexpr type_constraint constant_types_24[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};
inline constexpr type_constraint constant_types_25[] = {
    {"T", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};
// ConstantOfShape
inline constexpr formal constant_of_shape_inputs[] = {{"input", 0}};
inline constexpr formal constant_of_shape_outputs[] = {{"output", 1}};
inline constexpr type_constraint constant_of_shape_types[] = {{"T1", {.tensors = types({i64})}},
                                                              {"T2", {.tensors = numbers | types({boolean})}}};
inline constexpr formal_attribute constant_of_shape_attributes[] = {{"value", tensor}};
inline constexpr type_constraint constant_of_shape_types_20[] = {
    {"T1", {.tensors = types({i64})}}, {"T2", {.tensors = numbers | float8s | types({bf16, boolean})}}};
inline constexpr type_constraint constant_of_shape_types_21[] = {
    {"T1", {.tensors = types({i64})}}, {"T2", {.tensors = numbers | float8s | int4s | types({bf16, boolean})}}};
inline constexpr type_constraint constant_of_shape_types_23[] = {
    {"T1", {.tensors = types({i64})}},
    {"T2", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn})}}};
inline constexpr type_constraint constant_of_shape_types_24[] = {
    {"T1", {.tensors = types({i64})}},
    {"T2", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu})}}};
inline constexpr type_constraint constant_of_shape_types_25[] = {
    {"T1", {.tensors = types({i64})}},
    {"T2", {.tensors = numbers | float8s | int4s | int2s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu})}}};
// EyeLike
inline constexpr formal eye_like_inputs[] = {{"input", 0}};
inline constexpr formal eye_like_outputs[] = {{"output", 1}};
inline constexpr type_constraint eye_like_types[] = {{"T1", {.tensors = numbers | types({boolean})}},
                                                     {"T2", {.tensors = numbers | types({boolean})}}};
inline constexpr formal_attribute eye_like_attributes[] = {{"dtype", integer}, {"k", integer, defaulted}};
inline constexpr type_constraint eye_like_types_22[] = {{"T1", {.tensors = numbers | types({bf16, boolean})}},
                                                        {"T2", {.tensors = numbers | types({bf16, boolean})}}};
// Range
inline constexpr formal range_inputs[] = {{"start", 0}, {"limit", 0}, {"delta", 0}};
inline constexpr formal range_outputs[] = {{"output", 0}};
inline constexpr type_constraint range_types[] = {{"T", {.tensors = types({f32, f64, i16, i32, i64})}}};
inline constexpr type_constraint range_types_27[] = {{"T", {.tensors = floats | types({bf16, i16, i32, i64})}}};
inline constexpr formal_attribute range_attributes[] = {{"stash_type", integer, defaulted, {.integer = 1}}};

inline constexpr op_record constant_records[] = {
    {"Constant",
     "",
     13,
     {},
     constant_outputs,
     constant_types,
     constant_attributes,
     0,
     1,
     {rules::constant, true},
     "Produces a constant"},
    {"Constant",
     "",
     19,
     {},
     constant_outputs,
     constant_types_19,
     constant_attributes,
     0,
     1,
     {rules::constant, true},
     "Produces a constant"},
    {"Constant",
     "",
     21,
     {},
     constant_outputs,
     constant_types_21,
     constant_attributes,
     0,
     1,
     {rules::constant, true},
     "Produces a constant"},
    {"Constant",
     "",
     23,
     {},
     constant_outputs,
     constant_types_23,
     constant_attributes,
     0,
     1,
     {rules::constant, true},
     "Produces a constant"},
    {"Constant",
     "",
     24,
     {},
     constant_outputs,
     constant_types_24,
     constant_attributes,
     0,
     1,
     {rules::constant, true},
     "Produces a constant"},
    {"Constant",
     "",
     25,
     {},
     constant_outputs,
     constant_types_25,
     constant_attributes,
     0,
     1,
     {rules::constant, true},
     "Produces a constant"},
    {"ConstantOfShape",
     "",
     9,
     constant_of_shape_inputs,
     constant_of_shape_outputs,
     constant_of_shape_types,
     constant_of_shape_attributes,
     1,
     1,
     {rules::constant_of_shape},
     "Fills a tensor of the given shape with a number"},
    {"ConstantOfShape",
     "",
     20,
     constant_of_shape_inputs,
     constant_of_shape_outputs,
     constant_of_shape_types_20,
     constant_of_shape_attributes,
     1,
     1,
     {rules::constant_of_shape},
     "Fills a tensor of the given shape with a number"},
    {"ConstantOfShape",
     "",
     21,
     constant_of_shape_inputs,
     constant_of_shape_outputs,
     constant_of_shape_types_21,
     constant_of_shape_attributes,
     1,
     1,
     {rules::constant_of_shape},
     "Fills a tensor of the given shape with a number"},
    {"ConstantOfShape",
     "",
     23,
     constant_of_shape_inputs,
     constant_of_shape_outputs,
     constant_of_shape_types_23,
     constant_of_shape_attributes,
     1,
     1,
     {rules::constant_of_shape},
     "Fills a tensor of the given shape with a number"},
    {"ConstantOfShape",
     "",
     24,
     constant_of_shape_inputs,
     constant_of_shape_outputs,
     constant_of_shape_types_24,
     constant_of_shape_attributes,
     1,
     1,
     {rules::constant_of_shape},
     "Fills a tensor of the given shape with a number"},
    {"ConstantOfShape",
     "",
     25,
     constant_of_shape_inputs,
     constant_of_shape_outputs,
     constant_of_shape_types_25,
     constant_of_shape_attributes,
     1,
     1,
     {rules::constant_of_shape},
     "Fills a tensor of the given shape with a number"},
    {"EyeLike",
     "",
     9,
     eye_like_inputs,
     eye_like_outputs,
     eye_like_types,
     eye_like_attributes,
     1,
     1,
     {rules::eye_like},
     "Returns a matrix with ones on a diagonal and zeros elsewhere, in the shape of the operand"},
    {"EyeLike",
     "",
     22,
     eye_like_inputs,
     eye_like_outputs,
     eye_like_types_22,
     eye_like_attributes,
     1,
     1,
     {rules::eye_like},
     "Returns a matrix with ones on a diagonal and zeros elsewhere, in the shape of the operand"},
    {"Range",
     "",
     11,
     range_inputs,
     range_outputs,
     range_types,
     {},
     3,
     1,
     {rules::range},
     "Returns the numbers from start up to limit, without it, in steps of delta"},
    {"Range",
     "",
     27,
     range_inputs,
     range_outputs,
     range_types_27,
     range_attributes,
     3,
     1,
     {rules::range},
     "Returns the numbers from start up to limit, without it, in steps of delta"},
};

}  // namespace jax2onnx::records
