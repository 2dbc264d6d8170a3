// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string_view>

#include <jax2onnx/platform/compiler.hpp>

TEST_CASE("compiler: whether it is Clang is known while compiling") {
  CHECK(jax2onnx::platform::is_clang == (std::string_view(__VERSION__).find("lang") != std::string_view::npos));
}
