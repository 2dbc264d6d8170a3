// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/libraries/static_leaves.hpp"

#include <string_view>
#include <vector>

#include <jax2onnx/lower/libraries/solve_tree.hpp>

using namespace jax2onnx;
using jax2onnx::lower::node_reader;
using jax2onnx::lower::solve_tree;
using test::operand_leaf;
using test::static_leaves;

namespace {

constexpr std::string_view lu =
    "PyTreeDef((CustomNode(MatrixLinearOperator[('matrix',), ('tags',), ((frozenset({*}),),)], [*]), "
    "((*, *), CustomNode(Static[(Missing, [True])], [])), (*, *), {}, CustomNode(LU[(), (), ()], []), *))";

}  // namespace

TEST_CASE("a treedef tells the operands of linear_solve apart") {
  const static_leaves leaves({operand_leaf, operand_leaf, operand_leaf, operand_leaf, operand_leaf, "True"});
  const solve_tree tree(lu, leaves.all);
  CHECK(tree.fits(5));
  CHECK(!tree.fits(6));
  CHECK(tree.size(solve_tree::linear_operator) == 1);
  CHECK(tree.first(solve_tree::state) == 1);
  CHECK(tree.size(solve_tree::state) == 2);
  CHECK(tree.first(solve_tree::vector) == 3);
  CHECK(tree.size(solve_tree::vector) == 2);
  CHECK(tree.python_leaves(solve_tree::throws).size() == 1);
  CHECK(tree.contains(solve_tree::linear_operator, "MatrixLinearOperator["));
}

TEST_CASE("the name and the flags of a solver") {
  const static_leaves six({operand_leaf, operand_leaf, operand_leaf, operand_leaf, operand_leaf, "True"}),
      two({operand_leaf, operand_leaf});
  const solve_tree named(lu, six.all);
  CHECK(named.solver_name() == "LU");
  CHECK(named.flags() == std::vector<bool>{true});
  const solve_tree chosen(
      "PyTreeDef((*, CustomNode(qr_token[()], []), *, {}, CustomNode(AutoLinearSolver[()], []), None))", two.all);
  CHECK(chosen.fits(2));
  CHECK(chosen.solver_name() == "qr_token");
  CHECK(chosen.flags().empty());
}

TEST_CASE("a text of any other form fits nothing") {
  const static_leaves one({operand_leaf});
  CHECK(!solve_tree("PyTreeDef(*)", one.all).fits(1));
  CHECK(!solve_tree("PyTreeDef((*, *, *, {}, *, *))", one.all).fits(1));  // `static` has fewer leaves
  CHECK(!solve_tree("PyTreeDef((*", one.all).fits(1));
  CHECK(!solve_tree("", one.all).fits(0));
}

TEST_CASE("the name, the children and the end of a printed node") {
  node_reader sum("CustomNode(Add[(Missing, ([()], {*}))], [CustomNode(Matrix[()], [*]), *])");
  CHECK(sum.open() == "Add");
  CHECK(sum.open() == "Matrix");
  CHECK(sum.skip("*"));
  CHECK(sum.close());
  CHECK(sum.skip(", "));
  CHECK_FALSE(sum.close());
  CHECK(sum.skip("*"));
  CHECK(sum.close());
  CHECK(sum.at_end());
  CHECK(node_reader("*").open().empty());
  CHECK(node_reader("CustomNode(Add[(Missing").open().empty());
  CHECK(node_reader("CustomNode(").open().empty());
}
