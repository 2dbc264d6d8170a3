#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/libraries/solve_tree.hpp>
#include <jax2onnx/lower/linalg/cholesky.hpp>
#include <jax2onnx/lower/linalg/lu.hpp>
#include <jax2onnx/lower/linalg/qr.hpp>
#include <jax2onnx/lower/linalg/svd.hpp>
#include <jax2onnx/lower/linalg/tridiagonal_solve.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>

/// Lineax's linear_solve, by the direct solver that the text names. Its operands are the leaves of an operator, of the
/// solver's state (its factors) and of the right-hand side; the parameter `treedef` tells them apart.
/// Source: lineax/_solve.py and lineax/_solver/.
namespace jax2onnx::lower {

/// One linear_solve. Either every operand has a leading batch dimension, which may be 1, or none has. `vmaps` leading
/// dimensions of the results correspond to the one batch dimension.
class linear_solver {
 public:
  linear_solver(const site& s, const jaxpr::value& treedef, const jaxpr::value& leaves, jax_values operands,
                std::size_t vmaps)
      : s_(s), tree_(treedef.text, leaves), operands_(std::move(operands)), vmaps_(vmaps) {
    if (!tree_.fits(operands_.size())) refuse();
    flags_ = tree_.flags();
  }

  /// The solution, its status (0 success, 2 a singular operator, 6 a right-hand side that is not finite) and
  /// statistics.
  jax_values answer() {
    const jax_value b = right_hand_side();
    const jax_value x = solution(b);
    jax_values out = as_leaves(x);
    if (out.size() == s_.out_count()) return out;
    const auto code = [&](int n) { return scalar(s_.g, dtype::i32, n); };
    const value status = where(not_finite(x), where(not_finite(b), code(6), code(2)), code(0));
    out.push_back(in_batch(status, s_.out_dims(out.size())));
    if (rank_ && out.size() < s_.out_count()) out.push_back(in_batch(rank_, s_.out_dims(out.size())));
    for (std::size_t i = out.size(); i < s_.out_count(); ++i)
      if (s_.wanted()[i]) s_.unsupported("the jaxpr does not state the number of steps of its solver");
    out.resize(s_.out_count());
    return out;
  }

 private:
  using part = solve_tree::part;

  [[noreturn]] void refuse() const {
    s_.unsupported("its solver runs in Python and is not part of the jaxpr",
                   "use lineax.LU, or solve with jax.numpy.linalg");
  }
  std::size_t batch_rank() const { return vmaps_ > 0 ? 1 : 0; }
  bool flag(std::size_t i) const { return i < flags_.size() && flags_[i]; }

  /// Operand i. An error where the text is ambiguous about it.
  const jax_value& in(std::size_t i) const {
    if (operands_[i].count == 0) s_.require_operands();
    return operands_[i];
  }
  const jax_value& leaf(part p, std::size_t i) const { return in(tree_.first(p) + i); }
  /// No operand of the state is ambiguous, so that the factors need not be recomputed from the operator.
  bool has_state() const {
    for (std::size_t i = 0; i < tree_.size(solve_tree::state); ++i)
      if (operands_[tree_.first(solve_tree::state) + i].count == 0) return false;
    return true;
  }
  const jax_value& state(std::size_t i) const {
    if (i >= tree_.size(solve_tree::state)) refuse();
    return leaf(solve_tree::state, i);
  }
  /// The operator as a matrix [..., m, n].
  const jax_value& matrix() const {
    if (tree_.size(solve_tree::linear_operator) != 1 ||
        !tree_.contains(solve_tree::linear_operator, "CustomNode(MatrixLinearOperator["))
      refuse();
    return leaf(solve_tree::linear_operator, 0);
  }

  /// A result with one batch dimension, in the extents `dims` of the text.
  value in_batch(const value& v, const shape& dims) const {
    return vmaps_ > 1 && !v.dims()[0].is(1) ? reshape(v, dims) : broadcast_to(v, dims);
  }
  /// The common batch extent of the leaves of the right-hand side.
  dim batch_extent() const {
    dim batch = 1;
    for (std::size_t i = 0; batch_rank() > 0 && i < tree_.size(solve_tree::vector); ++i) {
      const dim extent = leaf(solve_tree::vector, i).re().dims()[0];
      if (!extent.is(1)) batch = extent;
    }
    return batch;
  }
  /// The leaves of the right-hand side, flattened and concatenated to a column [..., m, 1].
  jax_value right_hand_side() const {
    jax_value all;
    const dim batch = batch_extent();
    for (std::size_t i = 0; i < tree_.size(solve_tree::vector); ++i) {
      const jax_value flat = each_part(leaf(solve_tree::vector, i), [&](const value& v) {
        shape dims(v.dims().begin(), v.dims().begin() + static_cast<std::ptrdiff_t>(batch_rank()));
        dim length = 1;
        for (std::size_t d = batch_rank(); d < v.dims().size(); ++d) length = s_.g.dims().mul(length, v.dims()[d]);
        dims.insert(dims.end(), {length, dim(1)});
        const value column = reshape(v, dims);
        if (batch_rank() > 0) dims[0] = batch;
        return broadcast_to(column, dims);
      });
      all = i == 0 ? flat : linalg::stacked(all, flat);
    }
    if (all.count == 0) refuse();
    return all;
  }
  /// The inverse: the results that are the rows of the column x.
  jax_values as_leaves(const jax_value& x) const {
    jax_values out;
    dim begin = 0, total = linalg::row_count(x);
    while (out.size() < s_.out_count() && !(begin == total)) {
      const shape& dims = s_.out_dims(out.size());
      dim length = 1;
      shape given(dims.begin() + static_cast<std::ptrdiff_t>(vmaps_), dims.end());
      for (dim d : given) length = s_.g.dims().mul(length, d);
      if (vmaps_ > 0) given.insert(given.begin(), x.re().dims()[0]);
      const dim end = s_.g.dims().add(begin, length);
      out.push_back(each_part(linalg::row_range(x, begin, end),
                              [&](const value& v) { return in_batch(reshape(v, given), dims); }));
      begin = end;
    }
    return out;
  }
  /// For every system of the batch: some element is infinite or NaN.
  value not_finite(const jax_value& x) const {
    value bad = is_nan(mul(x.re(), 0.0));
    if (!cx::is_real(x)) bad = logical_or(bad, is_nan(mul(x.im(), 0.0)));
    ints axes = iota_axes(bad.rank());
    axes.erase(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(batch_rank()));
    return reduce_truth("ReduceMax", bad, axes);
  }

  jax_value solution(const jax_value& b) {
    const std::string_view name = tree_.solver_name();
    if (name == "LU" || name == "lu_token") return by_lu(b);
    if (name == "QR" || name == "qr_token") return by_qr(b);
    if (name == "SVD" || name == "svd_token") return by_svd(b);
    if (name == "Cholesky" || name == "cholesky_token") return by_cholesky(b);
    if (name == "Triangular" || name == "triangular_token") return by_substitution(b);
    if (name == "Tridiagonal" || name == "tridiagonal_token") return by_tridiagonal_solve(b);
    if (name.ends_with("diagonal_token") || name == "Diagonal")
      return by_division(b, name == "well_posed_diagonal_token");
    if (name != "CG" && name != "NormalCG" && name != "GMRES" && name != "BiCGStab") refuse();
    const jax_value a = matrix();
    if (linalg::row_count(a) != linalg::column_count(a)) refuse();
    s_.warn(
        "lower.direct-solve",
        detail::message("{} iterates in Python, which is not part of the jaxpr: the system is solved directly", name));
    return by_elimination(a, b);
  }

  /// b with the batch dimension of the matrix a.
  static jax_value fitted(const jax_value& b, const jax_value& a) {
    if (a.re().rank() < 3) return b;
    shape dims = b.re().dims();
    if (a.re().dims()[0].is(1)) return b;
    dims[0] = a.re().dims()[0];
    return each_part(b, [&](const value& v) { return broadcast_to(v, dims); });
  }

  /// One matrix with a batch of right-hand sides is solved once, for a matrix of all right-hand sides.
  static jax_value by_elimination(const jax_value& a, const jax_value& b) {
    if (a.re().rank() < 3 || !a.re().dims()[0].is(1) || b.re().dims()[0].is(1))
      return linalg::solve_by_elimination(a, fitted(b, a));
    const auto batch_as_columns = [](const jax_value& x) {
      return each_part(x, [](const value& v) { return transpose(v, {2, 1, 0}); });
    };
    return batch_as_columns(linalg::solve_by_elimination(a, batch_as_columns(b)));
  }

  /// P a = L U, and a^T = U^T L^T P.
  jax_value by_lu(const jax_value& b) const {
    if (!has_state()) return by_elimination(matrix(), b);
    using namespace linalg;
    const jax_value lu = state(0), given_pivots = state(1);
    const value pivots = unsqueeze(cast(given_pivots.re(), dtype::i64), {rank(given_pivots)});
    const auto exchanged = [&](const jax_value& x, bool backward) {
      return with_exchanged_rows(x, pivots, row_count(lu), backward);
    };
    const jax_value c = fitted(b, lu);
    if (!flag(0)) return substitute(lu, substitute(lu, exchanged(c, false), true, true), false, false);
    const jax_value lu_transposed = transposed(lu);
    return exchanged(substitute(lu_transposed, substitute(lu_transposed, c, true, false), false, true), true);
  }

  /// With the factors of the operator, or of its transpose if that is higher than wide.
  jax_value by_qr(const jax_value& b) const {
    using namespace linalg;
    bool is_transpose = flag(0);
    qr_factors f;
    if (has_state()) {
      f = {state(0), state(1), {}};
    } else {
      const jax_value a = matrix();
      if (flags_.empty() || s_.g.dims().known_nonnegative(s_.g.dims().sub(row_count(a), column_count(a))))
        is_transpose = false;
      f = geqrf(is_transpose ? transposed(a) : a);
    }
    const dim full = row_count(f.a), least = column_count(f.a);
    const jax_value r = row_range(f.a, 0, least), c = fitted(b, f.a);
    if (!is_transpose) return substitute(r, row_range(reflected_back(f.a, f.taus, c), 0, least), false, false);
    // conj(Q) y = conj(Q conj(y))
    const jax_value y = substitute(transposed(r), c, true, false);
    return cx::conj(reflected(f.a, f.taus, cx::conj(zero_padded(y, full, 1))));
  }

  /// The solution of least norm. Singular values up to rcond times the largest one count as zero.
  jax_value by_svd(const jax_value& b) {
    using namespace linalg;
    jax_value u, v;
    value s;
    if (has_state()) {
      u = state(0);
      s = unsqueeze(state(1).re(), {state(1).re().rank() - 1});
      v = adjoint(state(2));
    } else {
      const singular_values f = factored_svd(matrix(), true, false);
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
  /// rcond: the solver's own, else the precision times the longer side.
  double tolerance(dim m, dim n, dtype t) const {
    for (const jaxpr::value* leaf : tree_.python_leaves(solve_tree::solver))
      if (leaf->tag == jaxpr::value::kind::floating) return s_.decoder().decode<double>(*leaf);
    if (!m.is_constant() || !n.is_constant()) refuse();
    return (t == dtype::f64 ? 0x1p-52 : 0x1p-23) * static_cast<double>(std::max(m.extent(), n.extent()));
  }

  jax_value by_cholesky(const jax_value& b) const {
    using namespace linalg;
    const bool is_negative = flag(0);
    const auto with_definite_sign = [&](const jax_value& x) { return is_negative ? cx::neg(x) : x; };
    const jax_value upper = has_state() ? state(0) : adjoint(potrf(adjoint(with_definite_sign(matrix()))));
    const jax_value x = substitute(upper, substitute(adjoint(upper), fitted(b, upper), true, false), false, false);
    return with_definite_sign(x);
  }

  jax_value by_substitution(const jax_value& b) const {
    const bool lower = flag(0), unit_diagonal = flag(1), is_transposed = flag(2);
    const jax_value m = has_state() ? state(0) : matrix();
    const bool flip = is_transposed && has_state();
    const bool is_lower = is_transposed == flip ? lower != flip : !lower;
    return linalg::substitute(flip ? linalg::transposed(m) : m, fitted(b, m), is_lower, unit_diagonal);
  }

  /// From the three diagonals, which are the state and the operator's own leaves.
  jax_value by_tridiagonal_solve(const jax_value& b) const {
    const part source = has_state() ? solve_tree::state : solve_tree::linear_operator;
    if (source != solve_tree::state &&
        (tree_.size(source) != 3 || !tree_.contains(source, "TridiagonalLinearOperator["))) {
      return by_elimination(matrix(), b);
    }
    const auto diagonal = [&](std::size_t i) { return source == solve_tree::state ? state(i) : leaf(source, i); };
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

  /// b / d. Unless the system is well posed, elements of d up to the tolerance count as zero and give zero: the
  /// solution of least norm.
  jax_value by_division(const jax_value& b, bool is_well_posed) const {
    using namespace linalg;
    if (tree_.size(solve_tree::state) == 0 && !tree_.contains(solve_tree::linear_operator, "*"))
      return b;  // a unit diagonal
    const bool given = has_state();
    if (!given && !tree_.contains(solve_tree::linear_operator, "CustomNode(DiagonalLinearOperator[")) refuse();
    const jax_value d = as_columns(given ? state(0) : leaf(solve_tree::linear_operator, 0));
    for (const jaxpr::value* python : tree_.python_leaves(solve_tree::solver))
      is_well_posed = is_well_posed || python->text == "True";
    if (is_well_posed) return cx::div(b, d);
    const value size = cx::is_real(d) ? abs(d.re()) : sqrt(cx::norm(d));
    const value largest = reduce("ReduceMax", size, {size.rank() - 2}, true);
    const value counts = greater(size, mul(largest, tolerance(row_count(d), 1, size.dtype())));
    return cx::where(counts, cx::div(b, cx::where(counts, d, jax_value(one_of(d)))), jax_value(zero_of(d)));
  }

  const site& s_;
  solve_tree tree_;
  jax_values operands_;
  std::size_t vmaps_;
  std::vector<bool> flags_;
  value rank_;
};

inline jax_values linear_solve(const site& s) {
  const jaxpr::value &treedef = s.tree("treedef"), &leaves = s.tree("static");
  return linear_solver(s, treedef, leaves, {s.ins().begin(), s.ins().end()}, 0).answer();
}

inline constexpr lowering linear_solve_rows[] = {
    {"linear_solve", linear_solve, "Loop, MatMul, Div", parts_rule::lazy,
     "iterative solvers give the direct solution; LSMR and operators without a matrix", ignores{"flatten"}},
};

}  // namespace jax2onnx::lower
