// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/operators/rules/inference.hpp>

/// Shape rules of normalizations.
namespace jax2onnx::rules {

/// Fails unless operands first to last have n elements each.
constexpr bool expect_vectors(inference& c, std::size_t first, std::size_t last, dim n) {
  for (std::size_t i = first; i <= last && !c.failed(); ++i) {
    c.expect_rank(i, 1, "a scale, bias or statistic has {} dimension{|s}; it must be a vector");
    if (!c.failed()) c.expect_equal(c.dims(i)[0], n, "a scale, bias or statistic has {} element{|s} instead of {}");
  }
  return !c.failed();
}

/// Fails unless operand i, if given, broadcasts to the first operand.
constexpr bool expect_broadcast(inference& c, std::size_t i) {
  return c.expect(!c.has(i) || infer::broadcast_to(c.dims(i), c.dims(0), c.differs).ok(),
                  "a scale or bias does not broadcast to the operand");
}

/// BatchNormalization: scale, bias, mean and variance have an element for each channel.
constexpr void batch_normalization(inference& c) {
  if (!c.expect(c.rank(0) >= 1, "the operand is a scalar; it must be [batch, channels, ...]")) return;
  const dim channels = c.rank(0) == 1 ? dim(1) : c.dims(0)[1];
  if (!expect_vectors(c, 1, 4, channels)) return;
  c.expect(c.flag("training_mode") || !c.defaults_apply() || c.result_count() == 1,
           "running statistics exist only in training mode");
  c.result(0, c.dims(0));
  for (std::size_t i = 1; i < c.result_count(); ++i) c.result(i, {c.either(channels, c.dims(3)[0])});
}

/// LayerNormalization: mean and deviation have extents of 1 from the axis on.
constexpr void layer_normalization(inference& c) {
  const std::int64_t axis = c.axis(c.integer("axis"), c.rank(0));
  const dtype stash = c.known("stash_type") ? c.type("stash_type") : dtype::undefined;
  if (!expect_broadcast(c, 1) || !expect_broadcast(c, 2)) return;
  c.expect(c.result_count() == 1 || !c.known("stash_type") || c.allows(1, stash),
           "stash_type is not an allowed type of the mean");
  c.result(0, c.dims(0));
  shape statistic = c.dims(0).head(axis);
  statistic.resize(c.dims(0).size(), 1);
  if (!c.defaults_apply()) statistic = inference::unknown(c.rank(0));
  for (std::size_t i = 1; i < c.result_count(); ++i) c.result(i, stash, statistic);
}

/// RMSNormalization: a result of the operand's shape and of the dtype of the scale.
constexpr void rms_normalization(inference& c) {
  c.axis(c.integer("axis"), c.rank(0));
  expect_broadcast(c, 1);
  c.result(0, c.dims(0));
}

/// InstanceNormalization, GroupNormalization: scale and bias for each channel; for GroupNormalization before version
/// 21, for each group.
constexpr void channel_normalization(inference& c) {
  if (!c.expect(c.rank(0) >= 2, "the operand has {} dimension{|s}; it must be [batch, channels, ...]", c.rank(0)))
    return;
  const dim channels = c.dims(0)[1];
  const bool grouped = c.op() == "GroupNormalization";
  const dim groups = grouped ? c.number("num_groups") : channels;
  const bool known = grouped && groups.is_constant();
  if (known && !c.expect(groups.extent() > 0, "the number of groups is {}; it must be positive", groups)) return;
  c.expect(!known || !channels.is_constant() || channels.extent() % groups.extent() == 0,
           "{} channel{|s} cannot be divided into {} group{|s}", channels, groups);
  expect_vectors(c, 1, 2, grouped && c.since() < 21 ? groups : channels);
  c.result(0, c.dims(0));
}

/// LRN: the operand's type, normalized over `size` channels.
constexpr void lrn(inference& c) {
  c.expect(c.rank(0) >= 2, "the operand has {} dimension{|s}; it must be [batch, channels, ...]", c.rank(0));
  c.expect(!c.given("size") || c.integer("size") > 0, "size is {}; it must be positive", c.integer("size"));
  c.result(0, c.dims(0));
}

/// MeanVarianceNormalization: the operand's type, normalized over some axes.
constexpr void mean_variance_normalization(inference& c) {
  if (c.defaults_apply() || c.given("axes")) c.axes(c.integers("axes"), c.rank(0));
  c.result(0, c.dims(0));
}

/// LpNormalization: the operand's type, normalized along an axis.
constexpr void lp_normalization(inference& c) {
  const std::int64_t p = c.integer("p");
  c.axis(c.integer("axis"), c.rank(0));
  c.expect(p == 1 || p == 2, "p is {}; it must be 1 or 2", p);
  c.result(0, c.dims(0));
}

/// Dropout: result and mask have the shape of the operand.
constexpr void dropout(inference& c) {
  c.expect_rank(1, 0, "the ratio has {} dimension{|s}; it must be a scalar");
  c.expect_reals(
      1, [](double ratio) { return ratio >= 0 && ratio < 1; }, "the ratio is not in [0, 1)");
  c.expect_rank(2, 0, "training_mode has {} dimension{|s}; it must be a scalar");
  for (std::size_t i = 0; i < c.result_count(); ++i) c.result(i, c.dims(0));
}

}  // namespace jax2onnx::rules
