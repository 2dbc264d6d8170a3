// SPDX-License-Identifier: Apache-2.0
#include "catch.hpp"
#include "lower/typed_text.hpp"

#include <jax2onnx/lower/control/loop_operands.hpp>

using namespace jax2onnx;
using namespace jax2onnx::lower;

namespace {

/// The number of values of a printed tree; -1 if it is not a tree.
int size_of(const std::string& tree) {
  const jaxpr::program p = jaxpr::parse("{ lambda ; a:f32[]. let b:f32[] = p[t=" + tree + "] a in (b,) }");
  const auto size = tree_size(p.main->equations[0].params[0].val);
  return size ? static_cast<int>(*size) : -1;
}

/// A constant `d`, a carry `e`, an element `f`; the results are the next carry and a row of the stacked values.
const std::string step =
    "{ lambda ; d:f32[2] e:f32[2] f:f32[2]. let g:f32[2] = add e f; h:f32[2] = mul g d in (g, h) }";

/// The error for a scan that prints these trees.
std::string problem_of_trees(const std::string& ft_in, const std::string& ft_out) {
  return problem_of("a:f32[2] b:f32[2] x:f32[3,2]", "c:f32[2] y:f32[3,2]",
                    "scan[ft_in=" + ft_in + " ft_out=" + ft_out + " jaxpr=" + step + " length=3 reverse=False] a b x");
}

}  // namespace

TEST_CASE("a number of operands is within them") {
  const auto count = [](const site& s) -> jax_values { return {s.in(counted_operands(s, "n"))}; };
  const auto problem = [&](const std::string& n) {
    return lowered_text("{ lambda ; a:f32[]. let b:f32[] = p[n=" + n + "] a in (b,) }", count).problem();
  };
  CHECK(problem("0") == "(none)");
  CHECK(problem("2") == "lower.malformed: primitive 'p': its n is 2; it must be from 0 to the number of operands");
  CHECK(problem("-1") == "lower.malformed: primitive 'p': its n is -1; it must be from 0 to the number of operands");
}

TEST_CASE("a printed tree has a value for each leaf that is not left out") {
  CHECK(size_of("None") == 1);
  CHECK(size_of("((None,), (None, None), ())") == 3);
  CHECK(size_of("(((None,), (RightsOnly(Left(None)),)), (RightsOnly(Right(None)),))") == 2);
  CHECK(size_of("(RightsOnly(RightsOnly(Right(Right(None)))), RightsOnly(RightsOnly(Left(Right(None)))))") == 1);
  CHECK(size_of("Pytree(vals=[None, Left(None)], tree=PyTreeDef((([*], None), ([], [*]))))") == 1);
  CHECK(size_of("(Static(3), None)") == 1);
  CHECK(size_of("(None, something else)") == -1);
}

TEST_CASE("the types divide the operands of a scan, and the trees agree") {
  CHECK(problem_of_trees("((None,), (None,), (None,))", "((None,), (None,))") == "(none)");
  CHECK(problem_of_trees("Pytree(vals=[None, None, None], tree=PyTreeDef(([*], [*], [*])))", "((None,), (None,))") ==
        "(none)");
  CHECK(problem_of_trees("{'a': None}", "another form") == "(none)");
  CHECK(problem_of_trees("((None, None), (), (None,))", "((None,), (None,))") ==
        "lower.malformed: primitive 'scan': its ft_in has 2 values, but its types show 1");
  CHECK(problem_of_trees("((None,), (None,), (None,))", "((), (None,))") ==
        "lower.malformed: primitive 'scan': its ft_out has 1 value, but its types show 2");
  CHECK(problem_of_trees("((None,), (None, None))", "((None,), (None,))") ==
        "lower.malformed: primitive 'scan': its ft_in has 2 branches instead of 3");
}

TEST_CASE("operands of a scan that its jaxpr takes neither whole nor by elements") {
  const std::string sine = "{ lambda ; d:f32[]. let e:f32[] = sin d in (e,) }";
  const std::string scan = "scan[jaxpr=" + sine + " length=3 reverse=False] ";
  CHECK(problem_of("x:f32[3]", "y:f32[3]", scan + "x") == "(none)");
  CHECK(problem_of("x:f32[]", "y:f32[]", scan + "x") == "(none)");
  CHECK(is_malformed("x:f32[3,3]", "y:f32[3]", scan + "x"));
  CHECK(is_malformed("x:f32[3]", "y:f32[]", scan + "x"));
  CHECK(is_malformed("x:f32[3] z:f32[]", "y:f32[3]", scan + "x z"));
}
