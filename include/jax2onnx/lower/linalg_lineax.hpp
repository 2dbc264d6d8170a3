#pragma once

#include <limits>
#include <string_view>

#include <jax2onnx/lower/linalg_lu.hpp>
#include <jax2onnx/lower/linalg_triangular.hpp>
#include <jax2onnx/lower/reduce.hpp>

/// Lineax's linear_solve. Its operands are those of an operator, of the solver's state and of the right-hand side;
/// `treedef` says which solver it is. Source: lineax/_solve.py.
namespace jax2onnx::lower {

/// The solution x [n] of a x = b, where a's rows were exchanged one after another before it was factored into `lu`.
inline value solve_factored(const value& lu, const value& pivots, const value& b) {
  using namespace linalg;
  graph& g = b.owner();
  const value rows = row_numbers(g, b.extent(0)), exchanges = unsqueeze(cast(pivots, dtype::i64), {1});
  const auto exchange = [&](const value& k, const matrices& carried) {
    return matrices{row_exchange(carried[0], rows, k, row(exchanges, k).re()).a};
  };
  const operand ordered = repeat(g, b.extent(0), {unsqueeze(b, {1})}, exchange)[0];
  return squeeze(substitute(lu, substitute(lu, ordered, true, true), false, false).re(), {1});
}

/// b / d, zero where d is as good as zero: the solution of least norm.
inline value solve_diagonal(const value& d, const value& b) {
  graph& g = b.owner();
  const double epsilon = d.dtype() == dtype::f64 ? 0x1p-52 : 0x1p-23, infinity = std::numeric_limits<double>::infinity();
  const value size = abs(d), largest = reduce("ReduceMax", size, {0}, true);
  const value counts = greater(size, mul(largest, epsilon * static_cast<double>(d.extent(0).extent())));
  return div(b, where(counts, d, scalar(g, d.dtype(), infinity)));
}

inline value any_not_finite(const value& x) { return reduce_truth("ReduceMax", is_nan(mul(x, 0.0)), iota_axes(x.rank())); }

/// The solution and what came of it: 0 success, 2 a singular operator, 6 a right-hand side that is not finite.
inline results linear_solve(const site& s) {
  const auto tree = s.param<std::string_view>("treedef");
  const auto says = [&](std::string_view text) { return tree.find(text) != tree.npos; };
  s.accept_parameters();
  const bool factored = says("lu_token[") || says("CustomNode(LU["), diagonal = says("diagonal_token[") || says("CustomNode(Diagonal[");
  if (factored == diagonal || says("Static[(Missing, [True]") || s.arity() < 3)
    s.unsupported("its solver is in Python, not in the text", "use lineax.LU, or solve with jax.numpy.linalg");
  const value given = s.in(s.arity() - 1), state = s.in(s.arity() - (factored ? 3 : 2));
  if (state.rank() != (factored ? 2 : 1) || !state.extent(0).is_constant()) s.unsupported("a batch of operators, or a symbolic one");
  const value b = jax2onnx::reshape(given, {state.extent(0)});
  const value x = factored ? solve_factored(state, s.in(s.arity() - 2), b) : solve_diagonal(state, b);
  const auto code = [&](int n) { return scalar(s.g, dtype::i32, n); };
  results out{jax2onnx::reshape(x, s.out_dims())};
  if (s.out_count() > 1) out.push_back(where(any_not_finite(x), where(any_not_finite(b), code(6), code(2)), code(0)));
  out.resize(s.out_count());
  return out;
}

inline constexpr lowering lineax_rows[] = {
    {"linear_solve", linear_solve, "Loop, MatMul, Div", parts_rule::plain, "solvers other than LU and Diagonal"},
};

}  // namespace jax2onnx::lower
