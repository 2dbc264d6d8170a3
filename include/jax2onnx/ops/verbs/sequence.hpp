// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The sequence operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// The attributes of concat_from_sequence.
struct concat_from_sequence_attributes {
  required<std::int64_t, struct concat_from_sequence_needs_axis> axis;
  std::int64_t new_axis = 0;
};
/// Concatenates the tensors of a sequence along an existing or a new axis (ConcatFromSequence).
inline value concat_from_sequence(const operand& input_sequence,
                                  const concat_from_sequence_attributes& attributes = {}) {
  node_builder n("ConcatFromSequence", {input_sequence});
  n.set("axis", attributes.axis);
  n.set("new_axis", attributes.new_axis, 0);
  return n.build();
}

/// The attributes of optional.
struct optional_attributes {
  std::optional<tensor_type> type = std::nullopt;
};
/// Wraps its operand as an optional; without an operand, the optional is empty (Optional).
inline value optional(graph& g, const operand& input = {}, const optional_attributes& attributes = {}) {
  node_builder n(g, "Optional");
  n.add_all({input});
  n.set("type", attributes.type);
  return n.build();
}

/// Returns the element of an optional; other operands are returned as they are (OptionalGetElement).
inline value optional_get_element(const operand& input) {
  node_builder n("OptionalGetElement", {input});
  return n.build();
}

/// Returns whether an optional has an element; true for other operands (OptionalHasElement).
inline value optional_has_element(graph& g, const operand& input = {}) {
  node_builder n(g, "OptionalHasElement");
  n.add_all({input});
  return n.build();
}

/// The attributes of regex_full_match.
struct regex_full_match_attributes {
  std::string pattern = {};
};
/// Returns which strings match a regular expression as a whole (RegexFullMatch, opset 20).
inline value regex_full_match(const operand& x, const regex_full_match_attributes& attributes = {}) {
  node_builder n("RegexFullMatch", {x});
  n.set("pattern", attributes.pattern);
  return n.build();
}

/// Returns the tensor of a sequence at a position (SequenceAt).
inline value sequence_at(const operand& input_sequence, const operand& position) {
  node_builder n("SequenceAt", {input_sequence, position});
  return n.build();
}

/// Makes a sequence of tensors (SequenceConstruct).
inline value sequence_construct(const operands& inputs) {
  node_builder n("SequenceConstruct", {});
  n.add(inputs);
  return n.build();
}

/// The attributes of sequence_empty.
struct sequence_empty_attributes {
  jax2onnx::dtype dtype = jax2onnx::dtype::undefined;
};
/// Makes an empty sequence of a data type (SequenceEmpty).
inline value sequence_empty(graph& g, const sequence_empty_attributes& attributes = {}) {
  node_builder n(g, "SequenceEmpty");
  n.set("dtype", attributes.dtype);
  return n.build();
}

/// Removes the tensor at a position from a sequence (SequenceErase).
inline value sequence_erase(const operand& input_sequence, const operand& position = {}) {
  node_builder n("SequenceErase", {input_sequence, position});
  return n.build();
}

/// Inserts a tensor into a sequence at a position (SequenceInsert).
inline value sequence_insert(const operand& input_sequence, const operand& tensor, const operand& position = {}) {
  node_builder n("SequenceInsert", {input_sequence, tensor, position});
  return n.build();
}

/// Returns the number of tensors in a sequence as an int64 scalar (SequenceLength).
inline value sequence_length(const operand& input_sequence) {
  node_builder n("SequenceLength", {input_sequence});
  return n.build();
}

/// The attributes of split_to_sequence.
struct split_to_sequence_attributes {
  std::int64_t axis = 0;
  flag keepdims = true;
};
/// Splits a tensor along an axis into a sequence of tensors (SplitToSequence).
inline value split_to_sequence(const operand& input, const operand& split = {},
                               const split_to_sequence_attributes& attributes = {}) {
  node_builder n("SplitToSequence", {input, split});
  n.set("axis", attributes.axis, 0);
  n.set("keepdims", attributes.keepdims, true);
  return n.build();
}

/// Concatenates strings elementwise, with broadcasting (StringConcat, opset 20).
inline value string_concat(const operand& x, const operand& y) {
  node_builder n("StringConcat", {x, y});
  return n.build();
}

/// The attributes of string_normalizer.
struct string_normalizer_attributes {
  chosen<jax2onnx::case_change> case_change_action = jax2onnx::case_change::none;
  flag is_case_sensitive = false;
  std::string locale = {};
  std::vector<std::string> stopwords = {};
};
/// Changes the case of strings, and removes stop words (StringNormalizer).
inline value string_normalizer(const operand& x, const string_normalizer_attributes& attributes = {}) {
  node_builder n("StringNormalizer", {x});
  n.set("case_change_action", attributes.case_change_action.value, jax2onnx::case_change::none);
  n.set("is_case_sensitive", attributes.is_case_sensitive, false);
  n.set("locale", attributes.locale);
  n.set("stopwords", attributes.stopwords);
  return n.build();
}

/// The attributes of string_split.
struct string_split_attributes {
  std::string delimiter = {};
  std::optional<std::int64_t> maxsplit = std::nullopt;
};
/// The results of string_split.
struct string_split_outputs {
  value y, z;
};
/// Splits each string at a delimiter (StringSplit, opset 20).
inline string_split_outputs string_split(const operand& x, const string_split_attributes& attributes = {}) {
  node_builder n("StringSplit", {x});
  n.set("delimiter", attributes.delimiter);
  n.set("maxsplit", attributes.maxsplit);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of tf_idf_vectorizer.
struct tf_idf_vectorizer_attributes {
  required<std::string, struct tf_idf_vectorizer_needs_mode> mode;
  required<std::int64_t, struct tf_idf_vectorizer_needs_max_gram_length> max_gram_length;
  required<std::int64_t, struct tf_idf_vectorizer_needs_max_skip_count> max_skip_count;
  required<std::int64_t, struct tf_idf_vectorizer_needs_min_gram_length> min_gram_length;
  required<ints, struct tf_idf_vectorizer_needs_ngram_counts> ngram_counts;
  required<ints, struct tf_idf_vectorizer_needs_ngram_indexes> ngram_indexes;
  ints pool_int64s = {};
  std::vector<std::string> pool_strings = {};
  std::vector<float> weights = {};
};
/// Counts the n-grams of a sequence, and weights the counts (TfIdfVectorizer).
inline value tf_idf_vectorizer(const operand& x, const tf_idf_vectorizer_attributes& attributes = {}) {
  node_builder n("TfIdfVectorizer", {x});
  n.set("mode", attributes.mode);
  n.set("max_gram_length", attributes.max_gram_length);
  n.set("max_skip_count", attributes.max_skip_count);
  n.set("min_gram_length", attributes.min_gram_length);
  n.set("ngram_counts", attributes.ngram_counts);
  n.set("ngram_indexes", attributes.ngram_indexes);
  n.set("pool_int64s", attributes.pool_int64s);
  n.set("pool_strings", attributes.pool_strings);
  n.set("weights", attributes.weights);
  return n.build();
}

}  // namespace jax2onnx
