// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/linear/conv.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

/// A convolution over one spatial axis.
conv_form form(std::int64_t stride, dim low, dim high, std::int64_t dilation = 1) {
  return {.lhs_spec = {0, 1, 2},
          .rhs_spec = {0, 1, 2},
          .out_spec = {0, 1, 2},
          .strides = {stride},
          .lhs_dilation = {dilation},
          .rhs_dilation = {1},
          .low = {low},
          .high = {high}};
}

struct model {
  graph g;
  dim n = g.dims().parse("n");
  value x = g.input({dtype::f32, {1, 2, n}}, "x"), w = g.input({dtype::f32, {4, 2, 3}}, "w");
  value fixed = g.input({dtype::f32, {1, 2, 10}}, "fixed");
};

}  // namespace

TEST_CASE("symbolic padding is recognized as SAME") {
  model m;
  CHECK(is_same_padding(m.x, m.w, form(1, 1, 1)));
  CHECK_FALSE(is_same_padding(m.x, m.w, form(1, 1, 2)));
  CHECK(is_same_padding(m.fixed, m.w, form(2, 0, 1)));  // 5 windows of 3 cover 11
  CHECK_FALSE(is_same_padding(m.fixed, m.w, form(2, 1, 0)));
}

TEST_CASE("Conv applies constant padding, a Pad or Slice before it the rest") {
  model m;
  const value padded = onnx_conv(m.fixed, m.w, form(1, 1, 2), {1, 4, 11});
  CHECK(std::get<ints>(producer(padded).find("pads")->value) == ints{1, 2});
  CHECK(producer(padded).inputs[0] == m.fixed.id());
  const value cropped = onnx_conv(m.fixed, m.w, form(1, -1, 2), {1, 4, 9});
  CHECK(std::get<ints>(producer(cropped).find("pads")->value) == ints{0, 2});
  CHECK(op_of({m.g, producer(cropped).inputs[0]}) == "Slice");
}

TEST_CASE("Conv does not state a kernel that has symbolic extents") {
  model m;
  const value w = m.g.input({dtype::f32, {4, 2, m.n}}, "symbolic");
  const value y = onnx_conv(m.x, w, form(1, 1, 1), {1, 4, 3});
  CHECK_FALSE(producer(y).find("kernel_shape"));
  CHECK(std::get<ints>(producer(y).find("pads")->value) == ints{1, 1});
  CHECK_FALSE(onnx_conv_transpose(m.x, w, form(1, 1, 1, 2), {1, 4, m.n}));
  CHECK(producer(onnx_conv(m.fixed, m.w, form(1, 0, 0), {1, 4, 8})).find("kernel_shape"));
}

TEST_CASE("a convolution of a dilated input is a ConvTranspose if its padding can be expressed") {
  const shape kernel{4, 2, 3};
  const auto both = transposed_padding_of(kernel, form(1, 1, 1, 2));
  REQUIRE(both);
  CHECK(both->pads == ints{1, 1});
  CHECK(both->output_padding == ints{0});
  const auto more = transposed_padding_of(kernel, form(1, 2, 3, 2));
  REQUIRE(more);
  CHECK(more->pads == ints{0, 0});
  CHECK(more->output_padding == ints{1});
  CHECK_FALSE(transposed_padding_of(kernel, form(1, 3, 1, 2)));  // more padding at the beginning than possible
  CHECK_FALSE(transposed_padding_of(kernel, form(1, 1, 4, 2)));  // output_padding must be less than the dilation
}

TEST_CASE("the kernel of a ConvTranspose has its features swapped within groups") {
  model m;
  CHECK(transposed_kernel(m.w, 1).dims() == shape{2, 4, 3});
  CHECK(transposed_kernel(m.w, 2).dims() == shape{4, 2, 3});
}

TEST_CASE("groups of the batch become groups of features") {
  model m;
  const value x = m.g.input({dtype::f32, {6, 2, m.n}}, "groups");
  CHECK(batch_groups_as_features(x, 3).dims() == shape{2, 6, m.n});
}
