// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <cmath>

#include <jax2onnx/operators/rules/indexing.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr formal_attribute with_axis[] = {standard("axis", std::int64_t{0}), standard("reduction", "none"),
                                          standard("batch_dims", std::int64_t{0})};
constexpr formal_attribute with_last_axis[] = {standard("axis", -1)};
constexpr op_record op = record_of(with_axis), last = record_of(with_last_axis);
constexpr op_record op18 = {"Op", "", 18, any_values, any_values, any_types, with_axis, 0, 0, {}, ""};
constexpr dim B = dim::symbol("B"), dyn = dim::dyn();

static_assert(applied(op, f32({5, B}), i64({2, 3})).run(rules::gather).is({2, 3, B}));
static_assert(!applied(op, f32({}), i64({2})).run(rules::gather).ok());
static_assert(applied(op, f32({B, 4, 5}), i64({7, 2})).run(rules::gather_nd).is({7, 5}));
static_assert(applied(last, f32({B, 4}), i64({1})).known(1, {3}).run(rules::top_k).are(f32({B, 3}), f32({B, 3})));
static_assert(!applied(last, f32({B, 4}), i64({1})).known(1, {5}).run(rules::top_k).ok());
static_assert(applied(last, i64({B}), i64({}), f32({2})).known(1, {9}).run(rules::one_hot).is({B, 9}));
static_assert(applied(op, f32({B, 4}), of(dtype::boolean, {4})).with("axis", 1).run(rules::compress).is({B, dyn}));
static_assert(applied(op, f32({2, 3})).with("axis", 1).run(rules::unique).dims() == shape{2, dyn});

}  // namespace

TEST_CASE("Gather puts the indices' shape in place of the axis", "[graph]") {
  CHECK(applied(op, f32({5, B}), i64({})).with("axis", -1).run(rules::gather).is({5}));
  CHECK(applied(op, f32({5, B}), i64({2})).attributes_at_run_time().run(rules::gather).is({dyn, dyn}));
  CHECK_FALSE(applied(op, f32({5, B}), i64({2})).with("axis", 2).run(rules::gather).ok());
}

TEST_CASE("GatherElements and ScatterElements want equal ranks", "[graph]") {
  CHECK(applied(op, f32({5, 3}), i64({9, 2})).run(rules::gather_elements).is({9, 2}));
  CHECK_FALSE(applied(op, f32({5, 3}), i64({9, 4})).run(rules::gather_elements).ok());
  CHECK_FALSE(applied(op, f32({5, 3}), i64({9})).run(rules::gather_elements).ok());
  CHECK_FALSE(applied(op, f32({5}), i64({9})).with("axis", 1).run(rules::gather_elements).ok());
  CHECK(applied(op, f32({5, B}), i64({9, 2}), f32({9, 2})).run(rules::scatter_elements).is({5, B}));
  CHECK_FALSE(applied(op, f32({5, 3}), i64({1, 2}), f32({2, 2})).run(rules::scatter_elements).ok());
  CHECK_FALSE(applied(op, f32({5, 3}), i64({1, 2}), f32({2})).run(rules::scatter_elements).ok());
  CHECK_FALSE(applied(op, f32({5}), i64({1}), f32({1})).with("reduction", "sum").run(rules::scatter_elements).ok());
}

TEST_CASE("max and min scatter from opset 18 on", "[graph]") {
  CHECK(applied(op18, f32({5}), i64({1}), f32({1})).with("reduction", "max").run(rules::scatter_elements).is({5}));
  CHECK_FALSE(applied(op, f32({5}), i64({1}), f32({1})).with("reduction", "max").run(rules::scatter_elements).ok());
}

TEST_CASE("GatherND and ScatterND read tuples along the last axis", "[graph]") {
  CHECK(applied(op, f32({B, 4, 5}), i64({B, 7, 1})).with("batch_dims", 1).run(rules::gather_nd).is({B, 7, 5}));
  CHECK(applied(op, f32({4, 5}), i64({2})).run(rules::gather_nd).is({}));
  CHECK(applied(op, f32({4, 5}), i64({3, B})).run(rules::gather_nd).is_unranked());
  CHECK(applied(op, f32({4, 5}), i64({3, 1})).attributes_at_run_time().run(rules::gather_nd).is_unranked());
  CHECK_FALSE(applied(op, f32({4, 5}), i64({3})).run(rules::gather_nd).ok());
  CHECK_FALSE(applied(op, f32({4, 5}), i64({3, 2})).with("batch_dims", 1).run(rules::gather_nd).ok());
  CHECK_FALSE(applied(op, f32({4, 5}), i64({4, 1})).with("batch_dims", 2).run(rules::gather_nd).ok());
  CHECK_FALSE(applied(op, f32({4, 5}), i64({3, 1})).with("batch_dims", 1).run(rules::gather_nd).ok());
  CHECK(applied(op, f32({}), i64({1})).run(rules::gather_nd).problem ==
        "data and indices have {} and {} dimensions; both need at least one");
  CHECK(applied(op, f32({4, 5}), i64({4, 1})).with("batch_dims", 2).run(rules::gather_nd).problem ==
        "batch_dims is {}; the data and the indices must have more dimensions");
  CHECK(applied(op, f32({4, B}), i64({3, 1}), f32({3, B})).run(rules::scatter_nd).is({4, B}));
  CHECK(applied(op, f32({4, B}), i64({3, dyn}), f32({})).run(rules::scatter_nd).is({4, B}));
  CHECK_FALSE(applied(op, f32({4, 5}), i64({3, 1}), f32({3})).run(rules::scatter_nd).ok());
  CHECK_FALSE(applied(op, f32({4, 5}), i64({3, 1}), f32({3, 4})).run(rules::scatter_nd).ok());
  CHECK_FALSE(applied(op, f32({}), i64({1}), f32({})).run(rules::scatter_nd).ok());
  CHECK_FALSE(applied(op, f32({4, 5}), i64({3, 3}), f32({3})).run(rules::scatter_nd).ok());
}

TEST_CASE("TensorScatter writes a shorter update into a cache", "[graph]") {
  const auto cache = f32({B, 2, 8, 4});
  const auto apply = [&](tensor_type update, std::int64_t axis, tensor_type indices) {
    return applied(op, cache, std::move(update), std::move(indices)).with("axis", axis).run(rules::tensor_scatter);
  };
  CHECK(apply(f32({B, 2, 3, 4}), -2, i64({B})).is({B, 2, 8, 4}));
  CHECK_FALSE(apply(f32({B, 2, 9, 4}), -2, i64({B})).ok());
  CHECK_FALSE(apply(f32({B, 3, 3, 4}), -2, i64({B})).ok());
  CHECK_FALSE(apply(f32({B, 2, 3}), -2, i64({B})).ok());
  CHECK_FALSE(apply(f32({B, 2, 8, 4}), 0, i64({B})).ok());
  CHECK_FALSE(applied(op, f32({3, 8}), f32({3, 8}), i64({2})).with("axis", 1).run(rules::tensor_scatter).ok());
  CHECK_FALSE(applied(op, cache, cache).with("axis", 1).with("mode", "round").run(rules::tensor_scatter).ok());
  CHECK_FALSE(apply(f32({B, 2, 8, 4}), -2, i64({B, 1})).ok());
}

TEST_CASE("Compress, NonZero and Unique have results of unknown extents", "[graph]") {
  CHECK(applied(op, f32({B, 4}), of(dtype::boolean, {3})).run(rules::compress).is({dyn}));
  CHECK(applied(op, f32({B, 4}), of(dtype::boolean, {3})).attributes_at_run_time().run(rules::compress).is_unranked());
  CHECK_FALSE(applied(op, f32({B, 4}), of(dtype::boolean, {3, 1})).run(rules::compress).ok());
  CHECK_FALSE(applied(op, f32({}), of(dtype::boolean, {1})).run(rules::compress).ok());
  CHECK_FALSE(applied(op, f32({B, 4}), of(dtype::boolean, {3})).with("axis", 2).run(rules::compress).ok());
  CHECK(applied(op, f32({B, 4})).run(rules::non_zero).is({2, dyn}));
  CHECK(applied(op, f32({})).run(rules::non_zero).is({0, dyn}));
  const outcome flat = applied(op, f32({2, 3})).run(rules::unique);
  CHECK(flat.are(f32({dyn}), f32({dyn}), f32({6}), f32({dyn})));
  const outcome slices = applied(op, f32({B, 3})).with("axis", -1).run(rules::unique);
  CHECK(slices.are(f32({B, dyn}), f32({dyn}), f32({3}), f32({dyn})));
  CHECK_FALSE(applied(op, f32({2})).with("axis", 1).run(rules::unique).ok());
  CHECK_FALSE(applied(op, f32({2})).attributes_at_run_time().run(rules::unique).results[0].ranked);
}

TEST_CASE("OneHot inserts an axis", "[graph]") {
  CHECK(applied(last, i64({2, B}), i64({1}), f32({2})).with("axis", 0).run(rules::one_hot).is({dyn, 2, B}));
  CHECK_FALSE(applied(last, i64({2}), i64({2}), f32({2})).run(rules::one_hot).ok());
  CHECK_FALSE(applied(last, i64({2}), i64({}), f32({2, 1})).run(rules::one_hot).ok());
  CHECK_FALSE(applied(last, i64({2}), i64({}), f32({3})).run(rules::one_hot).ok());
  CHECK_FALSE(applied(last, i64({2}), i64({}), f32({2})).with("axis", 2).run(rules::one_hot).ok());
  CHECK_FALSE(applied(last, i64({2}), i64({}), f32({2})).known(1, {-1}).run(rules::one_hot).ok());
  for (double depth : {-1.0, HUGE_VAL})
    CHECK_FALSE(applied(last, i64({2}), f32({}), f32({2})).known_reals(1, {depth}).run(rules::one_hot).ok());
}

TEST_CASE("TopK of an unknown k", "[graph]") {
  CHECK(applied(last, f32({B, 4}), i64({1})).with("axis", 0).run(rules::top_k).are(f32({dyn, 4}), f32({dyn, 4})));
  CHECK_FALSE(applied(last, f32({B, 4}), i64({1})).known(1, {5}).run(rules::top_k).ok());
  CHECK_FALSE(applied(last, f32({B, 4}), i64({})).run(rules::top_k).ok());
  CHECK_FALSE(applied(last, f32({B, 4}), i64({1})).known(1, {-1}).run(rules::top_k).ok());
  CHECK_FALSE(applied(last, f32({}), i64({1})).run(rules::top_k).ok());
}

TEST_CASE("NonMaxSuppression compares boxes and scores", "[graph]") {
  const auto apply = [](tensor_type boxes, tensor_type scores, std::int64_t format) {
    return applied(op, std::move(boxes), std::move(scores), i64({1}), std::nullopt, f32({}))
        .with("center_point_box", format)
        .run(rules::non_max_suppression);
  };
  CHECK(apply(f32({B, 6, 4}), f32({B, 2, 6}), 1).is({dyn, 3}));
  CHECK_FALSE(apply(f32({B, 6, 4}), f32({B, 2, 7}), 0).ok());
  CHECK_FALSE(apply(f32({B, 6, 5}), f32({B, 2, 6}), 0).ok());
  CHECK_FALSE(apply(f32({2, 6, 4}), f32({3, 2, 6}), 0).ok());
  CHECK_FALSE(apply(f32({6, 4}), f32({2, 6}), 0).ok());
  CHECK_FALSE(apply(f32({B, 6, 4}), f32({B, 6}), 0).ok());
  CHECK_FALSE(apply(f32({B, 6, 4, 1}), f32({B, 2, 6}), 0).ok());
  CHECK_FALSE(apply(f32({B, 6, 4}), f32({B, 2, 6}), 2).ok());
}

TEST_CASE("indices that are known are in range", "[graph]") {
  const auto pairs = [](std::initializer_list<dim> indices) {
    return applied(op, f32({3, 4}), i64({1, 2})).known(1, indices).run(rules::gather_nd);
  };
  CHECK(pairs({-3, 3}).ok());
  CHECK(pairs({0, 4}).problem == "the index {} is out of range for an extent of {}");
  CHECK_FALSE(pairs({-4, 0}).ok());
  CHECK(applied(op, f32({B, 4}), i64({B, 1})).with("batch_dims", 1).known(1, {3}).run(rules::gather_nd).ok());
  CHECK_FALSE(applied(op, f32({B, 4}), i64({B, 1})).with("batch_dims", 1).known(1, {4}).run(rules::gather_nd).ok());
  CHECK_FALSE(applied(op, f32({3, 4}), i64({1, 2})).with("axis", 1).known(1, {0, 4}).run(rules::gather_elements).ok());
  CHECK_FALSE(applied(op, f32({4}), i64({1, 1}), f32({1})).known(1, {-5}).run(rules::scatter_nd).ok());
  CHECK(applied(op, f32({4}), i64({1, 1}), f32({1})).known(1, {-4}).run(rules::scatter_nd).ok());
}

TEST_CASE("TensorScatter: an update stays within the cache", "[graph]") {
  const auto at = [](dim index, std::string_view mode) {
    return applied(last, f32({1, 4, 4}), f32({1, 4, 2}), i64({1}))
        .known(2, {index})
        .with("mode", mode)
        .run(rules::tensor_scatter);
  };
  CHECK(at(2, "linear").ok());
  CHECK(at(3, "linear").problem == "an update begins at {}; it must begin at {} at most");
  CHECK(at(3, "circular").ok());
  CHECK_FALSE(at(4, "circular").ok());
}

TEST_CASE("NonMaxSuppression: a threshold from 0 to 1", "[graph]") {
  const auto with = [](double threshold) {
    return applied(op, f32({1, 6, 4}), f32({1, 2, 6}), i64({1}), f32({1}))
        .known_reals(3, {threshold})
        .run(rules::non_max_suppression);
  };
  CHECK(with(0.5).ok());
  CHECK(with(1.5).problem == "iou_threshold is not from 0 to 1");
}
