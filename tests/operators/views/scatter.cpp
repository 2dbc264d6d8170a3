// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <vector>

#include <jax2onnx/operators/views/scatter.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::operators;

TEST_CASE("sets_rows: numbers along the first axis, and nothing is combined") {
  graph g;
  const value x = g.input({dtype::f32, {5, 2}}, "x"), rows = g.input({dtype::i64, {3, 1}}, "rows"),
              places = g.input({dtype::i64, {3, 2}}, "places"), set = g.input({dtype::f32, {3, 2}}, "set"),
              numbers = g.input({dtype::f32, {3}}, "numbers");
  const auto scattered = [&](const value& indices, const value& updates, const std::string& reduction) {
    return g.emit("ScatterND", std::vector<value>{x, indices, updates}, x.type(), {{"reduction", reduction}});
  };
  CHECK(sets_rows(g.emit("ScatterND", std::vector<value>{x, rows, set}, x.type())));
  CHECK(sets_rows(scattered(rows, set, "none")));
  CHECK_FALSE(sets_rows(scattered(rows, set, "add")));
  CHECK_FALSE(sets_rows(scattered(places, numbers, "none")));
  CHECK_FALSE(sets_rows(x));
}
