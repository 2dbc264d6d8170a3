// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/reduction.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// ArgMax
inline constexpr formal argmax_inputs[] = {{"data", 0}};
inline constexpr formal argmax_outputs[] = {{"reduced", 1}};
inline constexpr type_constraint argmax_types[] = {{"T", {.tensors = numbers | types({bf16})}},
                                                   {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute argmax_attributes[] = {{"axis", integer, defaulted},
                                                         {"keepdims", integer, defaulted, {.integer = 1}},
                                                         {"select_last_index", integer, defaulted}};
// ArgMin
inline constexpr formal argmin_inputs[] = {{"data", 0}};
inline constexpr formal argmin_outputs[] = {{"reduced", 1}};
inline constexpr type_constraint argmin_types[] = {{"T", {.tensors = numbers | types({bf16})}},
                                                   {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute argmin_attributes[] = {{"axis", integer, defaulted},
                                                         {"keepdims", integer, defaulted, {.integer = 1}},
                                                         {"select_last_index", integer, defaulted}};
// CumProd
inline constexpr formal cumprod_inputs[] = {{"x", 0}, {"axis", 1}};
inline constexpr formal cumprod_outputs[] = {{"y", 0}};
inline constexpr type_constraint cumprod_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}},
                                                    {"T2", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute cumprod_attributes[] = {{"exclusive", integer, defaulted},
                                                          {"reverse", integer, defaulted}};
// CumSum
inline constexpr formal cumsum_inputs[] = {{"x", 0}, {"axis", 1}};
inline constexpr formal cumsum_outputs[] = {{"y", 0}};
inline constexpr type_constraint cumsum_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}},
                                                   {"T2", {.tensors = types({i32, i64})}}};
inline constexpr formal_attribute cumsum_attributes[] = {{"exclusive", integer, defaulted},
                                                         {"reverse", integer, defaulted}};
// ReduceL1
inline constexpr formal reduce_l1_inputs[] = {{"data", 0}};
inline constexpr formal reduce_l1_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_l1_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
inline constexpr formal_attribute reduce_l1_attributes[] = {{"axes", integers},
                                                            {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr formal reduce_l1_inputs_18[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr type_constraint reduce_l1_types_18[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}},
                                                         {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_l1_attributes_18[] = {{"keepdims", integer, defaulted, {.integer = 1}},
                                                               {"noop_with_empty_axes", integer, defaulted}};
// ReduceL2
inline constexpr formal reduce_l2_inputs[] = {{"data", 0}};
inline constexpr formal reduce_l2_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_l2_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
inline constexpr formal_attribute reduce_l2_attributes[] = {{"axes", integers},
                                                            {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr formal reduce_l2_inputs_18[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr type_constraint reduce_l2_types_18[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}},
                                                         {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_l2_attributes_18[] = {{"keepdims", integer, defaulted, {.integer = 1}},
                                                               {"noop_with_empty_axes", integer, defaulted}};
// ReduceLogSum
inline constexpr formal reduce_log_sum_inputs[] = {{"data", 0}};
inline constexpr formal reduce_log_sum_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_log_sum_types[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
inline constexpr formal_attribute reduce_log_sum_attributes[] = {{"axes", integers},
                                                                 {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr formal reduce_log_sum_inputs_18[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr type_constraint reduce_log_sum_types_18[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}, {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_log_sum_attributes_18[] = {{"keepdims", integer, defaulted, {.integer = 1}},
                                                                    {"noop_with_empty_axes", integer, defaulted}};
inline constexpr type_constraint reduce_log_sum_types_28[] = {{"T", {.tensors = floats | types({bf16})}},
                                                              {"tensor(int64)", {.tensors = types({i64})}}};
// ReduceLogSumExp
inline constexpr formal reduce_log_sum_exp_inputs[] = {{"data", 0}};
inline constexpr formal reduce_log_sum_exp_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_log_sum_exp_types[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
inline constexpr formal_attribute reduce_log_sum_exp_attributes[] = {{"axes", integers},
                                                                     {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr formal reduce_log_sum_exp_inputs_18[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr type_constraint reduce_log_sum_exp_types_18[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}, {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_log_sum_exp_attributes_18[] = {
    {"keepdims", integer, defaulted, {.integer = 1}}, {"noop_with_empty_axes", integer, defaulted}};
inline constexpr type_constraint reduce_log_sum_exp_types_28[] = {{"T", {.tensors = floats | types({bf16})}},
                                                                  {"tensor(int64)", {.tensors = types({i64})}}};
// ReduceMax
inline constexpr formal reduce_max_inputs[] = {{"data", 0}};
inline constexpr formal reduce_max_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_max_types[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, i8, u32, u64, u8})}}};
inline constexpr formal_attribute reduce_max_attributes[] = {{"axes", integers},
                                                             {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr formal reduce_max_inputs_18[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr type_constraint reduce_max_types_18[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, i8, u32, u64, u8})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_max_attributes_18[] = {{"keepdims", integer, defaulted, {.integer = 1}},
                                                                {"noop_with_empty_axes", integer, defaulted}};
inline constexpr type_constraint reduce_max_types_20[] = {
    {"T", {.tensors = floats | types({bf16, boolean, i32, i64, i8, u32, u64, u8})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
// ReduceMean
inline constexpr formal reduce_mean_inputs[] = {{"data", 0}};
inline constexpr formal reduce_mean_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_mean_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
inline constexpr formal_attribute reduce_mean_attributes[] = {{"axes", integers},
                                                              {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr formal reduce_mean_inputs_18[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr type_constraint reduce_mean_types_18[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}, {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_mean_attributes_18[] = {{"keepdims", integer, defaulted, {.integer = 1}},
                                                                 {"noop_with_empty_axes", integer, defaulted}};
// ReduceMin
inline constexpr formal reduce_min_inputs[] = {{"data", 0}};
inline constexpr formal reduce_min_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_min_types[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, i8, u32, u64, u8})}}};
inline constexpr formal_attribute reduce_min_attributes[] = {{"axes", integers},
                                                             {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr formal reduce_min_inputs_18[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr type_constraint reduce_min_types_18[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, i8, u32, u64, u8})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_min_attributes_18[] = {{"keepdims", integer, defaulted, {.integer = 1}},
                                                                {"noop_with_empty_axes", integer, defaulted}};
inline constexpr type_constraint reduce_min_types_20[] = {
    {"T", {.tensors = floats | types({bf16, boolean, i32, i64, i8, u32, u64, u8})}},
    {"tensor(int64)", {.tensors = types({i64})}}};
// ReduceProd
inline constexpr formal reduce_prod_inputs[] = {{"data", 0}};
inline constexpr formal reduce_prod_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_prod_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
inline constexpr formal_attribute reduce_prod_attributes[] = {{"axes", integers},
                                                              {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr formal reduce_prod_inputs_18[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr type_constraint reduce_prod_types_18[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}, {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_prod_attributes_18[] = {{"keepdims", integer, defaulted, {.integer = 1}},
                                                                 {"noop_with_empty_axes", integer, defaulted}};
// ReduceSum
inline constexpr formal reduce_sum_inputs[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr formal reduce_sum_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_sum_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}},
                                                       {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_sum_attributes[] = {{"keepdims", integer, defaulted, {.integer = 1}},
                                                             {"noop_with_empty_axes", integer, defaulted}};
// ReduceSumSquare
inline constexpr formal reduce_sum_square_inputs[] = {{"data", 0}};
inline constexpr formal reduce_sum_square_outputs[] = {{"reduced", 0}};
inline constexpr type_constraint reduce_sum_square_types[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}};
inline constexpr formal_attribute reduce_sum_square_attributes[] = {{"axes", integers},
                                                                    {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr formal reduce_sum_square_inputs_18[] = {{"data", 0}, {"axes", 1, presence::optional}};
inline constexpr type_constraint reduce_sum_square_types_18[] = {
    {"T", {.tensors = floats | types({bf16, i32, i64, u32, u64})}}, {"tensor(int64)", {.tensors = types({i64})}}};
inline constexpr formal_attribute reduce_sum_square_attributes_18[] = {{"keepdims", integer, defaulted, {.integer = 1}},
                                                                       {"noop_with_empty_axes", integer, defaulted}};

inline constexpr op_record reduction_records[] = {
    {"ArgMax",
     "",
     13,
     argmax_inputs,
     argmax_outputs,
     argmax_types,
     argmax_attributes,
     1,
     1,
     {rules::arg_extreme},
     "Computes the index of the largest element along an axis"},
    {"ArgMin",
     "",
     13,
     argmin_inputs,
     argmin_outputs,
     argmin_types,
     argmin_attributes,
     1,
     1,
     {rules::arg_extreme},
     "Computes the index of the smallest element along an axis"},
    {"CumProd",
     "",
     26,
     cumprod_inputs,
     cumprod_outputs,
     cumprod_types,
     cumprod_attributes,
     2,
     1,
     {rules::cumulative},
     "Computes the cumulative product along an axis"},
    {"CumSum",
     "",
     14,
     cumsum_inputs,
     cumsum_outputs,
     cumsum_types,
     cumsum_attributes,
     2,
     1,
     {rules::cumulative},
     "Computes the cumulative sum along an axis"},
    {"ReduceL1",
     "",
     13,
     reduce_l1_inputs,
     reduce_l1_outputs,
     reduce_l1_types,
     reduce_l1_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the L1 norm along axes"},
    {"ReduceL1",
     "",
     18,
     reduce_l1_inputs_18,
     reduce_l1_outputs,
     reduce_l1_types_18,
     reduce_l1_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the L1 norm along axes"},
    {"ReduceL2",
     "",
     13,
     reduce_l2_inputs,
     reduce_l2_outputs,
     reduce_l2_types,
     reduce_l2_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the L2 norm along axes"},
    {"ReduceL2",
     "",
     18,
     reduce_l2_inputs_18,
     reduce_l2_outputs,
     reduce_l2_types_18,
     reduce_l2_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the L2 norm along axes"},
    {"ReduceLogSum",
     "",
     13,
     reduce_log_sum_inputs,
     reduce_log_sum_outputs,
     reduce_log_sum_types,
     reduce_log_sum_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the logarithm of the sum along axes"},
    {"ReduceLogSum",
     "",
     18,
     reduce_log_sum_inputs_18,
     reduce_log_sum_outputs,
     reduce_log_sum_types_18,
     reduce_log_sum_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the logarithm of the sum along axes"},
    {"ReduceLogSum",
     "",
     28,
     reduce_log_sum_inputs_18,
     reduce_log_sum_outputs,
     reduce_log_sum_types_28,
     reduce_log_sum_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the logarithm of the sum along axes"},
    {"ReduceLogSumExp",
     "",
     13,
     reduce_log_sum_exp_inputs,
     reduce_log_sum_exp_outputs,
     reduce_log_sum_exp_types,
     reduce_log_sum_exp_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the logarithm of the sum of exponentials along axes"},
    {"ReduceLogSumExp",
     "",
     18,
     reduce_log_sum_exp_inputs_18,
     reduce_log_sum_exp_outputs,
     reduce_log_sum_exp_types_18,
     reduce_log_sum_exp_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the logarithm of the sum of exponentials along axes"},
    {"ReduceLogSumExp",
     "",
     28,
     reduce_log_sum_exp_inputs_18,
     reduce_log_sum_exp_outputs,
     reduce_log_sum_exp_types_28,
     reduce_log_sum_exp_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the logarithm of the sum of exponentials along axes"},
    {"ReduceMax",
     "",
     13,
     reduce_max_inputs,
     reduce_max_outputs,
     reduce_max_types,
     reduce_max_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the maximum along axes"},
    {"ReduceMax",
     "",
     18,
     reduce_max_inputs_18,
     reduce_max_outputs,
     reduce_max_types_18,
     reduce_max_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the maximum along axes"},
    {"ReduceMax",
     "",
     20,
     reduce_max_inputs_18,
     reduce_max_outputs,
     reduce_max_types_20,
     reduce_max_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the maximum along axes"},
    {"ReduceMean",
     "",
     13,
     reduce_mean_inputs,
     reduce_mean_outputs,
     reduce_mean_types,
     reduce_mean_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the mean along axes"},
    {"ReduceMean",
     "",
     18,
     reduce_mean_inputs_18,
     reduce_mean_outputs,
     reduce_mean_types_18,
     reduce_mean_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the mean along axes"},
    {"ReduceMin",
     "",
     13,
     reduce_min_inputs,
     reduce_min_outputs,
     reduce_min_types,
     reduce_min_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the minimum along axes"},
    {"ReduceMin",
     "",
     18,
     reduce_min_inputs_18,
     reduce_min_outputs,
     reduce_min_types_18,
     reduce_min_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the minimum along axes"},
    {"ReduceMin",
     "",
     20,
     reduce_min_inputs_18,
     reduce_min_outputs,
     reduce_min_types_20,
     reduce_min_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the minimum along axes"},
    {"ReduceProd",
     "",
     13,
     reduce_prod_inputs,
     reduce_prod_outputs,
     reduce_prod_types,
     reduce_prod_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the product along axes"},
    {"ReduceProd",
     "",
     18,
     reduce_prod_inputs_18,
     reduce_prod_outputs,
     reduce_prod_types_18,
     reduce_prod_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the product along axes"},
    {"ReduceSum",
     "",
     13,
     reduce_sum_inputs,
     reduce_sum_outputs,
     reduce_sum_types,
     reduce_sum_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the sum along axes"},
    {"ReduceSumSquare",
     "",
     13,
     reduce_sum_square_inputs,
     reduce_sum_square_outputs,
     reduce_sum_square_types,
     reduce_sum_square_attributes,
     1,
     1,
     {rules::reduce},
     "Computes the sum of squares along axes"},
    {"ReduceSumSquare",
     "",
     18,
     reduce_sum_square_inputs_18,
     reduce_sum_square_outputs,
     reduce_sum_square_types_18,
     reduce_sum_square_attributes_18,
     1,
     1,
     {rules::reduce},
     "Computes the sum of squares along axes"},
};

}  // namespace jax2onnx::records
