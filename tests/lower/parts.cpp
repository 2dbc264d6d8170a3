// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/parts.hpp>

using namespace jax2onnx;

TEST_CASE("a composite value is packed on a trailing axis") {
  const aval complex{element_named("c64"), {3}}, key{element_named("key<rbg>"), {}}, real{element_named("f32"), {3}};
  CHECK(lower::packed_type(complex).dims == shape{3, 2});
  CHECK(lower::packed_type(complex).type == dtype::f32);
  CHECK(lower::packed_type(key).dims == shape{4});
  CHECK(lower::packed_type(real).dims == shape{3});
}

TEST_CASE("pack undoes unpack without a node") {
  graph g;
  const aval complex{element_named("c64"), {3}};
  const value packed = g.input(lower::packed_type(complex), "z");
  const jax_value z = lower::unpack(packed, complex);
  REQUIRE(z.count == 2);
  CHECK(z.re().dims() == shape{3});
  CHECK(same_value(lower::pack(z), packed));
}

TEST_CASE("pack joins parts that are not those of one tensor in order") {
  graph g;
  const aval complex{element_named("c64"), {3}};
  const jax_value z = lower::unpack(g.input(lower::packed_type(complex), "z"), complex);
  const jax_value w = lower::unpack(g.input(lower::packed_type(complex), "w"), complex);
  CHECK_FALSE(lower::unpacked_from({z.im(), z.re()}));
  CHECK_FALSE(lower::unpacked_from({z.re(), w.im()}));
  const value joined = lower::pack({z.im(), z.re()});
  CHECK(joined.dims() == shape{3, 2});
  CHECK(g.at(g.at(joined.id()).producer).op == "Concat");
}

TEST_CASE("a plain value is its own tensor") {
  graph g;
  const value x = g.input({dtype::f32, {3}}, "x");
  CHECK(same_value(lower::pack(x), x));
  CHECK(same_value(lower::unpack(x, {element_named("f32"), {3}}).re(), x));
}
