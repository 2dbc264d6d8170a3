// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/operators/views/producer.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("producer: none for inputs, constants and absent values") {
  model m;
  const value x = m.in({2});
  CHECK(producer(x) == nullptr);
  CHECK(producer(m.weight({2})) == nullptr);
  CHECK(producer(value()) == nullptr);
  CHECK(producer(exp(x), "Exp") != nullptr);
  CHECK(producer(exp(x), "Log") == nullptr);
  CHECK_FALSE(input_of(exp(x), 1));
}

TEST_CASE("reduction_of: axes ascending and nonnegative, from an input or an attribute") {
  model m;
  const value x = m.in({2, 3, 4});
  const auto by_attribute = [&](const ints& axes) {
    return m.g.emit("ReduceMax", {x}, {dtype::f32, {1, 3, 1}}, {{"axes", axes}});
  };
  CHECK(reduction_of(by_attribute({-1, 0})) == reduction{{0, 2}, true});
  CHECK(reduction_of(reduce("ReduceSum", x, {1}, false)) == reduction{{1}, false});
  CHECK(reduction_of(exp(x)) == std::nullopt);
}
