// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/builtin.hpp>
#include <jax2onnx/lower/compat.hpp>
#include <jax2onnx/lower/refused.hpp>

using namespace jax2onnx;

TEST_CASE("a refusal is found by the name of its primitive") {
  CHECK(lower::find_refusal("pure_callback") != nullptr);
  CHECK(lower::find_refusal("add") == nullptr);
}

TEST_CASE("a refused primitive has a reason, its newest name and no lowering") {
  for (const lower::refusal& r : lower::refusals) {
    CAPTURE(r.primitive);
    CHECK_FALSE(r.reason.empty());
    CHECK(compat::primitive(r.primitive) == r.primitive);
    CHECK(find_row(builtin_lowerings(), r.primitive) == nullptr);
    CHECK(lower::find_refusal(r.primitive) == &r);
  }
}
