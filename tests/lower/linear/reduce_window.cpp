// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/linear/reduce_window.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

/// Windows of 3 with stride 2 over the last axis of x[2, 4, 9].
window_form form() {
  return {.sizes = {1, 1, 3},
          .strides = {1, 1, 2},
          .base_dilation = {1, 1, 1},
          .dilation = {1, 1, 1},
          .low = {0, 0, 0},
          .high = {0, 0, 0}};
}

struct model {
  graph g;
  value x = g.input({dtype::f32, {2, 4, 9}}, "x"), whole = g.input({dtype::i32, {2, 4, 9}}, "whole");
};

}  // namespace

TEST_CASE("a form knows its windowed dimensions and whether windows reach into padding") {
  window_form f = form();
  CHECK(f.windowed() == ints{2});
  CHECK_FALSE(f.pads());
  f.low = {-1, 0, 0};
  CHECK_FALSE(f.pads());
  f.high = {0, 0, 1};
  CHECK(f.pads());
  f = form();
  f.base_dilation = {1, 1, 2};
  CHECK(f.pads());
}

TEST_CASE("windows as lists of their elements") {
  model m;
  window_form f = form();
  CHECK(window_lists(m.x, f).dims() == shape{2, 4, 4, 3});
  f.sizes = {1, 2, 3};
  CHECK(window_lists(m.x, f).dims() == shape{2, 3, 4, 6});
}

TEST_CASE("pooling takes floating-point maxima, minima and sums, and other reductions a Gather") {
  model m;
  const shape out{2, 4, 4};
  CHECK(reduce_by_pooling(reducer::maximum, m.x, form(), out).has_value());
  CHECK(op_of(*reduce_by_pooling(reducer::minimum, m.x, form(), out)) == "Neg");
  CHECK(op_of(*reduce_by_pooling(reducer::sum, m.x, form(), out)) != "");
  CHECK_FALSE(reduce_by_pooling(reducer::product, m.x, form(), out).has_value());
  CHECK_FALSE(reduce_by_pooling(reducer::maximum, m.whole, form(), out).has_value());
  window_form dilated = form();
  dilated.base_dilation = {1, 1, 2};
  CHECK_FALSE(reduce_by_pooling(reducer::maximum, m.x, dilated, {2, 4, 8}).has_value());
  CHECK(reduce_windows(reducer::maximum, m.whole, scalar(m.g, dtype::i32, 0), form(), out).dims() == out);
}

TEST_CASE("no windows, no elements") {
  model m;
  const value none = reduce_windows(reducer::sum, m.x, scalar(m.g, dtype::f32, 0), form(), {2, 4, 0});
  CHECK(none.dims() == shape{2, 4, 0});
  CHECK(none.is_constant());
}
