// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/rewrite/weights/format.hpp>

using namespace jax2onnx;

TEST_CASE("formats of weights have names") {
  CHECK(weight_format_named("int4") == weight_format::int4);
  CHECK(weight_format_named("bfloat16") == weight_format::bfloat16);
  CHECK_FALSE(weight_format_named("float32"));
  CHECK(weight_format_names() == std::vector<std::string>{"float16", "bfloat16", "int8", "int4"});
}
