// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/aval.hpp>
#include <jax2onnx/lower/jax_value.hpp>

using namespace jax2onnx;

static_assert(element_named("float32") == element_named("f32"));
static_assert(element_named("f32").part == dtype::f32 && element_named("f32").parts == 1);
static_assert(element_named("c128").part == dtype::f64 && element_named("c128").parts == 2);
static_assert(element_named("key<rbg>").cls == element_class::key && element_named("key<rbg>").parts == 4);
static_assert(element_named("float0").cls == element_class::float0);
static_assert(element_named("f3").cls == element_class::unsupported);

TEST_CASE("long and short names of element types agree") {
  for (const detail::long_name& row : detail::long_names) {
    CAPTURE(row.numpy);
    CHECK(element_named(row.jax).cls != element_class::unsupported);
    CHECK(element_named(row.numpy).name == row.jax);
  }
  for (const element& e : detail::composite_elements) CHECK(e.parts <= max_parts);
}

TEST_CASE("extents that are different for JAX") {
  graph g;
  dim_table& t = g.dims();
  CHECK(provably_differ(t, dim(2), dim(3)));
  CHECK(provably_differ(t, t.parse("B"), t.parse("B + 1")));
  CHECK(provably_differ(t, t.parse("B"), t.parse("T")));
  CHECK(provably_differ(t, t.parse("floordiv(B, 2) + 3"), t.parse("floordiv(B, 2)")));
  CHECK_FALSE(provably_differ(t, t.parse("floordiv(B, 2)"), t.parse("T")));
  CHECK_FALSE(provably_differ(t, t.parse("B"), dim::dyn()));
  CHECK(provably_differ(t, shape{2}, shape{2, 2}));
}
