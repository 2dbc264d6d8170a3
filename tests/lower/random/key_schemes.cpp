// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/random/key_schemes.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

TEST_CASE("every element type of keys has a scheme") {
  for (const element& e : jax2onnx::detail::composite_elements)
    if (e.cls == element_class::key) CHECK(scheme({e, {}}).keys == e.name);
}
