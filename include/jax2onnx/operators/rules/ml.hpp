// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of ai.onnx.ml.
namespace jax2onnx::rules {

/// The number of entries of a list; 0 if it is absent.
constexpr std::int64_t entries(const inference& c, std::string_view list) {
  return c.given(list) ? static_cast<std::int64_t>(c.attribute_size(list)) : 0;
}

/// The number of rows of a first operand [rows, features], or [features], which is one row.
constexpr dim rows(inference& c) {
  c.expect(c.rank(0) == 1 || c.rank(0) == 2, "the operand has {} dimension{|s}; it must be [rows, features]",
           c.rank(0));
  return c.rank(0) == 2 ? c.dims(0)[0] : dim(1);
}

/// The number of features of the first operand.
constexpr dim features(const inference& c) { return c.rank(0) == 0 ? dim(1) : c.dims(0).back(); }

/// ArrayFeatureExtractor: takes the elements of the last axis at the indices; a vector becomes a row.
constexpr void array_feature_extractor(inference& c) {
  if (!c.expect(c.rank(0) >= 1, "the operand is a scalar")) return;
  if (!c.expect_elements(1, 0, c.sub(features(c), 1), "the index {} is out of range; the last one is {}")) return;
  shape out = c.dims(0);
  if (out.size() == 1) out = {1, 1};
  out.back() = c.product(c.dims(1));
  c.result(0, std::move(out));
}

/// The dtype and the number of the keys or values of a mapping, from the one list that states them.
struct listed {
  dtype type = dtype::undefined;
  std::int64_t count = 0;
};

/// Reads the attribute that states the list; fails unless exactly one of `lists` and `tensor` is given.
constexpr listed read_list(inference& c, std::initializer_list<std::pair<std::string_view, dtype>> lists,
                           std::string_view tensor, std::string_view problem) {
  listed out;
  int given = 0;
  for (const auto& [name, type] : lists) {
    if (!c.given(name)) continue;
    out = {type, entries(c, name)};
    ++given;
  }
  if (const std::optional<tensor_type> type = c.attribute_type(tensor)) {
    out.type = type->type;
    out.count = type->dims.size() == 1 && type->dims[0].is_constant() ? type->dims[0].extent() : -1;
    ++given;
  }
  c.expect(given == 1 || (given == 0 && !c.defaults_apply()), problem);
  return out;
}

/// The dtype of the values of LabelEncoder since version 2; fails if keys or values do not fit.
constexpr dtype mapped_type(inference& c) {
  const listed keys = read_list(
      c, {{"keys_strings", dtype::string}, {"keys_int64s", dtype::i64}, {"keys_floats", dtype::f32}}, "keys_tensor",
      "exactly one of keys_strings, keys_int64s, keys_floats and keys_tensor must state the keys");
  const listed values =
      read_list(c, {{"values_strings", dtype::string}, {"values_int64s", dtype::i64}, {"values_floats", dtype::f32}},
                "values_tensor",
                "exactly one of values_strings, values_int64s, values_floats and values_tensor must state the values");
  if (keys.type != dtype::undefined)
    c.expect(keys.type == c.in(0).type, "the keys have a different dtype than the operand");
  if (keys.count >= 0 && values.count >= 0 && c.defaults_apply())
    c.expect_equal(keys.count, values.count, "it has {} key{|s} and {} value{|s}");
  return values.type;
}

/// Binarizer, CategoryMapper, LabelEncoder: the result has the operand's shape.
constexpr void mapped(inference& c) {
  const bool categories = c.op() == "CategoryMapper", labels = c.op() == "LabelEncoder";
  if (!categories && !labels) return c.result(0, c.dims(0));
  if (categories && c.defaults_apply())
    c.expect_equal(entries(c, "cats_int64s"), entries(c, "cats_strings"), "it has {} integer{|s} and {} string{|s}");
  const bool swaps = categories || c.since() < 2, text = c.in(0).type == dtype::string;
  const dtype swapped = text ? dtype::i64 : dtype::string;
  const dtype to = swaps ? swapped : mapped_type(c);
  c.result(0, to, c.dims(0));
}

/// Imputer, Scaler: lists have one entry, or an entry for each feature.
constexpr void imputer(inference& c) {
  for (std::string_view list : {"imputed_value_floats", "imputed_value_int64s", "scale", "offset"})
    if (entries(c, list) > 1)
      c.expect_equal(entries(c, list), features(c), "a list has {} entr{y|ies} for {} feature{|s}");
  c.expect(entries(c, "imputed_value_floats") == 0 || entries(c, "imputed_value_int64s") == 0,
           "imputed_value_floats and imputed_value_int64s exclude each other");
  if (c.given("scale") && c.given("offset"))
    c.expect_equal(entries(c, "scale"), entries(c, "offset"), "scale has {} entr{y|ies}, offset {}");
  c.result(0, c.dims(0));
}

/// FeatureVectorizer: joins the features of all operands.
constexpr void feature_vectorizer(inference& c) {
  const std::span<const std::int64_t> counts = c.integers("inputdimensions");
  const auto n = static_cast<std::int64_t>(c.arity());
  const auto stated = static_cast<std::int64_t>(counts.size());
  if (!c.expect(stated == 0 || stated == n, "inputdimensions has {} entr{y|ies} for {} operand{|s}", stated, n)) return;
  dim rows = dim::dyn(), total = 0;
  bool vectors = false;
  for (std::size_t i = 0; i < c.arity(); ++i) {
    if (!c.expect(c.rank(i) == 1 || c.rank(i) == 2, "an operand has {} dimension{|s}; it must have 1 or 2", c.rank(i)))
      return;
    total = c.add(total, stated ? dim(counts[i]) : c.dims(i).back());
    vectors = vectors || c.rank(i) == 1;
    if (c.rank(i) == 1) continue;
    c.expect_equal(c.dims(i)[0], rows, "an operand has {} row{|s}, another {}");
    rows = c.either(rows, c.dims(i)[0]);
  }
  // Specification and reference implementation disagree on whether a vector is a row or a column.
  c.result(0, {vectors ? dim::dyn() : rows, c.known("inputdimensions") ? total : dim::dyn()});
}

/// The labels of a classifier: strings or integers, from the one of two lists that states them.
constexpr listed class_labels(inference& c, std::string_view integers) {
  const std::int64_t strings = entries(c, "classlabels_strings"), numbers = entries(c, integers);
  c.expect(strings == 0 || numbers == 0, "labels must be strings or integers, not both");
  if (strings > 0) return {dtype::string, strings};
  return {c.defaults_apply() || numbers > 0 ? dtype::i64 : dtype::undefined, numbers};
}

/// Fails unless post_transform is a transform that ai.onnx.ml defines.
constexpr bool expect_transform(inference& c) {
  return c.expect_choice("post_transform", {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"},
                         "post_transform must be NONE, SOFTMAX, LOGISTIC, SOFTMAX_ZERO or PROBIT");
}

/// The number of linear functions that the coefficients define; fails if coefficients or intercepts do not fit.
constexpr dim linear_functions(inference& c) {
  const std::int64_t coefficients = entries(c, "coefficients"), intercepts = entries(c, "intercepts");
  const dim each = features(c);
  const bool known = each.is_constant() && each.extent() > 0 && coefficients > 0;
  c.expect(!known || coefficients % each.extent() == 0, "{} coefficient{|s} cannot be divided among {} feature{|s}",
           coefficients, each);
  const dim functions = known ? dim(coefficients / each.extent()) : intercepts > 0 ? dim(intercepts) : dim::dyn();
  if (intercepts > 0) c.expect_equal(intercepts, functions, "it has {} intercept{|s} for {} linear function{|s}");
  return functions;
}

/// LinearClassifier: a label and the scores of all classes for each row; one function decides between two classes.
constexpr void linear_classifier(inference& c) {
  const dim n = rows(c);
  if (c.failed() || !expect_transform(c)) return;
  const listed labels = class_labels(c, "classlabels_ints");
  const dim functions = linear_functions(c);
  const bool two = functions.is(1) && labels.count == 2;
  c.result(0, labels.type, {n});
  c.result(1, {n, two ? dim(2) : functions});
}

/// LinearRegressor: a number for each row and target.
constexpr void linear_regressor(inference& c) {
  const dim n = rows(c), targets = c.number("targets");
  if (c.failed() || !expect_transform(c)) return;
  c.expect_positive(targets, "it has {} targets; it must have at least one");
  c.expect_equal(linear_functions(c), targets, "there are coefficients or intercepts for {} targets instead of {}");
  c.result(0, {n, targets});
}

/// Normalizer: the operand is a matrix of rows, or a vector.
constexpr void normalizer(inference& c) {
  rows(c);
  c.expect_choice("norm", {"MAX", "L1", "L2"}, "norm must be MAX, L1 or L2");
  c.result(0, c.dims(0));
}

/// OneHotEncoder: adds an axis of the categories.
constexpr void one_hot_encoder(inference& c) {
  const bool integers = c.given("cats_int64s"), strings = c.given("cats_strings");
  c.expect(integers != strings || (!integers && !c.defaults_apply()),
           "exactly one of cats_int64s and cats_strings must state the categories");
  shape out = c.dims(0);
  const std::int64_t categories = integers ? entries(c, "cats_int64s") : entries(c, "cats_strings");
  out.push_back(integers || strings ? dim(categories) : dim::dyn());
  c.result(0, std::move(out));
}

/// Fails unless kernel_type and post_transform are a kernel and a transform that ai.onnx.ml defines.
constexpr bool expect_kernel(inference& c) {
  return c.expect_choice("kernel_type", {"LINEAR", "POLY", "RBF", "SIGMOID"},
                         "kernel_type must be LINEAR, POLY, RBF or SIGMOID") &&
         expect_transform(c);
}

/// SVMClassifier: a label and some scores for each row. The number of scores depends on the runtime.
constexpr void svm_classifier(inference& c) {
  const dim n = rows(c);
  if (c.failed() || !expect_kernel(c)) return;
  c.result(0, class_labels(c, "classlabels_ints").type, {n});
  c.result(1, {n, dim::dyn()});
}

/// SVMRegressor: a number for each row.
constexpr void svm_regressor(inference& c) {
  const dim n = rows(c);
  if (!c.failed() && expect_kernel(c)) c.result(0, {n, 1});
}

/// Fails unless all lists and tensors that are given have the same length.
constexpr bool expect_lengths(inference& c, std::initializer_list<std::string_view> lists) {
  dim length = dim::dyn();
  for (std::string_view list : lists) {
    dim own = dim::dyn();
    if (const std::optional<tensor_type> tensor = c.attribute_type(list)) {
      if (!c.expect(tensor->dims.size() == 1, "a tensor of trees is not a vector")) return false;
      own = tensor->dims[0];
    } else if (entries(c, list) > 0) {
      own = entries(c, list);
    }
    if (!c.expect_equal(own, length, "lists of trees have {} and {} entries")) return false;
    length = inference::either(length, own);
  }
  return true;
}

/// Fails unless a tensor that is given has the operand's dtype.
constexpr bool expect_operand_type(inference& c, std::string_view tensor) {
  const std::optional<tensor_type> type = c.attribute_type(tensor);
  return c.expect(!type || type->type == c.in(0).type, "a tensor of trees has a different dtype than the operand");
}

/// Fails unless the lists that describe the nodes of TreeEnsembleClassifier or TreeEnsembleRegressor fit.
constexpr bool expect_nodes(inference& c) {
  return expect_lengths(c, {"nodes_treeids", "nodes_nodeids", "nodes_featureids", "nodes_modes", "nodes_truenodeids",
                            "nodes_falsenodeids", "nodes_values", "nodes_values_as_tensor", "nodes_hitrates",
                            "nodes_hitrates_as_tensor", "nodes_missing_value_tracks_true"}) &&
         expect_lengths(c,
                        {"class_treeids", "class_nodeids", "class_ids", "class_weights", "class_weights_as_tensor"}) &&
         expect_lengths(
             c, {"target_treeids", "target_nodeids", "target_ids", "target_weights", "target_weights_as_tensor"});
}

/// The number of targets of trees; `dyn` if it is not stated.
constexpr dim tree_targets(inference& c) {
  const bool stated = c.given("n_targets");
  c.expect(!stated || c.integer("n_targets") > 0, "it has {} targets; it must have at least one",
           c.integer("n_targets"));
  return stated ? dim(c.integer("n_targets")) : dim::dyn();
}

/// TreeEnsemble: a number for each row and target.
constexpr void tree_ensemble(inference& c) {
  if (!c.expect_rank(0, 2, "the operand has {} dimension{|s}; it must be [rows, features]")) return;
  const dim n = rows(c), targets = tree_targets(c);
  expect_lengths(c, {"nodes_featureids", "nodes_splits", "nodes_modes", "nodes_truenodeids", "nodes_falsenodeids",
                     "nodes_trueleafs", "nodes_falseleafs", "nodes_hitrates", "nodes_missing_value_tracks_true"});
  expect_lengths(c, {"leaf_targetids", "leaf_weights"});
  for (std::string_view tensor : {"nodes_splits", "membership_values", "leaf_weights"}) expect_operand_type(c, tensor);
  const std::int64_t aggregate = c.integer("aggregate_function"), transform = c.integer("post_transform");
  c.expect(aggregate >= 0 && aggregate <= 3, "aggregate_function is {}; it must be 0 to 3", aggregate);
  c.expect(transform >= 0 && transform <= 4, "post_transform is {}; it must be 0 to 4", transform);
  c.result(0, {n, targets});
}

/// TreeEnsembleRegressor: a number for each row and target.
constexpr void tree_ensemble_regressor(inference& c) {
  const dim n = rows(c), targets = tree_targets(c);
  c.expect_choice("aggregate_function", {"AVERAGE", "SUM", "MIN", "MAX"},
                  "aggregate_function must be AVERAGE, SUM, MIN or MAX");
  if (!c.failed() && expect_transform(c) && expect_nodes(c)) c.result(0, {n, targets});
}

/// TreeEnsembleClassifier: a label and the scores of all classes for each row.
constexpr void tree_ensemble_classifier(inference& c) {
  const dim n = rows(c);
  if (c.failed() || !expect_transform(c) || !expect_nodes(c)) return;
  const listed labels = class_labels(c, "classlabels_int64s");
  c.result(0, labels.type, {n});
  c.result(1, {n, labels.count > 1 ? dim(labels.count) : dim::dyn()});
}

}  // namespace jax2onnx::rules
