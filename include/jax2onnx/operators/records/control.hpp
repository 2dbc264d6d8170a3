// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/control.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// If
inline constexpr formal if_inputs[] = {{"cond", 1}};
inline constexpr formal if_outputs[] = {{"outputs", 0, presence::variadic, false}};
inline constexpr type_constraint if_types[] = {{"V",
                                                {.tensors = basic_types | types({bf16}),
                                                 .sequences = basic_types | types({bf16}),
                                                 .optionals = basic_types | types({bf16}),
                                                 .optional_sequences = basic_types | types({bf16})}},
                                               {"B", {.tensors = types({boolean})}}};
inline constexpr formal_attribute if_attributes[] = {{"else_branch", body, required}, {"then_branch", body, required}};
inline constexpr type_constraint if_types_19[] = {{"V",
                                                   {.tensors = basic_types | float8s | types({bf16}),
                                                    .sequences = basic_types | float8s | types({bf16}),
                                                    .optionals = basic_types | float8s | types({bf16}),
                                                    .optional_sequences = basic_types | types({bf16})}},
                                                  {"B", {.tensors = types({boolean})}}};
inline constexpr type_constraint if_types_21[] = {{"V",
                                                   {.tensors = basic_types | float8s | int4s | types({bf16}),
                                                    .sequences = basic_types | float8s | int4s | types({bf16}),
                                                    .optionals = basic_types | float8s | int4s | types({bf16}),
                                                    .optional_sequences = basic_types | types({bf16})}},
                                                  {"B", {.tensors = types({boolean})}}};
inline constexpr type_constraint if_types_23[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn}),
      .sequences = basic_types | float8s | int4s | types({bf16, f4_e2m1fn}),
      .optionals = basic_types | float8s | int4s | types({bf16, f4_e2m1fn}),
      .optional_sequences = basic_types | types({bf16})}},
    {"B", {.tensors = types({boolean})}}};
inline constexpr type_constraint if_types_24[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optionals = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optional_sequences = basic_types | types({bf16})}},
    {"B", {.tensors = types({boolean})}}};
inline constexpr type_constraint if_types_25[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optionals = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optional_sequences = basic_types | types({bf16})}},
    {"B", {.tensors = types({boolean})}}};
// Loop
inline constexpr formal loop_inputs[] = {
    {"M", 1, presence::optional}, {"cond", 2, presence::optional}, {"v_initial", 0, presence::variadic, false}};
inline constexpr formal loop_outputs[] = {{"v_final_and_scan_outputs", 0, presence::variadic, false}};
inline constexpr type_constraint loop_types[] = {{"V",
                                                  {.tensors = basic_types | types({bf16}),
                                                   .sequences = basic_types | types({bf16}),
                                                   .optionals = basic_types | types({bf16}),
                                                   .optional_sequences = basic_types | types({bf16})}},
                                                 {"I", {.tensors = types({i64})}},
                                                 {"B", {.tensors = types({boolean})}}};
inline constexpr formal_attribute loop_attributes[] = {{"body", body, required}};
inline constexpr type_constraint loop_types_19[] = {{"V",
                                                     {.tensors = basic_types | float8s | types({bf16}),
                                                      .sequences = basic_types | float8s | types({bf16}),
                                                      .optionals = basic_types | float8s | types({bf16}),
                                                      .optional_sequences = basic_types | types({bf16})}},
                                                    {"I", {.tensors = types({i64})}},
                                                    {"B", {.tensors = types({boolean})}}};
inline constexpr type_constraint loop_types_21[] = {{"V",
                                                     {.tensors = basic_types | float8s | int4s | types({bf16}),
                                                      .sequences = basic_types | float8s | int4s | types({bf16}),
                                                      .optionals = basic_types | float8s | int4s | types({bf16}),
                                                      .optional_sequences = basic_types | types({bf16})}},
                                                    {"I", {.tensors = types({i64})}},
                                                    {"B", {.tensors = types({boolean})}}};
inline constexpr type_constraint loop_types_23[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn}),
      .sequences = basic_types | float8s | int4s | types({bf16, f4_e2m1fn}),
      .optionals = basic_types | float8s | int4s | types({bf16, f4_e2m1fn}),
      .optional_sequences = basic_types | types({bf16})}},
    {"I", {.tensors = types({i64})}},
    {"B", {.tensors = types({boolean})}}};
inline constexpr type_constraint loop_types_24[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optionals = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optional_sequences = basic_types | types({bf16})}},
    {"I", {.tensors = types({i64})}},
    {"B", {.tensors = types({boolean})}}};
inline constexpr type_constraint loop_types_25[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optionals = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optional_sequences = basic_types | types({bf16})}},
    {"I", {.tensors = types({i64})}},
    {"B", {.tensors = types({boolean})}}};
// Scan
inline constexpr formal scan_inputs[] = {{"initial_state_and_scan_inputs", 0, presence::variadic, false}};
inline constexpr formal scan_outputs[] = {{"final_state_and_scan_outputs", 0, presence::variadic, false}};
inline constexpr type_constraint scan_types[] = {{"V", {.tensors = basic_types | types({bf16})}}};
inline constexpr formal_attribute scan_attributes[] = {
    {"body", body, required},       {"num_scan_inputs", integer, required},
    {"scan_input_axes", integers},  {"scan_input_directions", integers},
    {"scan_output_axes", integers}, {"scan_output_directions", integers}};
inline constexpr type_constraint scan_types_19[] = {{"V", {.tensors = basic_types | float8s | types({bf16})}}};
inline constexpr type_constraint scan_types_21[] = {{"V", {.tensors = basic_types | float8s | int4s | types({bf16})}}};
inline constexpr type_constraint scan_types_23[] = {
    {"V", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn})}}};
inline constexpr type_constraint scan_types_24[] = {
    {"V", {.tensors = basic_types | float8s | int4s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};
inline constexpr type_constraint scan_types_25[] = {
    {"V", {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};

inline constexpr op_record control_records[] = {
    {"If", "", 16, if_inputs, if_outputs, if_types, if_attributes, 1, 1, {rules::if_, true}, "If conditional"},
    {"If", "", 19, if_inputs, if_outputs, if_types_19, if_attributes, 1, 1, {rules::if_, true}, "If conditional"},
    {"If", "", 21, if_inputs, if_outputs, if_types_21, if_attributes, 1, 1, {rules::if_, true}, "If conditional"},
    {"If", "", 23, if_inputs, if_outputs, if_types_23, if_attributes, 1, 1, {rules::if_, true}, "If conditional"},
    {"If", "", 24, if_inputs, if_outputs, if_types_24, if_attributes, 1, 1, {rules::if_, true}, "If conditional"},
    {"If", "", 25, if_inputs, if_outputs, if_types_25, if_attributes, 1, 1, {rules::if_, true}, "If conditional"},
    {"Loop",
     "",
     16,
     loop_inputs,
     loop_outputs,
     loop_types,
     loop_attributes,
     2,
     1,
     {rules::loop, true},
     "Generic Looping construct"},
    {"Loop",
     "",
     19,
     loop_inputs,
     loop_outputs,
     loop_types_19,
     loop_attributes,
     2,
     1,
     {rules::loop, true},
     "Generic Looping construct"},
    {"Loop",
     "",
     21,
     loop_inputs,
     loop_outputs,
     loop_types_21,
     loop_attributes,
     2,
     1,
     {rules::loop, true},
     "Generic Looping construct"},
    {"Loop",
     "",
     23,
     loop_inputs,
     loop_outputs,
     loop_types_23,
     loop_attributes,
     2,
     1,
     {rules::loop, true},
     "Generic Looping construct"},
    {"Loop",
     "",
     24,
     loop_inputs,
     loop_outputs,
     loop_types_24,
     loop_attributes,
     2,
     1,
     {rules::loop, true},
     "Generic Looping construct"},
    {"Loop",
     "",
     25,
     loop_inputs,
     loop_outputs,
     loop_types_25,
     loop_attributes,
     2,
     1,
     {rules::loop, true},
     "Generic Looping construct"},
    {"Scan",
     "",
     16,
     scan_inputs,
     scan_outputs,
     scan_types,
     scan_attributes,
     1,
     1,
     {rules::scan, true},
     "Scan can be used to iterate over one or more scan_input tensors, constructing zero or more scan_output tensors"},
    {"Scan",
     "",
     19,
     scan_inputs,
     scan_outputs,
     scan_types_19,
     scan_attributes,
     1,
     1,
     {rules::scan, true},
     "Scan can be used to iterate over one or more scan_input tensors, constructing zero or more scan_output tensors"},
    {"Scan",
     "",
     21,
     scan_inputs,
     scan_outputs,
     scan_types_21,
     scan_attributes,
     1,
     1,
     {rules::scan, true},
     "Scan can be used to iterate over one or more scan_input tensors, constructing zero or more scan_output tensors"},
    {"Scan",
     "",
     23,
     scan_inputs,
     scan_outputs,
     scan_types_23,
     scan_attributes,
     1,
     1,
     {rules::scan, true},
     "Scan can be used to iterate over one or more scan_input tensors, constructing zero or more scan_output tensors"},
    {"Scan",
     "",
     24,
     scan_inputs,
     scan_outputs,
     scan_types_24,
     scan_attributes,
     1,
     1,
     {rules::scan, true},
     "Scan can be used to iterate over one or more scan_input tensors, constructing zero or more scan_output tensors"},
    {"Scan",
     "",
     25,
     scan_inputs,
     scan_outputs,
     scan_types_25,
     scan_attributes,
     1,
     1,
     {rules::scan, true},
     "Scan can be used to iterate over one or more scan_input tensors, constructing zero or more scan_output tensors"},
};

}  // namespace jax2onnx::records
