// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "ops/nodes.hpp"

#include <jax2onnx/ops/window.hpp>

using namespace test_nodes;
using Catch::Matchers::Contains;

TEST_CASE("pad_between: interior padding, and none after the last element") {
  graph g;
  const value x = g.input({dtype::f32, {3}}, "x"), zero = scalar(g, dtype::f32, 0);
  CHECK(pad_between(x, {1}, {2}, {2}, zero).dims() == shape{10});  // 1 + 3 + 2 * 2 + 2
  CHECK(same_value(pad_between(x, {0}, {0}, {0}, zero), x));
  const value one = g.input({dtype::f32, {1}}, "one");
  CHECK(same_value(pad_between(one, {0}, {0}, {5}, zero), one));  // there are no neighbours
}

TEST_CASE("pad_between: copies before the elements where there is padding before the first one") {
  model m;
  const value x = m.g.input({dtype::f32, {3}}, "row"), zero = scalar(m.g, dtype::f32, 0);
  const value odd = pad_between(x, {1}, {0}, {1}, zero);
  CHECK(odd.dims() == shape{6});
  CHECK(op_list(m.g) == std::vector<std::string_view>{"Reshape", "Pad", "Reshape"});
  CHECK(pad_between(x, {5}, {0}, {2}, zero).dims() == shape{12});  // 5 + 3 + 2 * 2
}

TEST_CASE("windows: positions of every window's elements") {
  model m;
  window_axis w{.axis = 1, .size = 2, .stride = 3, .dilation = 2, .count = 0};
  w.count = window_count(m.g, 9, w);
  CHECK(w.reach() == 3);
  CHECK(w.count == dim(3));
  CHECK(constant_integers(window_positions(m.g, w)) == ints{0, 2, 3, 5, 6, 8});
  CHECK(window_count(m.g, 2, w) == dim(0));
  window_axis pairs{.axis = 1, .size = 2, .stride = 1, .dilation = 1, .count = 3};
  CHECK(windows(m.x, pairs).dims() == shape{m.B, 3, 2, 6});
}

TEST_CASE("windows: the positions of a large window are computed when the model runs") {
  graph g;
  window_axis w{.axis = 0, .size = 1'000'000'000, .stride = 1, .dilation = 1, .count = 2};
  const value positions = window_positions(g, w);
  CHECK(positions.dims() == shape{2, 1'000'000'000});
  CHECK(g.at(g.at(g.at(g.at(positions.id()).producer).inputs[1]).producer).op == "Range");
}

TEST_CASE("windows: a reach or an extent that overflows is a limit error") {
  graph g;
  const window_axis w{.axis = 0, .size = 3, .stride = 1, .dilation = INT64_MAX, .count = 0};
  CHECK_THROWS_AS(window_count(g, 9, w), limit_error);
  const value x = g.input({dtype::f32, {3}}, "x"), zero = scalar(g, dtype::f32, 0);
  CHECK_THROWS_AS(pad_between(x, {0}, {0}, {INT64_MAX}, zero), limit_error);
}
