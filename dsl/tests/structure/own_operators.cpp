// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/dsl/structure/own_operators.hpp>

using namespace jax2onnx;
using Catch::Matchers::Contains;

TEST_CASE("own operators: any attributes and results, names that files can have") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  std::string name = "Fft";
  const auto y = op(g, "com.example", name, {x}, {{"n", 16}, {"scale", 0.5}, {"mode", "fast"}, {"axes", ints{0, 1}}},
                    {{dtype::f32, {16}}, {dtype::i64, {}}});
  name = "???";  // the graph must have its own copy
  REQUIRE(y.size() == 2);
  const node& n = g.at(g.at(y[0].id()).producer);
  CHECK(n.op == "Fft");
  CHECK(n.domain == "com.example");
  CHECK(std::get<std::int64_t>(n.find("n")->value) == 16);
  CHECK(std::get<float>(n.find("scale")->value) == 0.5f);
  CHECK(std::get<std::string>(n.find("mode")->value) == "fast");
  CHECK(y[1].dtype() == dtype::i64);
  CHECK_THROWS_WITH(op(g, "com.example", "F F", {x}, {}, {x.type()}), Contains("'F F' is not a valid name"));
  CHECK_THROWS_WITH(op(g, "com example", "F", {x}, {}, {x.type()}), Contains("cannot be a domain"));
  CHECK_THROWS_WITH(op(g, "com.example", "F", {x}, {{"a b", 1}}, {x.type()}), Contains("'a b' is not a valid name"));
  CHECK_THROWS_WITH(op(g, "com.example", "F", {x}, {}, {}), Contains("the types of its results are missing"));
  CHECK_THROWS_WITH(op(g, "ai.onnx", "Relu", {x}, {}, {x.type()}), Contains("needs a domain other than ONNX"));
}

TEST_CASE("own operators: a domain has one version") {
  graph g;
  g.set_domain_version("com.example", 3);
  g.set_domain_version("com.example", 3);
  CHECK(g.domain_versions().at("com.example") == 3);
  CHECK_THROWS_WITH(g.set_domain_version("com.example", 4),
                    Contains("already has version 3; it cannot also have version 4"));
  CHECK_THROWS_WITH(g.set_domain_version("", 4), Contains("the version of ai.onnx is the opset"));
}

TEST_CASE("own operators: attributes given twice and invalid results are refused") {
  graph g;
  const value x = g.input({dtype::f32, {4}}, "x");
  const auto with = [&](tensor_type type, std::initializer_list<named_attribute> attributes = {}) {
    return op(g, "com.example", "Fft", {x}, attributes, {std::move(type)});
  };
  CHECK_THROWS_WITH(with({dtype::f32, {4}}, {{"n", 1}, {"n", 2}}), "com.example.Fft: the attribute 'n' is given twice");
  CHECK_THROWS_WITH(with({dtype::f32, {-2}}), "com.example.Fft: a result has the negative extent -2");
  CHECK_THROWS_WITH(with({dtype::undefined, {4}}), "com.example.Fft: a result has no element type");
}
