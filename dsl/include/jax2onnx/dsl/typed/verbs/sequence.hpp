// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/sequence.hpp>
#include <jax2onnx/ops/verbs/sequence.hpp>

/// The sequence operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using optional_get_element = operator_at<records::sequence_records, 5>;
using regex_full_match = operator_at<records::sequence_records, 9>;
using string_concat = operator_at<records::sequence_records, 19>;
using string_normalizer = operator_at<records::sequence_records, 20>;
using string_split = operator_at<records::sequence_records, 21>;
using tf_idf_vectorizer = operator_at<records::sequence_records, 22>;
}  // namespace typed_operators

/// Returns the element of an optional; other operands are returned as they are (OptionalGetElement).
/// @{
template <class InputType>
requires typed_arguments<InputType>
auto optional_get_element(const InputType& input) {
  using call = typed_call<typed_operators::optional_get_element, default_attributes, 1, InputType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("OptionalGetElement", as_operand(input)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of regex_full_match as a template argument.
struct regex_full_match_attributes_of {
  fixed_string pattern = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "pattern", .given = !(pattern == fixed_string{}), .text = pattern.view()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::regex_full_match_attributes run_time() const { return {.pattern = std::string(pattern.view())}; }
};

/// Returns which strings match a regular expression as a whole (RegexFullMatch).
/// @{
template <class XType>
requires typed_operands<XType>
auto regex_full_match(const XType& x) {
  using call = typed_call<typed_operators::regex_full_match, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::regex_full_match(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto regex_full_match(const XType& x, const jax2onnx::regex_full_match_attributes& attributes) {
  using call = typed_call<typed_operators::regex_full_match, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::regex_full_match(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <regex_full_match_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto regex_full_match(const XType& x) {
  using call = typed_call<typed_operators::regex_full_match, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::regex_full_match(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Concatenates strings elementwise, with broadcasting (StringConcat).
/// @{
template <class XType, class YType>
requires typed_arguments<XType, YType>
auto string_concat(const XType& x, const YType& y) {
  using call = typed_call<typed_operators::string_concat, default_attributes, 1, XType, YType>;
  if constexpr (call::fits)
    return call::template result<0>(detail::plain_node("StringConcat", as_operand(x), as_operand(y)));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of string_normalizer as a template argument.
struct string_normalizer_attributes_of {
  jax2onnx::case_change case_change_action = jax2onnx::case_change::none;
  flag is_case_sensitive = false;
  fixed_string locale = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {known_attribute{.name = "case_change_action",
                            .given = case_change_action != jax2onnx::case_change::none,
                            .text = jax2onnx::name(case_change_action)},
            known_attribute{.name = "is_case_sensitive",
                            .given = is_case_sensitive != false,
                            .integer = static_cast<std::int64_t>(is_case_sensitive)},
            known_attribute{.name = "locale", .given = !(locale == fixed_string{}), .text = locale.view()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::string_normalizer_attributes run_time() const {
    return {.case_change_action = case_change_action,
            .is_case_sensitive = is_case_sensitive,
            .locale = std::string(locale.view())};
  }
};

/// Changes the case of strings, and removes stop words (StringNormalizer).
/// @{
template <class XType>
requires typed_operands<XType>
auto string_normalizer(const XType& x) {
  using call = typed_call<typed_operators::string_normalizer, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::string_normalizer(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto string_normalizer(const XType& x, const jax2onnx::string_normalizer_attributes& attributes) {
  using call = typed_call<typed_operators::string_normalizer, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::string_normalizer(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <string_normalizer_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto string_normalizer(const XType& x) {
  using call = typed_call<typed_operators::string_normalizer, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::string_normalizer(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of string_split as a template argument.
struct string_split_attributes_of {
  fixed_string delimiter = {};
  fixed_optional<std::int64_t> maxsplit = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "delimiter", .given = !(delimiter == fixed_string{}), .text = delimiter.view()},
            known_attribute{
                .name = "maxsplit", .given = maxsplit.given, .integer = static_cast<std::int64_t>(maxsplit.value)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::string_split_attributes run_time() const {
    return {.delimiter = std::string(delimiter.view()), .maxsplit = maxsplit.get()};
  }
};

/// The results of string_split.
template <class YType, class ZType>
struct string_split_results {
  YType y;
  ZType z;
};

/// Splits each string at a delimiter (StringSplit).
/// @{
template <class XType>
requires typed_operands<XType>
auto string_split(const XType& x) {
  using call = typed_call<typed_operators::string_split, default_attributes, 2, XType>;
  using results = string_split_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::string_split(as_value(x), {});
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <class XType>
requires typed_operands<XType>
auto string_split(const XType& x, const jax2onnx::string_split_attributes& attributes) {
  using call = typed_call<typed_operators::string_split, run_time_attributes, 2, XType>;
  using results = string_split_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::string_split(as_value(x), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <string_split_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto string_split(const XType& x) {
  using call = typed_call<typed_operators::string_split, fixed_attributes<Attributes>, 2, XType>;
  using results = string_split_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::string_split(as_value(x), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of tf_idf_vectorizer as a template argument.
struct tf_idf_vectorizer_attributes_of {
  fixed_required<fixed_string> mode;
  fixed_required<std::int64_t> max_gram_length;
  fixed_required<std::int64_t> max_skip_count;
  fixed_required<std::int64_t> min_gram_length;
  fixed_required<fixed_integers> ngram_counts;
  fixed_required<fixed_integers> ngram_indexes;
  fixed_integers pool_int64s = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 7> known() const {
    return {known_attribute{.name = "mode", .given = true, .text = mode.value.view()},
            known_attribute{
                .name = "max_gram_length", .given = true, .integer = static_cast<std::int64_t>(max_gram_length.value)},
            known_attribute{
                .name = "max_skip_count", .given = true, .integer = static_cast<std::int64_t>(max_skip_count.value)},
            known_attribute{
                .name = "min_gram_length", .given = true, .integer = static_cast<std::int64_t>(min_gram_length.value)},
            known_attribute{.name = "ngram_counts", .given = true, .integers = ngram_counts.value.list()},
            known_attribute{.name = "ngram_indexes", .given = true, .integers = ngram_indexes.value.list()},
            known_attribute{
                .name = "pool_int64s", .given = !(pool_int64s == fixed_integers{}), .integers = pool_int64s.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::tf_idf_vectorizer_attributes run_time() const {
    return {.mode = std::string(mode.value.view()),
            .max_gram_length = max_gram_length.value,
            .max_skip_count = max_skip_count.value,
            .min_gram_length = min_gram_length.value,
            .ngram_counts = ngram_counts.value.vector(),
            .ngram_indexes = ngram_indexes.value.vector(),
            .pool_int64s = pool_int64s.vector()};
  }
};

/// Counts the n-grams of a sequence, and weights the counts (TfIdfVectorizer).
/// @{
template <class XType>
requires typed_operands<XType>
auto tf_idf_vectorizer(const XType& x, const jax2onnx::tf_idf_vectorizer_attributes& attributes = {}) {
  using call = typed_call<typed_operators::tf_idf_vectorizer, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::tf_idf_vectorizer(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <tf_idf_vectorizer_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto tf_idf_vectorizer(const XType& x) {
  using call = typed_call<typed_operators::tf_idf_vectorizer, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::tf_idf_vectorizer(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
