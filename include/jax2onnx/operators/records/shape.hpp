// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/shape.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// BitCast
inline constexpr formal bitcast_inputs[] = {{"input", 0}};
inline constexpr formal bitcast_outputs[] = {{"output", 1}};
inline constexpr type_constraint bitcast_types[] = {
    {"T1",
     {.tensors = numbers | complex_numbers | float8s | int4s | int2s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu})}},
    {"T2",
     {.tensors = numbers | complex_numbers | float8s | int4s | int2s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu})}}};
inline constexpr formal_attribute bitcast_attributes[] = {{"to", integer, required}};
// Cast
inline constexpr formal cast_inputs[] = {{"input", 0}};
inline constexpr formal cast_outputs[] = {{"output", 1}};
inline constexpr type_constraint cast_types[] = {{"T1", {.tensors = numbers | types({bf16, boolean, string})}},
                                                 {"T2", {.tensors = numbers | types({bf16, boolean, string})}}};
inline constexpr formal_attribute cast_attributes[] = {{"to", integer, required}};
inline constexpr type_constraint cast_types_19[] = {
    {"T1", {.tensors = numbers | float8s | types({bf16, boolean, string})}},
    {"T2", {.tensors = numbers | float8s | types({bf16, boolean, string})}}};
inline constexpr formal_attribute cast_attributes_19[] = {{"saturate", integer, defaulted, {.integer = 1}},
                                                          {"to", integer, required}};
inline constexpr type_constraint cast_types_21[] = {
    {"T1", {.tensors = numbers | float8s | int4s | types({bf16, boolean, string})}},
    {"T2", {.tensors = numbers | float8s | int4s | types({bf16, boolean, string})}}};
inline constexpr type_constraint cast_types_23[] = {
    {"T1", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn, string})}},
    {"T2", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn, string})}}};
inline constexpr type_constraint cast_types_24[] = {
    {"T1", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu, string})}},
    {"T2", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu, string})}}};
inline constexpr formal_attribute cast_attributes_24[] = {{"round_mode", text, defaulted, {.text = "up"}},
                                                          {"saturate", integer, defaulted, {.integer = 1}},
                                                          {"to", integer, required}};
inline constexpr type_constraint cast_types_25[] = {
    {"T1", {.tensors = numbers | float8s | int4s | int2s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu, string})}},
    {"T2", {.tensors = numbers | float8s | int4s | int2s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu, string})}}};
// CastLike
inline constexpr formal cast_like_inputs[] = {{"input", 0}, {"target_type", 1}};
inline constexpr formal cast_like_outputs[] = {{"output", 1}};
inline constexpr type_constraint cast_like_types[] = {{"T1", {.tensors = numbers | types({bf16, boolean, string})}},
                                                      {"T2", {.tensors = numbers | types({bf16, boolean, string})}}};
inline constexpr type_constraint cast_like_types_19[] = {
    {"T1", {.tensors = numbers | float8s | types({bf16, boolean, string})}},
    {"T2", {.tensors = numbers | float8s | types({bf16, boolean, string})}}};
inline constexpr formal_attribute cast_like_attributes[] = {{"saturate", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint cast_like_types_21[] = {
    {"T1", {.tensors = numbers | float8s | int4s | types({bf16, boolean, string})}},
    {"T2", {.tensors = numbers | float8s | int4s | types({bf16, boolean, string})}}};
inline constexpr type_constraint cast_like_types_23[] = {
    {"T1", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn, string})}},
    {"T2", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn, string})}}};
inline constexpr type_constraint cast_like_types_24[] = {
    {"T1", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu, string})}},
    {"T2", {.tensors = numbers | float8s | int4s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu, string})}}};
inline constexpr formal_attribute cast_like_attributes_24[] = {{"round_mode", text, defaulted, {.text = "up"}},
                                                               {"saturate", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint cast_like_types_25[] = {
    {"T1", {.tensors = numbers | float8s | int4s | int2s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu, string})}},
    {"T2", {.tensors = numbers | float8s | int4s | int2s | types({bf16, boolean, f4_e2m1fn, f8_e8m0fnu, string})}}};
// CenterCropPad
inline constexpr formal center_crop_pad_inputs[] = {{"input_data", 0}, {"shape", 1}};
inline constexpr formal center_crop_pad_outputs[] = {{"output_data", 0}};
inline constexpr type_constraint center_crop_pad_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                            {"Tind", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute center_crop_pad_attributes[] = {{"axes", integers}};
// Concat
inline constexpr formal concat_inputs[] = {{"inputs", 0, presence::variadic}};
inline constexpr formal concat_outputs[] = {{"concat_result", 0}};
inline constexpr type_constraint concat_types[] = {{"T", {.tensors = basic_types | types({bf16})}}};
inline constexpr formal_attribute concat_attributes[] = {{"axis", integer, required}};
// DepthToSpace
inline constexpr formal depth_to_space_inputs[] = {{"input", 0}};
inline constexpr formal depth_to_space_outputs[] = {{"output", 0}};
inline constexpr type_constraint depth_to_space_types[] = {{"T", {.tensors = basic_types | types({bf16})}}};
inline constexpr formal_attribute depth_to_space_attributes[] = {{"blocksize", integer, required},
                                                                 {"mode", text, defaulted, {.text = "DCR"}}};
// Expand
inline constexpr formal expand_inputs[] = {{"input", 0}, {"shape", 1}};
inline constexpr formal expand_outputs[] = {{"output", 0}};
inline constexpr type_constraint expand_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                   {"tensor(int64)", {.tensors = types({i64})}}};
// Flatten
inline constexpr formal flatten_inputs[] = {{"input", 0}};
inline constexpr formal flatten_outputs[] = {{"output", 0}};
inline constexpr type_constraint flatten_types[] = {{"T", {.tensors = basic_types | types({bf16})}}};
inline constexpr formal_attribute flatten_attributes[] = {{"axis", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint flatten_types_21[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16})}}};
inline constexpr type_constraint flatten_types_23[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}}};
inline constexpr type_constraint flatten_types_24[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};
inline constexpr type_constraint flatten_types_25[] = {
    {"T", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};
// Identity
inline constexpr formal identity_inputs[] = {{"input", 0}};
inline constexpr formal identity_outputs[] = {{"output", 0}};
inline constexpr type_constraint identity_types[] = {{"V",
                                                      {.tensors = basic_types | types({bf16}),
                                                       .sequences = basic_types,
                                                       .optionals = basic_types,
                                                       .optional_sequences = basic_types}}};
inline constexpr type_constraint identity_types_19[] = {{"V",
                                                         {.tensors = basic_types | float8s | types({bf16}),
                                                          .sequences = basic_types,
                                                          .optionals = basic_types,
                                                          .optional_sequences = basic_types}}};
inline constexpr type_constraint identity_types_21[] = {{"V",
                                                         {.tensors = basic_types | float8s | int4s | types({bf16}),
                                                          .sequences = basic_types,
                                                          .optionals = basic_types,
                                                          .optional_sequences = basic_types}}};
inline constexpr type_constraint identity_types_23[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn}),
      .sequences = basic_types,
      .optionals = basic_types,
      .optional_sequences = basic_types}}};
inline constexpr type_constraint identity_types_24[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types,
      .optionals = basic_types,
      .optional_sequences = basic_types}}};
inline constexpr type_constraint identity_types_25[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types,
      .optionals = basic_types,
      .optional_sequences = basic_types}}};
// Pad
inline constexpr formal pad_inputs[] = {{"data", 0}, {"pads", 1}, {"constant_value", 0, presence::optional}};
inline constexpr formal pad_outputs[] = {{"output", 0}};
inline constexpr type_constraint pad_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute pad_attributes[] = {{"mode", text, defaulted, {.text = "constant"}}};
inline constexpr formal pad_inputs_18[] = {
    {"data", 0}, {"pads", 2}, {"constant_value", 0, presence::optional}, {"axes", 1, presence::optional}};
inline constexpr type_constraint pad_types_18[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                   {"Tind", {.tensors = types({i32, i64})}},
                                                   {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint pad_types_21[] = {{"T", {.tensors = basic_types | float8s | int4s | types({bf16})}},
                                                   {"Tind", {.tensors = types({i32, i64})}},
                                                   {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint pad_types_23[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}},
    {"Tind", {.tensors = types({i32, i64})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint pad_types_24[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"Tind", {.tensors = types({i32, i64})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint pad_types_25[] = {
    {"T", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"Tind", {.tensors = types({i32, i64})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
// Reshape
inline constexpr formal reshape_inputs[] = {{"data", 0}, {"shape", 1}};
inline constexpr formal reshape_outputs[] = {{"reshaped", 0}};
inline constexpr type_constraint reshape_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reshape_attributes[] = {{"allowzero", integer, defaulted}};
inline constexpr type_constraint reshape_types_19[] = {{"T", {.tensors = basic_types | float8s | types({bf16})}},
                                                       {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint reshape_types_21[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16})}}, {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint reshape_types_23[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint reshape_types_24[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint reshape_types_25[] = {
    {"T", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
// ReverseSequence
inline constexpr formal reverse_sequence_inputs[] = {{"input", 0}, {"sequence_lens", 1}};
inline constexpr formal reverse_sequence_outputs[] = {{"Y", 0}};
inline constexpr type_constraint reverse_sequence_types[] = {{"T", {.tensors = basic_types}},
                                                             {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reverse_sequence_attributes[] = {{"batch_axis", integer, defaulted, {.integer = 1}},
                                                                   {"time_axis", integer, defaulted}};
inline constexpr type_constraint reverse_sequence_types_28[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                                {"tensor(int64)", {.tensors = types({i64})}}};
// Shape
inline constexpr formal shape_of_inputs[] = {{"data", 0}};
inline constexpr formal shape_of_outputs[] = {{"shape", 1}};
inline constexpr type_constraint shape_of_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                     {"T1", {.tensors = types({i64})}}};
inline constexpr formal_attribute shape_of_attributes[] = {{"end", integer}, {"start", integer, defaulted}};
inline constexpr type_constraint shape_of_types_19[] = {{"T", {.tensors = basic_types | float8s | types({bf16})}},
                                                        {"T1", {.tensors = types({i64})}}};
inline constexpr type_constraint shape_of_types_21[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16})}}, {"T1", {.tensors = types({i64})}}};
inline constexpr type_constraint shape_of_types_23[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}}, {"T1", {.tensors = types({i64})}}};
inline constexpr type_constraint shape_of_types_24[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"T1", {.tensors = types({i64})}}};
inline constexpr type_constraint shape_of_types_25[] = {
    {"T", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"T1", {.tensors = types({i64})}}};
// Size
inline constexpr formal size_inputs[] = {{"data", 0}};
inline constexpr formal size_outputs[] = {{"size", 1}};
inline constexpr type_constraint size_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                 {"T1", {.tensors = types({i64})}}};
inline constexpr type_constraint size_types_19[] = {{"T", {.tensors = basic_types | float8s | types({bf16})}},
                                                    {"T1", {.tensors = types({i64})}}};
inline constexpr type_constraint size_types_21[] = {{"T", {.tensors = basic_types | float8s | int4s | types({bf16})}},
                                                    {"T1", {.tensors = types({i64})}}};
inline constexpr type_constraint size_types_23[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}}, {"T1", {.tensors = types({i64})}}};
inline constexpr type_constraint size_types_24[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"T1", {.tensors = types({i64})}}};
inline constexpr type_constraint size_types_25[] = {
    {"T", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"T1", {.tensors = types({i64})}}};
// Slice
inline constexpr formal slice_inputs[] = {
    {"data", 0}, {"starts", 1}, {"ends", 1}, {"axes", 1, presence::optional}, {"steps", 1, presence::optional}};
inline constexpr formal slice_outputs[] = {{"output", 0}};
inline constexpr type_constraint slice_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                  {"Tind", {.tensors = types({i32, i64})}}};
// SpaceToDepth
inline constexpr formal space_to_depth_inputs[] = {{"input", 0}};
inline constexpr formal space_to_depth_outputs[] = {{"output", 0}};
inline constexpr type_constraint space_to_depth_types[] = {{"T", {.tensors = basic_types | types({bf16})}}};
inline constexpr formal_attribute space_to_depth_attributes[] = {{"blocksize", integer, required}};
inline constexpr formal_attribute space_to_depth_attributes_28[] = {{"blocksize", integer, required},
                                                                    {"mode", text, defaulted, {.text = "DCR"}}};
// Split
inline constexpr formal split_inputs[] = {{"input", 0}, {"split", 1, presence::optional}};
inline constexpr formal split_outputs[] = {{"outputs", 0, presence::variadic}};
inline constexpr type_constraint split_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                  {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute split_attributes[] = {{"axis", integer, defaulted}};
inline constexpr formal_attribute split_attributes_18[] = {{"axis", integer, defaulted}, {"num_outputs", integer}};
// Squeeze
inline constexpr formal squeeze_inputs[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr formal squeeze_outputs[] = {{"squeezed", 0}};
inline constexpr type_constraint squeeze_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint squeeze_types_21[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16})}}, {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint squeeze_types_23[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint squeeze_types_24[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint squeeze_types_25[] = {
    {"T", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
// Tile
inline constexpr formal tile_inputs[] = {{"input", 0}, {"repeats", 1}};
inline constexpr formal tile_outputs[] = {{"output", 0}};
inline constexpr type_constraint tile_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                 {"T1", {.tensors = types({i64})}}};
// Transpose
inline constexpr formal transpose_inputs[] = {{"data", 0}};
inline constexpr formal transpose_outputs[] = {{"transposed", 0}};
inline constexpr type_constraint transpose_types[] = {{"T", {.tensors = basic_types | types({bf16})}}};
inline constexpr formal_attribute transpose_attributes[] = {{"perm", integers}};
inline constexpr type_constraint transpose_types_21[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16})}}};
inline constexpr type_constraint transpose_types_23[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}}};
inline constexpr type_constraint transpose_types_24[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};
inline constexpr type_constraint transpose_types_25[] = {
    {"T", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};
// Trilu
inline constexpr formal trilu_inputs[] = {{"input", 0}, {"k", 1, presence::optional}};
inline constexpr formal trilu_outputs[] = {{"output", 0}};
inline constexpr type_constraint trilu_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                  {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute trilu_attributes[] = {{"upper", integer, defaulted, {.integer = 1}}};
// Unsqueeze
inline constexpr formal unsqueeze_inputs[] = {{"data", 0}, {"axes", 1}};
inline constexpr formal unsqueeze_outputs[] = {{"expanded", 0}};
inline constexpr type_constraint unsqueeze_types[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                      {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint unsqueeze_types_21[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16})}}, {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint unsqueeze_types_23[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint unsqueeze_types_24[] = {
    {"T", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr type_constraint unsqueeze_types_25[] = {
    {"T", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"tensor(int64)", {.tensors = types({i64})}}};

inline constexpr op_record shape_records[] = {
    {"BitCast",
     "",
     26,
     bitcast_inputs,
     bitcast_outputs,
     bitcast_types,
     bitcast_attributes,
     1,
     1,
     {rules::bit_cast},
     "Reinterprets the binary representation of a tensor as a different data type, specified by the 'to' attribute"},
    {"Cast",
     "",
     13,
     cast_inputs,
     cast_outputs,
     cast_types,
     cast_attributes,
     1,
     1,
     {rules::cast, true},
     "The operator casts the elements of a given input tensor to a data type specified by the 'to' argument and "
     "returns an output tensor of the same size in the converted type"},
    {"Cast",
     "",
     19,
     cast_inputs,
     cast_outputs,
     cast_types_19,
     cast_attributes_19,
     1,
     1,
     {rules::cast, true},
     "The operator casts the elements of a given input tensor to a data type specified by the 'to' argument and "
     "returns an output tensor of the same size in the converted type"},
    {"Cast",
     "",
     21,
     cast_inputs,
     cast_outputs,
     cast_types_21,
     cast_attributes_19,
     1,
     1,
     {rules::cast, true},
     "The operator casts the elements of a given input tensor to a data type specified by the 'to' argument and "
     "returns an output tensor of the same size in the converted type"},
    {"Cast",
     "",
     23,
     cast_inputs,
     cast_outputs,
     cast_types_23,
     cast_attributes_19,
     1,
     1,
     {rules::cast, true},
     "The operator casts the elements of a given input tensor to a data type specified by the 'to' argument and "
     "returns an output tensor of the same size in the converted type"},
    {"Cast",
     "",
     24,
     cast_inputs,
     cast_outputs,
     cast_types_24,
     cast_attributes_24,
     1,
     1,
     {rules::cast, true},
     "The operator casts the elements of a given input tensor to a data type specified by the 'to' argument and "
     "returns an output tensor of the same size in the converted type"},
    {"Cast",
     "",
     25,
     cast_inputs,
     cast_outputs,
     cast_types_25,
     cast_attributes_24,
     1,
     1,
     {rules::cast, true},
     "The operator casts the elements of a given input tensor to a data type specified by the 'to' argument and "
     "returns an output tensor of the same size in the converted type"},
    {"Cast",
     "",
     28,
     cast_inputs,
     cast_outputs,
     cast_types_25,
     cast_attributes_24,
     1,
     1,
     {rules::cast, true},
     "The operator casts the elements of a given input tensor to a data type specified by the 'to' argument and "
     "returns an output tensor of the same size in the converted type"},
    {"CastLike",
     "",
     15,
     cast_like_inputs,
     cast_like_outputs,
     cast_like_types,
     {},
     2,
     1,
     {rules::cast_like, true},
     "The operator casts the elements of a given input tensor (the first input) to the same data type as the elements "
     "of the second input tensor"},
    {"CastLike",
     "",
     19,
     cast_like_inputs,
     cast_like_outputs,
     cast_like_types_19,
     cast_like_attributes,
     2,
     1,
     {rules::cast_like, true},
     "The operator casts the elements of a given input tensor (the first input) to the same data type as the elements "
     "of the second input tensor"},
    {"CastLike",
     "",
     21,
     cast_like_inputs,
     cast_like_outputs,
     cast_like_types_21,
     cast_like_attributes,
     2,
     1,
     {rules::cast_like, true},
     "The operator casts the elements of a given input tensor (the first input) to the same data type as the elements "
     "of the second input tensor"},
    {"CastLike",
     "",
     23,
     cast_like_inputs,
     cast_like_outputs,
     cast_like_types_23,
     cast_like_attributes,
     2,
     1,
     {rules::cast_like, true},
     "The operator casts the elements of a given input tensor (the first input) to the same data type as the elements "
     "of the second input tensor"},
    {"CastLike",
     "",
     24,
     cast_like_inputs,
     cast_like_outputs,
     cast_like_types_24,
     cast_like_attributes_24,
     2,
     1,
     {rules::cast_like, true},
     "The operator casts the elements of a given input tensor (the first input) to the same data type as the elements "
     "of the second input tensor"},
    {"CastLike",
     "",
     25,
     cast_like_inputs,
     cast_like_outputs,
     cast_like_types_25,
     cast_like_attributes_24,
     2,
     1,
     {rules::cast_like, true},
     "The operator casts the elements of a given input tensor (the first input) to the same data type as the elements "
     "of the second input tensor"},
    {"CenterCropPad",
     "",
     18,
     center_crop_pad_inputs,
     center_crop_pad_outputs,
     center_crop_pad_types,
     center_crop_pad_attributes,
     2,
     1,
     {rules::center_crop_pad},
     "Center crop or pad an input to given dimensions"},
    {"Concat",
     "",
     13,
     concat_inputs,
     concat_outputs,
     concat_types,
     concat_attributes,
     1,
     1,
     {rules::concat},
     "Concatenate a list of tensors into a single tensor"},
    {"DepthToSpace",
     "",
     13,
     depth_to_space_inputs,
     depth_to_space_outputs,
     depth_to_space_types,
     depth_to_space_attributes,
     1,
     1,
     {rules::depth_to_space},
     "DepthToSpace rearranges (permutes) data from depth into blocks of spatial data"},
    {"DepthToSpace",
     "",
     28,
     depth_to_space_inputs,
     depth_to_space_outputs,
     depth_to_space_types,
     depth_to_space_attributes,
     1,
     1,
     {rules::depth_to_space},
     "DepthToSpace rearranges (permutes) data from depth into blocks of spatial data"},
    {"Expand",
     "",
     13,
     expand_inputs,
     expand_outputs,
     expand_types,
     {},
     2,
     1,
     {rules::expand},
     "Broadcast the input tensor following the given shape and the broadcast rule"},
    {"Flatten",
     "",
     13,
     flatten_inputs,
     flatten_outputs,
     flatten_types,
     flatten_attributes,
     1,
     1,
     {rules::flatten},
     "Flattens the input tensor into a 2D matrix"},
    {"Flatten",
     "",
     21,
     flatten_inputs,
     flatten_outputs,
     flatten_types_21,
     flatten_attributes,
     1,
     1,
     {rules::flatten},
     "Flattens the input tensor into a 2D matrix"},
    {"Flatten",
     "",
     23,
     flatten_inputs,
     flatten_outputs,
     flatten_types_23,
     flatten_attributes,
     1,
     1,
     {rules::flatten},
     "Flattens the input tensor into a 2D matrix"},
    {"Flatten",
     "",
     24,
     flatten_inputs,
     flatten_outputs,
     flatten_types_24,
     flatten_attributes,
     1,
     1,
     {rules::flatten},
     "Flattens the input tensor into a 2D matrix"},
    {"Flatten",
     "",
     25,
     flatten_inputs,
     flatten_outputs,
     flatten_types_25,
     flatten_attributes,
     1,
     1,
     {rules::flatten},
     "Flattens the input tensor into a 2D matrix"},
    {"Identity",
     "",
     16,
     identity_inputs,
     identity_outputs,
     identity_types,
     {},
     1,
     1,
     {rules::identity, true},
     "Identity operator"},
    {"Identity",
     "",
     19,
     identity_inputs,
     identity_outputs,
     identity_types_19,
     {},
     1,
     1,
     {rules::identity, true},
     "Identity operator"},
    {"Identity",
     "",
     21,
     identity_inputs,
     identity_outputs,
     identity_types_21,
     {},
     1,
     1,
     {rules::identity, true},
     "Identity operator"},
    {"Identity",
     "",
     23,
     identity_inputs,
     identity_outputs,
     identity_types_23,
     {},
     1,
     1,
     {rules::identity, true},
     "Identity operator"},
    {"Identity",
     "",
     24,
     identity_inputs,
     identity_outputs,
     identity_types_24,
     {},
     1,
     1,
     {rules::identity, true},
     "Identity operator"},
    {"Identity",
     "",
     25,
     identity_inputs,
     identity_outputs,
     identity_types_25,
     {},
     1,
     1,
     {rules::identity, true},
     "Identity operator"},
    {"Pad",
     "",
     13,
     pad_inputs,
     pad_outputs,
     pad_types,
     pad_attributes,
     2,
     1,
     {rules::pad},
     "Given a tensor containing the data to be padded (data), a tensor containing the number of start and end pad "
     "values for axis (pads), (optionally) a mode, and (optionally) constant_value, a padded tensor (output) is "
     "generated"},
    {"Pad",
     "",
     18,
     pad_inputs_18,
     pad_outputs,
     pad_types_18,
     pad_attributes,
     2,
     1,
     {rules::pad},
     "Given a tensor containing the data to be padded (data), a tensor containing the number of start and end pad "
     "values for axis (pads), (optionally) a mode, and (optionally) constant_value, a padded tensor (output) is "
     "generated"},
    {"Pad",
     "",
     19,
     pad_inputs_18,
     pad_outputs,
     pad_types_18,
     pad_attributes,
     2,
     1,
     {rules::pad},
     "Given a tensor containing the data to be padded (data), a tensor containing the number of start and end pad "
     "values for axis (pads), (optionally) a mode, and (optionally) constant_value, a padded tensor (output) is "
     "generated"},
    {"Pad",
     "",
     21,
     pad_inputs_18,
     pad_outputs,
     pad_types_21,
     pad_attributes,
     2,
     1,
     {rules::pad},
     "Given a tensor containing the data to be padded (data), a tensor containing the number of start and end pad "
     "values for axis (pads), (optionally) a mode, and (optionally) constant_value, a padded tensor (output) is "
     "generated"},
    {"Pad",
     "",
     23,
     pad_inputs_18,
     pad_outputs,
     pad_types_23,
     pad_attributes,
     2,
     1,
     {rules::pad},
     "Given a tensor containing the data to be padded (data), a tensor containing the number of start and end pad "
     "values for axis (pads), (optionally) a mode, and (optionally) constant_value, a padded tensor (output) is "
     "generated"},
    {"Pad",
     "",
     24,
     pad_inputs_18,
     pad_outputs,
     pad_types_24,
     pad_attributes,
     2,
     1,
     {rules::pad},
     "Given a tensor containing the data to be padded (data), a tensor containing the number of start and end pad "
     "values for axis (pads), (optionally) a mode, and (optionally) constant_value, a padded tensor (output) is "
     "generated"},
    {"Pad",
     "",
     25,
     pad_inputs_18,
     pad_outputs,
     pad_types_25,
     pad_attributes,
     2,
     1,
     {rules::pad},
     "Given a tensor containing the data to be padded (data), a tensor containing the number of start and end pad "
     "values for axis (pads), (optionally) a mode, and (optionally) constant_value, a padded tensor (output) is "
     "generated"},
    {"Reshape",
     "",
     14,
     reshape_inputs,
     reshape_outputs,
     reshape_types,
     reshape_attributes,
     2,
     1,
     {rules::reshape, true},
     "Reshape the input tensor similar to numpy.reshape"},
    {"Reshape",
     "",
     19,
     reshape_inputs,
     reshape_outputs,
     reshape_types_19,
     reshape_attributes,
     2,
     1,
     {rules::reshape, true},
     "Reshape the input tensor similar to numpy.reshape"},
    {"Reshape",
     "",
     21,
     reshape_inputs,
     reshape_outputs,
     reshape_types_21,
     reshape_attributes,
     2,
     1,
     {rules::reshape, true},
     "Reshape the input tensor similar to numpy.reshape"},
    {"Reshape",
     "",
     23,
     reshape_inputs,
     reshape_outputs,
     reshape_types_23,
     reshape_attributes,
     2,
     1,
     {rules::reshape, true},
     "Reshape the input tensor similar to numpy.reshape"},
    {"Reshape",
     "",
     24,
     reshape_inputs,
     reshape_outputs,
     reshape_types_24,
     reshape_attributes,
     2,
     1,
     {rules::reshape, true},
     "Reshape the input tensor similar to numpy.reshape"},
    {"Reshape",
     "",
     25,
     reshape_inputs,
     reshape_outputs,
     reshape_types_25,
     reshape_attributes,
     2,
     1,
     {rules::reshape, true},
     "Reshape the input tensor similar to numpy.reshape"},
    {"ReverseSequence",
     "",
     10,
     reverse_sequence_inputs,
     reverse_sequence_outputs,
     reverse_sequence_types,
     reverse_sequence_attributes,
     2,
     1,
     {rules::reverse_sequence},
     "Reverse batch of sequences having different lengths specified by sequence_lens"},
    {"ReverseSequence",
     "",
     28,
     reverse_sequence_inputs,
     reverse_sequence_outputs,
     reverse_sequence_types_28,
     reverse_sequence_attributes,
     2,
     1,
     {rules::reverse_sequence},
     "Reverse batch of sequences having different lengths specified by sequence_lens"},
    {"Shape",
     "",
     15,
     shape_of_inputs,
     shape_of_outputs,
     shape_of_types,
     shape_of_attributes,
     1,
     1,
     {rules::shape_of, true},
     "Takes a tensor as input and outputs an 1D int64 tensor containing the shape of the input tensor"},
    {"Shape",
     "",
     19,
     shape_of_inputs,
     shape_of_outputs,
     shape_of_types_19,
     shape_of_attributes,
     1,
     1,
     {rules::shape_of, true},
     "Takes a tensor as input and outputs an 1D int64 tensor containing the shape of the input tensor"},
    {"Shape",
     "",
     21,
     shape_of_inputs,
     shape_of_outputs,
     shape_of_types_21,
     shape_of_attributes,
     1,
     1,
     {rules::shape_of, true},
     "Takes a tensor as input and outputs an 1D int64 tensor containing the shape of the input tensor"},
    {"Shape",
     "",
     23,
     shape_of_inputs,
     shape_of_outputs,
     shape_of_types_23,
     shape_of_attributes,
     1,
     1,
     {rules::shape_of, true},
     "Takes a tensor as input and outputs an 1D int64 tensor containing the shape of the input tensor"},
    {"Shape",
     "",
     24,
     shape_of_inputs,
     shape_of_outputs,
     shape_of_types_24,
     shape_of_attributes,
     1,
     1,
     {rules::shape_of, true},
     "Takes a tensor as input and outputs an 1D int64 tensor containing the shape of the input tensor"},
    {"Shape",
     "",
     25,
     shape_of_inputs,
     shape_of_outputs,
     shape_of_types_25,
     shape_of_attributes,
     1,
     1,
     {rules::shape_of, true},
     "Takes a tensor as input and outputs an 1D int64 tensor containing the shape of the input tensor"},
    {"Size",
     "",
     13,
     size_inputs,
     size_outputs,
     size_types,
     {},
     1,
     1,
     {rules::size_of, true},
     "Takes a tensor as input and outputs a int64 scalar that equals to the total number of elements of the input "
     "tensor"},
    {"Size",
     "",
     19,
     size_inputs,
     size_outputs,
     size_types_19,
     {},
     1,
     1,
     {rules::size_of, true},
     "Takes a tensor as input and outputs a int64 scalar that equals to the total number of elements of the input "
     "tensor"},
    {"Size",
     "",
     21,
     size_inputs,
     size_outputs,
     size_types_21,
     {},
     1,
     1,
     {rules::size_of, true},
     "Takes a tensor as input and outputs a int64 scalar that equals to the total number of elements of the input "
     "tensor"},
    {"Size",
     "",
     23,
     size_inputs,
     size_outputs,
     size_types_23,
     {},
     1,
     1,
     {rules::size_of, true},
     "Takes a tensor as input and outputs a int64 scalar that equals to the total number of elements of the input "
     "tensor"},
    {"Size",
     "",
     24,
     size_inputs,
     size_outputs,
     size_types_24,
     {},
     1,
     1,
     {rules::size_of, true},
     "Takes a tensor as input and outputs a int64 scalar that equals to the total number of elements of the input "
     "tensor"},
    {"Size",
     "",
     25,
     size_inputs,
     size_outputs,
     size_types_25,
     {},
     1,
     1,
     {rules::size_of, true},
     "Takes a tensor as input and outputs a int64 scalar that equals to the total number of elements of the input "
     "tensor"},
    {"Slice",
     "",
     13,
     slice_inputs,
     slice_outputs,
     slice_types,
     {},
     3,
     1,
     {rules::slice},
     "Produces a slice of the input tensor along multiple axes"},
    {"SpaceToDepth",
     "",
     13,
     space_to_depth_inputs,
     space_to_depth_outputs,
     space_to_depth_types,
     space_to_depth_attributes,
     1,
     1,
     {rules::space_to_depth},
     "SpaceToDepth rearranges blocks of spatial data into depth"},
    {"SpaceToDepth",
     "",
     28,
     space_to_depth_inputs,
     space_to_depth_outputs,
     space_to_depth_types,
     space_to_depth_attributes_28,
     1,
     1,
     {rules::space_to_depth},
     "SpaceToDepth rearranges blocks of spatial data into depth"},
    {"Split",
     "",
     13,
     split_inputs,
     split_outputs,
     split_types,
     split_attributes,
     1,
     1,
     {rules::split},
     "Split a tensor into a list of tensors, along the specified 'axis'"},
    {"Split",
     "",
     18,
     split_inputs,
     split_outputs,
     split_types,
     split_attributes_18,
     1,
     1,
     {rules::split},
     "Split a tensor into a list of tensors, along the specified 'axis'"},
    {"Squeeze",
     "",
     13,
     squeeze_inputs,
     squeeze_outputs,
     squeeze_types,
     {},
     1,
     1,
     {rules::squeeze},
     "Remove single-dimensional entries from the shape of a tensor"},
    {"Squeeze",
     "",
     21,
     squeeze_inputs,
     squeeze_outputs,
     squeeze_types_21,
     {},
     1,
     1,
     {rules::squeeze},
     "Remove single-dimensional entries from the shape of a tensor"},
    {"Squeeze",
     "",
     23,
     squeeze_inputs,
     squeeze_outputs,
     squeeze_types_23,
     {},
     1,
     1,
     {rules::squeeze},
     "Remove single-dimensional entries from the shape of a tensor"},
    {"Squeeze",
     "",
     24,
     squeeze_inputs,
     squeeze_outputs,
     squeeze_types_24,
     {},
     1,
     1,
     {rules::squeeze},
     "Remove single-dimensional entries from the shape of a tensor"},
    {"Squeeze",
     "",
     25,
     squeeze_inputs,
     squeeze_outputs,
     squeeze_types_25,
     {},
     1,
     1,
     {rules::squeeze},
     "Remove single-dimensional entries from the shape of a tensor"},
    {"Tile",
     "",
     13,
     tile_inputs,
     tile_outputs,
     tile_types,
     {},
     2,
     1,
     {rules::tile},
     "Constructs a tensor by tiling a given tensor"},
    {"Transpose",
     "",
     13,
     transpose_inputs,
     transpose_outputs,
     transpose_types,
     transpose_attributes,
     1,
     1,
     {rules::transpose},
     "Returns a transpose of the input tensor"},
    {"Transpose",
     "",
     21,
     transpose_inputs,
     transpose_outputs,
     transpose_types_21,
     transpose_attributes,
     1,
     1,
     {rules::transpose},
     "Returns a transpose of the input tensor"},
    {"Transpose",
     "",
     23,
     transpose_inputs,
     transpose_outputs,
     transpose_types_23,
     transpose_attributes,
     1,
     1,
     {rules::transpose},
     "Returns a transpose of the input tensor"},
    {"Transpose",
     "",
     24,
     transpose_inputs,
     transpose_outputs,
     transpose_types_24,
     transpose_attributes,
     1,
     1,
     {rules::transpose},
     "Returns a transpose of the input tensor"},
    {"Transpose",
     "",
     25,
     transpose_inputs,
     transpose_outputs,
     transpose_types_25,
     transpose_attributes,
     1,
     1,
     {rules::transpose},
     "Returns a transpose of the input tensor"},
    {"Trilu",
     "",
     14,
     trilu_inputs,
     trilu_outputs,
     trilu_types,
     trilu_attributes,
     1,
     1,
     {rules::trilu},
     "Given a 2-D matrix or batches of 2-D matrices, returns the upper or lower triangular part of the tensor(s)"},
    {"Unsqueeze",
     "",
     13,
     unsqueeze_inputs,
     unsqueeze_outputs,
     unsqueeze_types,
     {},
     2,
     1,
     {rules::unsqueeze},
     "Insert single-dimensional entries to the shape of an input tensor (data)"},
    {"Unsqueeze",
     "",
     21,
     unsqueeze_inputs,
     unsqueeze_outputs,
     unsqueeze_types_21,
     {},
     2,
     1,
     {rules::unsqueeze},
     "Insert single-dimensional entries to the shape of an input tensor (data)"},
    {"Unsqueeze",
     "",
     23,
     unsqueeze_inputs,
     unsqueeze_outputs,
     unsqueeze_types_23,
     {},
     2,
     1,
     {rules::unsqueeze},
     "Insert single-dimensional entries to the shape of an input tensor (data)"},
    {"Unsqueeze",
     "",
     24,
     unsqueeze_inputs,
     unsqueeze_outputs,
     unsqueeze_types_24,
     {},
     2,
     1,
     {rules::unsqueeze},
     "Insert single-dimensional entries to the shape of an input tensor (data)"},
    {"Unsqueeze",
     "",
     25,
     unsqueeze_inputs,
     unsqueeze_outputs,
     unsqueeze_types_25,
     {},
     2,
     1,
     {rules::unsqueeze},
     "Insert single-dimensional entries to the shape of an input tensor (data)"},
};

}  // namespace jax2onnx::records
