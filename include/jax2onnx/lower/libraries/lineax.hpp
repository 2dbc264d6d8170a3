#pragma once

#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/lower/linalg/lu.hpp>
#include <jax2onnx/lower/linalg/qr.hpp>
#include <jax2onnx/lower/linalg/svd.hpp>
#include <jax2onnx/lower/linalg/tridiagonal.hpp>
#include <jax2onnx/lower/reduction/reduce.hpp>

/// Lineax's linear_solve. Its operands are leaves of an operator, of the solver's state and of the right-hand side; its
/// parameter `treedef` tells them apart and says which solver it is. Source: lineax/_solve.py.
namespace jax2onnx::lower {

/// What `treedef` prints: PyTreeDef((operator, state, vector, options, solver, throw)) with `*` for every leaf. Leaves are
/// operands or, where `static` holds them, Python's.
class solve_tree {
 public:
  enum part : std::size_t { linear_operator, state, vector, options, solver, throws, count };

  solve_tree(std::string_view text, const jaxpr::value& leaves) {
    constexpr std::string_view opening = "PyTreeDef((";
    if (!text.starts_with(opening)) return;
    text.remove_prefix(opening.size());
    std::size_t leaf = 0, operand = 0, begin = 0, depth = 0;
    std::vector<bool> metadata;  // for every open bracket
    for (std::size_t i = 0; i < text.size() && parts_ < count; ++i) {
      const char c = text[i];
      const bool inside = !metadata.empty() && metadata.back();
      if (c == '(' || c == '[' || c == '{') {
        metadata.push_back(inside || (c == '[' && i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1]))));
        ++depth;
      } else if (depth == 0 && (c == ',' || c == ')')) {
        texts_[parts_] = text.substr(begin, i - begin);
        begin = i + 1;
        first_[++parts_] = operand;
      } else if (c == ')' || c == ']' || c == '}') {
        metadata.pop_back();
        --depth;
      } else if (c == '*' && !inside) {
        if (leaf >= leaves.items.size()) return;
        if (leaves.items[leaf++].text.starts_with("<object object")) ++operand;
        else python_[parts_].push_back(&leaves.items[leaf - 1]);
      }
    }
    is_complete_ = parts_ == count && leaf == leaves.items.size();
  }

  /// Whether the text is of the known form and has as many operands.
  bool fits(std::size_t arity) const { return is_complete_ && first_[count] == arity; }
  bool says(part p, std::string_view what) const { return texts_[p].find(what) != std::string_view::npos; }
  std::size_t first(part p) const { return first_[p]; }
  std::size_t size(part p) const { return first_[p + 1] - first_[p]; }
  const std::vector<const jaxpr::value*>& python_leaves(part p) const { return python_[p]; }

  /// `LU` of CustomNode(LU[…, and of CustomNode(lu_token[… where AutoLinearSolver chose it.
  std::string_view solver_name() const {
    const std::string_view chosen = node_name(texts_[solver]);
    return chosen == "AutoLinearSolver" ? node_name(texts_[state]) : chosen;
  }
  /// The booleans that the state holds as Static: transposed and the like.
  std::vector<bool> flags() const {
    std::vector<bool> out;
    constexpr std::string_view before = "Static[(Missing, [";
    const std::string_view all = texts_[state];
    for (std::size_t at = all.find(before); at != all.npos; at = all.find(before, at + 1)) {
      const std::string_view rest = all.substr(at + before.size());
      if (rest.starts_with("True]") || rest.starts_with("False]")) out.push_back(rest.starts_with("True]"));
    }
    return out;
  }

 private:
  static std::string_view node_name(std::string_view text) {
    constexpr std::string_view node = "CustomNode(";
    const std::size_t begin = text.find(node);
    if (begin == text.npos) return {};
    text.remove_prefix(begin + node.size());
    return text.substr(0, text.find('['));
  }

  std::array<std::string_view, count> texts_;
  std::array<std::size_t, count + 1> first_{};
  std::array<std::vector<const jaxpr::value*>, count> python_;
  std::size_t parts_ = 0;
  bool is_complete_ = false;
};

/// One linear_solve. Every operand has a batch dimension in front, which may be 1, or none has; `vmaps` dimensions of the
/// results are in it.
class solve {
 public:
  solve(const site& s, const jaxpr::value& treedef, const jaxpr::value& leaves, jax_values operands, std::size_t vmaps)
      : s_(s), tree_(treedef.text, leaves), operands_(std::move(operands)), vmaps_(vmaps) {
    if (!tree_.fits(operands_.size())) refuse();
    flags_ = tree_.flags();
  }

  /// The solution, what came of it (0 success, 2 a singular operator, 6 a right-hand side that is not finite) and statistics.
  jax_values answer() {
    const jax_value b = right_hand_side();
    const jax_value x = solution(b);
    jax_values out = split(x);
    if (out.size() == s_.out_count()) return out;
    const auto code = [&](int n) { return scalar(s_.g, dtype::i32, n); };
    const value status = where(not_finite(x), where(not_finite(b), code(6), code(2)), code(0));
    out.push_back(in_batch(status, s_.out_dims(out.size())));
    if (rank_ && out.size() < s_.out_count()) out.push_back(in_batch(rank_, s_.out_dims(out.size())));
    for (std::size_t i = out.size(); i < s_.out_count(); ++i)
      if (s_.wanted()[i]) s_.unsupported("the number of its solver's steps is not in the text");
    out.resize(s_.out_count());
    return out;
  }

 private:
  [[noreturn]] void refuse() const {
    s_.unsupported("its solver is in Python, not in the text", "use lineax.LU, or solve with jax.numpy.linalg");
  }
  std::size_t batch_rank() const { return vmaps_ > 0 ? 1 : 0; }
  bool flag(std::size_t i) const { return i < flags_.size() && flags_[i]; }
  const jax_value& in(std::size_t i) const {
    if (operands_[i].count == 0) s_.require_operands();
    return operands_[i];
  }
  bool knows_state() const {
    for (std::size_t i = 0; i < tree_.size(solve_tree::state); ++i)
      if (operands_[tree_.first(solve_tree::state) + i].count == 0) return false;
    return true;
  }
  const jax_value& state(std::size_t i) const {
    if (i >= tree_.size(solve_tree::state)) refuse();
    return in(tree_.first(solve_tree::state) + i);
  }
  /// The operator as a matrix [..., m, n].
  const jax_value& matrix() const {
    if (tree_.size(solve_tree::linear_operator) != 1 ||
        !tree_.says(solve_tree::linear_operator, "CustomNode(MatrixLinearOperator["))
      refuse();
    return in(tree_.first(solve_tree::linear_operator));
  }

  /// A result whose one batch dimension stands for those of the text.
  value in_batch(const value& v, const shape& dims) const {
    return vmaps_ > 1 && !v.dims()[0].is(1) ? jax2onnx::reshape(v, dims) : broadcast_to(v, dims);
  }
  /// The leaves of the right-hand side, one after another, as a column [..., m, 1].
  jax_value right_hand_side() const {
    jax_value all;
    dim batch = 1;
    for (std::size_t i = 0; batch_rank() > 0 && i < tree_.size(solve_tree::vector); ++i) {
      const dim leaf = in(tree_.first(solve_tree::vector) + i).re().dims()[0];
      if (!leaf.is(1)) batch = leaf;
    }
    for (std::size_t i = 0; i < tree_.size(solve_tree::vector); ++i) {
      const jax_value leaf = cx::map(in(tree_.first(solve_tree::vector) + i), [&](const value& v) {
        shape dims(v.dims().begin(), v.dims().begin() + static_cast<std::ptrdiff_t>(batch_rank()));
        dim length = 1;
        for (std::size_t d = batch_rank(); d < v.dims().size(); ++d) length = s_.g.dims().mul(length, v.dims()[d]);
        dims.insert(dims.end(), {length, dim(1)});
        const value column = jax2onnx::reshape(v, dims);
        if (batch_rank() > 0) dims[0] = batch;
        return broadcast_to(column, dims);
      });
      all = i == 0 ? leaf : linalg::joined(all, leaf, -2);
    }
    if (all.count == 0) refuse();
    return all;
  }
  /// The other way round: the results that the column x holds.
  jax_values split(const jax_value& x) const {
    jax_values out;
    dim begin = 0, total = linalg::row_count(x);
    while (out.size() < s_.out_count() && !(begin == total)) {
      const shape& dims = s_.out_dims(out.size());
      dim length = 1;
      shape given(dims.begin() + static_cast<std::ptrdiff_t>(vmaps_), dims.end());
      for (dim d : given) length = s_.g.dims().mul(length, d);
      if (vmaps_ > 0) given.insert(given.begin(), x.re().dims()[0]);
      const dim end = s_.g.dims().add(begin, length);
      out.push_back(cx::map(linalg::slice(x, -2, begin, end),
                            [&](const value& v) { return in_batch(jax2onnx::reshape(v, given), dims); }));
      begin = end;
    }
    return out;
  }
  value not_finite(const jax_value& x) const {
    value bad = is_nan(jax2onnx::mul(x.re(), 0.0));
    if (!cx::is_real(x)) bad = logical_or(bad, is_nan(jax2onnx::mul(x.im(), 0.0)));
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
    if (name == "Tridiagonal" || name == "tridiagonal_token") return by_gtsv(b);
    if (name.ends_with("diagonal_token") || name == "Diagonal")
      return by_division(b, name == "well_posed_diagonal_token");
    if (name != "CG" && name != "NormalCG" && name != "GMRES" && name != "BiCGStab") refuse();
    const jax_value a = matrix();
    if (linalg::row_count(a) != linalg::column_count(a)) refuse();
    s_.warn("lower.direct-solve",
            fmt::format("{} is an iteration that is in Python, not in the text: the system is solved directly", name));
    return eliminated(a, b);
  }

  /// b with the batch dimension of a matrix.
  static jax_value fitted(const jax_value& b, const jax_value& a) {
    if (a.re().rank() < 3) return b;
    shape dims = b.re().dims();
    if (a.re().dims()[0].is(1)) return b;
    dims[0] = a.re().dims()[0];
    return cx::map(b, [&](const value& v) { return broadcast_to(v, dims); });
  }

  /// By elimination; a batch of right-hand sides of one matrix is its columns.
  static jax_value eliminated(const jax_value& a, const jax_value& b) {
    if (a.re().rank() < 3 || !a.re().dims()[0].is(1) || b.re().dims()[0].is(1))
      return solve_by_elimination(a, fitted(b, a));
    const auto turned = [](const jax_value& x) {
      return cx::map(x, [](const value& v) { return transpose(v, {2, 1, 0}); });
    };
    return turned(solve_by_elimination(a, turned(b)));
  }

  /// P a = L U; a^T = U^T L^T P.
  jax_value by_lu(const jax_value& b) const {
    if (!knows_state()) return eliminated(matrix(), b);
    using namespace linalg;
    const jax_value lu = state(0), pivots = state(1);
    const value rows = row_numbers(s_.g, row_count(lu)),
                exchanges = unsqueeze(cast(pivots.re(), dtype::i64), {rank(pivots)});
    const auto exchanged = [&](const jax_value& x, bool backward) {
      const auto step = [&](const value& k, const matrices& carried) {
        return matrices{row_exchange(carried[0], rows, k, row(exchanges, k).re()).a};
      };
      return repeat(s_.g, row_count(lu), {x}, step, backward)[0];
    };
    const jax_value c = fitted(b, lu);
    if (!flag(0)) return substitute(lu, substitute(lu, exchanged(c, false), true, true), false, false);
    const jax_value turned = transposed(lu);
    return exchanged(substitute(turned, substitute(turned, c, true, false), false, true), true);
  }

  /// With the factors of the operator, or of its transpose where that is higher than wide.
  jax_value by_qr(const jax_value& b) const {
    using namespace linalg;
    const bool told = knows_state();
    bool is_transpose = flag(0);
    qr_factors f;
    if (told) {
      f = {state(0), state(1), {}};
    } else {
      const jax_value a = matrix();
      if (flags_.empty() || s_.g.dims().known_nonnegative(s_.g.dims().sub(row_count(a), column_count(a))))
        is_transpose = false;
      f = geqrf(is_transpose ? transposed(a) : a);
    }
    const dim full = row_count(f.a), least = column_count(f.a);
    const jax_value r = first_rows(f.a, least), c = fitted(b, f.a);
    if (!is_transpose) return substitute(r, first_rows(reflected_back(f, c), least), false, false);
    const jax_value y = substitute(transposed(r), c, true, false);
    const jax_value conjugated =
        cx::conj(padded(y, full, 1));  // conj(Q) y: ormqr from the right with the adjoint, transposed
    return cx::conj(reflected(f.a, f.taus, conjugated));
  }
  /// Q^H c.
  static jax_value reflected_back(const qr_factors& f, const jax_value& c) {
    using namespace linalg;
    const value rows = row_numbers(owner(f.a), row_count(f.a));
    const jax_value tau = cx::conj(as_columns(f.taus));
    return repeat(owner(f.a), row_count(tau), {c}, [&](const value& k, const matrices& carried) {
      return matrices{reflect(carried[0], row(tau, k), stored_reflector(f.a, rows, k))};
    })[0];
  }

  /// The solution of least norm: singular values below rcond times the largest count as zero.
  jax_value by_svd(const jax_value& b) {
    using namespace linalg;
    jax_value u, v;
    value s;
    if (knows_state()) {
      u = state(0);
      s = unsqueeze(state(1).re(), {state(1).re().rank() - 1});
      v = adjoint(state(2));
    } else {
      const singular_values f = factored_svd(matrix(), true, false);
      u = f.u;
      s = f.s;
      v = f.v;
    }
    const value counts = greater(
        s, jax2onnx::mul(jax2onnx::slice(s, s.rank() - 1, 0, 1), tolerance(row_count(u), row_count(v), s.dtype())));
    const value inverse = jax2onnx::where(
        counts, jax2onnx::div(scalar(s_.g, s.dtype(), 1), jax2onnx::where(counts, s, scalar(s_.g, s.dtype(), 1))),
        scalar(s_.g, s.dtype(), 0));
    const value turned = jax2onnx::transpose(inverse, last_two_swapped(inverse.rank()));
    rank_ = squeeze(reduce("ReduceSum", cast(counts, dtype::i32), {s.rank() - 1, s.rank() - 2}, true),
                    {s.rank() - 1, s.rank() - 2});
    return cx::matmul(v, cx::scale(cx::matmul(adjoint(u), b), turned));
  }
  static ints last_two_swapped(std::int64_t rank) {
    ints perm = iota_axes(rank);
    std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
    return perm;
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
    const auto turned = [&](const jax_value& x) {
      return is_negative ? cx::map(x, [](const value& v) { return neg(v); }) : x;
    };
    const jax_value upper = knows_state() ? state(0) : adjoint(potrf(adjoint(turned(matrix()))));
    const jax_value x = substitute(upper, substitute(adjoint(upper), fitted(b, upper), true, false), false, false);
    return turned(x);
  }

  jax_value by_substitution(const jax_value& b) const {
    const bool lower = flag(0), unit_diagonal = flag(1), is_transposed = flag(2);
    const jax_value m = knows_state() ? state(0) : matrix();
    const bool flip = is_transposed && knows_state();
    const bool is_lower = is_transposed == flip ? lower != flip : !lower;
    return substitute(flip ? linalg::transposed(m) : m, fitted(b, m), is_lower, unit_diagonal);
  }

  jax_value by_gtsv(const jax_value& b) const {
    using namespace linalg;
    const bool told = knows_state();
    if (!told && (tree_.size(solve_tree::linear_operator) != 3 ||
                  !tree_.says(solve_tree::linear_operator, "TridiagonalLinearOperator["))) {
      return eliminated(matrix(), b);
    }
    const auto leaf = [&](std::size_t i) { return told ? state(i) : in(tree_.first(solve_tree::linear_operator) + i); };
    const auto zero_beside = [&](const jax_value& x, bool in_front) {
      return cx::map(x, [&](const value& v) {
        shape dims = v.dims();
        dims.back() = 1;
        const value zero = filled(s_.g, v.dtype(), dims, 0);
        return in_front ? concat({zero, v}, v.rank() - 1) : concat({v, zero}, v.rank() - 1);
      });
    };
    return gtsv(zero_beside(leaf(1), true), leaf(0), zero_beside(leaf(2), false), fitted(b, unsqueezed(leaf(0))));
  }
  static jax_value unsqueezed(const jax_value& x) {
    return cx::map(x, [](const value& v) { return unsqueeze(v, {v.rank()}); });
  }

  /// b / d, zero where d is as good as zero unless the system is well posed: the solution of least norm.
  jax_value by_division(const jax_value& b, bool is_well_posed) const {
    if (tree_.size(solve_tree::state) == 0 && !tree_.says(solve_tree::linear_operator, "*"))
      return b;  // a unit diagonal
    const bool told = knows_state();
    if (!told && !tree_.says(solve_tree::linear_operator, "CustomNode(DiagonalLinearOperator[")) refuse();
    const jax_value d = unsqueezed(told ? state(0) : in(tree_.first(solve_tree::linear_operator)));
    for (const jaxpr::value* leaf : tree_.python_leaves(solve_tree::solver))
      is_well_posed = is_well_posed || leaf->text == "True";
    if (is_well_posed) return cx::div(b, d);
    const value size = cx::is_real(d) ? jax2onnx::abs(d.re()) : jax2onnx::sqrt(cx::norm(d));
    const value largest = reduce("ReduceMax", size, {size.rank() - 2}, true);
    const value counts = greater(size, jax2onnx::mul(largest, tolerance(linalg::row_count(d), 1, size.dtype())));
    return cx::where(counts, cx::div(b, cx::where(counts, d, jax_value(linalg::one_of(d)))),
                     jax_value(linalg::zero_of(d)));
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
  return solve(s, treedef, leaves, {s.ins().begin(), s.ins().end()}, 0).answer();
}

inline constexpr lowering lineax_rows[] = {
    {"linear_solve", linear_solve, "Loop, MatMul, Div", parts_rule::lazy,
     "iterative solvers give the direct solution; LSMR and operators without a matrix", ignores{"flatten"}},
};

}  // namespace jax2onnx::lower
