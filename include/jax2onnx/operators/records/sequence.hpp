// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/sequence.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// ConcatFromSequence
inline constexpr formal concat_from_sequence_inputs[] = {{"input_sequence", 0}};
inline constexpr formal concat_from_sequence_outputs[] = {{"concat_result", 1}};
inline constexpr type_constraint concat_from_sequence_types[] = {{"S", {.sequences = basic_types}},
                                                                 {"T", {.tensors = basic_types}}};
inline constexpr formal_attribute concat_from_sequence_attributes[] = {{"axis", integer, required},
                                                                       {"new_axis", integer, defaulted}};
// Optional
inline constexpr formal optional_inputs[] = {{"input", 0, presence::optional}};
inline constexpr formal optional_outputs[] = {{"output", 1}};
inline constexpr type_constraint optional_types[] = {
    {"V", {.tensors = basic_types, .sequences = basic_types}},
    {"O", {.optionals = basic_types, .optional_sequences = basic_types}}};
inline constexpr formal_attribute optional_attributes[] = {{"type", type}};
inline constexpr type_constraint optional_types_28[] = {
    {"V",
     {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"O",
     {.optionals = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optional_sequences = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};
// OptionalGetElement
inline constexpr formal optional_get_element_inputs[] = {{"input", 0}};
inline constexpr formal optional_get_element_outputs[] = {{"output", 1}};
inline constexpr type_constraint optional_get_element_types[] = {
    {"O", {.optionals = basic_types, .optional_sequences = basic_types}},
    {"V", {.tensors = basic_types, .sequences = basic_types}}};
inline constexpr type_constraint optional_get_element_types_18[] = {
    {"O",
     {.tensors = basic_types, .sequences = basic_types, .optionals = basic_types, .optional_sequences = basic_types}},
    {"V", {.tensors = basic_types, .sequences = basic_types}}};
inline constexpr type_constraint optional_get_element_types_28[] = {
    {"O",
     {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optionals = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optional_sequences = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"V",
     {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}}};
// OptionalHasElement
inline constexpr formal optional_has_element_inputs[] = {{"input", 0}};
inline constexpr formal optional_has_element_outputs[] = {{"output", 1}};
inline constexpr type_constraint optional_has_element_types[] = {
    {"O", {.optionals = basic_types, .optional_sequences = basic_types}}, {"B", {.tensors = types({boolean})}}};
inline constexpr formal optional_has_element_inputs_18[] = {{"input", 0, presence::optional}};
inline constexpr type_constraint optional_has_element_types_18[] = {
    {"O",
     {.tensors = basic_types, .sequences = basic_types, .optionals = basic_types, .optional_sequences = basic_types}},
    {"B", {.tensors = types({boolean})}}};
inline constexpr type_constraint optional_has_element_types_28[] = {
    {"O",
     {.tensors = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .sequences = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optionals = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu}),
      .optional_sequences = basic_types | float8s | int4s | int2s | types({bf16, f4_e2m1fn, f8_e8m0fnu})}},
    {"B", {.tensors = types({boolean})}}};
// RegexFullMatch
inline constexpr formal regex_full_match_inputs[] = {{"X", 0}};
inline constexpr formal regex_full_match_outputs[] = {{"Y", 1}};
inline constexpr type_constraint regex_full_match_types[] = {{"T1", {.tensors = types({string})}},
                                                             {"T2", {.tensors = types({boolean})}}};
inline constexpr formal_attribute regex_full_match_attributes[] = {{"pattern", text}};
// SequenceAt
inline constexpr formal sequence_at_inputs[] = {{"input_sequence", 0}, {"position", 2}};
inline constexpr formal sequence_at_outputs[] = {{"tensor", 1}};
inline constexpr type_constraint sequence_at_types[] = {
    {"S", {.sequences = basic_types}}, {"T", {.tensors = basic_types}}, {"I", {.tensors = types({i32, i64})}}};
// SequenceConstruct
inline constexpr formal sequence_construct_inputs[] = {{"inputs", 0, presence::variadic}};
inline constexpr formal sequence_construct_outputs[] = {{"output_sequence", 1}};
inline constexpr type_constraint sequence_construct_types[] = {{"T", {.tensors = basic_types}},
                                                               {"S", {.sequences = basic_types}}};
// SequenceEmpty
inline constexpr formal sequence_empty_outputs[] = {{"output", 0}};
inline constexpr type_constraint sequence_empty_types[] = {{"S", {.sequences = basic_types}}};
inline constexpr formal_attribute sequence_empty_attributes[] = {{"dtype", integer}};
// SequenceErase
inline constexpr formal sequence_erase_inputs[] = {{"input_sequence", 0}, {"position", 1, presence::optional}};
inline constexpr formal sequence_erase_outputs[] = {{"output_sequence", 0}};
inline constexpr type_constraint sequence_erase_types[] = {{"S", {.sequences = basic_types}},
                                                           {"I", {.tensors = types({i32, i64})}}};
// SequenceInsert
inline constexpr formal sequence_insert_inputs[] = {
    {"input_sequence", 1}, {"tensor", 0}, {"position", 2, presence::optional}};
inline constexpr formal sequence_insert_outputs[] = {{"output_sequence", 1}};
inline constexpr type_constraint sequence_insert_types[] = {
    {"T", {.tensors = basic_types}}, {"S", {.sequences = basic_types}}, {"I", {.tensors = types({i32, i64})}}};
// SequenceLength
inline constexpr formal sequence_length_inputs[] = {{"input_sequence", 0}};
inline constexpr formal sequence_length_outputs[] = {{"length", 1}};
inline constexpr type_constraint sequence_length_types[] = {{"S", {.sequences = basic_types}},
                                                            {"I", {.tensors = types({i64})}}};
// SequenceMap
inline constexpr formal sequence_map_inputs[] = {{"input_sequence", 0},
                                                 {"additional_inputs", 1, presence::variadic, false}};
inline constexpr formal sequence_map_outputs[] = {{"out_sequence", 0, presence::variadic, false}};
inline constexpr type_constraint sequence_map_types[] = {{"S", {.sequences = basic_types}},
                                                         {"V", {.tensors = basic_types, .sequences = basic_types}}};
inline constexpr formal_attribute sequence_map_attributes[] = {{"body", body, required}};
// SplitToSequence
inline constexpr formal split_to_sequence_inputs[] = {{"input", 0}, {"split", 1, presence::optional}};
inline constexpr formal split_to_sequence_outputs[] = {{"output_sequence", 2}};
inline constexpr type_constraint split_to_sequence_types[] = {
    {"T", {.tensors = basic_types}}, {"I", {.tensors = types({i32, i64})}}, {"S", {.sequences = basic_types}}};
inline constexpr formal_attribute split_to_sequence_attributes[] = {{"axis", integer, defaulted},
                                                                    {"keepdims", integer, defaulted, {.integer = 1}}};
inline constexpr type_constraint split_to_sequence_types_24[] = {{"T", {.tensors = basic_types | types({bf16})}},
                                                                 {"I", {.tensors = types({i32, i64})}},
                                                                 {"S", {.sequences = basic_types | types({bf16})}}};
// StringConcat
inline constexpr formal string_concat_inputs[] = {{"X", 0}, {"Y", 0}};
inline constexpr formal string_concat_outputs[] = {{"Z", 0}};
inline constexpr type_constraint string_concat_types[] = {{"T", {.tensors = types({string})}}};
// StringNormalizer
inline constexpr formal string_normalizer_inputs[] = {{"X", 0}};
inline constexpr formal string_normalizer_outputs[] = {{"Y", 0}};
inline constexpr type_constraint string_normalizer_types[] = {{"tensor(string)", {.tensors = types({string})}}};
inline constexpr formal_attribute string_normalizer_attributes[] = {
    {"case_change_action", text, defaulted, {.text = "NONE"}},
    {"is_case_sensitive", integer, defaulted},
    {"locale", text},
    {"stopwords", texts}};
// StringSplit
inline constexpr formal string_split_inputs[] = {{"X", 0}};
inline constexpr formal string_split_outputs[] = {{"Y", 1}, {"Z", 2}};
inline constexpr type_constraint string_split_types[] = {
    {"T1", {.tensors = types({string})}}, {"T2", {.tensors = types({string})}}, {"T3", {.tensors = types({i64})}}};
inline constexpr formal_attribute string_split_attributes[] = {{"delimiter", text}, {"maxsplit", integer}};
// TfIdfVectorizer
inline constexpr formal tf_idf_vectorizer_inputs[] = {{"X", 0}};
inline constexpr formal tf_idf_vectorizer_outputs[] = {{"Y", 1}};
inline constexpr type_constraint tf_idf_vectorizer_types[] = {{"T", {.tensors = types({i32, i64, string})}},
                                                              {"T1", {.tensors = types({f32})}}};
inline constexpr formal_attribute tf_idf_vectorizer_attributes[] = {{"max_gram_length", integer, required},
                                                                    {"max_skip_count", integer, required},
                                                                    {"min_gram_length", integer, required},
                                                                    {"mode", text, required},
                                                                    {"ngram_counts", integers, required},
                                                                    {"ngram_indexes", integers, required},
                                                                    {"pool_int64s", integers},
                                                                    {"pool_strings", texts},
                                                                    {"weights", reals}};

inline constexpr op_record sequence_records[] = {
    {"ConcatFromSequence",
     "",
     11,
     concat_from_sequence_inputs,
     concat_from_sequence_outputs,
     concat_from_sequence_types,
     concat_from_sequence_attributes,
     1,
     1,
     {rules::concat_from_sequence, true},
     "Concatenates the tensors of a sequence along an existing or a new axis"},
    {"Optional",
     "",
     15,
     optional_inputs,
     optional_outputs,
     optional_types,
     optional_attributes,
     0,
     1,
     {rules::optional, true},
     "Wraps its operand as an optional; without an operand, the optional is empty"},
    {"Optional",
     "",
     28,
     optional_inputs,
     optional_outputs,
     optional_types_28,
     optional_attributes,
     0,
     1,
     {rules::optional, true},
     "Wraps its operand as an optional; without an operand, the optional is empty"},
    {"OptionalGetElement",
     "",
     15,
     optional_get_element_inputs,
     optional_get_element_outputs,
     optional_get_element_types,
     {},
     1,
     1,
     {rules::optional_get_element, true},
     "Returns the element of an optional; other operands are returned as they are"},
    {"OptionalGetElement",
     "",
     18,
     optional_get_element_inputs,
     optional_get_element_outputs,
     optional_get_element_types_18,
     {},
     1,
     1,
     {rules::optional_get_element, true},
     "Returns the element of an optional; other operands are returned as they are"},
    {"OptionalGetElement",
     "",
     28,
     optional_get_element_inputs,
     optional_get_element_outputs,
     optional_get_element_types_28,
     {},
     1,
     1,
     {rules::optional_get_element, true},
     "Returns the element of an optional; other operands are returned as they are"},
    {"OptionalHasElement",
     "",
     15,
     optional_has_element_inputs,
     optional_has_element_outputs,
     optional_has_element_types,
     {},
     1,
     1,
     {rules::optional_has_element, true},
     "Returns whether an optional has an element; true for other operands"},
    {"OptionalHasElement",
     "",
     18,
     optional_has_element_inputs_18,
     optional_has_element_outputs,
     optional_has_element_types_18,
     {},
     0,
     1,
     {rules::optional_has_element, true},
     "Returns whether an optional has an element; true for other operands"},
    {"OptionalHasElement",
     "",
     28,
     optional_has_element_inputs_18,
     optional_has_element_outputs,
     optional_has_element_types_28,
     {},
     0,
     1,
     {rules::optional_has_element, true},
     "Returns whether an optional has an element; true for other operands"},
    {"RegexFullMatch",
     "",
     20,
     regex_full_match_inputs,
     regex_full_match_outputs,
     regex_full_match_types,
     regex_full_match_attributes,
     1,
     1,
     {rules::test},
     "Returns which strings match a regular expression as a whole"},
    {"SequenceAt",
     "",
     11,
     sequence_at_inputs,
     sequence_at_outputs,
     sequence_at_types,
     {},
     2,
     1,
     {rules::sequence_at, true},
     "Returns the tensor of a sequence at a position"},
    {"SequenceConstruct",
     "",
     11,
     sequence_construct_inputs,
     sequence_construct_outputs,
     sequence_construct_types,
     {},
     1,
     1,
     {rules::sequence_construct, true},
     "Makes a sequence of tensors"},
    {"SequenceEmpty",
     "",
     11,
     {},
     sequence_empty_outputs,
     sequence_empty_types,
     sequence_empty_attributes,
     0,
     1,
     {rules::sequence_empty, true},
     "Makes an empty sequence of a data type"},
    {"SequenceErase",
     "",
     11,
     sequence_erase_inputs,
     sequence_erase_outputs,
     sequence_erase_types,
     {},
     1,
     1,
     {rules::sequence_erase, true},
     "Removes the tensor at a position from a sequence"},
    {"SequenceInsert",
     "",
     11,
     sequence_insert_inputs,
     sequence_insert_outputs,
     sequence_insert_types,
     {},
     2,
     1,
     {rules::sequence_insert, true},
     "Inserts a tensor into a sequence at a position"},
    {"SequenceLength",
     "",
     11,
     sequence_length_inputs,
     sequence_length_outputs,
     sequence_length_types,
     {},
     1,
     1,
     {rules::sequence_length, true},
     "Returns the number of tensors in a sequence as an int64 scalar"},
    {"SequenceMap",
     "",
     17,
     sequence_map_inputs,
     sequence_map_outputs,
     sequence_map_types,
     sequence_map_attributes,
     1,
     1,
     {rules::sequence_map, true},
     "Applies a body to each element of sequences"},
    {"SplitToSequence",
     "",
     11,
     split_to_sequence_inputs,
     split_to_sequence_outputs,
     split_to_sequence_types,
     split_to_sequence_attributes,
     1,
     1,
     {rules::split_to_sequence, true},
     "Splits a tensor along an axis into a sequence of tensors"},
    {"SplitToSequence",
     "",
     24,
     split_to_sequence_inputs,
     split_to_sequence_outputs,
     split_to_sequence_types_24,
     split_to_sequence_attributes,
     1,
     1,
     {rules::split_to_sequence, true},
     "Splits a tensor along an axis into a sequence of tensors"},
    {"StringConcat",
     "",
     20,
     string_concat_inputs,
     string_concat_outputs,
     string_concat_types,
     {},
     2,
     1,
     {rules::broadcast},
     "Concatenates strings elementwise, with broadcasting"},
    {"StringNormalizer",
     "",
     10,
     string_normalizer_inputs,
     string_normalizer_outputs,
     string_normalizer_types,
     string_normalizer_attributes,
     1,
     1,
     {rules::string_normalizer},
     "Changes the case of strings, and removes stop words"},
    {"StringSplit",
     "",
     20,
     string_split_inputs,
     string_split_outputs,
     string_split_types,
     string_split_attributes,
     1,
     2,
     {rules::string_split},
     "Splits each string at a delimiter"},
    {"TfIdfVectorizer",
     "",
     9,
     tf_idf_vectorizer_inputs,
     tf_idf_vectorizer_outputs,
     tf_idf_vectorizer_types,
     tf_idf_vectorizer_attributes,
     1,
     1,
     {rules::tf_idf_vectorizer},
     "Counts the n-grams of a sequence, and weights the counts"},
};

}  // namespace jax2onnx::records
