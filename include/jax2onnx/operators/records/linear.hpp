// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/linear.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// Det
inline constexpr formal det_inputs[] = {{"X", 0}};
inline constexpr formal det_outputs[] = {{"Y", 0}};
inline constexpr type_constraint det_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint det_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Einsum
inline constexpr formal einsum_inputs[] = {{"Inputs", 0, presence::variadic}};
inline constexpr formal einsum_outputs[] = {{"Output", 0}};
inline constexpr type_constraint einsum_types[] = {{"T", {.tensors = numbers}}};
inline constexpr formal_attribute einsum_attributes[] = {{"equation", text, required}};
inline constexpr type_constraint einsum_types_28[] = {{"T", {.tensors = numbers | types({bf16})}}};
// Gemm
inline constexpr formal gemm_inputs[] = {{"A", 0}, {"B", 0}, {"C", 0, presence::optional}};
inline constexpr formal gemm_outputs[] = {{"Y", 0}};
inline constexpr type_constraint gemm_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
inline constexpr formal_attribute gemm_attributes[] = {{"alpha", real, defaulted, {.real = 1.0}},
                                                       {"beta", real, defaulted, {.real = 1.0}},
                                                       {"transA", integer, defaulted},
                                                       {"transB", integer, defaulted}};
// MatMul
inline constexpr formal matmul_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal matmul_outputs[] = {{"Y", 0}};
inline constexpr type_constraint matmul_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
// MatMulInteger
inline constexpr formal matmul_integer_inputs[] = {
    {"A", 0}, {"B", 1}, {"a_zero_point", 0, presence::optional}, {"b_zero_point", 1, presence::optional}};
inline constexpr formal matmul_integer_outputs[] = {{"Y", 2}};
inline constexpr type_constraint matmul_integer_types[] = {
    {"T1", {.tensors = types({i8, u8})}}, {"T2", {.tensors = types({i8, u8})}}, {"T3", {.tensors = types({i32})}}};
// QLinearMatMul
inline constexpr formal qlinear_matmul_inputs[] = {{"a", 0},       {"a_scale", 3},     {"a_zero_point", 0},
                                                   {"b", 1},       {"b_scale", 3},     {"b_zero_point", 1},
                                                   {"y_scale", 3}, {"y_zero_point", 2}};
inline constexpr formal qlinear_matmul_outputs[] = {{"y", 2}};
inline constexpr type_constraint qlinear_matmul_types[] = {{"T1", {.tensors = types({i8, u8})}},
                                                           {"T2", {.tensors = types({i8, u8})}},
                                                           {"T3", {.tensors = types({i8, u8})}},
                                                           {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal qlinear_matmul_inputs_21[] = {{"a", 1},       {"a_scale", 0},     {"a_zero_point", 1},
                                                      {"b", 2},       {"b_scale", 0},     {"b_zero_point", 2},
                                                      {"y_scale", 0}, {"y_zero_point", 3}};
inline constexpr formal qlinear_matmul_outputs_21[] = {{"y", 3}};
inline constexpr type_constraint qlinear_matmul_types_21[] = {{"TS", {.tensors = types({bf16, f16, f32})}},
                                                              {"T1", {.tensors = float8s | types({i8, u8})}},
                                                              {"T2", {.tensors = float8s | types({i8, u8})}},
                                                              {"T3", {.tensors = float8s | types({i8, u8})}}};

inline constexpr op_record linear_records[] = {
    {"Det",
     "",
     11,
     det_inputs,
     det_outputs,
     det_types,
     {},
     1,
     1,
     {rules::det},
     "Computes the determinant of a square matrix, or of each matrix of a batch"},
    {"Det",
     "",
     22,
     det_inputs,
     det_outputs,
     det_types_22,
     {},
     1,
     1,
     {rules::det},
     "Computes the determinant of a square matrix, or of each matrix of a batch"},
    {"Einsum",
     "",
     12,
     einsum_inputs,
     einsum_outputs,
     einsum_types,
     einsum_attributes,
     1,
     1,
     {rules::einsum},
     "Computes the Einstein summation: output[output-term] = reduce-sum(input1[term1] * input2[term2] * ...) over the "
     "indices that the output's term lacks"},
    {"Einsum",
     "",
     28,
     einsum_inputs,
     einsum_outputs,
     einsum_types_28,
     einsum_attributes,
     1,
     1,
     {rules::einsum},
     "Computes the Einstein summation: output[output-term] = reduce-sum(input1[term1] * input2[term2] * ...) over the "
     "indices that the output's term lacks"},
    {"Gemm",
     "",
     13,
     gemm_inputs,
     gemm_outputs,
     gemm_types,
     gemm_attributes,
     2,
     1,
     {rules::gemm},
     "Computes alpha * A * B + beta * C for matrices; A and B may be transposed"},
    {"MatMul",
     "",
     13,
     matmul_inputs,
     matmul_outputs,
     matmul_types,
     {},
     2,
     1,
     {rules::matmul},
     "Multiplies matrices as numpy.matmul does"},
    {"MatMulInteger",
     "",
     10,
     matmul_integer_inputs,
     matmul_integer_outputs,
     matmul_integer_types,
     {},
     2,
     1,
     {rules::matmul_integer},
     "Multiplies integer matrices as numpy.matmul does, minus their zero points; the result is int32"},
    {"QLinearMatMul",
     "",
     10,
     qlinear_matmul_inputs,
     qlinear_matmul_outputs,
     qlinear_matmul_types,
     {},
     8,
     1,
     {rules::qlinear_matmul},
     "Multiplies quantized matrices as numpy.matmul does, and quantizes the result"},
    {"QLinearMatMul",
     "",
     21,
     qlinear_matmul_inputs_21,
     qlinear_matmul_outputs_21,
     qlinear_matmul_types_21,
     {},
     8,
     1,
     {rules::qlinear_matmul},
     "Multiplies quantized matrices as numpy.matmul does, and quantizes the result"},
};

}  // namespace jax2onnx::records
