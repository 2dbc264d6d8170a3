// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <jax2onnx/facts/numbers.hpp>
#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>

/// Sums of products that a body computes: x W + h R + b, where W, R and b come from outside of the body.
namespace jax2onnx::rewrite {

/// The columns [first, first + count) of a matrix or bias.
struct columns {
  std::int64_t first = 0, count = 0;
};

/// A summand of an affine form: `source` times rows and columns of `matrix`, or the columns of a bias.
struct affine_term {
  value source = {};        ///< a value in the body, or a whole sequence; if absent, `matrix` is a bias
  value matrix = {};        ///< a value from outside of the body
  bool transposed = false;  ///< true if the matrix has outputs as rows
  std::int64_t first_row = 0, row_count = 0;  ///< the rows that `source` is multiplied by
  columns taken = {};                         ///< a bias with one column is broadcast to all columns
  std::vector<value> moves = {};  ///< for a whole sequence, the Transposes after the product, the last one first
};

/// The columns `taken` of a function's argument.
struct argument_part {
  value argument = {};
  columns taken = {};
};

/// All columns of `v`; no columns if their number is not constant.
inline argument_part whole(const value& v) {
  const dim count = v.rank() == 0 ? dim(1) : v.extent(v.rank() - 1);
  return {v, {0, count.is_constant() ? count.extent() : 0}};
}

/// Decomposes a value of a body, along the last axis of the value, into products by matrices, biases, and a rest. If
/// the body reads elements of a sequence that is such a sum itself, the summands are whole sequences.
class affine_form {
 public:
  using sequences = std::function<value(const value& element)>;

  /// `sequence_of` returns the sequence that a value of the body is an element of; absent for any other value.
  explicit affine_form(block_id body, sequences sequence_of = {}) : body_(body), sequence_of_(std::move(sequence_of)) {}

  /// Adds the products and biases in `v` to terms(), and its other summands to rest(). If a summand fits neither, the
  /// whole sum is added to rest(). Returns false if `v` itself fits neither: its number of columns is unknown, or it
  /// comes from outside of the body and is not a bias, or only some columns are needed of a value that cannot be
  /// decomposed.
  bool add(const value& v) { return add(whole(v)); }
  bool add(const argument_part& p) { return p.argument && add({p.argument}, p.taken); }
  const std::vector<affine_term>& terms() const { return terms_; }
  /// The summands that are neither products by matrices nor biases.
  const std::vector<value>& rest() const { return rest_; }

 private:
  /// A value whose columns lie along its last axis. If `columns_first`, the value is a matrix whose columns lie along
  /// its first axis instead.
  struct operand {
    value v;
    bool columns_first = false;
    std::int64_t axis() const { return columns_first ? 0 : v.rank() - 1; }
    std::int64_t count() const { return extent_of(v, axis()); }
  };

  bool is_outer(const value& v) const { return v.owner().at(v.id()).home != body_; }
  /// An extent; 0 if it is not constant, 1 for a scalar.
  static std::int64_t extent_of(const value& v, std::int64_t axis) {
    if (v.rank() == 0) return 1;
    const dim d = v.extent(axis);
    return d.is_constant() ? d.extent() : 0;
  }
  static std::int64_t last_extent(const value& v) { return extent_of(v, v.rank() - 1); }

  bool add(const operand& o, columns taken) {
    if (o.count() == 0) return false;
    if (is_outer(o.v)) return add_bias(o, taken);
    const std::size_t terms = terms_.size(), rest = rest_.size();
    if (add_terms(o, taken) || add_sequence(o, taken)) return true;
    terms_.resize(terms);
    rest_.resize(rest);
    const bool whole = !o.columns_first && taken.first == 0 && taken.count == o.count();
    if (whole) rest_.push_back(o.v);
    return whole;
  }
  bool add_terms(const operand& o, columns taken) {
    const value& v = o.v;
    if (producer(v, "Add")) return add_summand(o, 0, taken) && add_summand(o, 1, taken);
    if (producer(v, "MatMul")) return add_product(o, taken);
    if (const auto gemm = gemm_of(v)) return add_gemm(o, *gemm, taken);
    if (const auto part = split_of(v)) return add_part(o, *part, taken);
    if (const auto part = single_slice_of(v)) return add_slice(o, *part, taken);
    if (transpose_of(v) == ints{1, 0}) return add({input_of(v, 0), !o.columns_first}, taken);
    return !o.columns_first && moves_ones(v) && add({input_of(v, 0)}, taken);
  }
  /// True if `v` is a Reshape that only inserts or removes extents of 1 before the last axis.
  static bool moves_ones(const value& v) {
    return is_reshape(v) && moves_only_ones(input_of(v, 0).dims(), v.dims()) &&
           last_extent(input_of(v, 0)) == last_extent(v);
  }
  /// Adds operand `i` of a sum. A bias with one column, which is broadcast to all columns, is also added.
  bool add_summand(const operand& sum, std::size_t i, columns taken) {
    const operand o{input_of(sum.v, i), sum.columns_first && input_of(sum.v, i).rank() == 2};
    if (o.columns_first == sum.columns_first && o.count() == sum.count()) return add(o, taken);
    return is_outer(o.v) && last_extent(o.v) == 1 && add_bias(o, taken);
  }
  bool add_bias(const operand& o, columns taken) {
    for (std::int64_t axis = 0; axis < o.v.rank(); ++axis)
      if (axis != o.axis() && !o.v.extent(axis).is(1)) return false;
    terms_.push_back({.matrix = o.v, .taken = taken});
    return true;
  }
  bool add_product(const operand& o, columns taken) {
    const value a = input_of(o.v, 0), b = input_of(o.v, 1);
    if (o.columns_first) return is_matrix(a) && add_sources(transposed(b), a, true, taken);
    if (is_matrix(b)) return add_sources(a, b, false, taken);
    return is_matrix(a) && b.rank() == 1 && add_sources(b, a, true, taken);
  }
  bool is_matrix(const value& v) const { return is_outer(v) && v.rank() == 2; }
  /// The operand of `v` if `v` is a Transpose that exchanges both axes of a matrix; else absent.
  static value transposed(const value& v) { return transpose_of(v) == ints{1, 0} ? input_of(v, 0) : value(); }
  /// Adds the products of x, or of the operands of a Concat x, by rows of `matrix`.
  bool add_sources(const value& x, const value& matrix, bool transposed, columns taken) {
    if (!x) return false;
    const node* n = producer(x, "Concat");
    const std::size_t count = n && axis_of(x) == x.rank() - 1 ? n->inputs.size() : 0;
    std::vector<value> sources{x};
    if (count > 0) sources = inputs_of(x);
    for (const value& source : sources)
      if (is_outer(source) || last_extent(source) == 0) return false;
    std::int64_t row = 0;
    for (const value& source : sources) {
      const value whole = moves_ones(source) ? input_of(source, 0) : source;
      terms_.push_back({whole, matrix, transposed, row, last_extent(source), taken});
      row += last_extent(source);
    }
    return true;
  }
  bool add_gemm(const operand& o, const gemm_view& g, columns taken) {
    if (!g.is_unscaled() || g.transposes_a) return false;
    if (o.columns_first
            ? !is_outer(g.a) || is_outer(g.b) || !add_sources(g.transposes_b ? g.b : transposed(g.b), g.a, true, taken)
            : !is_outer(g.b) || !add_sources(g.a, g.b, g.transposes_b, taken))
      return false;
    return !g.c || add_summand(o, 2, taken);
  }

  bool add_part(const operand& o, const split_part& part, columns taken) {
    if (part.axis != o.axis()) return false;
    return add({part.x, o.columns_first}, {taken.first + part.first, taken.count});
  }

  bool add_slice(const operand& o, const sliced_axis& part, columns taken) {
    if (part.axis != o.axis() || part.step != 1) return false;
    return add({input_of(o.v, 0), o.columns_first}, {taken.first + part.first, taken.count});
  }

  bool add_sequence(const operand& o, columns taken) {
    const value sequence = sequence_of_ && !o.columns_first ? sequence_of_(o.v) : value();
    return sequence && add_whole(sequence, taken, {});
  }
  /// Adds the summands of a whole sequence. Returns false if a summand is neither a product nor a bias.
  bool add_whole(const value& v, columns taken, std::vector<value> moves) {
    if (producer(v, "Add")) return add_whole_summand(v, 0, taken, moves) && add_whole_summand(v, 1, taken, moves);
    if (producer(v, "MatMul")) return add_whole_product(v, false, taken, moves);
    if (const auto g = gemm_of(v))
      return g->is_unscaled() && !g->transposes_a && add_whole_product(v, g->transposes_b, taken, moves) &&
             (!g->c || add_whole_summand(v, 2, taken, moves));
    const auto perm = transpose_of(v);
    if (!perm || perm->back() != v.rank() - 1) return false;
    moves.push_back(v);
    return add_whole(input_of(v, 0), taken, std::move(moves));
  }
  bool add_whole_product(const value& v, bool transposed, columns taken, const std::vector<value>& moves) {
    const value a = input_of(v, 0), b = input_of(v, 1);
    if (b.rank() != 2 || a.rank() != v.rank() || last_extent(a) == 0) return false;
    terms_.push_back({a, b, transposed, 0, last_extent(a), taken, moves});
    return true;
  }
  bool add_whole_summand(const value& sum, std::size_t i, columns taken, const std::vector<value>& moves) {
    const value v = input_of(sum, i);
    if (v.dims() == sum.dims()) return add_whole(v, taken, moves);
    return (last_extent(v) == last_extent(sum) || last_extent(v) == 1) && add_bias({v}, taken);
  }

  block_id body_;
  sequences sequence_of_;
  std::vector<affine_term> terms_;
  std::vector<value> rest_;
};

/// The argument of `op` if `v` is the result of `op`, or an output of a Split of that result along the last axis.
/// Nullopt for any other value, and if the number of columns of `v` is not constant.
inline std::optional<argument_part> argument_of(std::string_view op, const value& v) {
  if (!v || v.rank() == 0) return std::nullopt;
  const dim count = v.extent(v.rank() - 1);
  if (!count.is_constant()) return std::nullopt;
  if (producer(v, op)) return argument_part{input_of(v, 0), {0, count.extent()}};
  const auto part = split_of(v);
  if (!part || part->axis != v.rank() - 1 || !producer(part->x, op)) return std::nullopt;
  return argument_part{input_of(part->x, 0), {part->first, count.extent()}};
}

}  // namespace jax2onnx::rewrite
