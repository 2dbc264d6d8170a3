// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/elementwise.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// Abs
inline constexpr formal abs_inputs[] = {{"X", 0}};
inline constexpr formal abs_outputs[] = {{"Y", 0}};
inline constexpr type_constraint abs_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
// Acos
inline constexpr formal acos_inputs[] = {{"input", 0}};
inline constexpr formal acos_outputs[] = {{"output", 0}};
inline constexpr type_constraint acos_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint acos_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Acosh
inline constexpr formal acosh_inputs[] = {{"input", 0}};
inline constexpr formal acosh_outputs[] = {{"output", 0}};
inline constexpr type_constraint acosh_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint acosh_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Add
inline constexpr formal add_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal add_outputs[] = {{"C", 0}};
inline constexpr type_constraint add_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
// And
inline constexpr formal and_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal and_outputs[] = {{"C", 1}};
inline constexpr type_constraint and_types[] = {{"T", {.tensors = types({boolean})}},
                                                {"T1", {.tensors = types({boolean})}}};
// Asin
inline constexpr formal asin_inputs[] = {{"input", 0}};
inline constexpr formal asin_outputs[] = {{"output", 0}};
inline constexpr type_constraint asin_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint asin_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Asinh
inline constexpr formal asinh_inputs[] = {{"input", 0}};
inline constexpr formal asinh_outputs[] = {{"output", 0}};
inline constexpr type_constraint asinh_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint asinh_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Atan
inline constexpr formal atan_inputs[] = {{"input", 0}};
inline constexpr formal atan_outputs[] = {{"output", 0}};
inline constexpr type_constraint atan_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint atan_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Atanh
inline constexpr formal atanh_inputs[] = {{"input", 0}};
inline constexpr formal atanh_outputs[] = {{"output", 0}};
inline constexpr type_constraint atanh_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint atanh_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// BitShift
inline constexpr formal bit_shift_inputs[] = {{"X", 0}, {"Y", 0}};
inline constexpr formal bit_shift_outputs[] = {{"Z", 0}};
inline constexpr type_constraint bit_shift_types[] = {{"T", {.tensors = unsigned_integers}}};
inline constexpr formal_attribute bit_shift_attributes[] = {{"direction", text, required}};
inline constexpr type_constraint bit_shift_types_28[] = {{"T", {.tensors = signed_integers | unsigned_integers}}};
// BitwiseAnd
inline constexpr formal bitwise_and_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal bitwise_and_outputs[] = {{"C", 0}};
inline constexpr type_constraint bitwise_and_types[] = {{"T", {.tensors = signed_integers | unsigned_integers}}};
// BitwiseNot
inline constexpr formal bitwise_not_inputs[] = {{"X", 0}};
inline constexpr formal bitwise_not_outputs[] = {{"Y", 0}};
inline constexpr type_constraint bitwise_not_types[] = {{"T", {.tensors = signed_integers | unsigned_integers}}};
// BitwiseOr
inline constexpr formal bitwise_or_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal bitwise_or_outputs[] = {{"C", 0}};
inline constexpr type_constraint bitwise_or_types[] = {{"T", {.tensors = signed_integers | unsigned_integers}}};
// BitwiseXor
inline constexpr formal bitwise_xor_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal bitwise_xor_outputs[] = {{"C", 0}};
inline constexpr type_constraint bitwise_xor_types[] = {{"T", {.tensors = signed_integers | unsigned_integers}}};
// Ceil
inline constexpr formal ceil_inputs[] = {{"X", 0}};
inline constexpr formal ceil_outputs[] = {{"Y", 0}};
inline constexpr type_constraint ceil_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Clip
inline constexpr formal clip_inputs[] = {{"input", 0}, {"min", 0, presence::optional}, {"max", 0, presence::optional}};
inline constexpr formal clip_outputs[] = {{"output", 0}};
inline constexpr type_constraint clip_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
// Cos
inline constexpr formal cos_inputs[] = {{"input", 0}};
inline constexpr formal cos_outputs[] = {{"output", 0}};
inline constexpr type_constraint cos_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint cos_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Cosh
inline constexpr formal cosh_inputs[] = {{"input", 0}};
inline constexpr formal cosh_outputs[] = {{"output", 0}};
inline constexpr type_constraint cosh_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint cosh_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Div
inline constexpr formal div_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal div_outputs[] = {{"C", 0}};
inline constexpr type_constraint div_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
// Equal
inline constexpr formal equal_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal equal_outputs[] = {{"C", 1}};
inline constexpr type_constraint equal_types[] = {{"T", {.tensors = numbers | types({bf16, boolean})}},
                                                  {"T1", {.tensors = types({boolean})}}};
inline constexpr type_constraint equal_types_19[] = {{"T", {.tensors = numbers | types({bf16, boolean, string})}},
                                                     {"T1", {.tensors = types({boolean})}}};
// Erf
inline constexpr formal erf_inputs[] = {{"input", 0}};
inline constexpr formal erf_outputs[] = {{"output", 0}};
inline constexpr type_constraint erf_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Exp
inline constexpr formal exp_inputs[] = {{"input", 0}};
inline constexpr formal exp_outputs[] = {{"output", 0}};
inline constexpr type_constraint exp_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Floor
inline constexpr formal floor_inputs[] = {{"X", 0}};
inline constexpr formal floor_outputs[] = {{"Y", 0}};
inline constexpr type_constraint floor_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Greater
inline constexpr formal greater_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal greater_outputs[] = {{"C", 1}};
inline constexpr type_constraint greater_types[] = {{"T", {.tensors = numbers | types({bf16})}},
                                                    {"T1", {.tensors = types({boolean})}}};
// GreaterOrEqual
inline constexpr formal greater_or_equal_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal greater_or_equal_outputs[] = {{"C", 1}};
inline constexpr type_constraint greater_or_equal_types[] = {{"T", {.tensors = numbers | types({bf16})}},
                                                             {"T1", {.tensors = types({boolean})}}};
// IsInf
inline constexpr formal isinf_inputs[] = {{"X", 0}};
inline constexpr formal isinf_outputs[] = {{"Y", 1}};
inline constexpr type_constraint isinf_types[] = {{"T1", {.tensors = types({f32, f64})}},
                                                  {"T2", {.tensors = types({boolean})}}};
inline constexpr formal_attribute isinf_attributes[] = {{"detect_negative", integer, defaulted, {.integer = 1}},
                                                        {"detect_positive", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint isinf_types_20[] = {{"T1", {.tensors = floats | float8s | types({bf16})}},
                                                     {"T2", {.tensors = types({boolean})}}};
// IsNaN
inline constexpr formal isnan_inputs[] = {{"X", 0}};
inline constexpr formal isnan_outputs[] = {{"Y", 1}};
inline constexpr type_constraint isnan_types[] = {{"T1", {.tensors = floats | types({bf16})}},
                                                  {"T2", {.tensors = types({boolean})}}};
inline constexpr type_constraint isnan_types_20[] = {{"T1", {.tensors = floats | float8s | types({bf16})}},
                                                     {"T2", {.tensors = types({boolean})}}};
// Less
inline constexpr formal less_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal less_outputs[] = {{"C", 1}};
inline constexpr type_constraint less_types[] = {{"T", {.tensors = numbers | types({bf16})}},
                                                 {"T1", {.tensors = types({boolean})}}};
// LessOrEqual
inline constexpr formal less_or_equal_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal less_or_equal_outputs[] = {{"C", 1}};
inline constexpr type_constraint less_or_equal_types[] = {{"T", {.tensors = numbers | types({bf16})}},
                                                          {"T1", {.tensors = types({boolean})}}};
// Log
inline constexpr formal log_inputs[] = {{"input", 0}};
inline constexpr formal log_outputs[] = {{"output", 0}};
inline constexpr type_constraint log_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Max
inline constexpr formal max_inputs[] = {{"data_0", 0, presence::variadic}};
inline constexpr formal max_outputs[] = {{"max", 0}};
inline constexpr type_constraint max_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
// Mean
inline constexpr formal mean_inputs[] = {{"data_0", 0, presence::variadic}};
inline constexpr formal mean_outputs[] = {{"mean", 0}};
inline constexpr type_constraint mean_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Min
inline constexpr formal min_inputs[] = {{"data_0", 0, presence::variadic}};
inline constexpr formal min_outputs[] = {{"min", 0}};
inline constexpr type_constraint min_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
// Mod
inline constexpr formal mod_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal mod_outputs[] = {{"C", 0}};
inline constexpr type_constraint mod_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
inline constexpr formal_attribute mod_attributes[] = {{"fmod", integer, defaulted}};
// Mul
inline constexpr formal mul_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal mul_outputs[] = {{"C", 0}};
inline constexpr type_constraint mul_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
// Neg
inline constexpr formal neg_inputs[] = {{"X", 0}};
inline constexpr formal neg_outputs[] = {{"Y", 0}};
inline constexpr type_constraint neg_types[] = {{"T", {.tensors = floats | signed_integers | types({bf16})}}};
// Not
inline constexpr formal not_inputs[] = {{"X", 0}};
inline constexpr formal not_outputs[] = {{"Y", 0}};
inline constexpr type_constraint not_types[] = {{"T", {.tensors = types({boolean})}}};
// Or
inline constexpr formal or_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal or_outputs[] = {{"C", 1}};
inline constexpr type_constraint or_types[] = {{"T", {.tensors = types({boolean})}},
                                               {"T1", {.tensors = types({boolean})}}};
// Pow
inline constexpr formal pow_inputs[] = {{"X", 0}, {"Y", 1}};
inline constexpr formal pow_outputs[] = {{"Z", 0}};
inline constexpr type_constraint pow_types[] = {{"T", {.tensors = floats | types({bf16, i32, i64})}},
                                                {"T1", {.tensors = numbers | types({bf16})}}};
// Reciprocal
inline constexpr formal reciprocal_inputs[] = {{"X", 0}};
inline constexpr formal reciprocal_outputs[] = {{"Y", 0}};
inline constexpr type_constraint reciprocal_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Round
inline constexpr formal round_inputs[] = {{"X", 0}};
inline constexpr formal round_outputs[] = {{"Y", 0}};
inline constexpr type_constraint round_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint round_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Sign
inline constexpr formal sign_inputs[] = {{"input", 0}};
inline constexpr formal sign_outputs[] = {{"output", 0}};
inline constexpr type_constraint sign_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
// Sin
inline constexpr formal sin_inputs[] = {{"input", 0}};
inline constexpr formal sin_outputs[] = {{"output", 0}};
inline constexpr type_constraint sin_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint sin_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Sinh
inline constexpr formal sinh_inputs[] = {{"input", 0}};
inline constexpr formal sinh_outputs[] = {{"output", 0}};
inline constexpr type_constraint sinh_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint sinh_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Sqrt
inline constexpr formal sqrt_inputs[] = {{"X", 0}};
inline constexpr formal sqrt_outputs[] = {{"Y", 0}};
inline constexpr type_constraint sqrt_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Sub
inline constexpr formal sub_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal sub_outputs[] = {{"C", 0}};
inline constexpr type_constraint sub_types[] = {{"T", {.tensors = numbers | types({bf16})}}};
// Sum
inline constexpr formal sum_inputs[] = {{"data_0", 0, presence::variadic}};
inline constexpr formal sum_outputs[] = {{"sum", 0}};
inline constexpr type_constraint sum_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Tan
inline constexpr formal tan_inputs[] = {{"input", 0}};
inline constexpr formal tan_outputs[] = {{"output", 0}};
inline constexpr type_constraint tan_types[] = {{"T", {.tensors = floats}}};
inline constexpr type_constraint tan_types_22[] = {{"T", {.tensors = floats | types({bf16})}}};
// Tanh
inline constexpr formal tanh_inputs[] = {{"input", 0}};
inline constexpr formal tanh_outputs[] = {{"output", 0}};
inline constexpr type_constraint tanh_types[] = {{"T", {.tensors = floats | types({bf16})}}};
// Where
inline constexpr formal where_inputs[] = {{"condition", 0}, {"X", 1}, {"Y", 1}};
inline constexpr formal where_outputs[] = {{"output", 1}};
inline constexpr type_constraint where_types[] = {{"B", {.tensors = types({boolean})}},
                                                  {"T", {.tensors = basic_types | types({bf16})}}};
// Xor
inline constexpr formal xor_inputs[] = {{"A", 0}, {"B", 0}};
inline constexpr formal xor_outputs[] = {{"C", 1}};
inline constexpr type_constraint xor_types[] = {{"T", {.tensors = types({boolean})}},
                                                {"T1", {.tensors = types({boolean})}}};

inline constexpr op_record elementwise_records[] = {
    {"Abs",
     "",
     13,
     abs_inputs,
     abs_outputs,
     abs_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the absolute value of each element"},
    {"Acos",
     "",
     7,
     acos_inputs,
     acos_outputs,
     acos_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the arccosine of each element"},
    {"Acos",
     "",
     22,
     acos_inputs,
     acos_outputs,
     acos_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the arccosine of each element"},
    {"Acosh",
     "",
     9,
     acosh_inputs,
     acosh_outputs,
     acosh_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the inverse hyperbolic cosine of each element"},
    {"Acosh",
     "",
     22,
     acosh_inputs,
     acosh_outputs,
     acosh_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the inverse hyperbolic cosine of each element"},
    {"Add",
     "",
     14,
     add_inputs,
     add_outputs,
     add_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Adds two tensors elementwise, with broadcasting"},
    {"And",
     "",
     7,
     and_inputs,
     and_outputs,
     and_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Computes the logical and of two tensors elementwise, with broadcasting"},
    {"Asin",
     "",
     7,
     asin_inputs,
     asin_outputs,
     asin_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the arcsine of each element"},
    {"Asin",
     "",
     22,
     asin_inputs,
     asin_outputs,
     asin_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the arcsine of each element"},
    {"Asinh",
     "",
     9,
     asinh_inputs,
     asinh_outputs,
     asinh_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the inverse hyperbolic sine of each element"},
    {"Asinh",
     "",
     22,
     asinh_inputs,
     asinh_outputs,
     asinh_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the inverse hyperbolic sine of each element"},
    {"Atan",
     "",
     7,
     atan_inputs,
     atan_outputs,
     atan_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the arctangent of each element"},
    {"Atan",
     "",
     22,
     atan_inputs,
     atan_outputs,
     atan_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the arctangent of each element"},
    {"Atanh",
     "",
     9,
     atanh_inputs,
     atanh_outputs,
     atanh_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the inverse hyperbolic tangent of each element"},
    {"Atanh",
     "",
     22,
     atanh_inputs,
     atanh_outputs,
     atanh_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the inverse hyperbolic tangent of each element"},
    {"BitShift",
     "",
     11,
     bit_shift_inputs,
     bit_shift_outputs,
     bit_shift_types,
     bit_shift_attributes,
     2,
     1,
     {rules::broadcast},
     "Shifts the bits of each element of the first tensor by the second tensor, with broadcasting"},
    {"BitShift",
     "",
     28,
     bit_shift_inputs,
     bit_shift_outputs,
     bit_shift_types_28,
     bit_shift_attributes,
     2,
     1,
     {rules::broadcast},
     "Shifts the bits of each element of the first tensor by the second tensor, with broadcasting"},
    {"BitwiseAnd",
     "",
     18,
     bitwise_and_inputs,
     bitwise_and_outputs,
     bitwise_and_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Computes the bitwise and of two tensors elementwise, with broadcasting"},
    {"BitwiseNot",
     "",
     18,
     bitwise_not_inputs,
     bitwise_not_outputs,
     bitwise_not_types,
     {},
     1,
     1,
     {rules::same, true},
     "Inverts all bits of each element"},
    {"BitwiseOr",
     "",
     18,
     bitwise_or_inputs,
     bitwise_or_outputs,
     bitwise_or_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Computes the bitwise or of two tensors elementwise, with broadcasting"},
    {"BitwiseXor",
     "",
     18,
     bitwise_xor_inputs,
     bitwise_xor_outputs,
     bitwise_xor_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Computes the bitwise exclusive or of two tensors elementwise, with broadcasting"},
    {"Ceil",
     "",
     13,
     ceil_inputs,
     ceil_outputs,
     ceil_types,
     {},
     1,
     1,
     {rules::same, true},
     "Rounds each element up to an integer"},
    {"Clip",
     "",
     13,
     clip_inputs,
     clip_outputs,
     clip_types,
     {},
     1,
     1,
     {rules::clip},
     "Limits each element to an interval"},
    {"Cos",
     "",
     7,
     cos_inputs,
     cos_outputs,
     cos_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the cosine of each element"},
    {"Cos",
     "",
     22,
     cos_inputs,
     cos_outputs,
     cos_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the cosine of each element"},
    {"Cosh",
     "",
     9,
     cosh_inputs,
     cosh_outputs,
     cosh_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the hyperbolic cosine of each element"},
    {"Cosh",
     "",
     22,
     cosh_inputs,
     cosh_outputs,
     cosh_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the hyperbolic cosine of each element"},
    {"Div",
     "",
     14,
     div_inputs,
     div_outputs,
     div_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Divides two tensors elementwise, with broadcasting"},
    {"Equal",
     "",
     13,
     equal_inputs,
     equal_outputs,
     equal_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Returns elementwise whether a = b, with broadcasting"},
    {"Equal",
     "",
     19,
     equal_inputs,
     equal_outputs,
     equal_types_19,
     {},
     2,
     1,
     {rules::broadcast},
     "Returns elementwise whether a = b, with broadcasting"},
    {"Erf",
     "",
     13,
     erf_inputs,
     erf_outputs,
     erf_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the error function of each element"},
    {"Exp",
     "",
     13,
     exp_inputs,
     exp_outputs,
     exp_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the exponential of each element"},
    {"Floor",
     "",
     13,
     floor_inputs,
     floor_outputs,
     floor_types,
     {},
     1,
     1,
     {rules::same, true},
     "Rounds each element down to an integer"},
    {"Greater",
     "",
     13,
     greater_inputs,
     greater_outputs,
     greater_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Returns elementwise whether a > b, with broadcasting"},
    {"GreaterOrEqual",
     "",
     16,
     greater_or_equal_inputs,
     greater_or_equal_outputs,
     greater_or_equal_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Returns elementwise whether a >= b, with broadcasting"},
    {"IsInf",
     "",
     10,
     isinf_inputs,
     isinf_outputs,
     isinf_types,
     isinf_attributes,
     1,
     1,
     {rules::test},
     "Returns which elements are infinite"},
    {"IsInf",
     "",
     20,
     isinf_inputs,
     isinf_outputs,
     isinf_types_20,
     isinf_attributes,
     1,
     1,
     {rules::test},
     "Returns which elements are infinite"},
    {"IsNaN",
     "",
     13,
     isnan_inputs,
     isnan_outputs,
     isnan_types,
     {},
     1,
     1,
     {rules::test},
     "Returns which elements are NaN"},
    {"IsNaN",
     "",
     20,
     isnan_inputs,
     isnan_outputs,
     isnan_types_20,
     {},
     1,
     1,
     {rules::test},
     "Returns which elements are NaN"},
    {"Less",
     "",
     13,
     less_inputs,
     less_outputs,
     less_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Returns elementwise whether a < b, with broadcasting"},
    {"LessOrEqual",
     "",
     16,
     less_or_equal_inputs,
     less_or_equal_outputs,
     less_or_equal_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Returns elementwise whether a <= b, with broadcasting"},
    {"Log",
     "",
     13,
     log_inputs,
     log_outputs,
     log_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the natural logarithm of each element"},
    {"Max",
     "",
     13,
     max_inputs,
     max_outputs,
     max_types,
     {},
     1,
     1,
     {rules::broadcast},
     "Computes the elementwise maximum of all operands, with broadcasting"},
    {"Mean",
     "",
     13,
     mean_inputs,
     mean_outputs,
     mean_types,
     {},
     1,
     1,
     {rules::broadcast},
     "Computes the elementwise mean of all operands, with broadcasting"},
    {"Min",
     "",
     13,
     min_inputs,
     min_outputs,
     min_types,
     {},
     1,
     1,
     {rules::broadcast},
     "Computes the elementwise minimum of all operands, with broadcasting"},
    {"Mod",
     "",
     13,
     mod_inputs,
     mod_outputs,
     mod_types,
     mod_attributes,
     2,
     1,
     {rules::mod},
     "Computes the remainder of a division elementwise, with broadcasting"},
    {"Mod",
     "",
     28,
     mod_inputs,
     mod_outputs,
     mod_types,
     mod_attributes,
     2,
     1,
     {rules::mod},
     "Computes the remainder of a division elementwise, with broadcasting"},
    {"Mul",
     "",
     14,
     mul_inputs,
     mul_outputs,
     mul_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Multiplies two tensors elementwise, with broadcasting"},
    {"Neg", "", 13, neg_inputs, neg_outputs, neg_types, {}, 1, 1, {rules::same, true}, "Negates each element"},
    {"Not",
     "",
     1,
     not_inputs,
     not_outputs,
     not_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the logical negation of each element"},
    {"Or",
     "",
     7,
     or_inputs,
     or_outputs,
     or_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Computes the logical or of two tensors elementwise, with broadcasting"},
    {"Pow",
     "",
     15,
     pow_inputs,
     pow_outputs,
     pow_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Raises the first tensor to the power of the second one elementwise, with broadcasting"},
    {"Reciprocal",
     "",
     13,
     reciprocal_inputs,
     reciprocal_outputs,
     reciprocal_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes 1 / x for each element"},
    {"Round",
     "",
     11,
     round_inputs,
     round_outputs,
     round_types,
     {},
     1,
     1,
     {rules::same, true},
     "Rounds each element to the nearest integer, and halves to the even one"},
    {"Round",
     "",
     22,
     round_inputs,
     round_outputs,
     round_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Rounds each element to the nearest integer, and halves to the even one"},
    {"Sign",
     "",
     13,
     sign_inputs,
     sign_outputs,
     sign_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the sign of each element: -1, 0 or 1"},
    {"Sin",
     "",
     7,
     sin_inputs,
     sin_outputs,
     sin_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the sine of each element"},
    {"Sin",
     "",
     22,
     sin_inputs,
     sin_outputs,
     sin_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the sine of each element"},
    {"Sinh",
     "",
     9,
     sinh_inputs,
     sinh_outputs,
     sinh_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the hyperbolic sine of each element"},
    {"Sinh",
     "",
     22,
     sinh_inputs,
     sinh_outputs,
     sinh_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the hyperbolic sine of each element"},
    {"Sqrt",
     "",
     13,
     sqrt_inputs,
     sqrt_outputs,
     sqrt_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the square root of each element"},
    {"Sub",
     "",
     14,
     sub_inputs,
     sub_outputs,
     sub_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Subtracts two tensors elementwise, with broadcasting"},
    {"Sum",
     "",
     13,
     sum_inputs,
     sum_outputs,
     sum_types,
     {},
     1,
     1,
     {rules::broadcast},
     "Adds all operands elementwise, with broadcasting"},
    {"Tan",
     "",
     7,
     tan_inputs,
     tan_outputs,
     tan_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the tangent of each element"},
    {"Tan",
     "",
     22,
     tan_inputs,
     tan_outputs,
     tan_types_22,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the tangent of each element"},
    {"Tanh",
     "",
     13,
     tanh_inputs,
     tanh_outputs,
     tanh_types,
     {},
     1,
     1,
     {rules::same, true},
     "Computes the hyperbolic tangent of each element"},
    {"Where",
     "",
     16,
     where_inputs,
     where_outputs,
     where_types,
     {},
     3,
     1,
     {rules::where},
     "Selects elements of X where the condition is true, else of Y, with broadcasting"},
    {"Xor",
     "",
     7,
     xor_inputs,
     xor_outputs,
     xor_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Computes the logical exclusive or of two tensors elementwise, with broadcasting"},
};

}  // namespace jax2onnx::records
