// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "encoded.hpp"

#include <jax2onnx/read/read_model.hpp>
#include <jax2onnx/read/read_options.hpp>

using namespace jax2onnx;
using namespace encoded;

TEST_CASE("read_options: limits of the graph") {
  const std::string two = model_of({a_node("Relu", {"x"}, {"t"}), a_node("Neg", {"t"}, {"y"})});
  CHECK_NOTHROW(read_model_bytes(two, {.limits = graph_limits{.nodes = 2}}));
  CHECK_THROWS_AS(read_model_bytes(two, {.limits = graph_limits{.nodes = 1}}), limit_error);
  CHECK_THROWS_AS(read_model_bytes(two, {.limits = graph_limits{.bytes = 10}}), limit_error);
}
