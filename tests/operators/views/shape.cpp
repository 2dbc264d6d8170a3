// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/views/shape.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::operators;

TEST_CASE("extents_read_by: start and end, given or not, from either end, beyond the rank") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3, 4}}, "x");
  const auto range = [&](std::vector<attribute> attributes) {
    const value v = g.emit("Shape", {x}, {dtype::i64, {1}}, std::move(attributes));
    const axis_range r = extents_read_by(*producer(v), 3);
    return std::pair(r.begin, r.end);
  };
  CHECK(range({}) == std::pair<std::int64_t, std::int64_t>(0, 3));
  CHECK(range({{"start", std::int64_t{1}}}) == std::pair<std::int64_t, std::int64_t>(1, 3));
  CHECK(range({{"start", std::int64_t{-2}}, {"end", std::int64_t{-1}}}) == std::pair<std::int64_t, std::int64_t>(1, 2));
  CHECK(range({{"start", std::int64_t{2}}, {"end", std::int64_t{1}}}) == std::pair<std::int64_t, std::int64_t>(2, 2));
  CHECK(range({{"end", std::int64_t{9}}}) == std::pair<std::int64_t, std::int64_t>(0, 3));
}
