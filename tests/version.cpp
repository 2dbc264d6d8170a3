// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/version.hpp>

TEST_CASE("version: the macros, the constant and CMake's project agree") {
  const std::string numbers = std::to_string(JAX2ONNX_VERSION_MAJOR) + "." + std::to_string(JAX2ONNX_VERSION_MINOR) +
                              "." + std::to_string(JAX2ONNX_VERSION_PATCH);
  CHECK(numbers == JAX2ONNX_VERSION_STRING);
  CHECK(numbers == jax2onnx::version);
  CHECK(numbers == JAX2ONNX_PROJECT_VERSION);
}
