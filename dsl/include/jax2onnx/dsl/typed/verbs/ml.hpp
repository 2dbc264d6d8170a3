// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <jax2onnx/dsl/typed/fixed.hpp>
#include <jax2onnx/dsl/typed/typed_call.hpp>
#include <jax2onnx/operators/records/ml.hpp>
#include <jax2onnx/ops/verbs/ml.hpp>

/// The ml operators on typed handles: the compiler computes the types of results, and refuses operands that
/// do not fit. Attributes in a struct are known to the running program only; extents that depend on them are `dyn`.
/// Attributes that are a template argument are also known to the compiler.
namespace jax2onnx {

/// The records of the verbs.
namespace typed_operators {
using array_feature_extractor = operator_at<records::ml_records, 0>;
using binarizer = operator_at<records::ml_records, 1>;
using category_mapper = operator_at<records::ml_records, 2>;
using feature_vectorizer = operator_at<records::ml_records, 3>;
using imputer = operator_at<records::ml_records, 4>;
using label_encoder = operator_at<records::ml_records, 7>;
using linear_classifier = operator_at<records::ml_records, 8>;
using linear_regressor = operator_at<records::ml_records, 9>;
using normalizer = operator_at<records::ml_records, 10>;
using one_hot_encoder = operator_at<records::ml_records, 11>;
using svm_classifier = operator_at<records::ml_records, 12>;
using svm_regressor = operator_at<records::ml_records, 13>;
using scaler = operator_at<records::ml_records, 14>;
using tree_ensemble = operator_at<records::ml_records, 15>;
using tree_ensemble_classifier = operator_at<records::ml_records, 17>;
using tree_ensemble_regressor = operator_at<records::ml_records, 19>;
}  // namespace typed_operators

/// Selects elements along the last axis by their indices (ai.onnx.ml.ArrayFeatureExtractor).
/// @{
template <class XType, class YType>
requires typed_operands<XType, YType>
auto array_feature_extractor(const XType& x, const YType& y) {
  using call = typed_call<typed_operators::array_feature_extractor, default_attributes, 1, XType, YType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::array_feature_extractor(as_value(x), as_operand(y)));
  else return typename refusal<call>::result();
}
/// @}

/// Returns 1 for elements above a threshold, and 0 for others (ai.onnx.ml.Binarizer).
/// @{
template <class XType>
requires typed_operands<XType>
auto binarizer(const XType& x) {
  using call = typed_call<typed_operators::binarizer, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::binarizer(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto binarizer(const XType& x, const jax2onnx::binarizer_attributes& attributes) {
  using call = typed_call<typed_operators::binarizer, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::binarizer(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of category_mapper as a template argument.
struct category_mapper_attributes_of {
  fixed_integers cats_int64s = {};
  std::int64_t default_int64 = -1;
  fixed_string default_string = "_Unused";
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 3> known() const {
    return {
        known_attribute{
            .name = "cats_int64s", .given = !(cats_int64s == fixed_integers{}), .integers = cats_int64s.list()},
        known_attribute{
            .name = "default_int64", .given = default_int64 != -1, .integer = static_cast<std::int64_t>(default_int64)},
        known_attribute{.name = "default_string",
                        .given = !(default_string == fixed_string("_Unused")),
                        .text = default_string.view()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::category_mapper_attributes run_time() const {
    return {.cats_int64s = cats_int64s.vector(),
            .default_int64 = default_int64,
            .default_string = std::string(default_string.view())};
  }
};

/// Maps strings to integers, or integers to strings (ai.onnx.ml.CategoryMapper).
/// @{
template <class XType>
requires typed_operands<XType>
auto category_mapper(const XType& x) {
  using call = typed_call<typed_operators::category_mapper, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::category_mapper(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto category_mapper(const XType& x, const jax2onnx::category_mapper_attributes& attributes) {
  using call = typed_call<typed_operators::category_mapper, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::category_mapper(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <category_mapper_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto category_mapper(const XType& x) {
  using call = typed_call<typed_operators::category_mapper, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::category_mapper(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of feature_vectorizer as a template argument.
struct feature_vectorizer_attributes_of {
  fixed_integers inputdimensions = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "inputdimensions",
                            .given = !(inputdimensions == fixed_integers{}),
                            .integers = inputdimensions.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::feature_vectorizer_attributes run_time() const { return {.inputdimensions = inputdimensions.vector()}; }
};

/// Concatenates the features of all operands (ai.onnx.ml.FeatureVectorizer).
/// @{
template <class... XType>
requires all_typed<XType...>
auto feature_vectorizer(const XType&... x) {
  using call = typed_call<typed_operators::feature_vectorizer, default_attributes, 1, XType...>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::feature_vectorizer({as_value(x)...}, {}));
  else return typename refusal<call>::result();
}
template <feature_vectorizer_attributes_of Attributes, class... XType>
requires all_typed<XType...>
auto feature_vectorizer(const XType&... x) {
  using call = typed_call<typed_operators::feature_vectorizer, fixed_attributes<Attributes>, 1, XType...>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::feature_vectorizer({as_value(x)...}, Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of imputer as a template argument.
struct imputer_attributes_of {
  fixed_integers imputed_value_int64s = {};
  std::int64_t replaced_value_int64 = 0;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "imputed_value_int64s",
                            .given = !(imputed_value_int64s == fixed_integers{}),
                            .integers = imputed_value_int64s.list()},
            known_attribute{.name = "replaced_value_int64",
                            .given = replaced_value_int64 != 0,
                            .integer = static_cast<std::int64_t>(replaced_value_int64)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::imputer_attributes run_time() const {
    return {.imputed_value_int64s = imputed_value_int64s.vector(), .replaced_value_int64 = replaced_value_int64};
  }
};

/// Replaces the elements that equal a given number, such as NaN, by other numbers (ai.onnx.ml.Imputer).
/// @{
template <class XType>
requires typed_operands<XType>
auto imputer(const XType& x) {
  using call = typed_call<typed_operators::imputer, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::imputer(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto imputer(const XType& x, const jax2onnx::imputer_attributes& attributes) {
  using call = typed_call<typed_operators::imputer, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::imputer(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <imputer_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto imputer(const XType& x) {
  using call = typed_call<typed_operators::imputer, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::imputer(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of label_encoder as a template argument.
struct label_encoder_attributes_of {
  std::int64_t default_int64 = -1;
  fixed_string default_string = "_Unused";
  fixed_integers keys_int64s = {};
  fixed_integers values_int64s = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 4> known() const {
    return {
        known_attribute{
            .name = "default_int64", .given = default_int64 != -1, .integer = static_cast<std::int64_t>(default_int64)},
        known_attribute{.name = "default_string",
                        .given = !(default_string == fixed_string("_Unused")),
                        .text = default_string.view()},
        known_attribute{
            .name = "keys_int64s", .given = !(keys_int64s == fixed_integers{}), .integers = keys_int64s.list()},
        known_attribute{
            .name = "values_int64s", .given = !(values_int64s == fixed_integers{}), .integers = values_int64s.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::label_encoder_attributes run_time() const {
    return {.default_int64 = default_int64,
            .default_string = std::string(default_string.view()),
            .keys_int64s = keys_int64s.vector(),
            .values_int64s = values_int64s.vector()};
  }
};

/// Maps each element to another value by a table (ai.onnx.ml.LabelEncoder).
/// @{
template <class XType>
requires typed_operands<XType>
auto label_encoder(const XType& x) {
  using call = typed_call<typed_operators::label_encoder, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::label_encoder(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto label_encoder(const XType& x, const jax2onnx::label_encoder_attributes& attributes) {
  using call = typed_call<typed_operators::label_encoder, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::label_encoder(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <label_encoder_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto label_encoder(const XType& x) {
  using call = typed_call<typed_operators::label_encoder, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::label_encoder(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The results of linear_classifier.
template <class YType, class ZType>
struct linear_classifier_results {
  YType y;
  ZType z;
};

/// Computes a linear classifier: the class of each row, and its scores (ai.onnx.ml.LinearClassifier).
/// @{
template <class XType>
requires typed_operands<XType>
auto linear_classifier(const XType& x, const jax2onnx::linear_classifier_attributes& attributes = {}) {
  using call = typed_call<typed_operators::linear_classifier, run_time_attributes, 2, XType>;
  using results = linear_classifier_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::linear_classifier(as_value(x), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of linear_regressor as a template argument.
struct linear_regressor_attributes_of {
  fixed_string post_transform = "NONE";
  std::int64_t targets = 1;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{.name = "post_transform",
                            .given = !(post_transform == fixed_string("NONE")),
                            .text = post_transform.view()},
            known_attribute{.name = "targets", .given = targets != 1, .integer = static_cast<std::int64_t>(targets)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::linear_regressor_attributes run_time() const {
    return {.post_transform = std::string(post_transform.view()), .targets = targets};
  }
};

/// Computes a linear regression (ai.onnx.ml.LinearRegressor).
/// @{
template <class XType>
requires typed_operands<XType>
auto linear_regressor(const XType& x) {
  using call = typed_call<typed_operators::linear_regressor, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::linear_regressor(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto linear_regressor(const XType& x, const jax2onnx::linear_regressor_attributes& attributes) {
  using call = typed_call<typed_operators::linear_regressor, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::linear_regressor(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <linear_regressor_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto linear_regressor(const XType& x) {
  using call = typed_call<typed_operators::linear_regressor, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::linear_regressor(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of normalizer as a template argument.
struct normalizer_attributes_of {
  fixed_string norm = "MAX";
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 1> known() const {
    return {known_attribute{.name = "norm", .given = !(norm == fixed_string("MAX")), .text = norm.view()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::normalizer_attributes run_time() const { return {.norm = std::string(norm.view())}; }
};

/// Divides each row by its maximum or norm (ai.onnx.ml.Normalizer).
/// @{
template <class XType>
requires typed_operands<XType>
auto normalizer(const XType& x) {
  using call = typed_call<typed_operators::normalizer, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::normalizer(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto normalizer(const XType& x, const jax2onnx::normalizer_attributes& attributes) {
  using call = typed_call<typed_operators::normalizer, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::normalizer(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <normalizer_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto normalizer(const XType& x) {
  using call = typed_call<typed_operators::normalizer, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::normalizer(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of one_hot_encoder as a template argument.
struct one_hot_encoder_attributes_of {
  fixed_integers cats_int64s = {};
  flag zeros = true;
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 2> known() const {
    return {known_attribute{
                .name = "cats_int64s", .given = !(cats_int64s == fixed_integers{}), .integers = cats_int64s.list()},
            known_attribute{.name = "zeros", .given = zeros != true, .integer = static_cast<std::int64_t>(zeros)}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::one_hot_encoder_attributes run_time() const {
    return {.cats_int64s = cats_int64s.vector(), .zeros = zeros};
  }
};

/// Expands each element to a one-hot vector over the given categories (ai.onnx.ml.OneHotEncoder).
/// @{
template <class XType>
requires typed_operands<XType>
auto one_hot_encoder(const XType& x) {
  using call = typed_call<typed_operators::one_hot_encoder, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::one_hot_encoder(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto one_hot_encoder(const XType& x, const jax2onnx::one_hot_encoder_attributes& attributes) {
  using call = typed_call<typed_operators::one_hot_encoder, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::one_hot_encoder(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <one_hot_encoder_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto one_hot_encoder(const XType& x) {
  using call = typed_call<typed_operators::one_hot_encoder, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::one_hot_encoder(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of svm_classifier as a template argument.
struct svm_classifier_attributes_of {
  fixed_integers classlabels_ints = {};
  fixed_string kernel_type = "LINEAR";
  fixed_string post_transform = "NONE";
  fixed_integers vectors_per_class = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 4> known() const {
    return {known_attribute{.name = "classlabels_ints",
                            .given = !(classlabels_ints == fixed_integers{}),
                            .integers = classlabels_ints.list()},
            known_attribute{
                .name = "kernel_type", .given = !(kernel_type == fixed_string("LINEAR")), .text = kernel_type.view()},
            known_attribute{.name = "post_transform",
                            .given = !(post_transform == fixed_string("NONE")),
                            .text = post_transform.view()},
            known_attribute{.name = "vectors_per_class",
                            .given = !(vectors_per_class == fixed_integers{}),
                            .integers = vectors_per_class.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::svm_classifier_attributes run_time() const {
    return {.classlabels_ints = classlabels_ints.vector(),
            .kernel_type = std::string(kernel_type.view()),
            .post_transform = std::string(post_transform.view()),
            .vectors_per_class = vectors_per_class.vector()};
  }
};

/// The results of svm_classifier.
template <class YType, class ZType>
struct svm_classifier_results {
  YType y;
  ZType z;
};

/// Computes a support vector machine: the class of each row, and its scores (ai.onnx.ml.SVMClassifier).
/// @{
template <class XType>
requires typed_operands<XType>
auto svm_classifier(const XType& x) {
  using call = typed_call<typed_operators::svm_classifier, default_attributes, 2, XType>;
  using results = svm_classifier_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::svm_classifier(as_value(x), {});
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <class XType>
requires typed_operands<XType>
auto svm_classifier(const XType& x, const jax2onnx::svm_classifier_attributes& attributes) {
  using call = typed_call<typed_operators::svm_classifier, run_time_attributes, 2, XType>;
  using results = svm_classifier_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::svm_classifier(as_value(x), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <svm_classifier_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto svm_classifier(const XType& x) {
  using call = typed_call<typed_operators::svm_classifier, fixed_attributes<Attributes>, 2, XType>;
  using results = svm_classifier_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::svm_classifier(as_value(x), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of svm_regressor as a template argument.
struct svm_regressor_attributes_of {
  fixed_string kernel_type = "LINEAR";
  std::int64_t n_supports = 0;
  std::int64_t one_class = 0;
  fixed_string post_transform = "NONE";
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 4> known() const {
    return {
        known_attribute{
            .name = "kernel_type", .given = !(kernel_type == fixed_string("LINEAR")), .text = kernel_type.view()},
        known_attribute{
            .name = "n_supports", .given = n_supports != 0, .integer = static_cast<std::int64_t>(n_supports)},
        known_attribute{.name = "one_class", .given = one_class != 0, .integer = static_cast<std::int64_t>(one_class)},
        known_attribute{.name = "post_transform",
                        .given = !(post_transform == fixed_string("NONE")),
                        .text = post_transform.view()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::svm_regressor_attributes run_time() const {
    return {.kernel_type = std::string(kernel_type.view()),
            .n_supports = n_supports,
            .one_class = one_class,
            .post_transform = std::string(post_transform.view())};
  }
};

/// Computes the regression of a support vector machine, or detects anomalies with one class
/// (ai.onnx.ml.SVMRegressor).
/// @{
template <class XType>
requires typed_operands<XType>
auto svm_regressor(const XType& x) {
  using call = typed_call<typed_operators::svm_regressor, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::svm_regressor(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto svm_regressor(const XType& x, const jax2onnx::svm_regressor_attributes& attributes) {
  using call = typed_call<typed_operators::svm_regressor, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::svm_regressor(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <svm_regressor_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto svm_regressor(const XType& x) {
  using call = typed_call<typed_operators::svm_regressor, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::svm_regressor(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

/// Subtracts an offset from each feature, and multiplies it by a scale (ai.onnx.ml.Scaler).
/// @{
template <class XType>
requires typed_operands<XType>
auto scaler(const XType& x) {
  using call = typed_call<typed_operators::scaler, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::scaler(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto scaler(const XType& x, const jax2onnx::scaler_attributes& attributes) {
  using call = typed_call<typed_operators::scaler, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::scaler(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// Computes an ensemble of decision trees: a number for each row and target (ai.onnx.ml.TreeEnsemble).
/// @{
template <class XType>
requires typed_operands<XType>
auto tree_ensemble(const XType& x, const jax2onnx::tree_ensemble_attributes& attributes = {}) {
  using call = typed_call<typed_operators::tree_ensemble, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::tree_ensemble(as_value(x), attributes));
  else return typename refusal<call>::result();
}
/// @}

/// The attributes of tree_ensemble_classifier as a template argument.
struct tree_ensemble_classifier_attributes_of {
  fixed_integers class_ids = {};
  fixed_integers class_nodeids = {};
  fixed_integers class_treeids = {};
  fixed_integers classlabels_int64s = {};
  fixed_integers nodes_falsenodeids = {};
  fixed_integers nodes_featureids = {};
  fixed_integers nodes_missing_value_tracks_true = {};
  fixed_integers nodes_nodeids = {};
  fixed_integers nodes_treeids = {};
  fixed_integers nodes_truenodeids = {};
  fixed_string post_transform = "NONE";
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 11> known() const {
    return {
        known_attribute{.name = "class_ids", .given = !(class_ids == fixed_integers{}), .integers = class_ids.list()},
        known_attribute{
            .name = "class_nodeids", .given = !(class_nodeids == fixed_integers{}), .integers = class_nodeids.list()},
        known_attribute{
            .name = "class_treeids", .given = !(class_treeids == fixed_integers{}), .integers = class_treeids.list()},
        known_attribute{.name = "classlabels_int64s",
                        .given = !(classlabels_int64s == fixed_integers{}),
                        .integers = classlabels_int64s.list()},
        known_attribute{.name = "nodes_falsenodeids",
                        .given = !(nodes_falsenodeids == fixed_integers{}),
                        .integers = nodes_falsenodeids.list()},
        known_attribute{.name = "nodes_featureids",
                        .given = !(nodes_featureids == fixed_integers{}),
                        .integers = nodes_featureids.list()},
        known_attribute{.name = "nodes_missing_value_tracks_true",
                        .given = !(nodes_missing_value_tracks_true == fixed_integers{}),
                        .integers = nodes_missing_value_tracks_true.list()},
        known_attribute{
            .name = "nodes_nodeids", .given = !(nodes_nodeids == fixed_integers{}), .integers = nodes_nodeids.list()},
        known_attribute{
            .name = "nodes_treeids", .given = !(nodes_treeids == fixed_integers{}), .integers = nodes_treeids.list()},
        known_attribute{.name = "nodes_truenodeids",
                        .given = !(nodes_truenodeids == fixed_integers{}),
                        .integers = nodes_truenodeids.list()},
        known_attribute{.name = "post_transform",
                        .given = !(post_transform == fixed_string("NONE")),
                        .text = post_transform.view()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::tree_ensemble_classifier_attributes run_time() const {
    return {.class_ids = class_ids.vector(),
            .class_nodeids = class_nodeids.vector(),
            .class_treeids = class_treeids.vector(),
            .classlabels_int64s = classlabels_int64s.vector(),
            .nodes_falsenodeids = nodes_falsenodeids.vector(),
            .nodes_featureids = nodes_featureids.vector(),
            .nodes_missing_value_tracks_true = nodes_missing_value_tracks_true.vector(),
            .nodes_nodeids = nodes_nodeids.vector(),
            .nodes_treeids = nodes_treeids.vector(),
            .nodes_truenodeids = nodes_truenodeids.vector(),
            .post_transform = std::string(post_transform.view())};
  }
};

/// The results of tree_ensemble_classifier.
template <class YType, class ZType>
struct tree_ensemble_classifier_results {
  YType y;
  ZType z;
};

/// Computes an ensemble of decision trees: the class of each row, and its scores (ai.onnx.ml.TreeEnsembleClassifier).
/// @{
template <class XType>
requires typed_operands<XType>
auto tree_ensemble_classifier(const XType& x) {
  using call = typed_call<typed_operators::tree_ensemble_classifier, default_attributes, 2, XType>;
  using results =
      tree_ensemble_classifier_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::tree_ensemble_classifier(as_value(x), {});
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <class XType>
requires typed_operands<XType>
auto tree_ensemble_classifier(const XType& x, const jax2onnx::tree_ensemble_classifier_attributes& attributes) {
  using call = typed_call<typed_operators::tree_ensemble_classifier, run_time_attributes, 2, XType>;
  using results =
      tree_ensemble_classifier_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::tree_ensemble_classifier(as_value(x), attributes);
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
template <tree_ensemble_classifier_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto tree_ensemble_classifier(const XType& x) {
  using call = typed_call<typed_operators::tree_ensemble_classifier, fixed_attributes<Attributes>, 2, XType>;
  using results =
      tree_ensemble_classifier_results<typename call::template output<0>, typename call::template output<1>>;
  if constexpr (call::fits) {
    const auto made = jax2onnx::tree_ensemble_classifier(as_value(x), Attributes.run_time());
    return results{call::template result<0>(made.y), call::template result<1>(made.z)};
  } else return results{typename refusal<call>::result(), failed_call()};
}
/// @}

/// The attributes of tree_ensemble_regressor as a template argument.
struct tree_ensemble_regressor_attributes_of {
  fixed_string aggregate_function = "SUM";
  fixed_optional<std::int64_t> n_targets = {};
  fixed_integers nodes_falsenodeids = {};
  fixed_integers nodes_featureids = {};
  fixed_integers nodes_missing_value_tracks_true = {};
  fixed_integers nodes_nodeids = {};
  fixed_integers nodes_treeids = {};
  fixed_integers nodes_truenodeids = {};
  fixed_string post_transform = "NONE";
  fixed_integers target_ids = {};
  fixed_integers target_nodeids = {};
  fixed_integers target_treeids = {};
  /// The attributes as shape rules read them.
  constexpr std::array<known_attribute, 12> known() const {
    return {
        known_attribute{.name = "aggregate_function",
                        .given = !(aggregate_function == fixed_string("SUM")),
                        .text = aggregate_function.view()},
        known_attribute{
            .name = "n_targets", .given = n_targets.given, .integer = static_cast<std::int64_t>(n_targets.value)},
        known_attribute{.name = "nodes_falsenodeids",
                        .given = !(nodes_falsenodeids == fixed_integers{}),
                        .integers = nodes_falsenodeids.list()},
        known_attribute{.name = "nodes_featureids",
                        .given = !(nodes_featureids == fixed_integers{}),
                        .integers = nodes_featureids.list()},
        known_attribute{.name = "nodes_missing_value_tracks_true",
                        .given = !(nodes_missing_value_tracks_true == fixed_integers{}),
                        .integers = nodes_missing_value_tracks_true.list()},
        known_attribute{
            .name = "nodes_nodeids", .given = !(nodes_nodeids == fixed_integers{}), .integers = nodes_nodeids.list()},
        known_attribute{
            .name = "nodes_treeids", .given = !(nodes_treeids == fixed_integers{}), .integers = nodes_treeids.list()},
        known_attribute{.name = "nodes_truenodeids",
                        .given = !(nodes_truenodeids == fixed_integers{}),
                        .integers = nodes_truenodeids.list()},
        known_attribute{.name = "post_transform",
                        .given = !(post_transform == fixed_string("NONE")),
                        .text = post_transform.view()},
        known_attribute{
            .name = "target_ids", .given = !(target_ids == fixed_integers{}), .integers = target_ids.list()},
        known_attribute{.name = "target_nodeids",
                        .given = !(target_nodeids == fixed_integers{}),
                        .integers = target_nodeids.list()},
        known_attribute{.name = "target_treeids",
                        .given = !(target_treeids == fixed_integers{}),
                        .integers = target_treeids.list()}};
  }
  /// The attributes as the verb takes them.
  jax2onnx::tree_ensemble_regressor_attributes run_time() const {
    return {.aggregate_function = std::string(aggregate_function.view()),
            .n_targets = n_targets.get(),
            .nodes_falsenodeids = nodes_falsenodeids.vector(),
            .nodes_featureids = nodes_featureids.vector(),
            .nodes_missing_value_tracks_true = nodes_missing_value_tracks_true.vector(),
            .nodes_nodeids = nodes_nodeids.vector(),
            .nodes_treeids = nodes_treeids.vector(),
            .nodes_truenodeids = nodes_truenodeids.vector(),
            .post_transform = std::string(post_transform.view()),
            .target_ids = target_ids.vector(),
            .target_nodeids = target_nodeids.vector(),
            .target_treeids = target_treeids.vector()};
  }
};

/// Computes an ensemble of decision trees: a number for each row and target (ai.onnx.ml.TreeEnsembleRegressor).
/// @{
template <class XType>
requires typed_operands<XType>
auto tree_ensemble_regressor(const XType& x) {
  using call = typed_call<typed_operators::tree_ensemble_regressor, default_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::tree_ensemble_regressor(as_value(x), {}));
  else return typename refusal<call>::result();
}
template <class XType>
requires typed_operands<XType>
auto tree_ensemble_regressor(const XType& x, const jax2onnx::tree_ensemble_regressor_attributes& attributes) {
  using call = typed_call<typed_operators::tree_ensemble_regressor, run_time_attributes, 1, XType>;
  if constexpr (call::fits) return call::template result<0>(jax2onnx::tree_ensemble_regressor(as_value(x), attributes));
  else return typename refusal<call>::result();
}
template <tree_ensemble_regressor_attributes_of Attributes, class XType>
requires typed_operands<XType>
auto tree_ensemble_regressor(const XType& x) {
  using call = typed_call<typed_operators::tree_ensemble_regressor, fixed_attributes<Attributes>, 1, XType>;
  if constexpr (call::fits)
    return call::template result<0>(jax2onnx::tree_ensemble_regressor(as_value(x), Attributes.run_time()));
  else return typename refusal<call>::result();
}
/// @}

}  // namespace jax2onnx
