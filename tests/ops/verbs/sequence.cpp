// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/sequence.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding sequence_rebuildings[];
const rebuilding sequence_rebuildings[] = {
    {"", "ConcatFromSequence",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::concat_from_sequence(
           n.in(0), {.axis = n.get<std::int64_t>("axis"), .new_axis = n.get<std::int64_t>("new_axis", 0)})};
     }},
    {"", "Optional",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::optional(n.g, n.in(0), {.type = n.get<std::optional<tensor_type>>("type")})};
     }},
    {"", "OptionalGetElement",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::optional_get_element(n.in(0))}; }},
    {"", "OptionalHasElement",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::optional_has_element(n.g, n.in(0))}; }},
    {"", "RegexFullMatch",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::regex_full_match(n.in(0), {.pattern = n.get<std::string>("pattern")})};
     }},
    {"", "SequenceAt",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sequence_at(n.in(0), n.in(1))}; }},
    {"", "SequenceConstruct",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sequence_construct(n.rest(0))}; }},
    {"", "SequenceEmpty",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::sequence_empty(n.g, {.dtype = n.get<jax2onnx::dtype>("dtype", jax2onnx::dtype::undefined)})};
     }},
    {"", "SequenceErase",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sequence_erase(n.in(0), n.in(1))}; }},
    {"", "SequenceInsert",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sequence_insert(n.in(0), n.in(1), n.in(2))}; }},
    {"", "SequenceLength",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::sequence_length(n.in(0))}; }},
    {"", "SplitToSequence",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::split_to_sequence(
           n.in(0), n.in(1), {.axis = n.get<std::int64_t>("axis", 0), .keepdims = n.get<flag>("keepdims", true)})};
     }},
    {"", "StringConcat",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::string_concat(n.in(0), n.in(1))}; }},
    {"", "StringNormalizer",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::string_normalizer(n.in(0), {.case_change_action = n.get<jax2onnx::case_change>(
                                                         "case_change_action", jax2onnx::case_change::none),
                                                     .is_case_sensitive = n.get<flag>("is_case_sensitive", false),
                                                     .locale = n.get<std::string>("locale"),
                                                     .stopwords = n.get<std::vector<std::string>>("stopwords")})};
     }},
    {"", "StringSplit",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::string_split(n.in(0), {.delimiter = n.get<std::string>("delimiter"),
                                                       .maxsplit = n.get<std::optional<std::int64_t>>("maxsplit")});
       return {r.y, r.z};
     }},
    {"", "TfIdfVectorizer",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::tf_idf_vectorizer(n.in(0), {.mode = n.get<std::string>("mode"),
                                                     .max_gram_length = n.get<std::int64_t>("max_gram_length"),
                                                     .max_skip_count = n.get<std::int64_t>("max_skip_count"),
                                                     .min_gram_length = n.get<std::int64_t>("min_gram_length"),
                                                     .ngram_counts = n.get<ints>("ngram_counts"),
                                                     .ngram_indexes = n.get<ints>("ngram_indexes"),
                                                     .pool_int64s = n.get<ints>("pool_int64s"),
                                                     .pool_strings = n.get<std::vector<std::string>>("pool_strings"),
                                                     .weights = n.get<std::vector<float>>("weights")})};
     }},
    {},
};

}  // namespace jax2onnx
