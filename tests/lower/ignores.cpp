// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/ignores.hpp>

using jax2onnx::ignores;

static_assert(ignores{"name"}.covers("name", "f"));
static_assert(ignores{"inline name"}.covers("name", "f"));
static_assert(ignores{"name inline"}.covers("name", "f"));
static_assert(!ignores{"names"}.covers("name", "f"));
static_assert(!ignores{"name"}.covers("names", "f"));
static_assert(!ignores{}.covers("name", "f"));
static_assert(!ignores{}.covers("", ""));
static_assert(ignores{ignores::all}.covers("name", "f") && ignores{ignores::all}.mentions("name"));

TEST_CASE("an ignored parameter may be tied to a value") {
  constexpr ignores listed{"device=None tiled=False tiled=0 name"};
  CHECK(listed.covers("device", "None"));
  CHECK_FALSE(listed.covers("device", "cpu"));
  CHECK(listed.covers("tiled", "False"));
  CHECK(listed.covers("tiled", "0"));
  CHECK_FALSE(listed.covers("tiled", "True"));
  CHECK(listed.covers("name", "None"));
}
