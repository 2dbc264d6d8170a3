// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>

#include <jax2onnx/facts/verify.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/read/join.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;

namespace {

/// y = |x| + x, z = -y.
graph small_model() {
  graph g(23);
  const value x = g.input({dtype::f32, {g.dims().symbol("N"), 3}}, "x");
  const value r = abs(x), y = add(r, x), z = neg(y);
  g.at(r.id()).name = "r";
  g.at(y.id()).name = "y";
  g.at(z.id()).name = "z";
  const value outputs[] = {y, z};
  g.set_outputs(block_id::main, outputs);
  return g;
}
template <class F>
std::string problem(const F& f) {
  try {
    f();
  } catch (const build_error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("inline_model: outputs by index and name, symbols of the arguments") {
  graph g(23);
  const value ids = g.input({dtype::f32, {g.dims().symbol("B"), 3}}, "ids");
  const model_outputs out = inline_model(g, small_model(), {{"x", ids}});
  CHECK(out.size() == 2);
  CHECK(text(out["z"]) == "f32[B,3]");
  CHECK(same_value(out[0], out["y"]));
  CHECK(g.at(block_id::main).nodes.size() == 3);
  CHECK(problem([&] { static_cast<void>(out["q"]); }) == "the model has no output 'q'; its outputs are y, z");
  CHECK(problem([&] { static_cast<void>(out[2]); }).find("2 outputs") != std::string::npos);
}

TEST_CASE("inline_model: arguments have to fit") {
  graph g(23), other(23);
  const value wide = g.input({dtype::f32, {2, 4}}, "wide"), ints = g.input({dtype::i32, {2, 3}}, "ints");
  const value good = g.input({dtype::f32, {2, 3}}, "good"), foreign = other.input({dtype::f32, {2, 3}}, "x");
  const graph m = small_model();
  CHECK(problem([&] { inline_model(g, m, {}); }) == "the model's input 'x' has no argument");
  CHECK(problem([&] {
          inline_model(g, m, {{"x", wide}});
        }) == "the model's input 'x' is f32[N,3], but its argument is f32[2,4]");
  CHECK_FALSE(problem([&] { inline_model(g, m, {{"x", ints}}); }).empty());
  CHECK_FALSE(problem([&] { inline_model(g, m, {{"x", foreign}}); }).empty());
  CHECK_FALSE(problem([&] { inline_model(g, m, {{"x", good}, {"q", good}}); }).empty());
}

TEST_CASE("cut: the nodes between values") {
  const graph g = small_model();
  const graph part = cut(g, {"y"}, {"z"});
  CHECK(part.at(block_id::main).nodes.size() == 1);
  CHECK(text(part, part.at(part.at(block_id::main).outputs[0]).type) == "f32[N,3]");
  const graph front = cut(g, {"x"}, {"r"});
  CHECK(front.at(block_id::main).nodes.size() == 1);
  CHECK(problem([&] { cut(g, {"r"}, {"z"}); }) == "the outputs need the input 'x', which is not listed");
  CHECK(problem([&] { cut(g, {"x"}, {"q"}); }) == "the main graph has no value 'q'");
}

TEST_CASE("find_value: by name") {
  graph g = small_model();
  CHECK(text(find_value(g, "r")) == "f32[N,3]");
  CHECK_FALSE(find_value(g, "q"));
}

TEST_CASE("build: a model of values by name, from a graph that stays as it is") {
  graph g;
  const value x = g.input({dtype::f32, {g.dims().symbol("B"), 4}}, "a"), z = g.input({dtype::f32, {4}}, "z");
  const value h = abs(x), y = neg(h);
  const value unused = add(y, z);
  const graph model = build({{"x", x}}, {{"y", y}, {"same", x}});
  verify(model);
  CHECK(model.at(model.at(block_id::main).inputs[0]).name == "x");
  CHECK(model.at(model.at(block_id::main).outputs[0]).name == "y");
  CHECK(model.at(block_id::main).nodes.size() == 3);  // Abs, Neg, and Identity for an input that is an output
  const graph tail = build({{"h", h}}, {{"y", y}});
  CHECK(tail.at(block_id::main).nodes.size() == 1);
  CHECK(text(g, x.type()) == "f32[B,4]");
  CHECK_THROWS_WITH(build({{"x", x}}, {{"sum", unused}}), "the outputs need the input 'z', which is not listed");
  CHECK_THROWS_WITH(build({{"x", x}}, {{"x", y}}), "build: two inputs or outputs have the name 'x'");
  CHECK_THROWS_WITH(build({{"x", x}}, {}), "build: the model has no outputs");
  CHECK_THROWS_WITH(build({{"a", x}, {"b", x}}, {{"y", y}}), "build: the inputs 'a' and 'b' are the same value");
  graph other;
  CHECK_THROWS_WITH(build({{"x", other.input({dtype::f32, {4}}, "x")}}, {{"y", y}}),
                    "build: the values are of two graphs");
}
