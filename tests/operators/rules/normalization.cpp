// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <limits>

#include <jax2onnx/operators/rules/normalization.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr dim B = dim::symbol("B"), C = dim::symbol("C"), dyn = dim::dyn();

constexpr formal_attribute attributes[] = {standard("axis", -1), standard("p", 2), standard("stash_type", 1)};
constexpr op_record op = record_of(attributes);
constexpr op_record grouped(int since) {
  op_record r = op;
  r.name = "GroupNormalization";
  r.since = since;
  return r;
}
constexpr op_record groups18 = grouped(18), groups21 = grouped(21);

constexpr applied batches(tensor_type x, tensor_type scale, tensor_type mean) {
  return applied(op, x, scale, scale, mean, mean);
}

}  // namespace

static_assert(batches(f32({B, 3, 8}), f32({3}), f32({3})).run(rules::batch_normalization).is({B, 3, 8}));
static_assert(batches(f32({B, C}), f32({3}), f32({dyn})).run(rules::batch_normalization).is({B, C}));
static_assert(batches(f32({B, dyn}), f32({3}), f32({3}))
                  .with("training_mode", 1)
                  .wants(3)
                  .run(rules::batch_normalization)
                  .are(f32({B, dyn}), f32({3}), f32({3})));

TEST_CASE("batch normalization", "[graph]") {
  CHECK(batches(f32({8}), f32({1}), f32({1})).run(rules::batch_normalization).is({8}));
  CHECK_FALSE(batches(f32({}), f32({1}), f32({1})).run(rules::batch_normalization).ok());
  CHECK_FALSE(batches(f32({2, 3}), f32({2}), f32({3})).run(rules::batch_normalization).ok());
  CHECK_FALSE(batches(f32({2, 3}), f32({3}), f32({2})).run(rules::batch_normalization).ok());
  CHECK_FALSE(batches(f32({2, 3}), f32({3, 1}), f32({3})).run(rules::batch_normalization).ok());
  CHECK(batches(f32({2, 3}), f32({3}), f32({3})).wants(3).run(rules::batch_normalization).problem ==
        "running statistics exist only in training mode");
}

static_assert(applied(op, f32({B, 3, 8}), f32({8})).run(rules::layer_normalization).is({B, 3, 8}));
static_assert(applied(op, f32({B, 3, 8}), f32({3, 8}), f32({8}))
                  .with("axis", 1)
                  .wants(3)
                  .run(rules::layer_normalization)
                  .are(f32({B, 3, 8}), f32({B, 1, 1}), f32({B, 1, 1})));

static_assert(applied(op, f32({B, 8}), f32({8}))
                  .attributes_at_run_time()
                  .wants(2)
                  .run(rules::layer_normalization)
                  .are(f32({B, 8}), of(dtype::undefined, {dyn, dyn})));

TEST_CASE("layer and RMS normalization", "[graph]") {
  for (const auto rule : {rules::layer_normalization, rules::rms_normalization}) {
    CHECK(applied(op, f32({2, 3}), f32({3})).with("axis", -2).run(rule).is({2, 3}));
    CHECK_FALSE(applied(op, f32({2, 3}), f32({2})).run(rule).ok());
    CHECK_FALSE(applied(op, f32({2, 3}), f32({1, 2, 3})).run(rule).ok());
    CHECK_FALSE(applied(op, f32({2, 3}), f32({3})).with("axis", 2).run(rule).ok());
    CHECK_FALSE(applied(op, f32({2, 3}), f32({3})).with("axis", -3).run(rule).ok());
  }
  CHECK_FALSE(applied(op, f32({2, 3}), f32({3}), f32({2})).run(rules::layer_normalization).ok());
  const outcome half =
      applied(op, of(dtype::f16, {2, 3}), of(dtype::f16, {3})).wants(2).run(rules::layer_normalization);
  CHECK(half.are(of(dtype::f16, {2, 3}), f32({2, 1})));
  CHECK_FALSE(applied(op, f32({2}), f32({2})).with("stash_type", 99).wants(2).run(rules::layer_normalization).ok());

  static constexpr formal operands[] = {{"X", 0}, {"scale", 1}}, results[] = {{"Y", 1}};
  static constexpr type_constraint constraints[] = {{"T", {~0u, 0, 0, 0}}, {"V", {~0u, 0, 0, 0}}};
  constexpr op_record rms{"RMSNormalization", "", 23, operands, results, constraints, attributes, 2, 1, {}, ""};
  CHECK(applied(rms, of(dtype::f16, {2, 3}), f32({3})).run(rules::rms_normalization).are(f32({2, 3})));
}

static_assert(applied(op, f32({B, 4, 8}), f32({4}), f32({4})).run(rules::channel_normalization).is({B, 4, 8}));
static_assert(applied(groups18, f32({B, 4, 8}), f32({2}), f32({2}))
                  .with("num_groups", 2)
                  .run(rules::channel_normalization)
                  .is({B, 4, 8}));

TEST_CASE("normalization of channels and groups", "[graph]") {
  const auto run = [](const op_record& record, dim scale, std::int64_t groups) {
    return applied(record, f32({2, 4, 8}), f32({scale}), f32({scale}))
        .with("num_groups", groups)
        .run(rules::channel_normalization);
  };
  CHECK(run(groups21, 4, 2).is({2, 4, 8}));
  CHECK(run(groups21, C, 2).is({2, 4, 8}));
  CHECK_FALSE(run(groups21, 2, 2).ok());
  CHECK_FALSE(run(groups18, 4, 2).ok());
  CHECK(run(groups21, 4, 3).problem == "{} channel{|s} cannot be divided into {} group{|s}");
  CHECK(run(groups21, 4, 0).problem == "the number of groups is {}; it must be positive");
  CHECK_FALSE(run(op, 3, 1).ok());
  CHECK_FALSE(applied(op, f32({4}), f32({4}), f32({4})).run(rules::channel_normalization).ok());
  CHECK_FALSE(applied(op, f32({2, 4}), f32({4}), f32({3})).run(rules::channel_normalization).ok());
}

static_assert(applied(op, f32({B, 4})).run(rules::lp_normalization).is({B, 4}));
static_assert(
    applied(op, f32({B, 4}), std::nullopt, f32({})).wants(2).run(rules::dropout).are(f32({B, 4}), f32({B, 4})));

TEST_CASE("normalizations of a single operand", "[graph]") {
  CHECK_FALSE(applied(op, f32({2})).with("axis", 1).run(rules::lp_normalization).ok());
  CHECK_FALSE(applied(op, f32({2})).with("p", 3).run(rules::lp_normalization).ok());
  CHECK(applied(op, f32({2, 3})).with("size", 3).run(rules::lrn).is({2, 3}));
  CHECK_FALSE(applied(op, f32({2, 3})).with("size", 0).run(rules::lrn).ok());
  CHECK_FALSE(applied(op, f32({3})).with("size", 1).run(rules::lrn).ok());
  CHECK(applied(op, f32({2, 3})).with("axes", {0, -1}).run(rules::mean_variance_normalization).is({2, 3}));
  CHECK_FALSE(applied(op, f32({2, 3})).with("axes", {0, 2}).run(rules::mean_variance_normalization).ok());
  CHECK_FALSE(applied(op, f32({2, 3}), f32({1})).run(rules::dropout).ok());
  CHECK_FALSE(applied(op, f32({2, 3}), f32({}), f32({1})).run(rules::dropout).ok());
  CHECK(applied(op, f32({2, 3}), f32({})).known_reals(1, {0.5}).run(rules::dropout).ok());
  for (double ratio : {-0.5, 1.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK_FALSE(applied(op, f32({2, 3}), f32({})).known_reals(1, {ratio}).run(rules::dropout).ok());
}
