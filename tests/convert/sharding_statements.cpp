// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/convert/sharding_statements.hpp>
#include <jax2onnx/emit/text.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

namespace {

graph stated(const std::string& text) {
  options o;
  o.sharding_info = true;
  return convert(text, {}, o).model;
}

/// The axis along which node `number` divides the value with this name between the two devices of a mesh; -1 if it
/// divides none, -2 if it says nothing about the value.
std::int64_t divided_axis(const graph& g, std::size_t number, const std::string& name) {
  for (const sharding_statement& s : g.shardings())
    if (s.node == g.at(block_id::main).nodes[number] && g.at(s.tensor).name == name)
      return s.sharding.axes.empty() ? -1 : s.sharding.axes[0];
  return -2;
}

const std::string constraint = "sharding_constraint[sharding=NamedSharding(mesh=Mesh('x': 2), spec=P(None, 'x'))]";

}  // namespace

TEST_CASE("a constraint is stated where its operand is made, and where the result is read") {
  const graph g = stated("{ lambda ; a:f32[4,6]. let b:f32[4,6] = sin a; c:f32[4,6] = " + constraint +
                         " b; d:f32[4,6] = exp c in (d,) }");
  CHECK(g.device_count() == 2);
  CHECK_THAT(to_text(g), Contains("b = Sin (input_0)") && Contains("output_0 = Exp (b)"));
  CHECK(divided_axis(g, 0, "b") == 1);
  CHECK(divided_axis(g, 1, "b") == 1);
}

TEST_CASE("a second constraint is stated where it is read only") {
  const graph g =
      stated("{ lambda ; a:f32[4,6]. let b:f32[4,6] = sin a; c:f32[4,6] = " + constraint +
             " b; d:f32[4,6] = reshard[concrete_mesh=None dst_sharding=NamedSharding(mesh=AbstractMesh('x': "
             "2), spec=P('x', None))] c; e:f32[4,6] = exp d in (e,) }");
  CHECK(divided_axis(g, 0, "b") == 1);
  CHECK(divided_axis(g, 1, "b") == 0);
}

TEST_CASE("the constraint of an output is stated where it is made") {
  const graph g = stated("{ lambda ; a:f32[4,6]. let b:f32[4,6] = sin a; c:f32[4,6] = " + constraint + " b in (c,) }");
  CHECK_THAT(to_text(g), Contains("output_0 = Sin (input_0)"));
  CHECK(divided_axis(g, 0, "output_0") == 1);
}

TEST_CASE("the constraint of an input that is an output is an Identity") {
  const graph g = stated("{ lambda ; a:f32[4,6]. let b:f32[4,6] = " + constraint + " a in (b,) }");
  CHECK_THAT(to_text(g), Contains("output_0 = Identity (input_0)"));
  CHECK(divided_axis(g, 0, "input_0") == 1);
}

TEST_CASE("jit states its operands and results; types of an explicit mesh state theirs") {
  const graph g = stated(
      "{ lambda ; a:f32[4@x,6]. let b:f32[4,6@x] = jit[name=f ctx_mesh=Mesh('x': 2) jaxpr={ lambda ; a:f32[4@x,6]. let "
      "b:f32[4,6@x] = sin a in (b,) }] a in (b,) }");
  CHECK(divided_axis(g, 0, "input_0") == 0);
  CHECK(divided_axis(g, 0, "output_0") == 1);
}

TEST_CASE("without the option, or with one device, nothing is stated") {
  CHECK(convert("{ lambda ; a:f32[4,6]. let b:f32[4,6] = " + constraint + " a; c:f32[4,6] = sin b in (c,) }")
            .model.device_count() == 0);
  const graph g = stated(
      "{ lambda ; a:f32[4]. let b:f32[4] = sharding_constraint[sharding=NamedSharding(mesh=Mesh('x': 1), spec=P('x'))] "
      "a; "
      "c:f32[4] = sin b in (c,) }");
  CHECK(g.device_count() == 0);
}
