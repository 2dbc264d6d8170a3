// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/operators/views/gemm.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Recognizes Scans whose state is a memory, which is a sum of outer products. Finds what their steps add to the memory
/// and read from it.
namespace jax2onnx::rewrite::detail {

/// A factor of a matrix in each step: a value of the body that no state determines, or, if `whole`, a value that has
/// all steps.
struct step_factor {
  value v;
  bool whole = false;
};

/// The factors of an outer product. `columns` are [..., M, 1], `rows` are [..., 1, N], and `numbers`, which scale a
/// whole matrix, are [..., 1, 1].
struct outer_factors {
  std::vector<step_factor> columns, rows, numbers;
};
inline bool is_empty(const outer_factors& f) { return f.columns.empty() && f.rows.empty() && f.numbers.empty(); }

/// The moment in a step at which the memory is read: as the step begins, after the decay, or as the step ends.
enum class memory_moment : std::uint8_t { before, decayed, after };

/// A product of the memory with a vector.
struct memory_read {
  value result, query;
  bool by_rows = false;  ///< true if the read is q S, a sum over the rows of S; false if it is S q
  memory_moment moment = memory_moment::before;
  outer_factors added = {};  ///< the outer product that is added to the memory before it is read
};

/// An outer product that a step adds to the memory, or subtracts from it. If its vector along the values depends on a
/// read of the memory, this vector is `fed`, and not among the factors.
struct memory_product {
  bool negative = false;
  outer_factors factors = {};
  value fed = {};
};

/// `fed` as a linear function of a read: the read times the numbers, of either sign, plus the rest.
struct memory_feedback {
  struct number {
    value at;  ///< the node that multiplies or divides
    std::size_t operand;
  };
  std::size_t read = 0;
  bool negative = false, has_rest = false;
  std::vector<number> numbers = {};
};

/// The last two extents of a value, which are the extents of its matrices; 1 for an axis that the value lacks. If
/// `of_steps` is true, the first axis counts steps, and is not an axis of the matrices.
inline std::pair<dim, dim> matrix_extents(const value& v, bool of_steps = false) {
  const std::int64_t rank = v.rank(), own = of_steps ? rank - 1 : rank;
  return {own > 1 ? v.extent(rank - 2) : dim(1), own > 0 ? v.extent(rank - 1) : dim(1)};
}

/// The last axis whose extent is not 1; the first axis if all extents are 1, and -1 for a scalar.
inline std::int64_t last_wide_axis(const value& v) {
  std::int64_t axis = v.rank() - 1;
  while (axis > 0 && v.extent(axis).is(1)) --axis;
  return axis;
}

/// The decays of a step: none, one number for each matrix, or a vector along the keys.
enum class memory_decay : std::uint8_t { none, numbers, vectors };

/// A Scan whose only work is on its memory, a state that no other state needs.
class memory_form {
 public:
  /// The memory in the only state.
  explicit memory_form(const recurrence& r) : memory_form(r, 0, whole_steps(r)) {
    for (const node_id n : r.owner().at(r.body()).nodes) steps_.add_node(r.owner().at(n), r.owner());
  }
  /// The memory in state `i`; `steps` has the values that do not depend on it.
  memory_form(const recurrence& r, std::size_t i, whole_steps steps)
      : recurrence_(r), memory_(r.state(i)), next_(r.next(i)), steps_(std::move(steps)), before_reads_(steps_) {}

  /// Finds the decays, reads and products; false if the state has other terms or uses.
  bool find() {
    add_terms(next_, false);
    before_reads_ = steps_;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      decays_ = {};
      scaled_.clear();
      if (terms_[i].negative || !is_scaled_memory(terms_[i].v)) continue;
      terms_.erase(terms_.begin() + static_cast<std::ptrdiff_t>(i));
      return !terms_.empty() && terms_.size() < most_terms && find_reads() && add_products() && has_one_side();
    }
    return false;
  }

  value memory() const { return memory_; }
  const std::vector<memory_read>& reads() const { return reads_; }
  whole_steps& steps() { return steps_; }
  /// True if reads sum over the rows of the memory, which are its keys then; false if they sum over its columns.
  bool by_rows() const { return reads_.front().by_rows; }
  dim key_extent() const { return by_rows() ? matrix_extents(memory_).first : matrix_extents(memory_).second; }
  dim value_extent() const { return by_rows() ? matrix_extents(memory_).second : matrix_extents(memory_).first; }
  const outer_factors& decays() const { return decays_; }
  memory_decay decay_kind() const {
    if (!decays_.columns.empty() || !decays_.rows.empty()) return memory_decay::vectors;
    return decays_.numbers.empty() ? memory_decay::none : memory_decay::numbers;
  }
  /// The outer products that no read determines, and the one that a read determines, if any.
  /// @{
  const std::vector<memory_product>& products() const { return products_; }
  const std::optional<memory_product>& fed_product() const { return fed_product_; }
  const memory_feedback& feedback() const { return feedback_; }
  /// @}

 private:
  static constexpr std::size_t most_terms = 8;
  struct term {
    value v;
    bool negative;
  };

  bool is_free(const value& v) const { return before_reads_.has(v) || steps_.is_outer(v); }

  /// Adds the terms of a sum of matrices, until there is one more than `most_terms`.
  void add_terms(const value& v, bool negative) {
    if (terms_.size() > most_terms) return;
    const bool subtracts = producer(v, "Sub") != nullptr;
    if (v.dims() != memory_.dims() || (!producer(v, "Add") && !subtracts)) {
      add_parts(v);
      terms_.push_back({v, negative});
      return;
    }
    parts_.push_back(v);
    add_terms(input_of(v, 0), negative);
    add_terms(input_of(v, 1), negative != subtracts);
  }
  /// Records `v` if it is a product as large as the memory, and then its operands in the same way.
  void add_parts(const value& v) {
    if (parts_.size() > 4 * most_terms || v.dims() != memory_.dims() || !is_product(v)) return;
    parts_.push_back(v);
    add_parts(input_of(v, 0));
    add_parts(input_of(v, 1));
  }
  static bool is_product(const value& v) { return producer(v, "Mul") || is_outer_product(v); }

  /// Adds the products that a step adds to its memory; false if it also adds terms of another form.
  bool add_products() {
    for (const term& t : terms_) {
      memory_product product{t.negative};
      if (add_factors({t.v}, product.factors)) {
        products_.push_back(std::move(product));
        continue;
      }
      product.factors = {};
      if (fed_product_ || !add_fed_factors(t.v, product) || !find_feedback(product.fed)) return false;
      fed_product_ = std::move(product);
    }
    return true;
  }
  /// Adds the factors of a product that depends on a read; false if the part that depends on the read is not a vector
  /// along the values.
  bool add_fed_factors(const value& v, memory_product& out) const {
    if (is_vector_of_values(v)) {
      out.fed = v;
      return true;
    }
    if (!is_product(v)) return false;
    const std::size_t i = is_free(input_of(v, 0)) ? 0 : 1;
    return is_free(input_of(v, i)) && !is_free(input_of(v, 1 - i)) && add_factors({input_of(v, i)}, out.factors) &&
           add_fed_factors(input_of(v, 1 - i), out);
  }
  /// Returns whether `v` is known once the reads are known, and is a vector along the values for each matrix of the
  /// memory.
  bool is_vector_of_values(const value& v) const {
    if (!steps_.has(v) || v.rank() > memory_.rank()) return false;
    shape dims = memory_.dims();
    dims[dims.size() - (by_rows() ? 2 : 1)] = 1;
    const auto missing = static_cast<std::size_t>(memory_.rank() - v.rank());
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      if ((axis < missing ? dim(1) : v.dims()[axis - missing]) != dims[axis]) return false;
    return true;
  }
  /// Finds how `fed` depends on a read of the memory as it is before this step adds to it. Returns false if `fed` is
  /// not linear in the read, or if a factor differs between the values.
  bool find_feedback(const value& fed) {
    const std::int64_t elements = number_of(fed.dims());
    for (value v = fed;;) {
      if (!v || !is_static(v.dims()) || number_of(v.dims()) != elements) return false;
      for (std::size_t i = 0; i < reads_.size(); ++i)
        if (same_value(reads_[i].result, v)) {
          feedback_.read = i;
          return is_empty(reads_[i].added);
        }
      const auto operand = operand_that_reads(v);
      if (!operand) return false;
      v = input_of(v, *operand);
    }
  }
  /// The index of the operand that depends on a read, if `v` is linear in this operand; else nullopt. Records in
  /// `feedback_` how `v` depends on the operand.
  std::optional<std::size_t> operand_that_reads(const value& v) {
    if (!producer(v)) return std::nullopt;
    if (is_reshape(v))
      return moves_only_ones(input_of(v, 0).dims(), v.dims()) ? std::optional<std::size_t>(0) : std::nullopt;
    if (producer(v, "Neg")) {
      feedback_.negative = !feedback_.negative;
      return 0;
    }
    const bool adds = producer(v, "Add") || producer(v, "Sub"), divides = producer(v, "Div") != nullptr;
    if (!adds && !divides && !producer(v, "Mul")) return std::nullopt;
    const std::size_t i = is_free(input_of(v, 0)) ? 1 : 0;
    if (is_free(input_of(v, i)) || !is_free(input_of(v, 1 - i)) || (divides && i == 1)) return std::nullopt;
    if (producer(v, "Sub") && i == 1) feedback_.negative = !feedback_.negative;
    if (adds) feedback_.has_rest = true;
    else if (is_same_for_values(input_of(v, 1 - i), v)) feedback_.numbers.push_back({v, 1 - i});
    else return std::nullopt;
    return i;
  }
  /// Returns whether an operand of `v` is the same for all values, which lie along the last axis of `v` whose extent is
  /// not 1.
  static bool is_same_for_values(const value& operand, const value& v) {
    const std::int64_t axis = operand.rank() - v.rank() + last_wide_axis(v);
    return axis < 0 || operand.extent(axis).is(1);
  }

  /// Returns whether `v` is the memory times factors, each of which is the same along at least one axis of the memory.
  bool is_scaled_memory(const value& v) {
    scaled_.push_back(v);
    if (same_value(v, memory_)) return true;
    if (!producer(v, "Mul") || v.dims() != memory_.dims()) return false;
    const std::size_t i = is_free(input_of(v, 0)) ? 0 : 1;
    return is_free(input_of(v, i)) && add_factor({input_of(v, i)}, decays_) && is_scaled_memory(input_of(v, 1 - i));
  }
  bool add_factor(const step_factor& f, outer_factors& out) const {
    const auto [rows, columns] = matrix_extents(f.v, f.whole && f.v.rank() > memory_.rank());
    if (!rows.is(1) && !columns.is(1)) return false;
    (!rows.is(1) ? out.columns : !columns.is(1) ? out.rows : out.numbers).push_back(f);
    return true;
  }
  /// Appends the factors of `f`. Returns false if `f` is not a product of factors, each of which is the same along at
  /// least one axis of the memory.
  bool add_factors(const step_factor& f, outer_factors& out) const {
    if ((f.whole || is_free(f.v)) && add_factor(f, out)) return true;
    if (!f.whole && f.v.rank() == memory_.rank())  // then only the first axis of the sequence has the steps
      if (const value sequence = recurrence_.sequence_of(f.v)) return add_factors({sequence, true}, out);
    return (producer(f.v, "Mul") || is_outer_product(f.v)) && add_factors({input_of(f.v, 0), f.whole}, out) &&
           add_factors({input_of(f.v, 1), f.whole}, out);
  }

  /// The moment at which the memory is `v`; nullopt if there is none.
  std::optional<memory_moment> moment_of(const value& v) const {
    if (same_value(v, next_)) return memory_moment::after;
    if (same_value(v, memory_)) return memory_moment::before;
    return same_value(v, scaled_.front()) ? std::optional(memory_moment::decayed) : std::nullopt;
  }
  /// The moment at which `v` is the memory plus an outer product; nullopt if there is none.
  std::optional<memory_moment> moment_of_sum(const value& v, outer_factors& added) const {
    if (const auto moment = moment_of(v)) return moment;
    if (!producer(v, "Add") || v.dims() != memory_.dims()) return std::nullopt;
    const std::size_t i = moment_of(input_of(v, 0)) ? 0 : 1;
    return add_factors({input_of(v, 1 - i)}, added) ? moment_of(input_of(v, i)) : std::nullopt;
  }
  /// Finds the reads; false if the memory has other uses, or if a stacked result needs the steps one by one.
  bool find_reads() {
    graph& g = recurrence_.owner();
    for (const node_id id : g.at(recurrence_.body()).nodes) {
      const value v = first_result(g, id);
      before_reads_.add_node(g.at(id), g);
      if (!v || steps_.has(v) || is_part_of_memory(v)) continue;
      if (const auto read = read_of(v)) {
        steps_.promise(v);
        reads_.push_back(*read);
      } else if (!steps_.add_node(g.at(id), g)) {
        return false;
      }
    }
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i)
      if (!steps_.has(recurrence_.collected(i))) return false;
    return !reads_.empty();
  }
  /// True if `v` is a part of the memory or of a read, or a copy. Such a value is not computed for all steps at once.
  bool is_part_of_memory(const value& v) const {
    outer_factors added;
    const auto is_v = [&](const value& part) { return same_value(part, v); };
    return producer(v, "Identity") || item_loops::any_of(scaled_, is_v) || item_loops::any_of(parts_, is_v) ||
           is_product_for_memory(v) || is_product_for_sum(v) ||
           moment_of_sum(is_turned(v) ? input_of(v, 0) : v, added).has_value();
  }
  /// Returns whether `v` is a product of factors, as large as the memory. Such a product is not computed for all steps
  /// at once; its uses are checked like uses of its factors.
  bool is_product_for_memory(const value& v) const {
    outer_factors factors;
    return is_product(v) && v.dims() == memory_.dims() && add_factors({v}, factors);
  }
  std::optional<memory_read> read_of(const value& v) const {
    if (const auto gemm = operators::gemm_of(v)) {
      if (gemm->c || !gemm->is_unscaled() || gemm->transposes_a) return std::nullopt;
      return read_of(v, gemm->a, gemm->b, !gemm->transposes_b);
    }
    if (producer(v, "ReduceSum")) return read_of_sum(v);
    if (!producer(v, "MatMul")) return std::nullopt;
    const auto left = read_of(v, input_of(v, 0), input_of(v, 1), true);
    return left ? left : read_of(v, input_of(v, 1), input_of(v, 0), false);
  }
  /// The read `v` if it is ReduceSum(q S, axis) of an elementwise product; nullopt for any other sum.
  std::optional<memory_read> read_of_sum(const value& v) const {
    const auto sum = reduction_of(v);
    const value product = input_of(v, 0);
    if (!sum || sum->axes.size() != 1 || !is_product_for_sum(product)) return std::nullopt;
    const std::size_t query = is_free(input_of(product, 0)) ? 0 : 1;
    const auto [rows, columns] = matrix_extents(input_of(product, query));
    const bool by_rows = sum->axes[0] == product.rank() - 2;
    if (!by_rows && sum->axes[0] != product.rank() - 1) return std::nullopt;
    if (!(by_rows ? columns : rows).is(1)) return std::nullopt;  // the vector lies along the summed axis
    return read_of(v, input_of(product, query), input_of(product, 1 - query), by_rows);
  }
  /// Returns whether `v` is a vector times the memory, or times the sum of the memory and an outer product.
  bool is_product_for_sum(const value& v) const {
    outer_factors added;
    if (!producer(v, "Mul") || v.dims() != memory_.dims()) return false;
    const std::size_t query = is_free(input_of(v, 0)) ? 0 : 1;
    return is_free(input_of(v, query)) && moment_of_sum(input_of(v, 1 - query), added).has_value();
  }
  /// Returns whether `v` exchanges the rows and columns of matrices.
  static bool is_turned(const value& v) {
    const auto perm = transpose_of(v);
    if (!perm || perm->size() < 2) return false;
    ints turned = iota_axes(v.rank());
    std::swap(turned.back(), turned[turned.size() - 2]);
    return *perm == turned;
  }
  /// The read `v`, which multiplies `sum` by one vector for each matrix of the memory; nullopt if `sum` is not the
  /// memory, or the memory plus an outer product.
  std::optional<memory_read> read_of(const value& v, const value& query, const value& sum, bool by_rows) const {
    if (is_turned(sum)) return read_of(v, query, input_of(sum, 0), !by_rows);
    memory_read found{v, query, by_rows};
    const auto moment = moment_of_sum(sum, found.added);
    if (!moment || !is_free(query) || query.rank() > memory_.rank()) return std::nullopt;
    const auto [rows, columns] = matrix_extents(memory_);
    const auto [a, b] = matrix_extents(query);
    const dim length = by_rows ? rows : columns;
    if (!(a.is(1) && b == length) && !(b.is(1) && a == length)) return std::nullopt;
    if (number_of(v.dims()) * length.extent() != number_of(memory_.dims())) return std::nullopt;
    found.moment = *moment;
    return found;
  }
  /// Returns whether all reads sum over the same axis of the memory, and the decays vary along no other axis. If a read
  /// determines a product, that product may have no factors along the values.
  bool has_one_side() const {
    const bool by = by_rows();
    const auto along_values = [by](const outer_factors& f) { return by ? f.rows : f.columns; };
    return along_values(decays_).empty() && (!fed_product_ || along_values(fed_product_->factors).empty()) &&
           item_loops::all_of(reads_, [by](const memory_read& read) { return read.by_rows == by; });
  }

  const recurrence& recurrence_;
  value memory_, next_;
  whole_steps steps_, before_reads_;  ///< `before_reads_` has no values that depend on a read
  std::vector<term> terms_;           ///< summands of the memory after a step, except the decayed memory
  std::vector<value> parts_;          ///< the sums of terms, and products in terms, of the memory's extents
  outer_factors decays_;
  std::vector<memory_product> products_;
  std::optional<memory_product> fed_product_;
  memory_feedback feedback_;
  std::vector<value> scaled_;
  std::vector<memory_read> reads_;
};

}  // namespace jax2onnx::rewrite::detail
