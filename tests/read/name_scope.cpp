// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/read/name_scope.hpp>

using namespace jax2onnx;
using detail::name_scope;

TEST_CASE("name_scope: inner names hide outer ones, and may be absent") {
  name_scope outer, inner(&outer);
  outer.define("a", value_id{1});
  CHECK(inner.find("a") == value_id{1});
  CHECK_FALSE(inner.defines("a"));
  inner.define("a", value_id::none);
  CHECK(inner.find("a") == value_id::none);
  CHECK(outer.find("a") == value_id{1});
  CHECK_FALSE(inner.find("b"));
}

TEST_CASE("name_scope: a name that only has a stated type is not a value") {
  name_scope names;
  names.state("a", {dtype::f32, {3}});
  CHECK_FALSE(names.find("a"));
  CHECK(*names.stated("a") == tensor_type{dtype::f32, {3}});
  CHECK(names.stated("b") == nullptr);
}
