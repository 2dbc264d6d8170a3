// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "operators/rules/applied.hpp"

#include <jax2onnx/operators/rules/convolution.hpp>

using namespace jax2onnx;
using namespace jax2onnx::testing;

namespace {

constexpr dim B = dim::symbol("B"), dyn = dim::dyn();

constexpr formal_attribute attributes[] = {standard("auto_pad", "NOTSET"), standard("group", 1),
                                           standard("offset_group", 1)};
constexpr op_record named(std::string_view name) {
  op_record r = record_of(attributes);
  r.name = name;
  return r;
}
constexpr op_record conv_record = named("Conv"), integers_record = named("ConvInteger"),
                    linear_record = named("QLinearConv");

constexpr applied conv(tensor_type x, tensor_type w, auto... more) { return applied(conv_record, x, w, more...); }
constexpr tensor_type no_dims = f32({});

}  // namespace

static_assert(conv(f32({1, 3, 8, 8}), f32({16, 3, 3, 3})).run(rules::conv).is({1, 16, 6, 6}));
static_assert(conv(f32({B, 3, 8}), f32({16, 3, 3}), f32({16})).with("pads", {1, 1}).run(rules::conv).is({B, 16, 8}));
static_assert(conv(f32({B, 3, B}), f32({16, 3, 3})).with("pads", {1, 1}).run(rules::conv).is({B, 16, B}));
static_assert(conv(f32({2, 3, dyn}), f32({16, dyn, 3})).run(rules::conv).is({2, 16, dyn}));
static_assert(conv(f32({1, 1, 8}), f32({1, 1, 3})).with("strides", {2}).run(rules::conv).is({1, 1, 3}));
static_assert(conv(f32({1, 1, 8}), f32({1, 1, 3})).with("dilations", {3}).run(rules::conv).is({1, 1, 2}));
static_assert(conv(f32({1, 6, 8}), f32({4, 3, 1})).with("group", 2).run(rules::conv).is({1, 4, 8}));
static_assert(conv(f32({1, 6, 8}), f32({4, 3, 1})).attributes_at_run_time().run(rules::conv).is({1, 4, dyn}));
static_assert(conv(f32({1, 1, 0}), f32({4, 1, 3})).run(rules::conv).is({1, 4, 0}));

TEST_CASE("auto_pad decides the padding", "[graph]") {
  const auto run = [](const char* mode, std::int64_t stride) {
    return conv(f32({1, 1, 7}), f32({1, 1, 3})).with("auto_pad", mode).with("strides", {stride}).run(rules::conv);
  };
  CHECK(run("SAME_UPPER", 1).is({1, 1, 7}));
  CHECK(run("SAME_LOWER", 2).is({1, 1, 4}));
  CHECK(run("VALID", 2).is({1, 1, 3}));
  CHECK_FALSE(run("SAME", 1).ok());
  auto both = conv(f32({1, 1, 7}), f32({1, 1, 3}));
  CHECK(both.with("auto_pad", "VALID").with("pads", {1, 1}).run(rules::conv).problem ==
        "pads and auto_pad exclude each other");
}

TEST_CASE("operands and attributes of a convolution that do not fit", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::conv).problem; };
  const tensor_type x = f32({1, 6, 8}), w = f32({4, 3, 3});
  CHECK(problem(conv(x, w)) == "the operand has {} channel{|s}, the weights are for {}");
  CHECK(problem(conv(f32({1, 6}), w)).starts_with("the first operand has {} dimension{|s}"));
  CHECK(problem(conv(x, f32({4, 3}))) == "the weights have {} dimension{|s}, the first operand {}");
  CHECK(problem(conv(x, w).with("group", 0)) == "the number of groups is {}; it must be positive");
  CHECK(problem(conv(x, w).with("group", 4)) == "{} input channel{|s} cannot be divided into {} group{|s}");
  CHECK(problem(conv(x, f32({3, 3, 3})).with("group", 2)) ==
        "{} output channel{|s} cannot be divided into {} group{|s}");
  CHECK(problem(conv(x, w, f32({5})).with("group", 2)) == "the bias has {} element{|s} for {} channel{|s}");
  CHECK(problem(conv(x, w, f32({4, 1})).with("group", 2)) == "the bias has {} dimension{|s}; it must be a vector");
  CHECK(problem(conv(x, w).with("group", 2).with("strides", {0})) == "a stride is {}; it must be positive");
  CHECK(problem(conv(x, w).with("group", 2).with("strides", {1, 1})) ==
        "strides has {} entr{y|ies} for {} spatial ax{is|es}");
  CHECK(problem(conv(x, w).with("group", 2).with("dilations", {0})) == "a dilation is {}; it must be positive");
  CHECK(problem(conv(x, w).with("group", 2).with("pads", {1})).starts_with("pads has {} entr{y|ies}"));
  CHECK(problem(conv(x, w).with("group", 2).with("pads", {1, -1})) == "a padding is {}; it must not be negative");
  CHECK(problem(conv(x, w).with("group", 2).with("kernel_shape", {4})) ==
        "kernel_shape has {} where the weights have {}");
  CHECK(problem(conv(x, w).with("group", 2).with("kernel_shape", {3, 3})) ==
        "kernel_shape has {} entr{y|ies} for {} spatial ax{is|es}");
  CHECK(problem(conv(x, f32({4, 3, 0})).with("group", 2)) == "a window has the extent {}; it must be positive");

  const outcome large = conv(x, f32({4, 6, 9})).run(rules::conv);
  CHECK(large.problem == "a window covers {} element{|s} of an axis that has {} with its padding");
  CHECK(large.details[0] == 9);
  CHECK(large.details[1] == 8);
}

TEST_CASE("convolutions of integers", "[graph]") {
  const tensor_type x = f32({1, 3, 8}), w = f32({4, 3, 3});
  const auto integers = [&](auto... zero_points) {
    return applied(integers_record, x, w, zero_points...).run(rules::conv);
  };
  CHECK(integers().is({1, 4, 6}));
  CHECK(integers(no_dims, f32({4})).is({1, 4, 6}));
  CHECK(integers(std::optional<tensor_type>(), no_dims).is({1, 4, 6}));
  CHECK_FALSE(integers(f32({3})).ok());
  CHECK_FALSE(integers(no_dims, f32({3})).ok());

  const auto linear = [&](tensor_type x_scale, tensor_type w_scale, auto... bias) {
    return applied(linear_record, x, x_scale, no_dims, w, w_scale, w_scale, no_dims, no_dims, bias...).run(rules::conv);
  };
  CHECK(linear(no_dims, no_dims).is({1, 4, 6}));
  CHECK(linear(no_dims, f32({4}), f32({4})).is({1, 4, 6}));
  CHECK_FALSE(linear(f32({3}), no_dims).ok());
  CHECK_FALSE(linear(no_dims, f32({3})).ok());
  CHECK_FALSE(linear(no_dims, f32({4, 1})).ok());
  CHECK_FALSE(linear(no_dims, no_dims, f32({3})).ok());
}

namespace {

constexpr applied transposed(dim extent) { return applied(conv_record, f32({1, 6, extent}), f32({6, 2, 3})); }

}  // namespace

static_assert(transposed(4).run(rules::conv_transpose).is({1, 2, 6}));
static_assert(transposed(4).with("group", 3).run(rules::conv_transpose).is({1, 6, 6}));
static_assert(transposed(4).with("strides", {2}).run(rules::conv_transpose).is({1, 2, 9}));
static_assert(transposed(4).with("strides", {2}).with("output_padding", {1}).run(rules::conv_transpose).is({1, 2, 10}));
static_assert(transposed(4).with("strides", {2}).with("output_shape", {8}).run(rules::conv_transpose).is({1, 2, 8}));
static_assert(transposed(4).with("strides", {2}).with("pads", {1, 0}).run(rules::conv_transpose).is({1, 2, 8}));
static_assert(transposed(4).with("dilations", {2}).run(rules::conv_transpose).is({1, 2, 8}));
static_assert(transposed(B).with("pads", {1, 1}).run(rules::conv_transpose).is({1, 2, B}));
static_assert(transposed(4).attributes_at_run_time().run(rules::conv_transpose).is({1, dyn, dyn}));

TEST_CASE("a transposed convolution", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::conv_transpose).problem; };
  CHECK(transposed(4).with("auto_pad", "SAME_UPPER").with("strides", {3}).run(rules::conv_transpose).is({1, 2, 12}));
  CHECK(problem(applied(conv_record, f32({1, 5, 4}), f32({6, 2, 3}))) ==
        "the operand has {} channel{|s}, the weights are for {}");
  CHECK(problem(transposed(4).with("group", 4)) == "{} input channel{|s} cannot be divided into {} group{|s}");
  CHECK(problem(transposed(4).with("output_padding", {1})).starts_with("an output padding is {}; it must be less"));
  CHECK(problem(transposed(4).with("output_padding", {1, 1})).starts_with("output_padding has {} entr{y|ies}"));
  CHECK(problem(transposed(4).with("output_shape", {1, 2, 6})).starts_with("output_shape has {} entr{y|ies}"));
  CHECK(problem(transposed(4).with("pads", {4, 4})) == "the padding makes an extent {}; it must not be negative");
  CHECK(problem(applied(conv_record, f32({1, 6, 4}), f32({6, 2, 3}), f32({6}))) ==
        "the bias has {} element{|s} for {} channel{|s}");
}

namespace {

constexpr applied deformed(tensor_type offsets, auto... more) {
  return applied(conv_record, f32({1, 2, 8, 8}), f32({4, 2, 3, 3}), offsets, more...);
}
constexpr std::optional<tensor_type> absent;

}  // namespace

static_assert(deformed(f32({1, 18, 6, 6})).run(rules::deform_conv).is({1, 4, 6, 6}));
static_assert(deformed(f32({1, 36, 6, 6}), f32({4}), f32({1, 18, 6, 6}))
                  .with("offset_group", 2)
                  .run(rules::deform_conv)
                  .is({1, 4, 6, 6}));

TEST_CASE("a deformable convolution", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::deform_conv).problem; };
  CHECK(problem(applied(conv_record, f32({1, 3, 8}), f32({4, 2, 3}), f32({1, 3, 6}))) ==
        "the operand has {} channel{|s}, the weights are for {}");
  CHECK(problem(deformed(f32({1, 9, 6, 6}))) == "the offsets have {} channel{|s} instead of {}");
  CHECK(problem(deformed(f32({1, 18, 6, 5}))) == "offsets or mask have an extent of {} where the result has {}");
  CHECK(problem(deformed(f32({2, 18, 6, 6}))) == "offsets or mask are for {} image{|s} instead of {}");
  CHECK(problem(deformed(f32({1, 18, 6}))) == "offsets or mask have {} dimension{|s}, the first operand {}");
  CHECK(problem(deformed(f32({1, 18, 6, 6}), absent, f32({1, 18, 6, 6}))) ==
        "the mask has {} channel{|s} instead of {}");
  CHECK(problem(deformed(f32({1, 18, 6, 6}), f32({3}))) == "the bias has {} element{|s} for {} channel{|s}");
  CHECK(problem(deformed(f32({1, 18, 6, 6})).with("offset_group", 4)) ==
        "{} input channel{|s} cannot be divided into {} group{|s} of offsets");
}

namespace {

constexpr applied folded(tensor_type x) { return applied(conv_record, x, i64({2}), i64({2})); }

}  // namespace

static_assert(folded(f32({1, 10, 20})).known(1, {6, 7}).known(2, {1, 5}).run(rules::col2im).problem ==
              "the first operand has {} window{|s}, the image {}");
static_assert(folded(f32({1, 10, 18})).known(1, {6, 7}).known(2, {1, 5}).run(rules::col2im).is({1, 2, 6, 7}));
static_assert(folded(f32({B, 10, 18})).known(2, {1, 5}).run(rules::col2im).is({B, 2, dyn, dyn}));
static_assert(folded(f32({1, 10, 18})).known(1, {6, 7}).run(rules::col2im).is({1, dyn, 6, 7}));
static_assert(applied(conv_record, f32({1, 10, 18}), i64({dyn}), i64({B})).run(rules::col2im).is_unranked());

TEST_CASE("columns to images", "[graph]") {
  const auto problem = [](auto&& application) { return application.run(rules::col2im).problem; };
  CHECK(problem(folded(f32({10, 18}))).starts_with("the first operand has {} dimension{|s}"));
  CHECK(problem(folded(f32({1, 9, 18})).known(2, {1, 5})) ==
        "{} row{|s} cannot be divided into windows of {} element{|s}");
  CHECK(problem(folded(f32({1, 10, 18})).known(2, {0, 5})) == "a window has the extent {}; it must be positive");
  CHECK(problem(applied(conv_record, f32({1, 10, 18}), i64({2}), i64({3}))) ==
        "the image has {} spatial ax{is|es}, the window {}");
  CHECK(problem(applied(conv_record, f32({1, 10, 18}), i64({}), i64({3}))).starts_with("the shape of the image"));
  CHECK(problem(applied(conv_record, f32({1, 10, 18}), i64({2}), i64({2, 1}))).starts_with("the shape of the window"));
  CHECK(problem(folded(f32({1, 10, 18})).with("strides", {1})) ==
        "strides has {} entr{y|ies} for {} spatial ax{is|es}");
}

TEST_CASE("convolutions of steps with a state", "[graph]") {
  const auto run = [](auto... operands) { return applied(conv_record, operands...).wants(2).run(rules::causal_conv); };
  const tensor_type x = f32({B, 4, 9}), w = f32({4, 1, 3});
  CHECK(run(x, w).are(f32({B, 4, 9}), f32({B, 4, 2})));
  CHECK(run(x, w, f32({4}), f32({B, 4, 2})).ok());
  CHECK(run(x, f32({4, 1, 1}), absent, f32({B, 4, 0})).are(f32({B, 4, 9}), f32({B, 4, 0})));
  CHECK(run(f32({4, 9}), w).problem == "the operand has {} dimension{|s}; it must be [batch, channels, length]");
  CHECK(run(x, f32({4, 3})).problem == "the weight has {} dimension{|s}; it must be [channels, 1, window]");
  CHECK(run(x, f32({5, 1, 3})).problem == "the weight is for {} channel{|s} instead of {}");
  CHECK_FALSE(run(x, f32({4, 2, 3})).ok());
  CHECK(run(x, f32({4, 1, 0})).problem == "the window has the extent {}; it must be positive");
  CHECK(run(x, w, f32({5})).problem == "the bias is for {} channel{|s} instead of {}");
  CHECK_FALSE(run(x, w, f32({4, 1})).ok());
  CHECK(run(x, w, absent, f32({B, 4, 3})).problem == "the state has an extent of {} instead of {}");
  CHECK_FALSE(run(x, w, absent, f32({4, 2})).ok());
}
