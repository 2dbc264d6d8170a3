// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/pooling.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr dim B = dim::symbol("B"), dyn = dim::dyn();

constexpr formal_attribute attributes[] = {standard("auto_pad", "NOTSET"), standard("mode", "avg"),
                                           standard("output_height", 1), standard("output_width", 1)};
constexpr op_record op = record_of(attributes);

/// Pooling of an axis.
constexpr applied pooling(dim extent) { return applied(op, f32({1, 2, extent})); }

}  // namespace

static_assert(pooling(8).with("kernel_shape", {3}).run(rules::pool).is({1, 2, 6}));
static_assert(pooling(8).with("kernel_shape", {3}).with("strides", {2}).run(rules::pool).is({1, 2, 3}));
static_assert(pooling(B).with("kernel_shape", {3}).with("pads", {1, 1}).run(rules::pool).is({1, 2, B}));
static_assert(pooling(B).with("kernel_shape", {3}).run(rules::pool).is({1, 2, dyn}));
static_assert(pooling(8).attributes_at_run_time().run(rules::pool).is({1, 2, dyn}));
static_assert(pooling(4).with("kernel_shape", {3}).with("dilations", {2}).run(rules::pool).problem ==
              "a window covers {} element{|s} of an axis that has {} with its padding");
static_assert(pooling(6).with("kernel_shape", {3}).wants(2).run(rules::pool).are(f32({1, 2, 4}), f32({1, 2, 4})));

TEST_CASE("with ceil_mode the last window may be cut, but not start in the padding", "[graph]") {
  const auto run = [](dim extent, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
    applied windows = pooling(extent);
    windows.with("kernel_shape", {kernel})
        .with("strides", {stride})
        .with("pads", {padding, padding})
        .with("ceil_mode", 1);
    return windows.run(rules::pool);
  };
  CHECK(run(8, 3, 2, 0).is({1, 2, 4}));
  CHECK(run(7, 3, 2, 0).is({1, 2, 3}));
  CHECK(run(2, 1, 2, 0).is({1, 2, 1}));
  CHECK(run(6, 3, 3, 1).is({1, 2, 3}));
  CHECK(run(5, 2, 3, 1).is({1, 2, 2}));  // the third would start in the padding, after 1 + 5
  CHECK(run(dyn, 3, 2, 0).is({1, 2, dyn}));
  CHECK(run(B, 3, 1, 1).is({1, 2, B}));
  CHECK(run(B, 2, 2, 1).is({1, 2, dyn}));
}

TEST_CASE("auto_pad of pooling", "[graph]") {
  const auto run = [](const char* mode, std::int64_t ceil) {
    applied windows = pooling(5);
    windows.with("kernel_shape", {2}).with("strides", {3}).with("auto_pad", mode).with("ceil_mode", ceil);
    return windows.run(rules::pool);
  };
  for (std::int64_t ceil : {0, 1}) {
    CHECK(run("VALID", ceil).is({1, 2, 2}));
    CHECK(run("SAME_LOWER", ceil).is({1, 2, 2}));
  }
  CHECK(run("NOTSET", 0).is({1, 2, 2}));
}

TEST_CASE("attributes of pooling that do not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::pool).problem; };
  CHECK(problem(pooling(8).with("kernel_shape", {3, 3})) == "kernel_shape has {} entr{y|ies} for {} spatial ax{is|es}");
  CHECK(problem(pooling(8).with("ceil_mode", 2)) == "a flag is {}; it must be 0 or 1");
  CHECK(problem(pooling(8).with("kernel_shape", {0})) == "a window has the extent {}; it must be positive");
  CHECK(problem(pooling(8).with("kernel_shape", {2}).with("strides", {0})) == "a stride is {}; it must be positive");
  CHECK(problem(pooling(8).with("kernel_shape", {2}).with("storage_order", 2)).starts_with("storage_order is {}"));
  CHECK(problem(pooling(8).with("kernel_shape", {2}).with("pads", {0, 2})).starts_with("a padding of {} is not less"));
  CHECK(problem(applied(op, f32({1, 2})).with("kernel_shape", {2})).starts_with("the operand has {} dimension{|s}"));
}

static_assert(applied(op, f32({B, 3, 4, dyn})).run(rules::global_pool).is({B, 3, 1, 1}));
static_assert(!applied(op, f32({3})).run(rules::global_pool).ok());

TEST_CASE("unpooling", "[graph]") {
  const auto unpool = [](tensor_type indices, auto... shape) { return applied(op, f32({1, 1, 2}), indices, shape...); };
  CHECK(unpool(i64({1, 1, 2})).with("kernel_shape", {2}).with("strides", {2}).run(rules::max_unpool).is({1, 1, 4}));
  CHECK(unpool(i64({1, 1, 2}), i64({3})).known(2, {1, 1, 7}).run(rules::max_unpool).is({1, 1, 7}));
  CHECK(unpool(i64({1, 1, 2}), i64({B})).run(rules::max_unpool).is({dyn, dyn, dyn}));
  CHECK_FALSE(unpool(i64({1, 1, 2}), i64({2})).run(rules::max_unpool).ok());
  CHECK_FALSE(unpool(i64({1, 1, 2}), i64({1, 3})).run(rules::max_unpool).ok());
  CHECK_FALSE(unpool(i64({1, 1, 3})).run(rules::max_unpool).ok());
  CHECK_FALSE(unpool(i64({1, 2})).run(rules::max_unpool).ok());
  CHECK_FALSE(unpool(i64({1, 1, 2})).with("kernel_shape", {2}).with("pads", {3, 3}).run(rules::max_unpool).ok());
}

TEST_CASE("pooling of regions", "[graph]") {
  const auto pooled = [](tensor_type x, tensor_type regions, std::initializer_list<std::int64_t> to) {
    return applied(op, x, regions).with("pooled_shape", to).run(rules::max_roi_pool);
  };
  CHECK(pooled(f32({1, 3, 9, 9}), f32({B, 5}), {2, 4}).is({B, 3, 2, 4}));
  CHECK_FALSE(pooled(f32({1, 3, 9}), f32({B, 5}), {2, 4}).ok());
  CHECK_FALSE(pooled(f32({1, 3, 9, 9}), f32({B, 4}), {2, 4}).ok());
  CHECK_FALSE(pooled(f32({1, 3, 9, 9}), f32({5}), {2, 4}).ok());
  CHECK_FALSE(pooled(f32({1, 3, 9, 9}), f32({B, 5}), {2}).ok());
  CHECK_FALSE(pooled(f32({1, 3, 9, 9}), f32({B, 5}), {2, 0}).ok());

  const auto align = [](tensor_type regions, tensor_type images) {
    return applied(op, f32({1, 3, 9, 9}), regions, images);
  };
  CHECK(align(f32({7, 4}), i64({7})).run(rules::roi_align).is({7, 3, 1, 1}));
  CHECK(align(f32({7, 4}), i64({B})).with("output_width", 5).run(rules::roi_align).is({7, 3, 1, 5}));
  CHECK(align(f32({7, 4}), i64({7})).attributes_at_run_time().run(rules::roi_align).is({7, 3, dyn, dyn}));
  CHECK_FALSE(align(f32({7, 5}), i64({7})).run(rules::roi_align).ok());
  CHECK_FALSE(align(f32({7, 4}), i64({8})).run(rules::roi_align).ok());
  CHECK_FALSE(align(f32({7, 4}), i64({7, 1})).run(rules::roi_align).ok());
  CHECK_FALSE(align(f32({7, 4}), i64({7})).with("mode", "mean").run(rules::roi_align).ok());
  CHECK_FALSE(align(f32({7, 4}), i64({7})).with("coordinate_transformation_mode", "x").run(rules::roi_align).ok());
  CHECK_FALSE(align(f32({7, 4}), i64({7})).with("output_height", 0).run(rules::roi_align).ok());
  CHECK_FALSE(align(f32({7, 4}), i64({7})).with("sampling_ratio", -1).run(rules::roi_align).ok());
}

TEST_CASE("RoiAlign: images of the batch", "[graph]") {
  const auto of_image = [](dim image) {
    return applied(op, f32({2, 3, 8, 8}), f32({1, 4}), i64({1})).known(2, {image}).run(rules::roi_align);
  };
  CHECK(of_image(1).ok());
  CHECK(of_image(2).problem == "there is no image {}; the last one is {}");
}

TEST_CASE("LpPool: p is 1 or more", "[graph]") {
  constexpr formal_attribute norm[] = {standard("p", 2)};
  op_record lp = record_of(norm);
  lp.name = "LpPool";
  CHECK(applied(lp, f32({1, 2, 8})).with("kernel_shape", {3}).run(rules::pool).ok());
  CHECK(applied(lp, f32({1, 2, 8})).with("kernel_shape", {3}).with("p", 0).run(rules::pool).problem ==
        "p is {}; it must be 1 or more");
}
