// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/rules/operators/group_norm.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite::test;

TEST_CASE("GroupNormalization: statistics of groups, spread over their channels") {
  const auto norm = [](model& m, const value& x, const ints& axes, bool fast, const value& seen = {}) {
    const value d = reshape(seen ? seen : x, {x.extent(0), 5, 4, 2});
    const auto mean = [&](const value& v) { return reduce("ReduceMean", v, axes, false); };
    const value center = mean(d), centered = sub(d, reshape(center, {x.extent(0), 1, 4, 1}));
    const value variance = fast ? maximum(sub(mean(mul(d, d)), mul(center, center)), 0) : mean(mul(centered, centered));
    const auto spread = [&](const value& v) {
      return broadcast_to(reshape(v, {x.extent(0), 4, 1}), {x.extent(0), 4, 2});
    };
    const auto to_channels = [&](const value& v) { return reshape(v, {x.extent(0), 1, 8}); };
    const value inverse = to_channels(reciprocal(sqrt(add(spread(variance), 1e-6))));
    return add(mul(sub(x, to_channels(spread(center))), mul(inverse, m.weight({1, 1, 8}, x.dtype()))),
               m.weight({1, 8}, x.dtype()));
  };
  model m;
  CHECK(after(norm(m, m.in({m.B, 5, 8}), {1, 3}, true), "GroupNormalization") ==
        "Transpose GroupNormalization Transpose");
  model n;
  CHECK(after(norm(n, n.in({3, 5, 8}), {1, 3}, false), "GroupNormalization") ==
        "Transpose GroupNormalization Transpose");
  model old(20);
  CHECK(after(norm(old, old.in({3, 5, 8}), {1, 3}, true), "GroupNormalization") == "GroupNormalization needs opset 21");
  model rounded;  // statistics of other numbers
  const value x = rounded.in({3, 5, 8});
  CHECK(after(norm(rounded, x, {1, 3}, true, cast(cast(x, dtype::i32), dtype::f32)), "GroupNormalization")
            .find("GroupNormalization") == std::string::npos);
  model wide;
  CHECK(after(norm(wide, wide.in({3, 5, 8}, dtype::f64), {1, 3}, true), "GroupNormalization") ==
        "ONNX Runtime has no float64 kernel");
}

TEST_CASE("GroupNormalization: ONNX Runtime normalizes instances of groups") {
  const auto norm = [](model& m, const value& x) {
    const value d = reshape(x, {x.extent(0), 2, x.owner().dims().mul(x.extent(2), 3)});
    const value centered = sub(d, reduce("ReduceMean", d, {2}, true));
    const value scaled =
        mul(centered, reciprocal(sqrt(add(reduce("ReduceMean", mul(centered, centered), {2}, true), 1e-5))));
    return after({add(mul(m.weight({6, 1}), reshape(scaled, x.dims())), m.weight({6, 1}))},
                 {"reshape-constant", "GroupNormalization-split"}, target::ort);
  };
  model m, symbolic;
  CHECK(norm(m, m.in({m.B, 6, 5})) == "Reshape InstanceNormalization Reshape Mul Add");
  const value x = symbolic.in({symbolic.B, 6, symbolic.g.dims().symbol("N")});
  CHECK(norm(symbolic, x) == "Reshape InstanceNormalization Reshape Mul Add");
  model old(17);
  CHECK(norm(old, old.in({2, 6, 5})) == "Reshape InstanceNormalization Reshape Mul Add");
}

TEST_CASE("GroupNormalization: of groups that a Reshape splits off, as Equinox and PyTorch write it") {
  const auto norm = [](model& m, const value& x, const shape& split, std::int64_t leading, const ints& parameters) {
    const value d = jax2onnx::ops::reshape(x, split);
    ints axes = iota_axes(d.rank());
    axes.erase(axes.begin(), axes.begin() + leading);
    const value centered = sub(d, reduce("ReduceMean", d, axes, true));
    const value scaled =
        mul(centered, reciprocal(sqrt(add(reduce("ReduceMean", mul(centered, centered), axes, true), 1e-5))));
    const value back = jax2onnx::ops::reshape(scaled, x.dims());
    return after({add(mul(m.weight(parameters), back), m.weight(parameters))},
                 {"reshape-constant", "GroupNormalization-split"});
  };
  model m;
  CHECK(norm(m, m.in({m.B, 6, 5, 5}), {m.B, 2, 3, 5, 5}, 2, {6, 1, 1}) == "GroupNormalization");
  model flat;
  CHECK(norm(flat, flat.in({3, 6, 5}), {6, 15}, 1, {1, 6, 1}) == "GroupNormalization");
  model single;
  CHECK(norm(single, single.in({6, 5, 5}), {2, 3, 5, 5}, 1, {6, 1, 1}) == "Unsqueeze GroupNormalization Squeeze");
  model uneven;  // four groups of one and a half channels
  CHECK(norm(uneven, uneven.in({2, 6, 4}), {2, 4, 6}, 2, {6, 1}) ==
        "mean and variance are not over groups of channels");
  model mixed;
  CHECK(norm(mixed, mixed.in({2, 6, 5}), {4, 3, 5}, 1, {6, 1}) == "GroupNormalization");
  model other;
  CHECK(norm(other, other.in({2, 6, 5}), {2, 3, 10}, 2, {5}) == "scale and bias are not one number per channel");
}

namespace {

/// Flax's form, with selectable faults.
struct flax_form {
  bool biased = true;
  ints axes = {1, 3};       ///< of the statistics
  shape split = {4, 2};     ///< the axes that replace the last one: groups, channels of each
  bool repeated = true;     ///< statistics are repeated over the channels of their group, not tiled
  bool per_channel = true;  ///< the scale is one number per channel

  value operator()(model& m, const value& x) const {
    const dim batch = x.extent(0), channels = x.dims().back(), groups = split[0],
              each = m.g.dims().product(shape(split.begin() + 1, split.end()));
    shape in_groups(x.dims().begin(), x.dims().end() - 1), of_channels(x.dims().size(), dim(1));
    of_channels.front() = batch;
    of_channels.back() = channels;
    in_groups.insert(in_groups.end(), split.begin(), split.end());
    const value d = jax2onnx::ops::reshape(x, in_groups);
    const auto mean = [&](const value& v) { return reduce("ReduceMean", v, axes, true); };
    const value center = mean(d), centered = sub(d, center), variance = mean(mul(centered, centered));
    const auto spread = [&](const value& v) {
      const value ones = jax2onnx::ops::reshape(v, repeated ? shape{batch, groups, 1} : shape{batch, 1, groups});
      const value wide = broadcast_to(ones, repeated ? shape{batch, groups, each} : shape{batch, each, groups});
      return jax2onnx::ops::reshape(wide, of_channels);
    };
    const value inverse = reciprocal(sqrt(add(spread(variance), 1e-6)));
    const value scale = m.in(per_channel ? shape{channels} : shape{x.extent(1), 1}, x.dtype());
    const value scaled = mul(sub(x, spread(center)), mul(inverse, scale));
    return biased ? add(scaled, m.in({channels}, x.dtype())) : scaled;
  }
};

constexpr std::string_view squares = "squares of float16 are infinite from 256 on (assume_finite permits the rule)";

/// The remaining operators, or the reason why the form's rule declines.
std::string left(const flax_form& form, const shape& dims = {3, 5, 8}, int opset = 23, dtype t = dtype::f32) {
  model m(opset);
  return after(form(m, m.in(dims, t)), form.biased ? "GroupNormalization" : "GroupNormalization-plain");
}

}  // namespace

TEST_CASE("GroupNormalization: reasons to decline, with and without a bias") {
  for (const bool biased : {true, false}) {
    CHECK(left({.biased = biased}) == "Transpose GroupNormalization Transpose");
    CHECK(left({.biased = biased}, {3, 5, 8}, 20) == "GroupNormalization needs opset 21");
    CHECK(left({.biased = biased}, {3, 5, 8}, 23, dtype::f64) == "ONNX Runtime has no float64 kernel");
    CHECK(left({.biased = biased}, {3, 5, 8}, 23, dtype::f16) == squares);
    CHECK(left({.biased = biased, .repeated = false}) ==
          "the statistics are not repeated over the channels of their group");
    CHECK(left({.biased = biased, .per_channel = false}) == "scale and bias are not one number per channel");
    CHECK(left({.biased = biased, .axes = {2, 3}}, {3, 4, 8}) ==
          "mean and variance are not over the groups of each example");
    CHECK(left({.biased = biased, .axes = {1, 3, 4}, .split = {2, 2, 2}}) == "the groups do not divide the last axis");
    model m;
    const dim groups = m.g.dims().symbol("G");
    const flax_form form{.biased = biased, .split = {groups, 2}};
    CHECK(after(form(m, m.in({3, 5, m.g.dims().mul(groups, 2)})),
                biased ? "GroupNormalization" : "GroupNormalization-plain") ==
          "the number or the size of groups is symbolic");
    model sizes;
    const dim height = sizes.g.dims().symbol("H"), width = sizes.g.dims().symbol("W");
    const value any = flax_form{.biased = biased, .axes = {1, 2, 4}}(sizes, sizes.in({3, height, width, 8}));
    CHECK(after({any}, {biased ? "GroupNormalization" : "GroupNormalization-plain"}, target::portable) ==
          "not every runtime has GroupNormalization");
  }
}

TEST_CASE("GroupNormalization: statistics of other numbers than those that are normalized") {
  const auto norm = [](model& m, dtype between) {
    const value x = m.in({3, 5, 8}), y = cast(cast(x, between), dtype::f32);
    const value d = jax2onnx::ops::reshape(y, {3, 5, 4, 2});
    const auto mean = [&](const value& v) { return reduce("ReduceMean", v, {1, 3}, true); };
    const value center = mean(d), centered = sub(d, center), variance = mean(mul(centered, centered));
    const auto spread = [&](const value& v) {
      const value wide = broadcast_to(jax2onnx::ops::reshape(v, {3, 4, 1}), {3, 4, 2});
      return jax2onnx::ops::reshape(wide, {3, 1, 8});
    };
    const value scaled = mul(sub(x, spread(center)), mul(reciprocal(sqrt(add(spread(variance), 1e-6))), m.in({8})));
    return after(add(scaled, m.in({8})), "GroupNormalization");
  };
  for (const dtype between : {dtype::f16, dtype::boolean}) {
    model m;
    CHECK(norm(m, between).find("GroupNormalization") == std::string::npos);
  }
}

TEST_CASE("GroupNormalization: groups of symbolic channels, which have no constant parameters") {
  model m;
  const flax_form form{.biased = false};
  CHECK(after(form(m, m.in({3, 5, m.B})), "GroupNormalization-plain") ==
        "scale and bias are not one number per channel");
}

TEST_CASE("GroupNormalization-split: reasons to decline") {
  struct form {
    int opset = 23;
    dtype t = dtype::f32;
    ints mean_axes = {2, 3}, variance_axes = {2, 3};
    bool in_place = true;
    target runtime = target::generic;
  };
  const auto split = [](const form& f) {
    model m(f.opset);
    const dim last = f.runtime == target::portable ? 0 : 5;
    const value x = m.in({6, 4, last}, f.t), d = jax2onnx::ops::reshape(x, {6, 2, 2, last});
    const value mean = reduce("ReduceMean", d, f.mean_axes, true);
    const value centered = sub(d, f.in_place ? mean : jax2onnx::ops::reshape(mean, {6, 1, 2, 1}));
    const value variance = reduce("ReduceMean", mul(centered, centered), f.variance_axes, true);
    const value back = jax2onnx::ops::reshape(mul(centered, reciprocal(sqrt(add(variance, 1e-5)))), x.dims());
    return after({add(mul(back, m.in({4, 1}, f.t)), m.in({4, 1}, f.t))}, {"GroupNormalization-split"}, f.runtime);
  };
  CHECK(split({}) == "Reshape Reshape GroupNormalization");
  CHECK(split({.runtime = target::portable}) == "not every runtime has GroupNormalization");
  CHECK(split({.opset = 20}) == "GroupNormalization needs opset 21");
  CHECK(split({.t = dtype::f64}) == "ONNX computes the statistics in float32");
  CHECK(split({.t = dtype::f16}) == squares);
  CHECK(split({.variance_axes = {3}}) == "mean and variance are over different axes");
  CHECK(split({.mean_axes = {1, 2}, .variance_axes = {1, 2}}) == "the statistics are not over the last axes");
  CHECK(split({.in_place = false}) == "mean or variance is broadcast along another axis");
}
