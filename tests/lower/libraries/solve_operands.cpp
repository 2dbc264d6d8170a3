// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/libraries/static_leaves.hpp"
#include "lower/lowered_text.hpp"
#include "lower/producer.hpp"

#include <jax2onnx/lower/libraries/solve_operands.hpp>
#include <jax2onnx/lower/random/words.hpp>

using namespace jax2onnx;
using namespace jax2onnx::ops;
using lower::solve_operands;
using test::operand_leaf;

namespace {

/// A matrix, one leaf of state, two leaves of the right-hand side.
const std::string text =
    "{ lambda ; a:f32[5,5] l:f32[5] b:f32[2] c:f32[3,1]. let x:f32[2] y:f32[3,1] = p a l b c in (x, y) }";
const test::static_leaves leaves({operand_leaf, operand_leaf, operand_leaf, operand_leaf});
constexpr std::string_view matrix_and_state =
    "PyTreeDef((CustomNode(MatrixLinearOperator[()], [*]), (*, CustomNode(Static[(Missing, [True])], [])), (*, *), {}, "
    "CustomNode(LU[()], []), None))";
constexpr std::string_view function_operator =
    "PyTreeDef((CustomNode(FunctionLinearOperator[()], [*]), *, (*, *), {}, CustomNode(LU[()], []), None))";

solve_operands operands_of(const site& s, std::string_view treedef) {
  jaxpr::value tree;
  tree.text = treedef;
  return solve_operands(s, tree, leaves.all, {s.ins().begin(), s.ins().end()}, 0);
}
constexpr std::string_view negated =
    "PyTreeDef((CustomNode(NegLinearOperator[()], [CustomNode(MatrixLinearOperator[()], [*])]), *, (*, *), {}, "
    "CustomNode(CG[()], []), None))";
constexpr std::string_view tagged_sum =
    "PyTreeDef((CustomNode(TaggedLinearOperator[(Missing, frozenset({t}))], [CustomNode(AddLinearOperator[()], "
    "[CustomNode(MatrixLinearOperator[()], [*]), CustomNode(IdentityLinearOperator[()], [])])]), *, (*, *), {}, "
    "CustomNode(CG[()], []), None))";

std::string problem(lower_fn lowerer) { return lowered_text(text, lowerer).problem(); }

}  // namespace

TEST_CASE("operands of linear_solve by role; the right-hand side is one column, the results are its rows") {
  CHECK(problem([](const site& s) -> jax_values {
          const solve_operands in = operands_of(s, matrix_and_state);
          CHECK(same_value(in.matrix().re(), s.in(0)));
          CHECK(in.has_state());
          CHECK(same_value(in.state(0).re(), s.in(1)));
          CHECK(in.flag(0));
          CHECK_FALSE(in.flag(1));
          const jax_value b = in.right_hand_side();
          CHECK(b.re().dims() == shape{5, 1});
          CHECK(in.not_finite(b).dims() == shape{});
          const jax_values x = in.as_leaves(b);
          REQUIRE(x.size() == 2);
          CHECK(x[0].re().dims() == shape{2});
          CHECK(x[1].re().dims() == shape{3, 1});
          return x;
        }) == "(none)");
}

TEST_CASE("the leaves of the right-hand side keep their order") {
  CHECK(problem([](const site& s) -> jax_values {
          jaxpr::value tree;
          tree.text = matrix_and_state;
          const value c = reshape(int64s(s.g, {3, 4, 5}), {3, 1});
          const solve_operands in(s, tree, leaves.all, {s.in(0), s.in(1), int64s(s.g, {1, 2}), c}, 0);
          const jax_value b = in.right_hand_side();
          CHECK(lower::known_numbers(b.re()) == std::vector<std::uint64_t>{1, 2, 3, 4, 5});
          const jax_values x = in.as_leaves(b);
          CHECK(lower::known_numbers(x.at(0).re()) == std::vector<std::uint64_t>{1, 2});
          CHECK(lower::known_numbers(x.at(1).re()) == std::vector<std::uint64_t>{3, 4, 5});
          return {s.in(2), s.in(3)};
        }) == "(none)");
}

TEST_CASE("an operator that is composed of others is composed of their matrices") {
  CHECK(problem([](const site& s) -> jax_values {
          const solve_operands in = operands_of(s, negated);
          const jax_value a = in.matrix();
          CHECK(op_of(a.re()) == "Neg");
          CHECK_FALSE(in.is_operator("MatrixLinearOperator"));
          return {s.in(2), s.in(3)};
        }) == "(none)");
  CHECK(problem([](const site& s) -> jax_values {
          const solve_operands in = operands_of(s, tagged_sum);
          const jax_value a = in.matrix();
          CHECK(op_of(a.re()) == "Add");
          CHECK(a.re().dims() == shape{5, 5});
          CHECK(in.is_operator("AddLinearOperator"));
          return {s.in(2), s.in(3)};
        }) == "(none)");
}

TEST_CASE("what the text does not hold is refused") {
  const std::string refused =
      "lower.unsupported: primitive 'p': its solver or its operator is not supported, or runs in Python and is not "
      "part of the jaxpr";
  CHECK(problem([](const site& s) -> jax_values { return {operands_of(s, function_operator).matrix()}; }) == refused);
  CHECK(problem([](const site& s) -> jax_values { return {operands_of(s, matrix_and_state).state(1)}; }) == refused);
  CHECK(problem([](const site& s) -> jax_values { return {operands_of(s, "PyTreeDef(*)").matrix()}; }) == refused);
}
