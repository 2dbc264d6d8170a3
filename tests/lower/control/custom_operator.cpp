// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/lower/control/custom_operator.hpp>

using namespace jax2onnx;

namespace {

const std::string callback =
    "{ lambda ; a:c64[2]. let b:f32[3] = pure_callback[axes=(1, 2) callback=<function f at 0x7fa0> n=4 no=None on=True "
    "scale=0.5] a in (b,) }";

const node& only_node(const conversion& made) {
  const auto& nodes = made.model.at(block_id::main).nodes;
  REQUIRE(nodes.size() == 1);
  return made.model.at(nodes[0]);
}

}  // namespace

TEST_CASE("a primitive becomes an operator of another domain, with its parameters as attributes") {
  options o;
  o.custom_operators.insert(*parse_custom_operator("pure_callback=com.example:Fn"));
  const conversion made = convert(callback, {}, o);
  const node& n = only_node(made);
  CHECK(n.domain == "com.example");
  CHECK(n.op.text() == "Fn");
  CHECK(std::get<ints>(n.find("axes")->value) == ints{1, 2});
  CHECK(std::get<std::int64_t>(n.find("n")->value) == 4);
  CHECK(std::get<std::int64_t>(n.find("on")->value) == 1);
  CHECK(std::get<float>(n.find("scale")->value) == 0.5F);
  CHECK(std::get<std::string>(n.find("callback")->value) == "<function f>");
  CHECK_FALSE(n.find("no"));
}

TEST_CASE("a custom operator whose primitive no equation has is reported") {
  options o;
  o.custom_operators.insert(*parse_custom_operator("pjit=a:B"));  // the older name of jit
  o.custom_operators.insert(*parse_custom_operator("sine=a:B"));
  const conversion made = convert(
      "{ lambda ; a:f32[2]. let b:f32[2] = jit[name=f jaxpr={ lambda ; c:f32[2]. let d:f32[2] = sin c in (d,) }] "
      "a in (b,) }",
      {}, o);
  CHECK(only_node(made).domain == "a");
  REQUIRE(made.warnings.size() == 1);
  CHECK(made.warnings[0].code == "lower.unused-operator");
  CHECK(made.warnings[0].message == "no equation has the primitive 'sine' (option custom-op)");
}

TEST_CASE("primitives without a lowering are kept on request") {
  options o;
  CHECK_THROWS_AS(convert(callback, {}, o), conversion_error);
  o.keep_unsupported = true;
  const conversion made = convert(callback, {}, o);
  CHECK(only_node(made).domain == "jax");
  CHECK(only_node(made).op.text() == "pure_callback");
}

TEST_CASE("a callback without results is left out, with a warning") {
  const conversion made = convert("{ lambda ; a:f32[2]. let io_callback[callback=f] a; b:f32[2] = sin a in (b,) }");
  CHECK(only_node(made).op == "Sin");
  REQUIRE(made.warnings.size() == 1);
  CHECK(made.warnings[0].code == "lower.dropped");
}

TEST_CASE("a custom operator is named with its primitive and domain") {
  const auto parsed = parse_custom_operator("p=a.b:C");
  REQUIRE(parsed);
  CHECK(parsed->first == "p");
  CHECK(parsed->second.domain == "a.b");
  CHECK(parsed->second.name == "C");
  for (const char* wrong : {"", "a:C", "=a:C", "p=", "p=C", "p=:C", "p=a:", "a:b=C"})
    CHECK_FALSE(parse_custom_operator(wrong));
}
