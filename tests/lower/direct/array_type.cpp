// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/typed/tensor.hpp>
#include <jax2onnx/lower/direct/array_type.hpp>

using namespace jax2onnx;

TEST_CASE("array types are written as dtypes or as JAX's element types") {
  const std::vector<array_type> types = {{dtype::f32, {2, 3}}, {"c64", {3}}, {"key<fry>", {}}, {"float32", {1}}};
  CHECK(types[0].elem.name == "f32");
  CHECK(types[0].dims == shape{2, 3});
  CHECK(types[1].is_complex());
  CHECK(types[1].type() == dtype::f32);
  CHECK(types[2].is_key());
  CHECK(types[3].elem == types[0].elem);
  CHECK(array_type("f32x", {}).elem.cls == element_class::unsupported);
}

TEST_CASE("operands are values, typed handles and lists of parts") {
  graph g;
  const value x = g.input({dtype::f32, {3}}, "x"), y = g.input({dtype::f32, {3}}, "y");
  const tensor<float, 3> t(x);
  const jax_operands mixed = {x, t, {x, y}};
  REQUIRE(mixed.list().size() == 3);
  CHECK(same_value(mixed.list()[1].re(), x));
  CHECK(mixed.list()[2].count == 2);
  CHECK(same_value(mixed.list()[2].im(), y));
  const jax_operands one = {t};
  CHECK(one.list().size() == 1);
  const std::vector<value> made = {x, y};
  const jax_operands list = made, braced = {made};
  CHECK(list.list().size() == 2);
  CHECK(braced.list().size() == 2);
  CHECK(jax_operands().list().empty());
}
