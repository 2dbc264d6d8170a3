// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <jax2onnx/operators/records/record.hpp>
#include <jax2onnx/operators/rules/ml.hpp>

namespace jax2onnx::records {

using enum dtype;
using enum attribute_kind;
using enum formal_attribute::need;

// ArrayFeatureExtractor
inline constexpr formal array_feature_extractor_inputs[] = {{"X", 0}, {"Y", 1}};
inline constexpr formal array_feature_extractor_outputs[] = {{"Z", 0}};
inline constexpr type_constraint array_feature_extractor_types[] = {
    {"T", {.tensors = types({f32, f64, i32, i64, string})}}, {"tensor(int64)", {.tensors = types({i64})}}};
// Binarizer
inline constexpr formal binarizer_inputs[] = {{"X", 0}};
inline constexpr formal binarizer_outputs[] = {{"Y", 0}};
inline constexpr type_constraint binarizer_types[] = {{"T", {.tensors = types({f32, f64, i32, i64})}}};
inline constexpr formal_attribute binarizer_attributes[] = {{"threshold", real, defaulted}};
// CategoryMapper
inline constexpr formal category_mapper_inputs[] = {{"X", 0}};
inline constexpr formal category_mapper_outputs[] = {{"Y", 1}};
inline constexpr type_constraint category_mapper_types[] = {{"T1", {.tensors = types({i64, string})}},
                                                            {"T2", {.tensors = types({i64, string})}}};
inline constexpr formal_attribute category_mapper_attributes[] = {
    {"cats_int64s", integers},
    {"cats_strings", texts},
    {"default_int64", integer, defaulted, {.integer = -1}},
    {"default_string", text, defaulted, {.text = "_Unused"}}};
// FeatureVectorizer
inline constexpr formal feature_vectorizer_inputs[] = {{"X", 0, presence::variadic}};
inline constexpr formal feature_vectorizer_outputs[] = {{"Y", 1}};
inline constexpr type_constraint feature_vectorizer_types[] = {{"T1", {.tensors = types({f32, f64, i32, i64})}},
                                                               {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute feature_vectorizer_attributes[] = {{"inputdimensions", integers}};
// Imputer
inline constexpr formal imputer_inputs[] = {{"X", 0}};
inline constexpr formal imputer_outputs[] = {{"Y", 0}};
inline constexpr type_constraint imputer_types[] = {{"T", {.tensors = types({f32, f64, i32, i64})}}};
inline constexpr formal_attribute imputer_attributes[] = {{"imputed_value_floats", reals},
                                                          {"imputed_value_int64s", integers},
                                                          {"replaced_value_float", real, defaulted},
                                                          {"replaced_value_int64", integer, defaulted}};
// LabelEncoder
inline constexpr formal label_encoder_inputs[] = {{"X", 0}};
inline constexpr formal label_encoder_outputs[] = {{"Y", 1}};
inline constexpr type_constraint label_encoder_types[] = {{"T1", {.tensors = types({i64, string})}},
                                                          {"T2", {.tensors = types({i64, string})}}};
inline constexpr formal_attribute label_encoder_attributes[] = {
    {"classes_strings", texts},
    {"default_int64", integer, defaulted, {.integer = -1}},
    {"default_string", text, defaulted, {.text = "_Unused"}}};
inline constexpr type_constraint label_encoder_types_2[] = {{"T1", {.tensors = types({f32, i64, string})}},
                                                            {"T2", {.tensors = types({f32, i64, string})}}};
inline constexpr formal_attribute label_encoder_attributes_2[] = {
    {"default_float", real, defaulted},
    {"default_int64", integer, defaulted, {.integer = -1}},
    {"default_string", text, defaulted, {.text = "_Unused"}},
    {"keys_floats", reals},
    {"keys_int64s", integers},
    {"keys_strings", texts},
    {"values_floats", reals},
    {"values_int64s", integers},
    {"values_strings", texts}};
inline constexpr type_constraint label_encoder_types_4[] = {
    {"T1", {.tensors = types({f32, f64, i16, i32, i64, string})}},
    {"T2", {.tensors = types({f32, f64, i16, i32, i64, string})}}};
inline constexpr formal_attribute label_encoder_attributes_4[] = {
    {"default_float", real, defaulted},
    {"default_int64", integer, defaulted, {.integer = -1}},
    {"default_string", text, defaulted, {.text = "_Unused"}},
    {"default_tensor", tensor},
    {"keys_floats", reals},
    {"keys_int64s", integers},
    {"keys_strings", texts},
    {"keys_tensor", tensor},
    {"values_floats", reals},
    {"values_int64s", integers},
    {"values_strings", texts},
    {"values_tensor", tensor}};
// LinearClassifier
inline constexpr formal linear_classifier_inputs[] = {{"X", 0}};
inline constexpr formal linear_classifier_outputs[] = {{"Y", 1}, {"Z", 2}};
inline constexpr type_constraint linear_classifier_types[] = {{"T1", {.tensors = types({f32, f64, i32, i64})}},
                                                              {"T2", {.tensors = types({i64, string})}},
                                                              {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute linear_classifier_attributes[] = {
    {"classlabels_ints", integers},      {"classlabels_strings", texts},
    {"coefficients", reals, required},   {"intercepts", reals},
    {"multi_class", integer, defaulted}, {"post_transform", text, defaulted, {.text = "NONE"}}};
// LinearRegressor
inline constexpr formal linear_regressor_inputs[] = {{"X", 0}};
inline constexpr formal linear_regressor_outputs[] = {{"Y", 1}};
inline constexpr type_constraint linear_regressor_types[] = {{"T", {.tensors = types({f32, f64, i32, i64})}},
                                                             {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute linear_regressor_attributes[] = {
    {"coefficients", reals},
    {"intercepts", reals},
    {"post_transform", text, defaulted, {.text = "NONE"}},
    {"targets", integer, defaulted, {.integer = 1}}};
// Normalizer
inline constexpr formal normalizer_inputs[] = {{"X", 0}};
inline constexpr formal normalizer_outputs[] = {{"Y", 1}};
inline constexpr type_constraint normalizer_types[] = {{"T", {.tensors = types({f32, f64, i32, i64})}},
                                                       {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute normalizer_attributes[] = {{"norm", text, defaulted, {.text = "MAX"}}};
// OneHotEncoder
inline constexpr formal one_hot_encoder_inputs[] = {{"X", 0}};
inline constexpr formal one_hot_encoder_outputs[] = {{"Y", 1}};
inline constexpr type_constraint one_hot_encoder_types[] = {{"T", {.tensors = types({f32, f64, i32, i64, string})}},
                                                            {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute one_hot_encoder_attributes[] = {
    {"cats_int64s", integers}, {"cats_strings", texts}, {"zeros", integer, defaulted, {.integer = 1}}};
// SVMClassifier
inline constexpr formal svm_classifier_inputs[] = {{"X", 0}};
inline constexpr formal svm_classifier_outputs[] = {{"Y", 1}, {"Z", 2}};
inline constexpr type_constraint svm_classifier_types[] = {{"T1", {.tensors = types({f32, f64, i32, i64})}},
                                                           {"T2", {.tensors = types({i64, string})}},
                                                           {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute svm_classifier_attributes[] = {{"classlabels_ints", integers},
                                                                 {"classlabels_strings", texts},
                                                                 {"coefficients", reals},
                                                                 {"kernel_params", reals},
                                                                 {"kernel_type", text, defaulted, {.text = "LINEAR"}},
                                                                 {"post_transform", text, defaulted, {.text = "NONE"}},
                                                                 {"prob_a", reals},
                                                                 {"prob_b", reals},
                                                                 {"rho", reals},
                                                                 {"support_vectors", reals},
                                                                 {"vectors_per_class", integers}};
// SVMRegressor
inline constexpr formal svm_regressor_inputs[] = {{"X", 0}};
inline constexpr formal svm_regressor_outputs[] = {{"Y", 1}};
inline constexpr type_constraint svm_regressor_types[] = {{"T", {.tensors = types({f32, f64, i32, i64})}},
                                                          {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute svm_regressor_attributes[] = {{"coefficients", reals},
                                                                {"kernel_params", reals},
                                                                {"kernel_type", text, defaulted, {.text = "LINEAR"}},
                                                                {"n_supports", integer, defaulted},
                                                                {"one_class", integer, defaulted},
                                                                {"post_transform", text, defaulted, {.text = "NONE"}},
                                                                {"rho", reals},
                                                                {"support_vectors", reals}};
// Scaler
inline constexpr formal scaler_inputs[] = {{"X", 0}};
inline constexpr formal scaler_outputs[] = {{"Y", 1}};
inline constexpr type_constraint scaler_types[] = {{"T", {.tensors = types({f32, f64, i32, i64})}},
                                                   {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute scaler_attributes[] = {{"offset", reals}, {"scale", reals}};
// TreeEnsemble
inline constexpr formal tree_ensemble_inputs[] = {{"X", 0}};
inline constexpr formal tree_ensemble_outputs[] = {{"Y", 0}};
inline constexpr type_constraint tree_ensemble_types[] = {{"T", {.tensors = floats}}};
inline constexpr formal_attribute tree_ensemble_attributes[] = {
    {"aggregate_function", integer, defaulted, {.integer = 1}},
    {"leaf_targetids", integers, required},
    {"leaf_weights", tensor, required},
    {"membership_values", tensor},
    {"n_targets", integer},
    {"nodes_falseleafs", integers, required},
    {"nodes_falsenodeids", integers, required},
    {"nodes_featureids", integers, required},
    {"nodes_hitrates", tensor},
    {"nodes_missing_value_tracks_true", integers},
    {"nodes_modes", tensor, required},
    {"nodes_splits", tensor, required},
    {"nodes_trueleafs", integers, required},
    {"nodes_truenodeids", integers, required},
    {"post_transform", integer, defaulted},
    {"tree_roots", integers, required}};
// TreeEnsembleClassifier
inline constexpr formal tree_ensemble_classifier_inputs[] = {{"X", 0}};
inline constexpr formal tree_ensemble_classifier_outputs[] = {{"Y", 1}, {"Z", 2}};
inline constexpr type_constraint tree_ensemble_classifier_types[] = {{"T1", {.tensors = types({f32, f64, i32, i64})}},
                                                                     {"T2", {.tensors = types({i64, string})}},
                                                                     {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute tree_ensemble_classifier_attributes[] = {
    {"base_values", reals},
    {"class_ids", integers},
    {"class_nodeids", integers},
    {"class_treeids", integers},
    {"class_weights", reals},
    {"classlabels_int64s", integers},
    {"classlabels_strings", texts},
    {"nodes_falsenodeids", integers},
    {"nodes_featureids", integers},
    {"nodes_hitrates", reals},
    {"nodes_missing_value_tracks_true", integers},
    {"nodes_modes", texts},
    {"nodes_nodeids", integers},
    {"nodes_treeids", integers},
    {"nodes_truenodeids", integers},
    {"nodes_values", reals},
    {"post_transform", text, defaulted, {.text = "NONE"}}};
inline constexpr formal_attribute tree_ensemble_classifier_attributes_3[] = {
    {"base_values", reals},
    {"base_values_as_tensor", tensor},
    {"class_ids", integers},
    {"class_nodeids", integers},
    {"class_treeids", integers},
    {"class_weights", reals},
    {"class_weights_as_tensor", tensor},
    {"classlabels_int64s", integers},
    {"classlabels_strings", texts},
    {"nodes_falsenodeids", integers},
    {"nodes_featureids", integers},
    {"nodes_hitrates", reals},
    {"nodes_hitrates_as_tensor", tensor},
    {"nodes_missing_value_tracks_true", integers},
    {"nodes_modes", texts},
    {"nodes_nodeids", integers},
    {"nodes_treeids", integers},
    {"nodes_truenodeids", integers},
    {"nodes_values", reals},
    {"nodes_values_as_tensor", tensor},
    {"post_transform", text, defaulted, {.text = "NONE"}}};
// TreeEnsembleRegressor
inline constexpr formal tree_ensemble_regressor_inputs[] = {{"X", 0}};
inline constexpr formal tree_ensemble_regressor_outputs[] = {{"Y", 1}};
inline constexpr type_constraint tree_ensemble_regressor_types[] = {{"T", {.tensors = types({f32, f64, i32, i64})}},
                                                                    {"tensor(float)", {.tensors = types({f32})}}};
inline constexpr formal_attribute tree_ensemble_regressor_attributes[] = {
    {"aggregate_function", text, defaulted, {.text = "SUM"}},
    {"base_values", reals},
    {"n_targets", integer},
    {"nodes_falsenodeids", integers},
    {"nodes_featureids", integers},
    {"nodes_hitrates", reals},
    {"nodes_missing_value_tracks_true", integers},
    {"nodes_modes", texts},
    {"nodes_nodeids", integers},
    {"nodes_treeids", integers},
    {"nodes_truenodeids", integers},
    {"nodes_values", reals},
    {"post_transform", text, defaulted, {.text = "NONE"}},
    {"target_ids", integers},
    {"target_nodeids", integers},
    {"target_treeids", integers},
    {"target_weights", reals}};
inline constexpr formal_attribute tree_ensemble_regressor_attributes_3[] = {
    {"aggregate_function", text, defaulted, {.text = "SUM"}},
    {"base_values", reals},
    {"base_values_as_tensor", tensor},
    {"n_targets", integer},
    {"nodes_falsenodeids", integers},
    {"nodes_featureids", integers},
    {"nodes_hitrates", reals},
    {"nodes_hitrates_as_tensor", tensor},
    {"nodes_missing_value_tracks_true", integers},
    {"nodes_modes", texts},
    {"nodes_nodeids", integers},
    {"nodes_treeids", integers},
    {"nodes_truenodeids", integers},
    {"nodes_values", reals},
    {"nodes_values_as_tensor", tensor},
    {"post_transform", text, defaulted, {.text = "NONE"}},
    {"target_ids", integers},
    {"target_nodeids", integers},
    {"target_treeids", integers},
    {"target_weights", reals},
    {"target_weights_as_tensor", tensor}};

inline constexpr op_record ml_records[] = {
    {"ArrayFeatureExtractor",
     "ai.onnx.ml",
     1,
     array_feature_extractor_inputs,
     array_feature_extractor_outputs,
     array_feature_extractor_types,
     {},
     2,
     1,
     {rules::array_feature_extractor},
     "Selects elements along the last axis by their indices"},
    {"Binarizer",
     "ai.onnx.ml",
     1,
     binarizer_inputs,
     binarizer_outputs,
     binarizer_types,
     binarizer_attributes,
     1,
     1,
     {rules::mapped},
     "Returns 1 for elements above a threshold, and 0 for others"},
    {"CategoryMapper",
     "ai.onnx.ml",
     1,
     category_mapper_inputs,
     category_mapper_outputs,
     category_mapper_types,
     category_mapper_attributes,
     1,
     1,
     {rules::mapped},
     "Maps strings to integers, or integers to strings"},
    {"FeatureVectorizer",
     "ai.onnx.ml",
     1,
     feature_vectorizer_inputs,
     feature_vectorizer_outputs,
     feature_vectorizer_types,
     feature_vectorizer_attributes,
     1,
     1,
     {rules::feature_vectorizer},
     "Concatenates the features of all operands"},
    {"Imputer",
     "ai.onnx.ml",
     1,
     imputer_inputs,
     imputer_outputs,
     imputer_types,
     imputer_attributes,
     1,
     1,
     {rules::imputer},
     "Replaces the elements that equal a given number, such as NaN, by other numbers"},
    {"LabelEncoder",
     "ai.onnx.ml",
     1,
     label_encoder_inputs,
     label_encoder_outputs,
     label_encoder_types,
     label_encoder_attributes,
     1,
     1,
     {rules::mapped},
     "Maps each element to another value by a table"},
    {"LabelEncoder",
     "ai.onnx.ml",
     2,
     label_encoder_inputs,
     label_encoder_outputs,
     label_encoder_types_2,
     label_encoder_attributes_2,
     1,
     1,
     {rules::mapped},
     "Maps each element to another value by a table"},
    {"LabelEncoder",
     "ai.onnx.ml",
     4,
     label_encoder_inputs,
     label_encoder_outputs,
     label_encoder_types_4,
     label_encoder_attributes_4,
     1,
     1,
     {rules::mapped},
     "Maps each element to another value by a table"},
    {"LinearClassifier",
     "ai.onnx.ml",
     1,
     linear_classifier_inputs,
     linear_classifier_outputs,
     linear_classifier_types,
     linear_classifier_attributes,
     1,
     2,
     {rules::linear_classifier},
     "Computes a linear classifier: the class of each row, and its scores"},
    {"LinearRegressor",
     "ai.onnx.ml",
     1,
     linear_regressor_inputs,
     linear_regressor_outputs,
     linear_regressor_types,
     linear_regressor_attributes,
     1,
     1,
     {rules::linear_regressor},
     "Computes a linear regression"},
    {"Normalizer",
     "ai.onnx.ml",
     1,
     normalizer_inputs,
     normalizer_outputs,
     normalizer_types,
     normalizer_attributes,
     1,
     1,
     {rules::normalizer},
     "Divides each row by its maximum or norm"},
    {"OneHotEncoder",
     "ai.onnx.ml",
     1,
     one_hot_encoder_inputs,
     one_hot_encoder_outputs,
     one_hot_encoder_types,
     one_hot_encoder_attributes,
     1,
     1,
     {rules::one_hot_encoder},
     "Expands each element to a one-hot vector over the given categories"},
    {"SVMClassifier",
     "ai.onnx.ml",
     1,
     svm_classifier_inputs,
     svm_classifier_outputs,
     svm_classifier_types,
     svm_classifier_attributes,
     1,
     2,
     {rules::svm_classifier},
     "Computes a support vector machine: the class of each row, and its scores"},
    {"SVMRegressor",
     "ai.onnx.ml",
     1,
     svm_regressor_inputs,
     svm_regressor_outputs,
     svm_regressor_types,
     svm_regressor_attributes,
     1,
     1,
     {rules::svm_regressor},
     "Computes the regression of a support vector machine, or detects anomalies with one class"},
    {"Scaler",
     "ai.onnx.ml",
     1,
     scaler_inputs,
     scaler_outputs,
     scaler_types,
     scaler_attributes,
     1,
     1,
     {rules::imputer},
     "Subtracts an offset from each feature, and multiplies it by a scale"},
    {"TreeEnsemble",
     "ai.onnx.ml",
     5,
     tree_ensemble_inputs,
     tree_ensemble_outputs,
     tree_ensemble_types,
     tree_ensemble_attributes,
     1,
     1,
     {rules::tree_ensemble},
     "Computes an ensemble of decision trees: a number for each row and target"},
    {"TreeEnsembleClassifier",
     "ai.onnx.ml",
     1,
     tree_ensemble_classifier_inputs,
     tree_ensemble_classifier_outputs,
     tree_ensemble_classifier_types,
     tree_ensemble_classifier_attributes,
     1,
     2,
     {rules::tree_ensemble_classifier},
     "Computes an ensemble of decision trees: the class of each row, and its scores"},
    {"TreeEnsembleClassifier",
     "ai.onnx.ml",
     3,
     tree_ensemble_classifier_inputs,
     tree_ensemble_classifier_outputs,
     tree_ensemble_classifier_types,
     tree_ensemble_classifier_attributes_3,
     1,
     2,
     {rules::tree_ensemble_classifier},
     "Computes an ensemble of decision trees: the class of each row, and its scores"},
    {"TreeEnsembleRegressor",
     "ai.onnx.ml",
     1,
     tree_ensemble_regressor_inputs,
     tree_ensemble_regressor_outputs,
     tree_ensemble_regressor_types,
     tree_ensemble_regressor_attributes,
     1,
     1,
     {rules::tree_ensemble_regressor},
     "Computes an ensemble of decision trees: a number for each row and target"},
    {"TreeEnsembleRegressor",
     "ai.onnx.ml",
     3,
     tree_ensemble_regressor_inputs,
     tree_ensemble_regressor_outputs,
     tree_ensemble_regressor_types,
     tree_ensemble_regressor_attributes_3,
     1,
     1,
     {rules::tree_ensemble_regressor},
     "Computes an ensemble of decision trees: a number for each row and target"},
};

}  // namespace jax2onnx::records
