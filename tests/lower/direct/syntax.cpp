// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/lower/direct/syntax.hpp>
#include <jax2onnx/lower/dispatch.hpp>

using namespace jax2onnx;

namespace {

struct tree {
  graph g;
  jaxpr::program source;
  user_lowerers user;
  lowering_options options;
  lower::lowerer driver{g, source, user, lower_builtin, options};
  lower::syntax syntax{g, driver};

  std::string text(const parameter& p) {
    const parameters all = {{"key", p}};
    return std::string(syntax.params_of(all)[0].val.text);
  }
};

}  // namespace

TEST_CASE("parameters get the texts that JAX prints") {
  tree t;
  CHECK(t.text(std::nullopt) == "None");
  CHECK(t.text(true) == "True");
  CHECK(t.text(-3) == "-3");
  CHECK(t.text(2.0) == "2.0");
  CHECK(t.text(1e-5) == "1e-05");
  CHECK(t.text(dtype::i32) == "i32");
  CHECK(t.text(t.g.dims().parse("2*B")) == "2*B");
  CHECK(t.text({1}) == "(1,)");
  CHECK(t.text({{1, 2}, {}}) == "((1, 2), ())");
  CHECK(t.text(parameters{{"a", {0}}, {"b", "CLIP"}}) == "(a=(0,), b=CLIP)");
}

TEST_CASE("a computation becomes a jaxpr of one equation") {
  tree t;
  const parameters function = {{"jaxpr", computation({{dtype::f32, {2}}, {"c64", {}}}, {{dtype::i32, {}}},
                                                     [](std::span<const value>) { return std::vector<value>(); })}};
  const jaxpr::body& body = *t.syntax.params_of(function)[0].val.body;
  REQUIRE(body.equations.size() == 1);
  CHECK(lower::is_function_call(body.equations[0]));
  CHECK(t.driver.input_types(body)[1].is_complex());
  CHECK(t.driver.result_types(body)[0].type() == dtype::i32);
  CHECK(body.slots == 3);
  CHECK(body.results[0].slot == 2);
  const parameters primitive = {{"jaxpr", computation("max", {dtype::f32, {}})}};
  const jaxpr::body& max = *t.syntax.params_of(primitive)[0].val.body;
  CHECK(max.equations[0].primitive == "max");
  CHECK_FALSE(lower::is_function_call(max.equations[0]));
}
