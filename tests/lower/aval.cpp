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
