// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/signal.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr dim B = dim::symbol("B"), N = dim::symbol("N"), dyn = dim::dyn();
constexpr std::optional<tensor_type> absent;

constexpr formal_attribute optional(std::string_view name, attribute_kind kind) { return {name, kind}; }
constexpr formal_attribute attributes[] = {standard("axis", 1),
                                           optional("axes", attribute_kind::integers),
                                           standard("onesided", 0),
                                           standard("inverse", 0),
                                           standard("output_datatype", 1),
                                           standard("mode", ""),
                                           standard("coordinate_transformation_mode", "half_pixel"),
                                           standard("keep_aspect_ratio_policy", "stretch")};
constexpr op_record since(int version) {
  op_record r = record_of(attributes);
  r.since = version;
  return r;
}
constexpr op_record op17 = since(17), op20 = since(20);

constexpr applied spectrum(const op_record& op, dim parts, auto... more) {
  return applied(op, f32({B, 10, N, parts}), more...);
}

}  // namespace

static_assert(spectrum(op17, 1).run(rules::dft).is({B, 10, N, 2}));
static_assert(spectrum(op17, 1).with("onesided", 1).run(rules::dft).is({B, 6, N, 2}));
static_assert(spectrum(op17, 2).with("onesided", 1).with("inverse", 1).run(rules::dft).is({B, 18, N, 1}));
static_assert(spectrum(op17, 1, i64({})).known(1, {7}).run(rules::dft).is({B, 7, N, 2}));
static_assert(spectrum(op17, 1, i64({})).with("axis", -2).run(rules::dft).is({B, 10, dyn, 2}));
static_assert(spectrum(op20, 2).run(rules::dft).is({B, 10, N, 2}));
static_assert(spectrum(op20, 1, i64({}), i64({}))
                  .known(1, {6})
                  .known(2, {1})
                  .with("onesided", 1)
                  .run(rules::dft)
                  .is({B, 4, N, 2}));
static_assert(spectrum(op20, 1, absent, i64({})).run(rules::dft).is({dyn, dyn, dyn, 2}));
static_assert(spectrum(op17, 1).attributes_at_run_time().run(rules::dft).is({dyn, dyn, dyn, dyn}));

TEST_CASE("Fourier transforms that do not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::dft).problem; };
  CHECK(problem(applied(op17, f32({2}))).starts_with("the operand has {} dimension{|s}"));
  CHECK(problem(spectrum(op17, 1).with("onesided", 2)) == "a flag is {}; it must be 0 or 1");
  CHECK(problem(spectrum(op17, 1).with("inverse", -1)) == "a flag is {}; it must be 0 or 1");
  CHECK(problem(spectrum(op17, 3)) == "the last dimension is {}; it must be 1 or 2");
  CHECK(problem(spectrum(op17, 2).with("onesided", 1)).starts_with("the last dimension is {}; for this"));
  CHECK(problem(spectrum(op17, 1).with("onesided", 1).with("inverse", 1)).starts_with("the last dimension is {}; for"));
  CHECK(problem(spectrum(op17, 1).with("axis", 3)) == "the axis {} holds the real and imaginary parts");
  CHECK(problem(spectrum(op17, 1).with("axis", -5)) == "the axis {} is out of range for {} dimension{|s}");
  CHECK(problem(spectrum(op20, 1, absent, i64({})).known(2, {-1})) == "the axis {} holds the real and imaginary parts");
  CHECK(problem(spectrum(op20, 1, i64({2}))) == "operand {} must have one element");
  CHECK(problem(spectrum(op17, 1, i64({})).known(1, {0})) == "the length of the transform is {}; it must be positive");
}

namespace {

constexpr applied frames(dim length, auto... more) { return applied(op17, f32({B, length, 1}), i64({}), more...); }

}  // namespace

static_assert(frames(128, f32({16})).known(1, {8}).run(rules::stft).is({B, 15, 16, 2}));
static_assert(
    frames(128, absent, i64({})).known(1, {8}).known(3, {16}).with("onesided", 1).run(rules::stft).is({B, 15, 9, 2}));
static_assert(frames(128).run(rules::stft).is({B, 1, 128, 2}));
static_assert(frames(N, f32({16})).known(1, {8}).run(rules::stft).is({B, dyn, 16, 2}));
static_assert(frames(128, f32({16})).run(rules::stft).is({B, dyn, 16, 2}));

TEST_CASE("short-time Fourier transforms that do not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::stft).problem; };
  CHECK(problem(applied(op17, f32({B, 128}), i64({}))).starts_with("the signal has {} dimension{|s}"));
  CHECK(problem(frames(128).with("onesided", 2)) == "a flag is {}; it must be 0 or 1");
  CHECK(problem(frames(128, f32({16, 1}))).starts_with("the window has {} dimension{|s}"));
  CHECK(problem(frames(8, f32({16}))) == "frames have {} element{|s}, the signal {}");
  CHECK(problem(frames(128, f32({16}), i64({})).known(3, {8})) == "the window has {} element{|s}, the frames {}");
  CHECK(problem(frames(128, f32({16})).known(1, {0})) == "the step between frames is {}; it must be positive");
  CHECK(problem(frames(128, absent, i64({})).known(3, {0})) ==
        "frames have {} element{|s}; they must have at least one");
  CHECK(problem(applied(op17, f32({B, 128, 2}), i64({})).with("onesided", 1)).starts_with("a complex signal"));
  CHECK(problem(applied(op17, f32({B, 128, 3}), i64({}))) == "the last dimension is {}; it must be 1 or 2");
}

static_assert(applied(op17, i64({})).known(0, {9}).run(rules::window).are(f32({9})));
static_assert(applied(op17, i64({})).with("output_datatype", dtype::f16).run(rules::window).are(of(dtype::f16, {dyn})));
static_assert(applied(op17, i64({}), i64({}), i64({}), f32({}), f32({}))
                  .known(0, {4})
                  .known(1, {9})
                  .run(rules::mel_weight_matrix)
                  .are(f32({5, 4})));

TEST_CASE("windows and weights of frequencies", "[graph]") {
  CHECK_FALSE(applied(op17, i64({2})).run(rules::window).ok());
  CHECK_FALSE(applied(op17, i64({})).known(0, {-1}).run(rules::window).ok());
  CHECK_FALSE(applied(op17, i64({})).with("output_datatype", 77).run(rules::window).ok());
  const auto mel = [](tensor_type rate) { return applied(op17, i64({}), i64({}), rate, f32({}), f32({})); };
  CHECK(mel(i64({})).run(rules::mel_weight_matrix).is({dyn, dyn}));
  CHECK_FALSE(mel(i64({2})).run(rules::mel_weight_matrix).ok());
  CHECK_FALSE(mel(i64({})).known(0, {0}).run(rules::mel_weight_matrix).ok());
  CHECK_FALSE(mel(i64({})).known(1, {0}).run(rules::mel_weight_matrix).ok());
}

namespace {

constexpr applied by_scales(auto... more) { return applied(op20, f32({B, 3, 10, 7}), absent, f32({4}), more...); }
constexpr applied by_sizes(dim n) { return applied(op20, f32({B, 3, 10, 8}), absent, absent, i64({n})); }

}  // namespace

static_assert(by_scales().known_reals(2, {1, 1, 2, 0.5}).run(rules::resize).is({B, 3, 20, 3}));
static_assert(by_scales().run(rules::resize).is({dyn, dyn, dyn, dyn}));
static_assert(by_sizes(4).known(3, {B, 3, 5, N}).run(rules::resize).is({B, 3, 5, N}));
static_assert(by_sizes(2).known(3, {5, 6}).with("axes", {-1, 2}).run(rules::resize).is({B, 3, 6, 5}));
static_assert(by_sizes(2).with("axes", {2, 3}).run(rules::resize).is({B, 3, dyn, dyn}));
static_assert(by_sizes(4).known(3, {1, 1, 1, 1}).attributes_at_run_time().run(rules::resize).is({dyn, dyn, dyn, dyn}));

TEST_CASE("Resize rounds as f32 and f64 do, or does not say", "[graph]") {
  CHECK(by_scales().known_reals(2, {1, 1, 0.7F, 1}).run(rules::resize).is({B, 3, dyn, 7}));  // 6.99999988 or 7
  CHECK(by_scales().known_reals(2, {2, 1, 0.75, 1}).run(rules::resize).dims()[2] == dim(7));
  applied cropped(op20, f32({1, 8}), f32({4}), f32({2}));
  cropped.with("coordinate_transformation_mode", "tf_crop_and_resize").known_reals(2, {1, 2});
  CHECK(cropped.run(rules::resize).is({dyn, dyn}));
}

TEST_CASE("Resize keeps the ratio of extents", "[graph]") {
  const auto kept = [](const char* policy, std::initializer_list<dim> sizes) {
    return by_sizes(2).known(3, sizes).with("axes", {2, 3}).with("keep_aspect_ratio_policy", policy).run(rules::resize);
  };
  CHECK(kept("not_larger", {5, 8}).is({B, 3, 5, 4}));
  CHECK(kept("not_smaller", {5, 8}).is({B, 3, 10, 8}));
  CHECK(kept("not_larger", {7, 7}).is({B, 3, 7, 6}));    // 5.6
  CHECK(kept("not_smaller", {3, 5}).is({B, 3, 6, 5}));   // 6.25
  CHECK(kept("not_smaller", {1, 6}).is({B, 3, 8, 6}));   // 7.5, exactly in f32
  CHECK(kept("not_larger", {7, 800}).is({B, 3, 7, 6}));  // 5.6
  CHECK(applied(op20, f32({6, 5}), std::nullopt, std::nullopt, i64({2}))
            .known(3, {3, 900})
            .with("keep_aspect_ratio_policy", "not_larger")
            .run(rules::resize)
            .is({3, dyn}));  // 2.5, which f32 may not reach exactly
  CHECK(kept("not_larger", {N, 7}).is({B, 3, dyn, dyn}));
  CHECK_FALSE(kept("larger", {7, 7}).ok());
}

TEST_CASE("Resize with what does not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::resize).problem; };
  CHECK(problem(applied(op20, f32({2, 3}))) == "it needs scales or sizes");
  CHECK(problem(applied(op20, f32({2, 3}), absent, f32({0}))) == "it needs scales or sizes");
  CHECK(problem(by_scales(i64({4}))) == "scales and sizes exclude each other");
  CHECK(problem(by_scales(i64({0}))).empty());
  CHECK(problem(by_sizes(3)) == "it has {} scale{|s} or size{|s} for {} ax{is|es}");
  CHECK(problem(by_sizes(2).with("axes", {2, 2})) == "the axis {} is named twice");
  CHECK(problem(by_sizes(1).with("axes", {4})) == "the axis {} is out of range for {} dimension{|s}");
  CHECK(problem(by_sizes(4).known(3, {1, 1, -1, 1})) == "an extent of the result is {}; it must not be negative");
  CHECK(problem(by_scales().known_reals(2, {1, 1, 0, 1})) == "a scale is not positive");
  CHECK(problem(by_scales().with("mode", "area")).starts_with("mode must be "));
  CHECK(problem(by_scales().with("nearest_mode", "x")).starts_with("nearest_mode must be "));
  CHECK(problem(by_scales().with("coordinate_transformation_mode", "x")).starts_with("coordinate_transformation_mode"));
  CHECK(problem(by_scales().with("coordinate_transformation_mode", "tf_crop_and_resize")) ==
        "tf_crop_and_resize needs roi");
  CHECK(problem(applied(op20, f32({2}), absent, f32({}))).starts_with("roi, scales or sizes have {} dimension{|s}"));
  applied cropped(op20, f32({1, 8}), f32({3}), f32({2}));
  CHECK(problem(cropped.with("coordinate_transformation_mode", "tf_crop_and_resize"))
            .starts_with("roi has {} element{|s}"));
}

static_assert(applied(op20, f32({B, 3, 8, 9}), f32({B, 4, 5, 2})).run(rules::grid_sample).is({B, 3, 4, 5}));
static_assert(applied(op20, f32({dyn, 3, 8}), f32({2, N, 1})).run(rules::grid_sample).is({2, 3, N}));

TEST_CASE("sampling by a grid", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::grid_sample).problem; };
  const tensor_type x = f32({2, 3, 8, 9}), grid = f32({2, 4, 5, 2});
  CHECK(problem(applied(op20, x, f32({1, 4, 5, 2}))) == "the grid is for a batch of {} instead of {}");
  CHECK(problem(applied(op20, x, f32({2, 4, 5, 3}))) == "the grid has {} coordinates instead of {}");
  CHECK(problem(applied(op20, x, f32({2, 4, 2}))) == "the grid has {} dimension{|s}, the operand {}");
  CHECK(problem(applied(op20, f32({2, 3}), f32({2, 0}))).starts_with("the operand has {} dimension{|s}"));
  CHECK(problem(applied(op17, f32({2, 3, 8}), f32({2, 4, 1}))).starts_with("the operand has {} dimension{|s}"));
  CHECK(problem(applied(op17, f32({2, 3, 8, 8, 8}), f32({2, 4, 4, 4, 3}))).ends_with("before opset 20 it must have 4"));
  CHECK(problem(applied(op17, x, grid).with("mode", "bicubic")).empty());
  CHECK_FALSE(problem(applied(op17, x, grid).with("mode", "cubic")).empty());
  CHECK(problem(applied(op20, x, grid).with("mode", "cubic")).empty());
  CHECK_FALSE(problem(applied(op20, x, grid).with("mode", "bicubic")).empty());
  CHECK_FALSE(problem(applied(op20, x, grid).with("padding_mode", "wrap")).empty());
}

static_assert(
    applied(op20, f32({dyn, 2, 3}), i64({4})).known(1, {B, 3, 5, N}).run(rules::affine_grid).is({B, 5, N, 2}));
static_assert(applied(op20, f32({B, 3, 4}), i64({dyn})).run(rules::affine_grid).is({B, dyn, dyn, dyn, 3}));
static_assert(applied(op20, f32({B, dyn, dyn}), i64({dyn})).run(rules::affine_grid).is_unranked());

TEST_CASE("affine grids and decoded images", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::affine_grid).problem; };
  CHECK(problem(applied(op20, f32({2, 3}), i64({4}))).starts_with("theta has {} dimension{|s}"));
  CHECK(problem(applied(op20, f32({2, 2, 3}), i64({5}))) == "theta has {} row{|s} for {} spatial ax{is|es}");
  CHECK(problem(applied(op20, f32({2, 2, 4}), i64({4}))) == "theta has {} column{|s} instead of {}");
  CHECK(problem(applied(op20, f32({2, 2, 3}), i64({3}))) == "the size has {} element{|s}; it must have 4 or 5");
  CHECK(problem(applied(op20, f32({2, 2, 3}), i64({4})).known(1, {1, 3, 5, 6})).starts_with("theta is for a batch"));
  CHECK(problem(applied(op20, f32({2, 2, 3}), i64({4, 1}))).starts_with("the size has {} dimension{|s}"));

  CHECK(applied(op20, of(dtype::u8, {N})).run(rules::image_decoder).is({dyn, dyn, dyn}));
  CHECK_FALSE(applied(op20, of(dtype::u8, {N, 1})).run(rules::image_decoder).ok());
  CHECK_FALSE(applied(op20, of(dtype::u8, {N})).with("pixel_format", "CMYK").run(rules::image_decoder).ok());
}

TEST_CASE("Resize: scales state the ratio themselves", "[graph]") {
  const auto scaled = [](std::string_view policy) {
    return applied(since(23), f32({1, 8}), absent, f32({2}))
        .known_reals(2, {1, 2})
        .with("keep_aspect_ratio_policy", policy)
        .run(rules::resize);
  };
  CHECK(scaled("stretch").is({1, 16}));
  CHECK(scaled("not_larger").problem == "keep_aspect_ratio_policy is for sizes; scales state the ratio");
}
