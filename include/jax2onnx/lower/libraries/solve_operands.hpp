// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <jax2onnx/lower/libraries/solve_tree.hpp>
#include <jax2onnx/lower/linalg/matrix.hpp>

/// The operands of a linear_solve by role, and the conversion of its solution to results. Source: lineax/_solve.py.
namespace jax2onnx::lower {

/// Either all operands have a leading batch dimension, which may be 1, or no operand has one. The batch dimension
/// corresponds to `vmaps` leading dimensions of the results.
class solve_operands {
 public:
  using part = solve_tree::part;

  solve_operands(const site& s, const jaxpr::value& treedef, const jaxpr::value& leaves, jax_values operands,
                 std::size_t vmaps)
      : s_(s), tree_(treedef.text, leaves), operands_(std::move(operands)), vmaps_(vmaps) {
    if (!tree_.fits(operands_.size())) refuse();
    flags_ = tree_.flags();
  }

  const solve_tree& tree() const { return tree_; }
  const std::vector<bool>& flags() const { return flags_; }
  [[noreturn]] void refuse() const {
    s_.unsupported("its solver or its operator is not supported, or runs in Python and is not part of the jaxpr",
                   "use lineax.LU, or solve with jax.numpy.linalg");
  }
  std::size_t batch_rank() const { return vmaps_ > 0 ? 1 : 0; }
  bool flag(std::size_t i) const { return i < flags_.size() && flags_[i]; }

  const jax_value& leaf(part p, std::size_t i) const { return in(tree_.first(p) + i); }
  /// Returns whether all operands of the state are known, so that the factors need not be recomputed from the operator.
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
  jax_value matrix() const {
    node_reader text(tree_.text(solve_tree::linear_operator));
    const jax_value out = matrix_of(text, {solve_tree::linear_operator, 0});
    if (!text.at_end()) refuse();
    return out;
  }
  /// The first operator in the state, as a matrix. The leaves of the operator begin at index `first` of the state.
  jax_value matrix_of_state(std::size_t first) const {
    const std::string_view all = tree_.text(solve_tree::state);
    const std::size_t name = all.find("LinearOperator["), begin = all.rfind("CustomNode(", name);
    if (name == all.npos || begin == all.npos) refuse();
    node_reader text(all.substr(begin));
    return matrix_of(text, {solve_tree::state, first});
  }
  /// Returns whether the operator is of this kind, with or without tags, and is not composed of other operators.
  bool is_operator(std::string_view name) const {
    node_reader text(tree_.text(solve_tree::linear_operator));
    std::string_view found = text.open();
    while (found == "TaggedLinearOperator") found = text.open();
    return found == name;
  }

  /// Restores a result with one batch dimension to the printed extents `dims`.
  value in_batch(const value& v, const shape& dims) const {
    return vmaps_ > 1 && !v.dims()[0].is(1) ? reshape(v, dims) : broadcast_to(v, dims);
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
  /// The inverse of right_hand_side(): splits the column x into the results.
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
  /// A mask of the systems of the batch that have an infinite or NaN element.
  value not_finite(const jax_value& x) const {
    value bad = is_nan(mul(x.re(), 0.0));
    if (!cx::is_real(x)) bad = logical_or(bad, is_nan(mul(x.im(), 0.0)));
    ints axes = iota_axes(bad.rank());
    axes.erase(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(batch_rank()));
    return reduce_truth("ReduceMax", bad, axes);
  }

 private:
  /// Operand i. Throws if the operand is ambiguous in the text.
  const jax_value& in(std::size_t i) const {
    if (operands_[i].count == 0) s_.require_operands();
    return operands_[i];
  }
  void require_equal(dim a, dim b) const {
    if (!(a == b)) refuse();
  }
  /// The leaves of a part that are not read yet: the leaves from index `next` on.
  struct leaves_from {
    part source;
    std::size_t next;
  };
  /// The matrix of the operator that the text states next.
  jax_value matrix_of(node_reader& text, leaves_from&& leaves) const {
    const jax_value out = matrix_of(text, leaves);
    if (leaves.next != tree_.size(leaves.source)) refuse();
    return out;
  }
  jax_value matrix_of(node_reader& text, leaves_from& leaves) const {
    const auto operand = [&] {
      if (!text.skip("*") || leaves.next == tree_.size(leaves.source)) refuse();
      return leaf(leaves.source, leaves.next++);
    };
    const auto nested = [&] { return matrix_of(text, leaves); };
    const auto second = [&](auto read) {
      if (!text.skip(", ")) refuse();
      return read();
    };
    const auto factor_of = [&](const jax_value& a) {
      return each_part(second(operand), [&](const value& v) {
        return cast(unsqueeze(v, {v.rank(), v.rank() + 1}), cx::part_dtype(a));
      });
    };
    const std::string_view name = text.open();
    const bool is_leaf = name == "MatrixLinearOperator" || name == "DiagonalLinearOperator";
    const bool is_composed = name == "TaggedLinearOperator" || name == "NegLinearOperator" ||
                             name == "AddLinearOperator" || name == "ComposedLinearOperator" ||
                             name == "MulLinearOperator" || name == "DivLinearOperator";
    if (!is_leaf && !is_composed && name != "IdentityLinearOperator") refuse();
    jax_value a = is_leaf ? operand() : is_composed ? nested() : jax_value();
    if (name == "DiagonalLinearOperator") {
      const dim n = a.re().dims().back();
      a = linalg::keep(equal(linalg::row_numbers(s_.g, n), linalg::column_numbers(s_.g, n)), linalg::as_columns(a));
    } else if (name == "IdentityLinearOperator") {  // its size must be the size of the right-hand side
      const jax_value b = right_hand_side();
      a = linalg::identity(s_.g, cx::part_dtype(b), linalg::row_count(b), linalg::row_count(b));
    } else if (name == "NegLinearOperator") {
      a = cx::neg(a);
    } else if (name == "AddLinearOperator") {
      const jax_value b = second(nested);
      require_equal(linalg::row_count(a), linalg::row_count(b));
      a = cx::is_real(a) == cx::is_real(b) ? cx::add(a, b) : cx::add(cx::as_complex(a), cx::as_complex(b));
    } else if (name == "ComposedLinearOperator") {
      const jax_value b = second(nested);
      require_equal(linalg::column_count(a), linalg::row_count(b));
      a = cx::matmul(a, b);
    } else if (name == "MulLinearOperator") {
      a = cx::mul(a, factor_of(a));
    } else if (name == "DivLinearOperator") {
      a = cx::div(a, factor_of(a));
    }
    if (!text.close()) refuse();
    return a;
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

  const site& s_;
  solve_tree tree_;
  jax_values operands_;
  std::size_t vmaps_;
  std::vector<bool> flags_;
};

}  // namespace jax2onnx::lower
