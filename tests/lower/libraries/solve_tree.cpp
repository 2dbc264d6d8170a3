#include "catch.hpp"

#include <string_view>
#include <vector>

#include <jax2onnx/lower/libraries/solve_tree.hpp>

using namespace jax2onnx;
using jax2onnx::lower::solve_tree;

namespace {

/// The parameter `static`, with the leaves printed as `texts`.
struct static_leaves {
  std::vector<jaxpr::value> items;
  jaxpr::value all;

  explicit static_leaves(std::initializer_list<std::string_view> texts) : items(texts.size()) {
    std::size_t i = 0;
    for (std::string_view text : texts) items[i++].text = text;
    all.items = items;
  }
  static_leaves(const static_leaves&) = delete;
  static_leaves& operator=(const static_leaves&) = delete;
};
constexpr std::string_view object = "<object object at 0x7f>";  // an operand

constexpr std::string_view lu =
    "PyTreeDef((CustomNode(MatrixLinearOperator[('matrix',), ('tags',), ((frozenset({*}),),)], [*]), "
    "((*, *), CustomNode(Static[(Missing, [True])], [])), (*, *), {}, CustomNode(LU[(), (), ()], []), *))";

}  // namespace

TEST_CASE("a treedef tells the operands of linear_solve apart") {
  const static_leaves leaves({object, object, object, object, object, "True"});
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
  const static_leaves six({object, object, object, object, object, "True"}), two({object, object});
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
  const static_leaves one({object});
  CHECK(!solve_tree("PyTreeDef(*)", one.all).fits(1));
  CHECK(!solve_tree("PyTreeDef((*, *, *, {}, *, *))", one.all).fits(1));  // more leaves than `static` has
  CHECK(!solve_tree("PyTreeDef((*", one.all).fits(1));
  CHECK(!solve_tree("", one.all).fits(0));
}
