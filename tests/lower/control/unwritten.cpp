// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/control/unwritten.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("memory that is not written holds NaN, the least integer, or False") {
  graph g;
  const auto of = [&](std::string_view name) { return unwritten(g, {element_named(name), {}}).re(); };
  CHECK(constant_integer(of("i32")) == std::numeric_limits<std::int32_t>::min());
  CHECK(constant_integer(of("i8")) == -128);
  CHECK(constant_integer(of("u8")) == 0);
  CHECK(constant_integer(of("bool")) == 0);
  CHECK(constant_integer(of("dma_sem")) == 0);
  CHECK(same_value(of("f32"), scalar(g, dtype::f32, std::numeric_limits<double>::quiet_NaN())));
  CHECK(unwritten(g, {element_named("c64"), {dim(2)}}).count == 2);
}
