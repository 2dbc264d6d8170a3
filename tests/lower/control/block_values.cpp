// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/control/block_values.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

struct model {
  graph g;
  value a = g.input({dtype::f32, {2}}, "a"), b = g.input({dtype::f32, {2}}, "b"), c = g.input({dtype::i32, {}}, "c");
  jax_values values{jax_value(a, b), jax_value(c)};
};

std::vector<value_id> ids(const std::vector<value>& values) {
  std::vector<value_id> out;
  for (const value& v : values) out.push_back(v.id());
  return out;
}

}  // namespace

TEST_CASE("the tensors of values are their parts in order") {
  const model m;
  CHECK(ids(tensors_of(m.values)) == std::vector{m.a.id(), m.b.id(), m.c.id()});
  const std::vector<aval> types{{element_named("c64"), {2}}, {element_named("i32"), {}}};
  CHECK(tensor_types_of(types) == std::vector<tensor_type>{m.a.type(), m.b.type(), m.c.type()});
}

TEST_CASE("values come back from tensors, by types or like other values") {
  const model m;
  const std::vector tensors{m.b, m.a, m.c};
  const jax_values alike = values_like(m.values, tensors);
  REQUIRE(alike.size() == 2);
  CHECK(alike[0].count == 2);
  CHECK(same_value(alike[0].re(), m.b));
  CHECK(same_value(alike[0].im(), m.a));
  CHECK(same_value(alike[1].re(), m.c));
  const std::vector<aval> complex{{element_named("c64"), {2}}}, real{{element_named("i32"), {}}};
  tensor_reader reader(tensors);
  CHECK(ids(tensors_of(reader.take(complex))) == std::vector{m.b.id(), m.a.id()});
  CHECK(ids(tensors_of(reader.take(real))) == std::vector{m.c.id()});
}
