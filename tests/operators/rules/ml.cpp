// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/ml.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr dim B = dim::symbol("B"), N = dim::symbol("N"), dyn = dim::dyn();
constexpr tensor_type strings(std::initializer_list<dim> dims) { return of(dtype::string, dims); }

constexpr formal_attribute attributes[] = {standard("targets", 1), {"inputdimensions", attribute_kind::integers}};
constexpr op_record named(std::string_view name) {
  op_record r = record_of(attributes);
  r.name = name;
  r.since = 2;
  return r;
}
constexpr op_record op = named("Op"), categories = named("CategoryMapper"), labels = named("LabelEncoder");

}  // namespace

static_assert(applied(op, f32({B, 3, 9}), i64({1, 2})).run(rules::array_feature_extractor).is({B, 3, 2}));
static_assert(applied(op, f32({9}), i64({N})).run(rules::array_feature_extractor).is({1, N}));
static_assert(!applied(op, f32({}), i64({N})).run(rules::array_feature_extractor).ok());

static_assert(applied(op, f32({B, 2})).run(rules::mapped).are(f32({B, 2})));
static_assert(applied(categories, i64({B})).run(rules::mapped).are(strings({B})));
static_assert(applied(categories, strings({B})).run(rules::mapped).are(i64({B})));
static_assert(applied(labels, strings({B}))
                  .list("keys_strings", 2)
                  .with("values_int64s", {4, 5})
                  .run(rules::mapped)
                  .are(i64({B})));
static_assert(
    applied(labels, f32({B})).list("keys_floats", 2).list("values_floats", 2).run(rules::mapped).are(f32({B})));
static_assert(applied(labels, f32({B}))
                  .with("keys_tensor", f32({3}))
                  .with("values_tensor", of(dtype::i16, {3}))
                  .run(rules::mapped)
                  .are(of(dtype::i16, {B})));
static_assert(applied(labels, f32({B})).attributes_at_run_time().run(rules::mapped).are(of(dtype::undefined, {B})));

TEST_CASE("mappings that do not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::mapped).problem; };
  CHECK(problem(applied(labels, f32({B}))).starts_with("exactly one of keys_strings"));
  CHECK(problem(applied(labels, f32({B})).list("keys_floats", 2)).starts_with("exactly one of values_strings"));
  CHECK(problem(applied(labels, f32({B})).list("keys_floats", 2).list("values_floats", 3)) ==
        "it has {} key{|s} and {} value{|s}");
  CHECK(problem(applied(labels, f32({B})).list("keys_strings", 2).list("values_floats", 2)) ==
        "the keys have a different dtype than the operand");
  CHECK(problem(applied(labels, f32({B})).list("keys_floats", 2).with("keys_tensor", f32({2})))
            .starts_with("exactly one of keys"));
  CHECK(problem(applied(categories, strings({B})).with("cats_int64s", {1})) ==
        "it has {} integer{|s} and {} string{|s}");
  op_record old = labels;
  old.since = 1;
  CHECK(applied(old, i64({B})).run(rules::mapped).are(strings({B})));
}

TEST_CASE("a number for each feature", "[graph]") {
  CHECK(applied(op, f32({B, 3})).list("scale", 3).list("offset", 3).run(rules::imputer).is({B, 3}));
  CHECK(applied(op, f32({B, N})).list("scale", 3).run(rules::imputer).is({B, N}));
  CHECK(applied(op, f32({})).list("imputed_value_floats", 1).run(rules::imputer).is({}));
  CHECK_FALSE(applied(op, f32({B, 3})).list("scale", 2).run(rules::imputer).ok());
  CHECK_FALSE(applied(op, f32({B, 3})).list("scale", 3).list("offset", 1).run(rules::imputer).ok());
  CHECK_FALSE(applied(op, f32({B, 3}))
                  .list("imputed_value_floats", 1)
                  .list("imputed_value_int64s", 1)
                  .run(rules::imputer)
                  .ok());
}

static_assert(applied(op, f32({B, 3}), f32({dyn, 4})).run(rules::feature_vectorizer).is({B, 7}));

TEST_CASE("features of several operands", "[graph]") {
  CHECK(
      applied(op, f32({B, 3}), f32({B, 4})).with("inputdimensions", {2, 5}).run(rules::feature_vectorizer).is({B, 7}));
  CHECK(applied(op, f32({3})).run(rules::feature_vectorizer).is({dyn, 3}));
  CHECK(applied(op, f32({B, 3})).attributes_at_run_time().run(rules::feature_vectorizer).is({B, dyn}));
  CHECK_FALSE(applied(op, f32({2, 3}), f32({1, 4})).run(rules::feature_vectorizer).ok());
  CHECK_FALSE(applied(op, f32({B, 3, 1})).run(rules::feature_vectorizer).ok());
  CHECK_FALSE(applied(op, f32({B, 3})).with("inputdimensions", {2, 5}).run(rules::feature_vectorizer).ok());
}

static_assert(applied(op, f32({B, 3}))
                  .list("coefficients", 6)
                  .list("classlabels_strings", 2)
                  .wants(2)
                  .run(rules::linear_classifier)
                  .are(strings({B}), f32({B, 2})));

TEST_CASE("linear models", "[graph]") {
  const auto classified = [](dim width, std::size_t coefficients, std::size_t classes) {
    return applied(op, f32({B, width}))
        .list("coefficients", coefficients)
        .list("classlabels_ints", classes)
        .wants(2)
        .run(rules::linear_classifier);
  };
  CHECK(classified(3, 3, 2).dims(1) == shape{B, 2});
  CHECK(classified(3, 9, 3).dims(1) == shape{B, 3});
  CHECK(classified(N, 9, 3).dims(1) == shape{B, dyn});
  CHECK(classified(3, 9, 3).results[0].type == dtype::i64);
  CHECK_FALSE(classified(3, 4, 2).ok());
  CHECK_FALSE(applied(op, f32({B, 3, 1})).run(rules::linear_classifier).ok());
  CHECK_FALSE(applied(op, f32({B, 3}))
                  .list("classlabels_ints", 2)
                  .list("classlabels_strings", 2)
                  .run(rules::linear_classifier)
                  .ok());
  CHECK_FALSE(applied(op, f32({B, 3})).with("post_transform", "X").run(rules::linear_classifier).ok());

  const auto regressed = [](std::int64_t targets, std::size_t intercepts) {
    return applied(op, f32({B, 3}))
        .list("coefficients", 6)
        .list("intercepts", intercepts)
        .with("targets", targets)
        .run(rules::linear_regressor);
  };
  CHECK(regressed(2, 2).is({B, 2}));
  CHECK(regressed(2, 0).is({B, 2}));
  CHECK_FALSE(regressed(3, 3).ok());
  CHECK_FALSE(regressed(2, 3).ok());
  CHECK(regressed(0, 0).problem == "it has {} targets; it must have at least one");
  CHECK(regressed(3, 0).problem == "there are coefficients or intercepts for {} targets instead of {}");
  CHECK(applied(op, f32({3})).run(rules::linear_regressor).is({1, 1}));
}

TEST_CASE("normalizers and encoders", "[graph]") {
  CHECK(applied(op, f32({B, 3})).with("norm", "L1").run(rules::normalizer).is({B, 3}));
  CHECK_FALSE(applied(op, f32({B, 3})).with("norm", "L3").run(rules::normalizer).ok());
  CHECK_FALSE(applied(op, f32({B, 3, 1})).run(rules::normalizer).ok());
  CHECK(applied(op, f32({B, 3})).with("cats_int64s", {7, 8}).run(rules::one_hot_encoder).is({B, 3, 2}));
  CHECK(applied(op, strings({B})).list("cats_strings", 4).run(rules::one_hot_encoder).is({B, 4}));
  CHECK(applied(op, f32({B})).attributes_at_run_time().run(rules::one_hot_encoder).is({B, dyn}));
  CHECK_FALSE(applied(op, f32({B})).run(rules::one_hot_encoder).ok());
  CHECK_FALSE(applied(op, f32({B})).with("cats_int64s", {7}).list("cats_strings", 1).run(rules::one_hot_encoder).ok());
}

static_assert(applied(op, f32({B, 3})).run(rules::svm_regressor).is({B, 1}));
static_assert(applied(op, f32({B, 3})).with("n_targets", 4).run(rules::tree_ensemble_regressor).is({B, 4}));

TEST_CASE("support vectors and trees", "[graph]") {
  CHECK(applied(op, f32({B, 3})).wants(2).run(rules::svm_classifier).dims(1) == shape{B, dyn});
  CHECK_FALSE(applied(op, f32({B, 3})).with("kernel_type", "X").run(rules::svm_classifier).ok());
  CHECK_FALSE(applied(op, f32({B, 3})).with("kernel_type", "X").run(rules::svm_regressor).ok());
  CHECK_FALSE(applied(op, f32({B, 3, 1})).run(rules::svm_regressor).ok());
  for (const auto rule : {rules::tree_ensemble, rules::tree_ensemble_regressor}) {
    CHECK(applied(op, f32({B, 3})).run(rule).is({B, dyn}));
    CHECK_FALSE(applied(op, f32({B, 3})).with("n_targets", 0).run(rule).ok());
    CHECK_FALSE(applied(op, f32({B, 3, 1})).run(rule).ok());
  }
  CHECK_FALSE(applied(op, f32({B, 3})).with("aggregate_function", 4).run(rules::tree_ensemble).ok());
  CHECK_FALSE(applied(op, f32({B, 3})).with("post_transform", 5).run(rules::tree_ensemble).ok());
  CHECK_FALSE(applied(op, f32({B, 3})).with("aggregate_function", "X").run(rules::tree_ensemble_regressor).ok());
  const auto classes = [](std::size_t n) {
    return applied(op, f32({B, 3})).list("classlabels_int64s", n).wants(2).run(rules::tree_ensemble_classifier);
  };
  CHECK(classes(3).dims(1) == shape{B, 3});
  CHECK(classes(1).dims(1) == shape{B, dyn});
  CHECK(classes(3).results[0].type == dtype::i64);
}

TEST_CASE("lists that describe trees", "[graph]") {
  const auto trees = [](dim splits, dtype type, std::size_t leaves) {
    return applied(op, f32({B, 3}))
        .with("nodes_featureids", {0, 1, 2})
        .with("nodes_splits", of(type, {splits}))
        .with("leaf_targetids", {0, 1})
        .with("leaf_weights", f32({static_cast<std::int64_t>(leaves)}))
        .run(rules::tree_ensemble)
        .ok();
  };
  CHECK(trees(3, dtype::f32, 2));
  CHECK_FALSE(trees(2, dtype::f32, 2));
  CHECK_FALSE(trees(3, dtype::f64, 2));
  CHECK_FALSE(trees(3, dtype::f32, 3));
  CHECK_FALSE(applied(op, f32({B, 3})).with("nodes_splits", f32({3, 1})).run(rules::tree_ensemble).ok());
  CHECK_FALSE(applied(op, f32({3})).run(rules::tree_ensemble).ok());
  for (const auto rule : {rules::tree_ensemble_classifier, rules::tree_ensemble_regressor}) {
    CHECK(applied(op, f32({B, 3})).list("nodes_values", 3).list("nodes_modes", 3).wants(2).run(rule).ok());
    CHECK_FALSE(applied(op, f32({B, 3})).list("nodes_values", 3).list("nodes_modes", 4).run(rule).ok());
  }
  CHECK_FALSE(
      applied(op, f32({B, 3})).list("class_ids", 3).list("class_weights", 4).run(rules::tree_ensemble_classifier).ok());
  CHECK_FALSE(applied(op, f32({B, 3}))
                  .list("target_ids", 3)
                  .list("target_weights", 4)
                  .run(rules::tree_ensemble_regressor)
                  .ok());
}

TEST_CASE("ArrayFeatureExtractor: indices in range", "[graph]") {
  CHECK(applied(op, f32({B, 3}), i64({1})).known(1, {2}).run(rules::array_feature_extractor).is({B, 1}));
  CHECK_FALSE(applied(op, f32({B, 3}), i64({1})).known(1, {9}).run(rules::array_feature_extractor).ok());
}
