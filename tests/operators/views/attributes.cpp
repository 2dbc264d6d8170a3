// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <jax2onnx/operators/views/attributes.hpp>
#include <jax2onnx/ops/ops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::operators;

TEST_CASE("attribute_of: what the node gives, else the default of its record") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3, 4}}, "x");
  const value given = g.emit("LeakyRelu", {x}, x.type(), {{"alpha", 0.25f}});
  const value standard = g.emit("LeakyRelu", {x}, x.type());
  CHECK(attribute_of<float>(given, "alpha") == 0.25f);
  CHECK(attribute_of<float>(standard, "alpha") == 0.01f);
  CHECK_FALSE(attribute_of<std::int64_t>(given, "alpha"));
  CHECK_FALSE(attribute_of<float>(given, "beta"));
  CHECK(real_of(given, "alpha") == 0.25f);
  CHECK(text_of(g.emit("Gelu", {x}, x.type()), "approximate") == "none");
  CHECK(integer_of(g.emit("ArgMax", {x}, {dtype::i64, {1, 3, 4}}), "keepdims") == 1);
  CHECK_FALSE(flag_of(g.emit("Mod", {x, x}, x.type()), "fmod"));
}

TEST_CASE("attribute_of: the default is that of the opset") {
  for (const auto& [opset, axis] : {std::pair{17, -1}, std::pair{23, -1}}) {
    graph g(opset);
    const value x = g.input({dtype::f32, {2, 3}}, "x");
    CHECK(integer_of(g.emit("Softmax", {x}, x.type()), "axis") == axis);
    CHECK(axis_of(g.emit("Softmax", {x}, x.type())) == 1);
  }
}

TEST_CASE("attribute_of: an operator of another domain has no defaults") {
  graph g;
  const value x = g.input({dtype::f32, {2}}, "x");
  const value own = g.emit_many("LeakyRelu", std::vector{x}, std::vector{x.type()}, {}, "com.example")[0];
  CHECK_FALSE(attribute_of<float>(own, "alpha"));
  CHECK(real_of(own, "alpha") == 0);
}

TEST_CASE("from_front: negative axes count from the end") {
  CHECK(from_front(-1, 3) == 2);
  CHECK(from_front(0, 3) == 0);
  CHECK(from_front(ints{-3, 1}, 3) == ints{0, 1});
}
