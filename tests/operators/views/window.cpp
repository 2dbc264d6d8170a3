// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/views/window.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::operators;

TEST_CASE("window_of: defaults are written out") {
  graph g;
  const value x = g.input({dtype::f32, {1, 3, 8, 8}}, "x");
  const value w = g.constant({dtype::f32, {2, 3, 3, 5}}, bytes(std::string(2 * 3 * 3 * 5 * 4, '\0')));
  const value conv = g.emit("Conv", {x, w}, {dtype::f32, {1, 2, 6, 4}});
  CHECK(window_of(conv) == window_view{{3, 5}, {1, 1}, {1, 1}, {0, 0, 0, 0}, false});
  CHECK(window_of(g.emit("Conv", {x, w}, conv.type(), {{"strides", ints{1, 1}}, {"kernel_shape", ints{3, 5}}})) ==
        window_of(conv));
  CHECK_FALSE(is_dilated(conv));
  const value pool = g.emit("MaxPool", {x}, {dtype::f32, {1, 3, 4, 4}},
                            {{"kernel_shape", ints{2, 2}}, {"strides", ints{2, 2}}, {"dilations", ints{1, 2}}});
  CHECK(window_of(pool) == window_view{{2, 2}, {2, 2}, {1, 2}, {0, 0, 0, 0}, false});
  CHECK(is_dilated(pool));
}

TEST_CASE("window_of: nullopt if the padding is automatic") {
  graph g;
  const value x = g.input({dtype::f32, {1, 1, 4, 4}}, "x");
  CHECK_FALSE(window_of(
      g.emit("AveragePool", {x}, x.type(), {{"kernel_shape", ints{2, 2}}, {"auto_pad", std::string("SAME_UPPER")}})));
}
