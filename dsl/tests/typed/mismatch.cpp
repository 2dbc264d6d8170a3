// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/literal.hpp>
#include <jax2onnx/dsl/typed/mismatch.hpp>

using namespace jax2onnx;

TEST_CASE("problem_text: numbers, extents and types") {
  constexpr auto written = [] {
    detail::problem_text t;
    const extent extents[] = {"B"_d, 784, dyn};
    t.add("Add: ");
    t.add_type("f32", extents);
    t.add(" ");
    t.add(std::int64_t{-12});
    return t;
  }();
  CHECK(written.view() == "Add: f32[B,784,?] -12");
}

TEST_CASE("problem_text: a call without a problem has no line") {
  STATIC_REQUIRE(detail::line_count(detail::problem_text()) == 0);
}
