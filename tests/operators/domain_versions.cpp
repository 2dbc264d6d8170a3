// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <array>
#include <string_view>

#include <jax2onnx/operators/domain_versions.hpp>

using namespace jax2onnx;

TEST_CASE("domain versions: files import the oldest version that has all forms") {
  graph g;
  const value x = g.input({dtype::f32, {2, 3}}, "x");
  CHECK(version_in(g, "ai.onnx.ml") == 5);
  CHECK(imported_version(g, "ai.onnx.ml") == 1);
  const auto add = [&](std::string_view op) {
    g.emit_many(operator_name::unchecked(op), std::array{x}, std::array{x.type()}, {}, "ai.onnx.ml");
  };
  add("TreeEnsembleRegressor");
  CHECK(imported_version(g, "ai.onnx.ml") == 3);
  add("LabelEncoder");
  CHECK(imported_version(g, "ai.onnx.ml") == 4);
  CHECK(version_in(g, "com.example") == 0);
  CHECK(version_in(g, "") == g.opset());
}

TEST_CASE("domain versions: a stated version holds, and withdraws operators") {
  graph g;
  g.set_domain_version("ai.onnx.ml", 3);
  CHECK(version_in(g, "ai.onnx.ml") == 3);
  CHECK(imported_version(g, "ai.onnx.ml") == 3);
  const node tree{.op = operator_name::unchecked("TreeEnsembleClassifier"), .domain = "ai.onnx.ml"};
  CHECK_FALSE(is_withdrawn(tree, 3));
  CHECK(is_withdrawn(tree, 5));
}
