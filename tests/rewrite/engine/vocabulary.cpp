// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "rewrite/apply.hpp"

#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

using namespace jax2onnx;
using namespace jax2onnx::rewrite;
using namespace jax2onnx::rewrite::test;

TEST_CASE("vocabulary: sets of operators as template arguments") {
  CHECK(item_loops::contains(rewrite::ops<"Mul", "Div">, "Div"));
  CHECK_FALSE(item_loops::contains(rewrite::ops<"Mul", "Div">, operator_name::unchecked("Mu")));
}

TEST_CASE("with_inputs: the operator and its attributes on other operands") {
  model m;
  const value x = m.in({2}), y = m.in({3});
  const value old = m.g.emit("LeakyRelu", {x}, x.type(), {{"alpha", 0.25f}}), made = with_inputs(old, {y}, y.type());
  CHECK(match(made, m_op("LeakyRelu", m_same(y))));
  CHECK(attribute_of<float>(made, "alpha") == 0.25f);
  CHECK(attribute_of<std::int64_t>(made, "alpha") == std::nullopt);
  REQUIRE(inputs_of(made).size() == 1);
  CHECK(same_value(inputs_of(made)[0], y));
}
