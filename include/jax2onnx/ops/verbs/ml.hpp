// SPDX-License-Identifier: Apache-2.0
#pragma once

// Written by scripts/generate-operators from the schemas of the onnx package.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/ops/call/node_builder.hpp>
#include <jax2onnx/ops/verbs/choices.hpp>

/// The ml operators: one node for each call. Operands that do not fit throw a build_error; operators,
/// attributes and operands that the graph's opset does not have throw an opset_error.
namespace jax2onnx {

/// Selects elements along the last axis by their indices (ai.onnx.ml.ArrayFeatureExtractor).
inline value array_feature_extractor(const operand& x, const operand& y) {
  node_builder n("ArrayFeatureExtractor", {x, y}, "ai.onnx.ml");
  return n.build();
}

/// The attributes of binarizer.
struct binarizer_attributes {
  float threshold = 0.0f;
};
/// Returns 1 for elements above a threshold, and 0 for others (ai.onnx.ml.Binarizer).
inline value binarizer(const operand& x, const binarizer_attributes& attributes = {}) {
  node_builder n("Binarizer", {x}, "ai.onnx.ml");
  n.set("threshold", attributes.threshold, 0.0f);
  return n.build();
}

/// The attributes of category_mapper.
struct category_mapper_attributes {
  ints cats_int64s = {};
  std::vector<std::string> cats_strings = {};
  std::int64_t default_int64 = -1;
  std::string default_string = "_Unused";
};
/// Maps strings to integers, or integers to strings (ai.onnx.ml.CategoryMapper).
inline value category_mapper(const operand& x, const category_mapper_attributes& attributes = {}) {
  node_builder n("CategoryMapper", {x}, "ai.onnx.ml");
  n.set("cats_int64s", attributes.cats_int64s);
  n.set("cats_strings", attributes.cats_strings);
  n.set("default_int64", attributes.default_int64, -1);
  n.set("default_string", attributes.default_string, std::string("_Unused"));
  return n.build();
}

/// The attributes of feature_vectorizer.
struct feature_vectorizer_attributes {
  ints inputdimensions = {};
};
/// Concatenates the features of all operands (ai.onnx.ml.FeatureVectorizer).
inline value feature_vectorizer(const operands& x, const feature_vectorizer_attributes& attributes = {}) {
  node_builder n("FeatureVectorizer", {}, "ai.onnx.ml");
  n.add(x);
  n.set("inputdimensions", attributes.inputdimensions);
  return n.build();
}

/// The attributes of imputer.
struct imputer_attributes {
  std::vector<float> imputed_value_floats = {};
  ints imputed_value_int64s = {};
  float replaced_value_float = 0.0f;
  std::int64_t replaced_value_int64 = 0;
};
/// Replaces the elements that equal a given number, such as NaN, by other numbers (ai.onnx.ml.Imputer).
inline value imputer(const operand& x, const imputer_attributes& attributes = {}) {
  node_builder n("Imputer", {x}, "ai.onnx.ml");
  n.set("imputed_value_floats", attributes.imputed_value_floats);
  n.set("imputed_value_int64s", attributes.imputed_value_int64s);
  n.set("replaced_value_float", attributes.replaced_value_float, 0.0f);
  n.set("replaced_value_int64", attributes.replaced_value_int64, 0);
  return n.build();
}

/// The attributes of label_encoder.
struct label_encoder_attributes {
  float default_float = -0.0f;
  std::int64_t default_int64 = -1;
  std::string default_string = "_Unused";
  std::optional<tensor_constant> default_tensor = std::nullopt;
  std::vector<float> keys_floats = {};
  ints keys_int64s = {};
  std::vector<std::string> keys_strings = {};
  std::optional<tensor_constant> keys_tensor = std::nullopt;
  std::vector<float> values_floats = {};
  ints values_int64s = {};
  std::vector<std::string> values_strings = {};
  std::optional<tensor_constant> values_tensor = std::nullopt;
};
/// Maps each element to another value by a table (ai.onnx.ml.LabelEncoder).
inline value label_encoder(const operand& x, const label_encoder_attributes& attributes = {}) {
  node_builder n("LabelEncoder", {x}, "ai.onnx.ml");
  n.set("default_float", attributes.default_float, -0.0f);
  n.set("default_int64", attributes.default_int64, -1);
  n.set("default_string", attributes.default_string, std::string("_Unused"));
  n.set("default_tensor", attributes.default_tensor);
  n.set("keys_floats", attributes.keys_floats);
  n.set("keys_int64s", attributes.keys_int64s);
  n.set("keys_strings", attributes.keys_strings);
  n.set("keys_tensor", attributes.keys_tensor);
  n.set("values_floats", attributes.values_floats);
  n.set("values_int64s", attributes.values_int64s);
  n.set("values_strings", attributes.values_strings);
  n.set("values_tensor", attributes.values_tensor);
  return n.build();
}

/// The attributes of linear_classifier.
struct linear_classifier_attributes {
  ints classlabels_ints = {};
  std::vector<std::string> classlabels_strings = {};
  required<std::vector<float>, struct linear_classifier_needs_coefficients> coefficients;
  std::vector<float> intercepts = {};
  std::int64_t multi_class = 0;
  std::string post_transform = "NONE";
};
/// The results of linear_classifier.
struct linear_classifier_outputs {
  value y, z;
};
/// Computes a linear classifier: the class of each row, and its scores (ai.onnx.ml.LinearClassifier).
inline linear_classifier_outputs linear_classifier(const operand& x,
                                                   const linear_classifier_attributes& attributes = {}) {
  node_builder n("LinearClassifier", {x}, "ai.onnx.ml");
  n.set("classlabels_ints", attributes.classlabels_ints);
  n.set("classlabels_strings", attributes.classlabels_strings);
  n.set("coefficients", attributes.coefficients);
  n.set("intercepts", attributes.intercepts);
  n.set("multi_class", attributes.multi_class, 0);
  n.set("post_transform", attributes.post_transform, std::string("NONE"));
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of linear_regressor.
struct linear_regressor_attributes {
  std::vector<float> coefficients = {};
  std::vector<float> intercepts = {};
  std::string post_transform = "NONE";
  std::int64_t targets = 1;
};
/// Computes a linear regression (ai.onnx.ml.LinearRegressor).
inline value linear_regressor(const operand& x, const linear_regressor_attributes& attributes = {}) {
  node_builder n("LinearRegressor", {x}, "ai.onnx.ml");
  n.set("coefficients", attributes.coefficients);
  n.set("intercepts", attributes.intercepts);
  n.set("post_transform", attributes.post_transform, std::string("NONE"));
  n.set("targets", attributes.targets, 1);
  return n.build();
}

/// The attributes of normalizer.
struct normalizer_attributes {
  std::string norm = "MAX";
};
/// Divides each row by its maximum or norm (ai.onnx.ml.Normalizer).
inline value normalizer(const operand& x, const normalizer_attributes& attributes = {}) {
  node_builder n("Normalizer", {x}, "ai.onnx.ml");
  n.set("norm", attributes.norm, std::string("MAX"));
  return n.build();
}

/// The attributes of one_hot_encoder.
struct one_hot_encoder_attributes {
  ints cats_int64s = {};
  std::vector<std::string> cats_strings = {};
  flag zeros = true;
};
/// Expands each element to a one-hot vector over the given categories (ai.onnx.ml.OneHotEncoder).
inline value one_hot_encoder(const operand& x, const one_hot_encoder_attributes& attributes = {}) {
  node_builder n("OneHotEncoder", {x}, "ai.onnx.ml");
  n.set("cats_int64s", attributes.cats_int64s);
  n.set("cats_strings", attributes.cats_strings);
  n.set("zeros", attributes.zeros, true);
  return n.build();
}

/// The attributes of svm_classifier.
struct svm_classifier_attributes {
  ints classlabels_ints = {};
  std::vector<std::string> classlabels_strings = {};
  std::vector<float> coefficients = {};
  std::vector<float> kernel_params = {};
  std::string kernel_type = "LINEAR";
  std::string post_transform = "NONE";
  std::vector<float> prob_a = {};
  std::vector<float> prob_b = {};
  std::vector<float> rho = {};
  std::vector<float> support_vectors = {};
  ints vectors_per_class = {};
};
/// The results of svm_classifier.
struct svm_classifier_outputs {
  value y, z;
};
/// Computes a support vector machine: the class of each row, and its scores (ai.onnx.ml.SVMClassifier).
inline svm_classifier_outputs svm_classifier(const operand& x, const svm_classifier_attributes& attributes = {}) {
  node_builder n("SVMClassifier", {x}, "ai.onnx.ml");
  n.set("classlabels_ints", attributes.classlabels_ints);
  n.set("classlabels_strings", attributes.classlabels_strings);
  n.set("coefficients", attributes.coefficients);
  n.set("kernel_params", attributes.kernel_params);
  n.set("kernel_type", attributes.kernel_type, std::string("LINEAR"));
  n.set("post_transform", attributes.post_transform, std::string("NONE"));
  n.set("prob_a", attributes.prob_a);
  n.set("prob_b", attributes.prob_b);
  n.set("rho", attributes.rho);
  n.set("support_vectors", attributes.support_vectors);
  n.set("vectors_per_class", attributes.vectors_per_class);
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of svm_regressor.
struct svm_regressor_attributes {
  std::vector<float> coefficients = {};
  std::vector<float> kernel_params = {};
  std::string kernel_type = "LINEAR";
  std::int64_t n_supports = 0;
  std::int64_t one_class = 0;
  std::string post_transform = "NONE";
  std::vector<float> rho = {};
  std::vector<float> support_vectors = {};
};
/// Computes the regression of a support vector machine, or detects anomalies with one class
/// (ai.onnx.ml.SVMRegressor).
inline value svm_regressor(const operand& x, const svm_regressor_attributes& attributes = {}) {
  node_builder n("SVMRegressor", {x}, "ai.onnx.ml");
  n.set("coefficients", attributes.coefficients);
  n.set("kernel_params", attributes.kernel_params);
  n.set("kernel_type", attributes.kernel_type, std::string("LINEAR"));
  n.set("n_supports", attributes.n_supports, 0);
  n.set("one_class", attributes.one_class, 0);
  n.set("post_transform", attributes.post_transform, std::string("NONE"));
  n.set("rho", attributes.rho);
  n.set("support_vectors", attributes.support_vectors);
  return n.build();
}

/// The attributes of scaler.
struct scaler_attributes {
  std::vector<float> scale = {};
  std::vector<float> offset = {};
};
/// Subtracts an offset from each feature, and multiplies it by a scale (ai.onnx.ml.Scaler).
inline value scaler(const operand& x, const scaler_attributes& attributes = {}) {
  node_builder n("Scaler", {x}, "ai.onnx.ml");
  n.set("scale", attributes.scale);
  n.set("offset", attributes.offset);
  return n.build();
}

/// The attributes of tree_ensemble.
struct tree_ensemble_attributes {
  std::int64_t aggregate_function = 1;
  required<ints, struct tree_ensemble_needs_leaf_targetids> leaf_targetids;
  required<tensor_constant, struct tree_ensemble_needs_leaf_weights> leaf_weights;
  std::optional<tensor_constant> membership_values = std::nullopt;
  std::optional<std::int64_t> n_targets = std::nullopt;
  required<ints, struct tree_ensemble_needs_nodes_falseleafs> nodes_falseleafs;
  required<ints, struct tree_ensemble_needs_nodes_falsenodeids> nodes_falsenodeids;
  required<ints, struct tree_ensemble_needs_nodes_featureids> nodes_featureids;
  std::optional<tensor_constant> nodes_hitrates = std::nullopt;
  ints nodes_missing_value_tracks_true = {};
  required<tensor_constant, struct tree_ensemble_needs_nodes_modes> nodes_modes;
  required<tensor_constant, struct tree_ensemble_needs_nodes_splits> nodes_splits;
  required<ints, struct tree_ensemble_needs_nodes_trueleafs> nodes_trueleafs;
  required<ints, struct tree_ensemble_needs_nodes_truenodeids> nodes_truenodeids;
  std::int64_t post_transform = 0;
  required<ints, struct tree_ensemble_needs_tree_roots> tree_roots;
};
/// Computes an ensemble of decision trees: a number for each row and target (ai.onnx.ml.TreeEnsemble).
inline value tree_ensemble(const operand& x, const tree_ensemble_attributes& attributes = {}) {
  node_builder n("TreeEnsemble", {x}, "ai.onnx.ml");
  n.set("aggregate_function", attributes.aggregate_function, 1);
  n.set("leaf_targetids", attributes.leaf_targetids);
  n.set("leaf_weights", attributes.leaf_weights);
  n.set("membership_values", attributes.membership_values);
  n.set("n_targets", attributes.n_targets);
  n.set("nodes_falseleafs", attributes.nodes_falseleafs);
  n.set("nodes_falsenodeids", attributes.nodes_falsenodeids);
  n.set("nodes_featureids", attributes.nodes_featureids);
  n.set("nodes_hitrates", attributes.nodes_hitrates);
  n.set("nodes_missing_value_tracks_true", attributes.nodes_missing_value_tracks_true);
  n.set("nodes_modes", attributes.nodes_modes);
  n.set("nodes_splits", attributes.nodes_splits);
  n.set("nodes_trueleafs", attributes.nodes_trueleafs);
  n.set("nodes_truenodeids", attributes.nodes_truenodeids);
  n.set("post_transform", attributes.post_transform, 0);
  n.set("tree_roots", attributes.tree_roots);
  return n.build();
}

/// The attributes of tree_ensemble_classifier.
struct tree_ensemble_classifier_attributes {
  std::vector<float> base_values = {};
  std::optional<tensor_constant> base_values_as_tensor = std::nullopt;
  ints class_ids = {};
  ints class_nodeids = {};
  ints class_treeids = {};
  std::vector<float> class_weights = {};
  std::optional<tensor_constant> class_weights_as_tensor = std::nullopt;
  ints classlabels_int64s = {};
  std::vector<std::string> classlabels_strings = {};
  ints nodes_falsenodeids = {};
  ints nodes_featureids = {};
  std::vector<float> nodes_hitrates = {};
  std::optional<tensor_constant> nodes_hitrates_as_tensor = std::nullopt;
  ints nodes_missing_value_tracks_true = {};
  std::vector<std::string> nodes_modes = {};
  ints nodes_nodeids = {};
  ints nodes_treeids = {};
  ints nodes_truenodeids = {};
  std::vector<float> nodes_values = {};
  std::optional<tensor_constant> nodes_values_as_tensor = std::nullopt;
  std::string post_transform = "NONE";
};
/// The results of tree_ensemble_classifier.
struct tree_ensemble_classifier_outputs {
  value y, z;
};
/// Computes an ensemble of decision trees: the class of each row, and its scores (ai.onnx.ml.TreeEnsembleClassifier).
inline tree_ensemble_classifier_outputs tree_ensemble_classifier(
    const operand& x, const tree_ensemble_classifier_attributes& attributes = {}) {
  node_builder n("TreeEnsembleClassifier", {x}, "ai.onnx.ml");
  n.set("base_values", attributes.base_values);
  n.set("base_values_as_tensor", attributes.base_values_as_tensor);
  n.set("class_ids", attributes.class_ids);
  n.set("class_nodeids", attributes.class_nodeids);
  n.set("class_treeids", attributes.class_treeids);
  n.set("class_weights", attributes.class_weights);
  n.set("class_weights_as_tensor", attributes.class_weights_as_tensor);
  n.set("classlabels_int64s", attributes.classlabels_int64s);
  n.set("classlabels_strings", attributes.classlabels_strings);
  n.set("nodes_falsenodeids", attributes.nodes_falsenodeids);
  n.set("nodes_featureids", attributes.nodes_featureids);
  n.set("nodes_hitrates", attributes.nodes_hitrates);
  n.set("nodes_hitrates_as_tensor", attributes.nodes_hitrates_as_tensor);
  n.set("nodes_missing_value_tracks_true", attributes.nodes_missing_value_tracks_true);
  n.set("nodes_modes", attributes.nodes_modes);
  n.set("nodes_nodeids", attributes.nodes_nodeids);
  n.set("nodes_treeids", attributes.nodes_treeids);
  n.set("nodes_truenodeids", attributes.nodes_truenodeids);
  n.set("nodes_values", attributes.nodes_values);
  n.set("nodes_values_as_tensor", attributes.nodes_values_as_tensor);
  n.set("post_transform", attributes.post_transform, std::string("NONE"));
  const auto results = n.build(2);
  return {results[0], results[1]};
}

/// The attributes of tree_ensemble_regressor.
struct tree_ensemble_regressor_attributes {
  std::string aggregate_function = "SUM";
  std::vector<float> base_values = {};
  std::optional<tensor_constant> base_values_as_tensor = std::nullopt;
  std::optional<std::int64_t> n_targets = std::nullopt;
  ints nodes_falsenodeids = {};
  ints nodes_featureids = {};
  std::vector<float> nodes_hitrates = {};
  std::optional<tensor_constant> nodes_hitrates_as_tensor = std::nullopt;
  ints nodes_missing_value_tracks_true = {};
  std::vector<std::string> nodes_modes = {};
  ints nodes_nodeids = {};
  ints nodes_treeids = {};
  ints nodes_truenodeids = {};
  std::vector<float> nodes_values = {};
  std::optional<tensor_constant> nodes_values_as_tensor = std::nullopt;
  std::string post_transform = "NONE";
  ints target_ids = {};
  ints target_nodeids = {};
  ints target_treeids = {};
  std::vector<float> target_weights = {};
  std::optional<tensor_constant> target_weights_as_tensor = std::nullopt;
};
/// Computes an ensemble of decision trees: a number for each row and target (ai.onnx.ml.TreeEnsembleRegressor).
inline value tree_ensemble_regressor(const operand& x, const tree_ensemble_regressor_attributes& attributes = {}) {
  node_builder n("TreeEnsembleRegressor", {x}, "ai.onnx.ml");
  n.set("aggregate_function", attributes.aggregate_function, std::string("SUM"));
  n.set("base_values", attributes.base_values);
  n.set("base_values_as_tensor", attributes.base_values_as_tensor);
  n.set("n_targets", attributes.n_targets);
  n.set("nodes_falsenodeids", attributes.nodes_falsenodeids);
  n.set("nodes_featureids", attributes.nodes_featureids);
  n.set("nodes_hitrates", attributes.nodes_hitrates);
  n.set("nodes_hitrates_as_tensor", attributes.nodes_hitrates_as_tensor);
  n.set("nodes_missing_value_tracks_true", attributes.nodes_missing_value_tracks_true);
  n.set("nodes_modes", attributes.nodes_modes);
  n.set("nodes_nodeids", attributes.nodes_nodeids);
  n.set("nodes_treeids", attributes.nodes_treeids);
  n.set("nodes_truenodeids", attributes.nodes_truenodeids);
  n.set("nodes_values", attributes.nodes_values);
  n.set("nodes_values_as_tensor", attributes.nodes_values_as_tensor);
  n.set("post_transform", attributes.post_transform, std::string("NONE"));
  n.set("target_ids", attributes.target_ids);
  n.set("target_nodeids", attributes.target_nodeids);
  n.set("target_treeids", attributes.target_treeids);
  n.set("target_weights", attributes.target_weights);
  n.set("target_weights_as_tensor", attributes.target_weights_as_tensor);
  return n.build();
}

}  // namespace jax2onnx
