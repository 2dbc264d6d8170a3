#include "catch.hpp"

#include <jax2onnx/lower/aval.hpp>

using namespace jax2onnx;

static_assert(element_named("float32") == element_named("f32"));
static_assert(element_named("f32").part == dtype::f32 && element_named("f32").parts == 1);
static_assert(element_named("c128").part == dtype::f64 && element_named("c128").parts == 2);
static_assert(element_named("key<rbg>").cls == element_class::key && element_named("key<rbg>").parts == 4);
static_assert(element_named("float0").cls == element_class::float0);
static_assert(element_named("f3").cls == element_class::unsupported);

TEST_CASE("long and short names of element types agree") {
  for (const long_name& row : long_names) {
    CAPTURE(row.numpy);
    CHECK(element_named(row.jax).cls != element_class::unsupported);
    CHECK(element_named(row.numpy).name == row.jax);
  }
  for (const element& e : composite_elements) CHECK(e.parts <= max_parts);
}

TEST_CASE("from_parts and each_part work on the parts in order") {
  graph g;
  const value x = g.input({dtype::f32, {}}, "x"), y = g.input({dtype::f32, {}}, "y");
  std::vector<std::size_t> order;
  const jax_value pair = from_parts(2, [&](std::size_t p) {
    order.push_back(p);
    return p == 0 ? x : y;
  });
  CHECK(order == std::vector<std::size_t>{0, 1});
  CHECK(pair.count == 2);
  CHECK(pair.re() == x);
  CHECK(pair.im() == y);
  const jax_value first = each_part(pair, [&](const value&) { return x; });
  CHECK(first.count == 2);
  CHECK(first.im() == x);
}

TEST_CASE("a reference is told by its cell") {
  jax_value v;
  CHECK_FALSE(v.is_ref());
  v.cell = 0;
  CHECK(v.is_ref());
}
