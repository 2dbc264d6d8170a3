// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "emit/graphs.hpp"

#include <jax2onnx/dsl/structure/control.hpp>
#include <jax2onnx/dsl/structure/functions.hpp>
#include <jax2onnx/dsl/structure/notes.hpp>
#include <jax2onnx/emit/expanded.hpp>
#include <jax2onnx/ops/elementwise.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace test_graphs;
using Catch::Matchers::Contains;

namespace {

struct model {
  graph g{{.opset = 21, .name = "block", .doc = "a model"}};
  value x = g.input({dtype::f32, {2}}, "x");
  model() {
    const auto inner = define(g, "com.example", "Inner", [](const auto& a) { return jax2onnx::ops::add(a, 3); });
    const auto outer = define(g, "com.example", "Outer", [&](const auto& a) { return mul(inner(a), 2); },
                              {.operands = {"a"}, .doc = "outer"});
    outputs(g, {outer(outer(x))});
  }
};

}  // namespace

TEST_CASE("functions are written with their own imports, those that are called first") {
  const model m;
  const onnx::ModelProto p = written(m.g);
  REQUIRE(p.functions_size() == 2);
  CHECK(p.functions(0).name() == "Inner");
  const onnx::FunctionProto& outer = p.functions(1);
  CHECK(outer.domain() == "com.example");
  CHECK(outer.doc_string() == "outer");
  CHECK(outer.input(0) == "a");
  CHECK(outer.opset_import_size() == 2);
  CHECK(outer.opset_import(0).version() == 21);
  CHECK(p.functions(0).opset_import_size() == 1);
  REQUIRE(outer.node_size() == 3);
  CHECK(outer.node(0).op_type() == "Constant");
  CHECK(outer.node(1).op_type() == "Inner");
  CHECK(outer.node(2).output(0) == outer.output(0));
  CHECK(p.graph().initializer_size() == 0);
  CHECK(p.graph().name() == "block");
  CHECK(p.doc_string() == "a model");
}

TEST_CASE("functions are printed after the graph") {
  const model m;
  CHECK_THAT(to_text(m.g),
             Contains("<\n  domain: \"com.example\",\n  opset_import: [\"\" : 21, \"com.example\" : 1]\n>\n"
                      "Outer (a) => (mul_0) {\n"
                      "  const_1 = Constant <value: tensor = float {2.0}> ()\n"
                      "  inner_0 = com.example.Inner (a)\n"
                      "  mul_0 = Mul (inner_0, const_1)\n}\n"));
}

TEST_CASE("functions are expanded on request, and the graph stays as it is") {
  const model m;
  const onnx::ModelProto p = written(m.g, {.inline_functions = true});
  CHECK(p.functions_size() == 0);
  CHECK(p.graph().node_size() == 4);
  CHECK(p.graph().initializer_size() == 2);
  CHECK(m.g.at(block_id::main).nodes.size() == 2);
  CHECK(to_proto(m.g, {.inline_functions = true}).functions_size() == 0);
  CHECK_THAT(to_text(m.g, {.inline_functions = true}), !Contains("Outer"));
}

TEST_CASE("attributes of functions are declared and referred to") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const auto f = define(g, "com.example", "F",
                        [&](const auto& a) {
                          return op(g, "com.other", "G", {a}, {attribute_of("alpha", "slope", 0.1f)}, {a.type()})[0];
                        },
                        {.attributes = {{"slope", 0.1f}}});
  g.set_domain_version("com.other", 7);
  outputs(g, {f.with({{"slope", 0.5f}})(x)});
  const onnx::ModelProto p = written(g);
  const onnx::AttributeProto& a = p.functions(0).node(0).attribute(0);
  CHECK(a.ref_attr_name() == "slope");
  CHECK_FALSE(a.has_f());
  CHECK(p.functions(0).opset_import(1).version() == 7);
  CHECK(p.graph().node(0).attribute(0).f() == 0.5f);
  CHECK_THAT(to_text(g), Contains("F <slope = 0.1> (x)") && Contains("G <alpha: float = @slope> (x)"));
}

TEST_CASE("nodes are written with the names and texts that they were given") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const value a = name_node(neg(x), "n"), b = describe(name_node(neg(a), "n"), "again");
  g.at(b.id()).name = "n_2";
  g.set_metadata("author", "me");
  g.set_metadata("author", "you");
  outputs(g, {b});
  const onnx::ModelProto p = written(g);
  CHECK(p.graph().node(0).name() == "n");
  CHECK(p.graph().node(1).name() == "n_1");
  CHECK(p.graph().node(1).doc_string() == "again");
  REQUIRE(p.metadata_props_size() == 1);
  CHECK(p.metadata_props(0).value() == "you");
}
