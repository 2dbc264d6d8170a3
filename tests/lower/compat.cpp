// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/compat.hpp>
#include <jaxpr/jaxpr.hpp>

using namespace jax2onnx;

static_assert(compat::primitive("pjit") == "jit");
static_assert(compat::primitive("scatter_add") == "scatter-add");
static_assert(compat::primitive("add") == "add");
static_assert(compat::key("random_split", "count") == "shape");
static_assert(compat::key("random_bits", "count") == "count");

TEST_CASE("compat: new names are final") {
  for (const compat::rename& r : compat::primitives) {
    CAPTURE(r.old_name);
    CHECK(compat::primitive(r.new_name) == r.new_name);
  }
  for (const compat::key_rename& r : compat::keys) {
    CAPTURE(r.primitive, r.old_key);
    CHECK(compat::primitive(r.primitive) == r.primitive);
    CHECK(compat::key(r.primitive, r.new_key) == r.new_key);
  }
}

static bool since_0_5(std::string equations) {
  const std::string text = "{ lambda ; a:f32[3]. let " + equations + " in (a,) }";
  return compat::since_0_5(jaxpr::parse(text));
}

TEST_CASE("compat: the first telling equation says whether JAX 0.5 or newer printed a text") {
  CHECK(since_0_5("b:f32[3] = sin a"));
  CHECK(since_0_5("b:f32[3] = square a"));
  CHECK_FALSE(since_0_5("b:f32[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,)] 1.0"));
  CHECK(since_0_5("b:f32[3] = broadcast_in_dim[broadcast_dimensions=() shape=(3,) sharding=None] 1.0"));
  CHECK_FALSE(since_0_5("b:i32[3] = iota[dimension=0 dtype=int32 shape=(3,)] ; c:f32[3] = square a"));
  CHECK(since_0_5("b:f32[3] = add a 1.0:f32[]"));
}

static bool since_0_11_2(std::string equations) {
  const std::string text = "{ lambda ; a:f32[3]. let " + equations + " in (a,) }";
  return compat::since_0_11_2(jaxpr::parse(text));
}

TEST_CASE("compat: whether JAX 0.11.2 or newer printed a text") {
  CHECK(since_0_11_2("b:f32[3] = digamma a"));
  CHECK(since_0_11_2("b:f32[] = reduce_max[axes=(0,) out_sharding=None] a"));
  CHECK_FALSE(since_0_11_2("b:f32[] = reduce_max[axes=(0,)] a"));
  CHECK_FALSE(since_0_11_2("b:f32[2] c:i32[2] = top_k[k=2] a"));
  CHECK(since_0_11_2("b:f32[2] c:i32[2] = top_k[axis=0 is_stable=True k=2] a ; d:f32[3] = log2 a"));
  CHECK(since_0_11_2("b:f32[3] c:i32[3] = Frexp[x_aval=f32[3]] a"));
  CHECK_FALSE(since_0_11_2("b:i32[3] = iota[dimension=0 dtype=int32 shape=(3,)] "));
}
