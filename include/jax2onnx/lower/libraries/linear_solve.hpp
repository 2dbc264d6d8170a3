// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/libraries/solve_operands.hpp>
#include <jax2onnx/lower/linalg/cholesky.hpp>
#include <jax2onnx/lower/linalg/lu.hpp>
#include <jax2onnx/lower/linalg/qr.hpp>
#include <jax2onnx/lower/linalg/svd.hpp>
#include <jax2onnx/lower/linalg/tridiagonal_solve.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>

/// Lineax's linear_solve, with the direct solver that the text names, or by elimination if the text names an iterative
/// solver. The operands are the leaves of an operator, of the solver's state (the factors) and of the right-hand side,
/// in the order of the parameter `treedef`. Source: lineax/_solve.py and lineax/_solver/.
namespace jax2onnx::lower {

/// One linear_solve.
class linear_solver {
 public:
  linear_solver(const site& s, const jaxpr::value& treedef, const jaxpr::value& leaves, jax_values operands,
                std::size_t vmaps)
      : s_(s), in_(s, treedef, leaves, std::move(operands), vmaps) {}

  /// The solution, its status (0: success, 2: singular operator, 6: right-hand side not finite) and statistics.
  jax_values answer() {
    const jax_value b = in_.right_hand_side();
    const jax_value x = solution(b);
    jax_values out = in_.as_leaves(x);
    if (out.size() == s_.out_count()) return out;
    const auto code = [&](int n) { return scalar(s_.g, dtype::i32, n); };
    const value status = where(in_.not_finite(x), where(in_.not_finite(b), code(6), code(2)), code(0));
    out.push_back(in_.in_batch(status, s_.out_dims(out.size())));
    if (rank_ && out.size() < s_.out_count()) out.push_back(in_.in_batch(rank_, s_.out_dims(out.size())));
    for (std::size_t i = out.size(); i < s_.out_count(); ++i)
      if (s_.wanted()[i]) s_.unsupported("the jaxpr does not state the number of steps of its solver");
    out.resize(s_.out_count());
    return out;
  }

 private:
  using part = solve_tree::part;

  jax_value solution(const jax_value& b) {
    const std::string_view name = in_.tree().solver_name();
    if (name == "LU" || name == "lu_token") return by_lu(b);
    if (name == "QR" || name == "qr_token") return by_qr(b);
    if (name == "SVD" || name == "svd_token") return by_svd(b);
    if (name == "Cholesky" || name == "cholesky_token") return by_cholesky(b);
    if (name == "Normal") return by_normal_equations(b);
    if (name == "Triangular" || name == "triangular_token") return by_substitution(b);
    if (name == "Tridiagonal" || name == "tridiagonal_token") return by_tridiagonal_solve(b);
    if (name.ends_with("diagonal_token") || name == "Diagonal")
      return by_division(b, name == "well_posed_diagonal_token");
    if (name != "CG" && name != "NormalCG" && name != "GMRES" && name != "BiCGStab") in_.refuse();
    const jax_value a = in_.matrix();
    if (linalg::row_count(a) != linalg::column_count(a)) in_.refuse();
    warn_of_direct_solution(name);
    return by_elimination(a, b);
  }

  void warn_of_direct_solution(std::string_view solver) const {
    s_.warn("lower.direct-solve",
            detail::message("{} iterates in Python, which is not part of the jaxpr: the system is solved directly",
                            solver));
  }

  /// b, broadcast to the batch dimension of the matrix a.
  static jax_value fitted(const jax_value& b, const jax_value& a) {
    if (a.re().rank() < 3) return b;
    shape dims = b.re().dims();
    if (a.re().dims()[0].is(1)) return b;
    dims[0] = a.re().dims()[0];
    return each_part(b, [&](const value& v) { return broadcast_to(v, dims); });
  }

  /// Solves by elimination. If one matrix has a batch of right-hand sides, solves once, with all right-hand sides as
  /// columns.
  static jax_value by_elimination(const jax_value& a, const jax_value& b) {
    if (a.re().rank() < 3 || !a.re().dims()[0].is(1) || b.re().dims()[0].is(1))
      return linalg::solve_by_elimination(a, fitted(b, a));
    const auto batch_as_columns = [](const jax_value& x) {
      return each_part(x, [](const value& v) { return transpose(v, {2, 1, 0}); });
    };
    return batch_as_columns(linalg::solve_by_elimination(a, batch_as_columns(b)));
  }

  /// Solves with the LU factors of the state: P a = L U, and a^T = U^T L^T P. If the factors are unknown, solves by
  /// elimination.
  jax_value by_lu(const jax_value& b) const {
    if (!in_.has_state()) return by_elimination(in_.matrix(), b);
    using namespace linalg;
    const jax_value lu = in_.state(0), given_pivots = in_.state(1);
    const value pivots = unsqueeze(cast(given_pivots.re(), dtype::i64), {rank(given_pivots)});
    const auto exchanged = [&](const jax_value& x, bool backward) {
      return with_exchanged_rows(x, pivots, row_count(lu), backward);
    };
    const jax_value c = fitted(b, lu);
    if (!in_.flag(0)) return substitute(lu, substitute(lu, exchanged(c, false), true, true), false, false);
    const jax_value lu_transposed = transposed(lu);
    return exchanged(substitute(lu_transposed, substitute(lu_transposed, c, true, false), false, true), true);
  }

  /// Solves with the QR factors of the operator, or of its transpose if the transpose has more rows than columns.
  jax_value by_qr(const jax_value& b) const {
    using namespace linalg;
    bool is_transpose = in_.flag(0);
    qr_factors f;
    if (in_.has_state()) {
      f = {in_.state(0), in_.state(1), {}};
    } else {
      const jax_value a = in_.matrix();
      if (in_.flags().empty() || s_.g.dims().known_nonnegative(s_.g.dims().sub(row_count(a), column_count(a))))
        is_transpose = false;
      f = geqrf(is_transpose ? transposed(a) : a);
    }
    const dim full = row_count(f.a), least = column_count(f.a);
    const jax_value r = row_range(f.a, 0, least), c = fitted(b, f.a);
    if (!is_transpose) return substitute(r, row_range(reflected_back(f.a, f.taus, c), 0, least), false, false);
    // Computes conj(Q) y as conj(Q conj(y)).
    const jax_value y = substitute(transposed(r), c, true, false);
    return cx::conj(reflected(f.a, f.taus, cx::conj(zero_padded(y, full, 1))));
  }

  /// The solution of least norm. Singular values up to rcond times the largest one are treated as zero.
  jax_value by_svd(const jax_value& b) {
    using namespace linalg;
    jax_value u, v;
    value s;
    if (in_.has_state()) {
      u = in_.state(0);
      s = unsqueeze(in_.state(1).re(), {in_.state(1).re().rank() - 1});
      v = adjoint(in_.state(2));
    } else {
      const singular_values f = factored_svd(in_.matrix(), true, false);
      u = f.u;
      s = f.s;
      v = f.v;
    }
    const value counts =
        greater(s, mul(slice(s, s.rank() - 1, 0, 1), tolerance(row_count(u), row_count(v), s.dtype())));
    const value inverse = where(counts, div(scalar(s_.g, s.dtype(), 1), where(counts, s, scalar(s_.g, s.dtype(), 1))),
                                scalar(s_.g, s.dtype(), 0));
    rank_ = squeeze(reduce("ReduceSum", cast(counts, dtype::i32), {s.rank() - 1, s.rank() - 2}, true),
                    {s.rank() - 1, s.rank() - 2});
    return cx::matmul(v, cx::scale(cx::matmul(adjoint(u), b), transposed(inverse).re()));
  }
  /// The tolerance rcond: the number that the solver states, else the precision times the larger extent.
  double tolerance(dim m, dim n, dtype t) const {
    for (const jaxpr::value* leaf : in_.tree().python_leaves(solve_tree::solver))
      if (leaf->tag == jaxpr::value::kind::floating) return s_.decoder().decode<double>(*leaf);
    if (!m.is_constant() || !n.is_constant()) in_.refuse();
    return (t == dtype::f64 ? 0x1p-52 : 0x1p-23) * static_cast<double>(std::max(m.extent(), n.extent()));
  }

  jax_value by_cholesky(const jax_value& b) const {
    using namespace linalg;
    const bool is_negative = in_.flag(0);
    const auto with_definite_sign = [&](const jax_value& x) { return is_negative ? cx::neg(x) : x; };
    const jax_value upper = in_.has_state() ? in_.state(0) : adjoint(potrf(adjoint(with_definite_sign(in_.matrix()))));
    const jax_value x = substitute(upper, substitute(adjoint(upper), fitted(b, upper), true, false), false, false);
    return with_definite_sign(x);
  }

  /// The solution x of a^H a x = a^H b; if `a` has fewer rows than columns, a^H y for the solution y of a a^H y = b.
  jax_value by_normal_equations(const jax_value& b) const {
    using namespace linalg;
    const bool by_factors = in_.tree().contains(solve_tree::solver, "CustomNode(Cholesky[");
    if (in_.flags().empty()) in_.refuse();
    const bool tall = in_.flags().back();
    jax_value upper, adjoint_of_a;
    if (by_factors && in_.has_state()) {
      upper = in_.state(0);
      adjoint_of_a = in_.matrix_of_state(1);
    } else {
      if (!by_factors) warn_of_direct_solution("the solver of the normal equations");
      const jax_value a = in_.matrix();
      adjoint_of_a = adjoint(a);
      upper = adjoint(potrf(tall ? cx::matmul(adjoint_of_a, a) : cx::matmul(a, adjoint_of_a)));
    }
    const auto solved = [&](const jax_value& c) {
      return substitute(upper, substitute(adjoint(upper), fitted(c, upper), true, false), false, false);
    };
    return tall ? solved(cx::matmul(adjoint_of_a, b)) : cx::matmul(adjoint_of_a, solved(b));
  }

  jax_value by_substitution(const jax_value& b) const {
    const bool lower = in_.flag(0), unit_diagonal = in_.flag(1), is_transposed = in_.flag(2);
    const jax_value m = in_.has_state() ? in_.state(0) : in_.matrix();
    const bool flip = is_transposed && in_.has_state();
    const bool is_lower = is_transposed == flip ? lower != flip : !lower;
    return linalg::substitute(flip ? linalg::transposed(m) : m, fitted(b, m), is_lower, unit_diagonal);
  }

  /// Solves with the three diagonals, which are the leaves of the state, or else of the operator. If neither has them,
  /// solves by elimination.
  jax_value by_tridiagonal_solve(const jax_value& b) const {
    const part source = in_.has_state() ? solve_tree::state : solve_tree::linear_operator;
    if (source != solve_tree::state &&
        (in_.tree().size(source) != 3 || !in_.is_operator("TridiagonalLinearOperator"))) {
      return by_elimination(in_.matrix(), b);
    }
    const auto diagonal = [&](std::size_t i) {
      return source == solve_tree::state ? in_.state(i) : in_.leaf(source, i);
    };
    const auto with_zero = [&](const jax_value& x, bool in_front) {
      return each_part(x, [&](const value& v) {
        shape dims = v.dims();
        dims.back() = 1;
        const value zero = filled(s_.g, v.dtype(), dims, 0);
        return in_front ? concat({zero, v}, v.rank() - 1) : concat({v, zero}, v.rank() - 1);
      });
    };
    return linalg::gtsv(with_zero(diagonal(1), true), diagonal(0), with_zero(diagonal(2), false),
                        fitted(b, linalg::as_columns(diagonal(0))));
  }

  /// b / d. Unless the system is well posed, elements of d up to the tolerance times the largest one are treated as
  /// zero and give zero, for the solution of least norm.
  jax_value by_division(const jax_value& b, bool is_well_posed) const {
    using namespace linalg;
    if (in_.tree().size(solve_tree::state) == 0) return b;  // a unit diagonal
    const auto diagonal = [](const jax_value& a) {
      const value on = equal(linalg::row_numbers(owner(a), row_count(a)), column_numbers(owner(a), column_count(a)));
      return each_part(a, [&](const value& v) { return sum(keep(on, v).re(), -1); });
    };
    const jax_value d = in_.has_state() ? as_columns(in_.state(0))
                        : in_.is_operator("DiagonalLinearOperator")
                            ? as_columns(in_.leaf(solve_tree::linear_operator, 0))
                            : diagonal(in_.matrix());
    for (const jaxpr::value* python : in_.tree().python_leaves(solve_tree::solver))
      is_well_posed = is_well_posed || python->text == "True";
    if (is_well_posed) return cx::div(b, d);
    const value size = cx::is_real(d) ? abs(d.re()) : sqrt(cx::norm(d));
    const value largest = reduce("ReduceMax", size, {size.rank() - 2}, true);
    const value counts = greater(size, mul(largest, tolerance(row_count(d), 1, size.dtype())));
    return cx::where(counts, cx::div(b, cx::where(counts, d, jax_value(one_of(d)))), jax_value(zero_of(d)));
  }

  const site& s_;
  solve_operands in_;
  value rank_;  ///< rank of the operator, after by_svd
};

inline jax_values linear_solve(const site& s) {
  const jaxpr::value &treedef = s.tree("treedef"), &leaves = s.tree("static");
  return linear_solver(s, treedef, leaves, {s.ins().begin(), s.ins().end()}, 0).answer();
}

inline constexpr lowering linear_solve_rows[] = {
    {"linear_solve", linear_solve, "Loop, MatMul, Div",
     signature{{}, {}, nullptr, {{"treedef", param_form::other}, {"static", param_form::list}}}, parts_rule::lazy,
     "LSMR; operators without a matrix (iterative solvers become a direct solution)", ignores{"flatten"}},
};

}  // namespace jax2onnx::lower
