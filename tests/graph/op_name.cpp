// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string_view>

#include <jax2onnx/graph/op_name.hpp>

namespace {

template <jax2onnx::detail::op_name Name>
std::string_view named() {
  return Name.view();
}

}  // namespace

TEST_CASE("op name: a template argument with the letters of its literal") {
  CHECK(named<"Relu">() == "Relu");
  CHECK(named<"">().empty());
}
