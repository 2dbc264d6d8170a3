// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/graph/dim.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("dim: a number, a symbol or unknown") {
  CHECK(dim().is(0));
  CHECK(dim(-3).extent() == -3);
  CHECK(dim(dim::limit - 1).is_constant());
  CHECK_THROWS_AS(dim(dim::limit), limit_error);
  CHECK(dim::nearest(INT64_MAX) == dim(dim::limit - 1));
  CHECK(dim::nearest(INT64_MIN) == dim(-dim::limit));
  CHECK(dim::nearest(-5) == dim(-5));
  CHECK(dim::dyn().is_dyn());
  CHECK_FALSE(dim::dyn().is_symbolic());
  for (const char* name : {"B", "", "a*b", "floordiv(B, 2)"}) {
    CHECK(dim::symbol(name).is_symbolic());
    CHECK(dim::symbol(name) == dim::symbol(name));
  }
  CHECK(dim::symbol("A") != dim::symbol("B"));
}

TEST_CASE("definitely_differ: only constants") {
  CHECK(definitely_differ(1, 2));
  CHECK_FALSE(definitely_differ(2, 2));
  CHECK_FALSE(definitely_differ(dim::symbol("A"), 2));
  CHECK_FALSE(definitely_differ(dim::symbol("A"), dim::symbol("B")));
}

TEST_CASE("is_empty, is_static") {
  CHECK(is_empty({2, 0}));
  CHECK_FALSE(is_empty({}));
  CHECK_FALSE(is_empty({dim::symbol("B"), dim::dyn()}));
  CHECK(is_static({2, 0}));
  CHECK(is_static({}));
  CHECK_FALSE(is_static({2, dim::symbol("B")}));
}
