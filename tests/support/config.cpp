// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/support/config.hpp>

namespace {

JAX2ONNX_INLINE int defined_here() { return 7; }

}  // namespace

TEST_CASE("JAX2ONNX_INLINE: inline in a header-only program, nothing when the library is compiled") {
#define TEXT_OF(x) #x
#define VALUE_OF(x) TEXT_OF(x)
#ifdef JAX2ONNX_COMPILED
  CHECK(std::string(VALUE_OF(JAX2ONNX_INLINE)).empty());
#else
  CHECK(std::string(VALUE_OF(JAX2ONNX_INLINE)) == "inline");
#endif
  CHECK(defined_here() == 7);
}
