// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"

#include <string>
#include <string_view>

#include <jax2onnx/rewrite/equations/equation.hpp>
#include <jax2onnx/rewrite/equations/operators.hpp>
#include <jax2onnx/rewrite/equations/parse.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using namespace jax2onnx::rewrite;

namespace {

/// The error of a text; empty: none.
std::string wrong(std::string text) {
  try {
    equations::parsed_equation e(std::move(text));
    return {};
  } catch (const build_error& e) {
    const std::string what = e.what();
    return what.substr(0, what.find(':', what.find(':') + 1));
  }
}

}  // namespace

TEST_CASE("equations: wrong texts are refused, with the place") {
  CHECK(wrong("Max(x, 0) -> Relu(x) if floating(x)").empty());
  CHECK(wrong("Max(x, 0) -> Rleu(x)") ==
        "equation, character 14: ONNX has no such operator, or equations do not support it");
  CHECK(wrong("Max(x, 0) -> Relu(y)") == "equation, character 19: a variable is not bound");
  CHECK(wrong("Max(x, 0) -> Relu(x, x)") == "equation, character 14: the number of operands is wrong");
  CHECK(wrong("Max(x, 0) -> Elu(x, beta=1)") == "equation, character 21: the operator has no such attribute");
  CHECK(wrong("Max(x, 0)") == "equation, character 10: -> is missing");
  CHECK(wrong("Max(x, 0 -> Relu(x)") == "equation, character 10: a ) is missing");
  CHECK(wrong("Max(x, 0) -> Relu(x) if flaoting(x)") == "equation, character 25: the equation has no such variable");
  CHECK(wrong("Max(x, 0) -> Relu(x) if floating(y)") == "equation, character 34: the equation has no such variable");
  CHECK(wrong("Max(x, 0) -> Relu(x) if floating(x, x)") == "equation, character 25: the number of operands is wrong");
  CHECK(wrong("Max(x, 0) -> Relu(x) if rank(x) = 2") ==
        "equation, character 36: a condition needs a reason, in quotes");
  CHECK(wrong("x y z w -> x") == "equation, character 7: a product has at most three factors; put some in brackets");
  CHECK(wrong("x -> Relu(x)") == "equation, character 1: the left side does not begin with an operator");
  CHECK(wrong("Neg(x) -> x where y = Abs(x)") == "equation, character 29: a name after 'where' is not used");
  CHECK(wrong("Neg(y) -> x where y = Abs(y)") ==
        "equation, character 27: a name after 'where' depends on itself, or names are nested over 24 deep");
  CHECK(wrong("Neg(x | Abs(y)) -> x") == "equation, character 20: a variable is not bound");
  CHECK(wrong("Neg(x) -> cast?(x)") == "equation, character 11: this term is allowed on left sides only");
  CHECK(wrong("Neg(x) -> x x 'y'") == "equation, character 15: there is text after the end of the equation");
}

TEST_CASE("equations: roots, with what gives the same of exchanged operands; numbers") {
  const equations::parsed_equation e("Where(x > 0, x, 1/4 x) | x < sqrt(4) -> x within 2 ulps 'why'");
  const equations::equation view = e.view();
  REQUIRE(view.roots.size() == 3);
  CHECK(view.roots[0] == "Where");
  CHECK(view.roots[1] == "Less");
  CHECK(view.roots[2] == "Greater");
  REQUIRE(view.numbers.size() == 3);
  CHECK(view.numbers[1] == 0.25);
  CHECK(view.numbers[2] == 2);
  CHECK(view.apart.ulps == 2);
  CHECK(view.apart.reason == "why");
}

TEST_CASE("equations: a row says what it needs without the reasons") {
  constexpr rule r = equation<"r", "Neg(x) -> Abs(x) if rank(x) = 2 'no', floating(x)">(stage::late);
  CHECK(r.equation == "Neg(x) -> Abs(x)");
  CHECK(r.needs == "if rank(x) = 2, floating(x)");
  CHECK(r.when == stage::late);
}
