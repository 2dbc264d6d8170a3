// SPDX-License-Identifier: Apache-2.0
// Written by scripts/generate-operators.
#include "ops/verbs/rebuild.hpp"

#include <jax2onnx/ops/verbs/ml.hpp>

namespace jax2onnx {

// One row for each operator: its name, and its verb with the operands and attributes of a node.
extern const rebuilding ml_rebuildings[];
const rebuilding ml_rebuildings[] = {
    {"ai.onnx.ml", "ArrayFeatureExtractor",
     [](const node_parts& n) -> std::vector<value> { return {jax2onnx::array_feature_extractor(n.in(0), n.in(1))}; }},
    {"ai.onnx.ml", "Binarizer",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::binarizer(n.in(0), {.threshold = n.get<float>("threshold", 0.0f)})};
     }},
    {"ai.onnx.ml", "CategoryMapper",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::category_mapper(n.in(0), {.cats_int64s = n.get<ints>("cats_int64s"),
                                                   .cats_strings = n.get<std::vector<std::string>>("cats_strings"),
                                                   .default_int64 = n.get<std::int64_t>("default_int64", -1),
                                                   .default_string = n.get<std::string>("default_string", "_Unused")})};
     }},
    {"ai.onnx.ml", "FeatureVectorizer",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::feature_vectorizer(n.rest(0), {.inputdimensions = n.get<ints>("inputdimensions")})};
     }},
    {"ai.onnx.ml", "Imputer",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::imputer(n.in(0), {.imputed_value_floats = n.get<std::vector<float>>("imputed_value_floats"),
                                           .imputed_value_int64s = n.get<ints>("imputed_value_int64s"),
                                           .replaced_value_float = n.get<float>("replaced_value_float", 0.0f),
                                           .replaced_value_int64 = n.get<std::int64_t>("replaced_value_int64", 0)})};
     }},
    {"ai.onnx.ml", "LabelEncoder",
     [](const node_parts& n) -> std::vector<value> {
       return {
           jax2onnx::label_encoder(n.in(0), {.default_float = n.get<float>("default_float", -0.0f),
                                             .default_int64 = n.get<std::int64_t>("default_int64", -1),
                                             .default_string = n.get<std::string>("default_string", "_Unused"),
                                             .default_tensor = n.get<std::optional<tensor_constant>>("default_tensor"),
                                             .keys_floats = n.get<std::vector<float>>("keys_floats"),
                                             .keys_int64s = n.get<ints>("keys_int64s"),
                                             .keys_strings = n.get<std::vector<std::string>>("keys_strings"),
                                             .keys_tensor = n.get<std::optional<tensor_constant>>("keys_tensor"),
                                             .values_floats = n.get<std::vector<float>>("values_floats"),
                                             .values_int64s = n.get<ints>("values_int64s"),
                                             .values_strings = n.get<std::vector<std::string>>("values_strings"),
                                             .values_tensor = n.get<std::optional<tensor_constant>>("values_tensor")})};
     }},
    {"ai.onnx.ml", "LinearClassifier",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::linear_classifier(
           n.in(0), {.classlabels_ints = n.get<ints>("classlabels_ints"),
                     .classlabels_strings = n.get<std::vector<std::string>>("classlabels_strings"),
                     .coefficients = n.get<std::vector<float>>("coefficients"),
                     .intercepts = n.get<std::vector<float>>("intercepts"),
                     .multi_class = n.get<std::int64_t>("multi_class", 0),
                     .post_transform = n.get<std::string>("post_transform", "NONE")});
       return {r.y, r.z};
     }},
    {"ai.onnx.ml", "LinearRegressor",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::linear_regressor(n.in(0), {.coefficients = n.get<std::vector<float>>("coefficients"),
                                                    .intercepts = n.get<std::vector<float>>("intercepts"),
                                                    .post_transform = n.get<std::string>("post_transform", "NONE"),
                                                    .targets = n.get<std::int64_t>("targets", 1)})};
     }},
    {"ai.onnx.ml", "Normalizer",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::normalizer(n.in(0), {.norm = n.get<std::string>("norm", "MAX")})};
     }},
    {"ai.onnx.ml", "OneHotEncoder",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::one_hot_encoder(n.in(0), {.cats_int64s = n.get<ints>("cats_int64s"),
                                                   .cats_strings = n.get<std::vector<std::string>>("cats_strings"),
                                                   .zeros = n.get<flag>("zeros", true)})};
     }},
    {"ai.onnx.ml", "SVMClassifier",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::svm_classifier(
           n.in(0), {.classlabels_ints = n.get<ints>("classlabels_ints"),
                     .classlabels_strings = n.get<std::vector<std::string>>("classlabels_strings"),
                     .coefficients = n.get<std::vector<float>>("coefficients"),
                     .kernel_params = n.get<std::vector<float>>("kernel_params"),
                     .kernel_type = n.get<std::string>("kernel_type", "LINEAR"),
                     .post_transform = n.get<std::string>("post_transform", "NONE"),
                     .prob_a = n.get<std::vector<float>>("prob_a"),
                     .prob_b = n.get<std::vector<float>>("prob_b"),
                     .rho = n.get<std::vector<float>>("rho"),
                     .support_vectors = n.get<std::vector<float>>("support_vectors"),
                     .vectors_per_class = n.get<ints>("vectors_per_class")});
       return {r.y, r.z};
     }},
    {"ai.onnx.ml", "SVMRegressor",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::svm_regressor(n.in(0), {.coefficients = n.get<std::vector<float>>("coefficients"),
                                                 .kernel_params = n.get<std::vector<float>>("kernel_params"),
                                                 .kernel_type = n.get<std::string>("kernel_type", "LINEAR"),
                                                 .n_supports = n.get<std::int64_t>("n_supports", 0),
                                                 .one_class = n.get<std::int64_t>("one_class", 0),
                                                 .post_transform = n.get<std::string>("post_transform", "NONE"),
                                                 .rho = n.get<std::vector<float>>("rho"),
                                                 .support_vectors = n.get<std::vector<float>>("support_vectors")})};
     }},
    {"ai.onnx.ml", "Scaler",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::scaler(
           n.in(0), {.scale = n.get<std::vector<float>>("scale"), .offset = n.get<std::vector<float>>("offset")})};
     }},
    {"ai.onnx.ml", "TreeEnsemble",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::tree_ensemble(
           n.in(0), {.aggregate_function = n.get<std::int64_t>("aggregate_function", 1),
                     .leaf_targetids = n.get<ints>("leaf_targetids"),
                     .leaf_weights = n.get<tensor_constant>("leaf_weights"),
                     .membership_values = n.get<std::optional<tensor_constant>>("membership_values"),
                     .n_targets = n.get<std::optional<std::int64_t>>("n_targets"),
                     .nodes_falseleafs = n.get<ints>("nodes_falseleafs"),
                     .nodes_falsenodeids = n.get<ints>("nodes_falsenodeids"),
                     .nodes_featureids = n.get<ints>("nodes_featureids"),
                     .nodes_hitrates = n.get<std::optional<tensor_constant>>("nodes_hitrates"),
                     .nodes_missing_value_tracks_true = n.get<ints>("nodes_missing_value_tracks_true"),
                     .nodes_modes = n.get<tensor_constant>("nodes_modes"),
                     .nodes_splits = n.get<tensor_constant>("nodes_splits"),
                     .nodes_trueleafs = n.get<ints>("nodes_trueleafs"),
                     .nodes_truenodeids = n.get<ints>("nodes_truenodeids"),
                     .post_transform = n.get<std::int64_t>("post_transform", 0),
                     .tree_roots = n.get<ints>("tree_roots")})};
     }},
    {"ai.onnx.ml", "TreeEnsembleClassifier",
     [](const node_parts& n) -> std::vector<value> {
       const auto r = jax2onnx::tree_ensemble_classifier(
           n.in(0), {.base_values = n.get<std::vector<float>>("base_values"),
                     .base_values_as_tensor = n.get<std::optional<tensor_constant>>("base_values_as_tensor"),
                     .class_ids = n.get<ints>("class_ids"),
                     .class_nodeids = n.get<ints>("class_nodeids"),
                     .class_treeids = n.get<ints>("class_treeids"),
                     .class_weights = n.get<std::vector<float>>("class_weights"),
                     .class_weights_as_tensor = n.get<std::optional<tensor_constant>>("class_weights_as_tensor"),
                     .classlabels_int64s = n.get<ints>("classlabels_int64s"),
                     .classlabels_strings = n.get<std::vector<std::string>>("classlabels_strings"),
                     .nodes_falsenodeids = n.get<ints>("nodes_falsenodeids"),
                     .nodes_featureids = n.get<ints>("nodes_featureids"),
                     .nodes_hitrates = n.get<std::vector<float>>("nodes_hitrates"),
                     .nodes_hitrates_as_tensor = n.get<std::optional<tensor_constant>>("nodes_hitrates_as_tensor"),
                     .nodes_missing_value_tracks_true = n.get<ints>("nodes_missing_value_tracks_true"),
                     .nodes_modes = n.get<std::vector<std::string>>("nodes_modes"),
                     .nodes_nodeids = n.get<ints>("nodes_nodeids"),
                     .nodes_treeids = n.get<ints>("nodes_treeids"),
                     .nodes_truenodeids = n.get<ints>("nodes_truenodeids"),
                     .nodes_values = n.get<std::vector<float>>("nodes_values"),
                     .nodes_values_as_tensor = n.get<std::optional<tensor_constant>>("nodes_values_as_tensor"),
                     .post_transform = n.get<std::string>("post_transform", "NONE")});
       return {r.y, r.z};
     }},
    {"ai.onnx.ml", "TreeEnsembleRegressor",
     [](const node_parts& n) -> std::vector<value> {
       return {jax2onnx::tree_ensemble_regressor(
           n.in(0), {.aggregate_function = n.get<std::string>("aggregate_function", "SUM"),
                     .base_values = n.get<std::vector<float>>("base_values"),
                     .base_values_as_tensor = n.get<std::optional<tensor_constant>>("base_values_as_tensor"),
                     .n_targets = n.get<std::optional<std::int64_t>>("n_targets"),
                     .nodes_falsenodeids = n.get<ints>("nodes_falsenodeids"),
                     .nodes_featureids = n.get<ints>("nodes_featureids"),
                     .nodes_hitrates = n.get<std::vector<float>>("nodes_hitrates"),
                     .nodes_hitrates_as_tensor = n.get<std::optional<tensor_constant>>("nodes_hitrates_as_tensor"),
                     .nodes_missing_value_tracks_true = n.get<ints>("nodes_missing_value_tracks_true"),
                     .nodes_modes = n.get<std::vector<std::string>>("nodes_modes"),
                     .nodes_nodeids = n.get<ints>("nodes_nodeids"),
                     .nodes_treeids = n.get<ints>("nodes_treeids"),
                     .nodes_truenodeids = n.get<ints>("nodes_truenodeids"),
                     .nodes_values = n.get<std::vector<float>>("nodes_values"),
                     .nodes_values_as_tensor = n.get<std::optional<tensor_constant>>("nodes_values_as_tensor"),
                     .post_transform = n.get<std::string>("post_transform", "NONE"),
                     .target_ids = n.get<ints>("target_ids"),
                     .target_nodeids = n.get<ints>("target_nodeids"),
                     .target_treeids = n.get<ints>("target_treeids"),
                     .target_weights = n.get<std::vector<float>>("target_weights"),
                     .target_weights_as_tensor = n.get<std::optional<tensor_constant>>("target_weights_as_tensor")})};
     }},
    {},
};

}  // namespace jax2onnx
