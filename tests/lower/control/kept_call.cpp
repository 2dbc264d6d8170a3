// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <vector>

#include <jax2onnx/convert/convert.hpp>
#include <jax2onnx/graph/functions/inline.hpp>
#include <jax2onnx/lower/control/kept_call.hpp>
#include <jax2onnx/weights/borrowed_source.hpp>

using namespace jax2onnx;

namespace {

conversion kept(const std::string& text, std::vector<std::string> functions) {
  options o;
  o.functions = std::move(functions);
  return convert(text, {}, o);
}

/// The operators of a block, in order.
std::string ops_of(const graph& g, block_id b) {
  std::string out;
  for (const node_id n : g.at(b).nodes) out += (out.empty() ? "" : " ") + std::string(g.at(n).op.text());
  return out;
}

/// The names of the functions and the operators of their bodies.
std::vector<std::string> functions(const graph& g) {
  std::vector<std::string> out;
  for (const model_function& f : g.functions()) out.push_back(std::string(f.name) + ": " + ops_of(g, f.body));
  return out;
}

/// A call of `double_sine` on the operand and a scalar.
std::string call(const std::string& type, const std::string& results, const std::string& operands,
                 const std::string& scalar = "2.0") {
  return results + ":" + type + " = jit[name=double_sine jaxpr={ lambda ; p:" + type + " q:f32[]. let r:" + type +
         " = sin p; s:" + type + " = mul r q in (s,) }] " + operands + " " + scalar + ":f32[]";
}

}  // namespace

TEST_CASE("calls of one function are calls of one function of the model") {
  const conversion made =
      kept("{ lambda ; a:f32[3]. let " + call("f32[3]", "b", "a") + "; " + call("f32[3]", "c", "b") + " in (c,) }",
           {"double_sine"});
  CHECK(ops_of(made.model, block_id::main) == "double_sine double_sine");
  CHECK(functions(made.model) == std::vector<std::string>{"double_sine: Sin Mul"});
  CHECK(made.model.at(made.model.at(block_id::main).nodes[0]).domain == lower::function_domain);
  CHECK(made.warnings.empty());
}

TEST_CASE("a function with another scalar, or for other types, has another name") {
  const conversion scalars = kept(
      "{ lambda ; a:f32[3]. let " + call("f32[3]", "b", "a") + "; " + call("f32[3]", "c", "b", "3.0") + " in (c,) }",
      {"double_sine"});
  CHECK(ops_of(scalars.model, block_id::main) == "double_sine double_sine_2");
  const conversion types = kept("{ lambda ; a:f32[3] b:f32[4]. let " + call("f32[3]", "c", "a") + "; " +
                                    call("f32[4]", "d", "b") + " in (c, d) }",
                                {"double_sine"});
  CHECK(ops_of(types.model, block_id::main) == "double_sine double_sine_2");
}

TEST_CASE("a function that is not named is inlined, and a name that nothing calls is reported") {
  const conversion made = kept("{ lambda ; a:f32[3]. let " + call("f32[3]", "b", "a") + " in (b,) }", {"other"});
  CHECK(ops_of(made.model, block_id::main) == "Sin Mul");
  REQUIRE(made.warnings.size() == 1);
  CHECK(made.warnings[0].code == "lower.unused-function");
}

TEST_CASE("functions call functions, which inlining expands") {
  conversion made = kept("{ lambda ; a:f32[3]. let b:f32[3] = jit[name=outer jaxpr={ lambda ; c:f32[3]. let " +
                             call("f32[3]", "d", "c") + "; e:f32[3] = exp d in (e,) }] a in (b,) }",
                         {"outer", "double_sine"});
  CHECK(functions(made.model) == std::vector<std::string>{"double_sine: Sin Mul", "outer: double_sine Exp"});
  inline_functions(made.model);
  CHECK(ops_of(made.model, block_id::main) == "Sin Mul Exp");
}

TEST_CASE("bodies of functions are rewritten, and their weights are operands") {
  const std::string text =
      "{ lambda w:f32[4,4]; a:f32[2,4]. let b:f32[2,4] = jit[name=layer jaxpr={ lambda ; x:f32[2,4] v:f32[4,4]. let "
      "y:f32[2,4] = dot_general[dimension_numbers=(([1], [0]), ([], []))] x v; z:f32[2,4] = max y 0.0:f32[] in (z,) }] "
      "a w "
      "in (b,) }";
  options o;
  o.functions = {"layer"};
  const std::vector<float> numbers(16, 0.5F);
  const conversion made = convert(text, {borrowed_array("net.kernel", numbers, {4, 4})}, o);
  CHECK(functions(made.model) == std::vector<std::string>{"layer: MatMul Relu"});
  const std::vector<value_id>& inputs = made.model.at(made.model.functions()[0].body).inputs;
  REQUIRE(inputs.size() == 2);
  CHECK(made.model.at(inputs[1]).name == "kernel");
}

TEST_CASE("names that ONNX does not have are changed") { CHECK(lower::identifier("<lambda>") == "_lambda_"); }
