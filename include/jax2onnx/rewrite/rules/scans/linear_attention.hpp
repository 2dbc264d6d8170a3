// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/operators/views/gemm.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/scan_parts.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Scans of a memory S = a S + k v' that steps read by products q S, as linear attention, retention and state spaces
/// with scalar gates have it, and of memories that steps correct by what they read, as delta rules do: products over
/// chunks of steps (docs/decisions/0088-linear-attention-by-chunks.md, 0104-delta-rules-by-chunks.md).
/// Sources: Yang et al., Gated Linear Attention Transformers with Hardware-Efficient Training, 2024; the same,
/// Parallelizing Linear Transformers with the Delta Rule over Sequence Length, 2024.
namespace jax2onnx::rewrite::detail {

/// A factor of a matrix in each step: a value of the body that no state determines, or one of all steps.
struct step_factor {
  value v;
  bool whole = false;
};

/// The factors of an outer product: [..., M, 1], [..., 1, N], and those of a whole matrix, [..., 1, 1].
struct outer_factors {
  std::vector<step_factor> columns, rows, numbers;
};
inline bool is_empty(const outer_factors& f) { return f.columns.empty() && f.rows.empty() && f.numbers.empty(); }

/// The memory as a step begins, after its decay, or as the step ends.
enum class memory_moment : std::uint8_t { before, decayed, after };

/// A product of the memory with a vector.
struct memory_read {
  value result, query;
  bool by_rows = false;  ///< q S, a sum over the rows of S; else S q
  memory_moment moment = memory_moment::before;
  outer_factors added = {};  ///< to the memory before it is read
};

/// An outer product that a step adds to the memory, or subtracts from it. If its vector along the values depends on a
/// read of the memory, that is `fed`, and not among the factors.
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

/// The extents of a value's matrices: the last two, 1 where there are none. `of_steps`: its first axis are the steps.
inline std::pair<dim, dim> matrix_extents(const value& v, bool of_steps = false) {
  const std::int64_t rank = v.rank(), own = of_steps ? rank - 1 : rank;
  return {own > 1 ? v.extent(rank - 2) : dim(1), own > 0 ? v.extent(rank - 1) : dim(1)};
}

/// The last axis whose extent is not 1.
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
  /// Of the only state.
  explicit memory_form(const recurrence& r) : memory_form(r, 0, whole_steps(r)) {
    for (const node_id n : r.owner().at(r.body()).nodes) steps_.add_node(r.owner().at(n), r.owner());
  }
  /// Of state `i`; `steps` are what is known beside it.
  memory_form(const recurrence& r, std::size_t i, whole_steps steps)
      : recurrence_(r), memory_(r.state(i)), next_(r.next(i)), steps_(std::move(steps)), before_reads_(steps_) {}

  /// Finds the parts; false if the state is no such memory.
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
  /// True if reads sum over the rows of the memory, which are its keys then; else over its columns.
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

  /// Adds the terms of a sum of matrices, up to one more than the most.
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
  /// Notes the products whose result is a matrix.
  void add_parts(const value& v) {
    if (parts_.size() > 4 * most_terms || v.dims() != memory_.dims() || !is_product(v)) return;
    parts_.push_back(v);
    add_parts(input_of(v, 0));
    add_parts(input_of(v, 1));
  }
  static bool is_product(const value& v) { return producer(v, "Mul") || is_outer_product(v); }

  /// Adds the products that a step adds to its memory; false if there are others.
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
  /// The same for a product that depends on a read.
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
  /// Returns whether `v` is known once reads are, and is a vector along the values for each matrix of the memory.
  bool is_vector_of_values(const value& v) const {
    if (!steps_.has(v) || v.rank() > memory_.rank()) return false;
    shape dims = memory_.dims();
    dims[dims.size() - (by_rows() ? 2 : 1)] = 1;
    const auto missing = static_cast<std::size_t>(memory_.rank() - v.rank());
    for (std::size_t axis = 0; axis < dims.size(); ++axis)
      if ((axis < missing ? dim(1) : v.dims()[axis - missing]) != dims[axis]) return false;
    return true;
  }
  /// Finds how `fed` depends on a read, of the memory before this step adds to it; false if that is not linear, or if
  /// the values have different factors.
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
  /// The operand that depends on a read, of a linear function of it, which is noted.
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
  /// Returns whether an operand of `v` is the same for all values, which lie along the last axis of `v` that is not 1.
  static bool is_same_for_values(const value& operand, const value& v) {
    const std::int64_t axis = operand.rank() - v.rank() + last_wide_axis(v);
    return axis < 0 || operand.extent(axis).is(1);
  }

  /// Returns whether `v` is the memory times factors that are the same along one of its axes at least.
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
  /// Returns whether a value of all steps, or of the body that no state determines, is a product of such factors.
  bool add_factors(const step_factor& f, outer_factors& out) const {
    if ((f.whole || is_free(f.v)) && add_factor(f, out)) return true;
    if (!f.whole && f.v.rank() == memory_.rank())  // so that only the first axis of the sequence has the steps
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
  /// The same for the memory plus an outer product.
  std::optional<memory_moment> moment_of_sum(const value& v, outer_factors& added) const {
    if (const auto moment = moment_of(v)) return moment;
    if (!producer(v, "Add") || v.dims() != memory_.dims()) return std::nullopt;
    const std::size_t i = moment_of(input_of(v, 0)) ? 0 : 1;
    return add_factors({input_of(v, 1 - i)}, added) ? moment_of(input_of(v, i)) : std::nullopt;
  }
  /// Finds the reads; false if the memory has other uses, or what is stacked needs the steps one by one.
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
  /// True if only the memory and its reads need `v`.
  bool is_part_of_memory(const value& v) const {
    outer_factors added;
    const auto is_v = [&](const value& part) { return same_value(part, v); };
    return producer(v, "Identity") || item_loops::any_of(scaled_, is_v) || item_loops::any_of(parts_, is_v) ||
           is_product_for_memory(v) || is_product_for_sum(v) ||
           moment_of_sum(is_turned(v) ? input_of(v, 0) : v, added).has_value();
  }
  /// A product of a column and a row is no value of all steps, which would be large; its uses are checked as theirs.
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
  /// ReduceSum(q S, axis): the product is part of the read.
  std::optional<memory_read> read_of_sum(const value& v) const {
    const auto sum = reduction_of(v);
    const value product = input_of(v, 0);
    if (!sum || sum->axes.size() != 1 || !is_product_for_sum(product)) return std::nullopt;
    const std::size_t query = is_free(input_of(product, 0)) ? 0 : 1;
    const auto [rows, columns] = matrix_extents(input_of(product, query));
    const bool by_rows = sum->axes[0] == product.rank() - 2;
    if (!by_rows && sum->axes[0] != product.rank() - 1) return std::nullopt;
    if (!(by_rows ? columns : rows).is(1)) return std::nullopt;  // a factor of what is summed, not of the sums
    return read_of(v, input_of(product, query), input_of(product, 1 - query), by_rows);
  }
  /// A product of the memory, or a sum of it, and a vector.
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
  /// A read by one vector for each matrix of the memory.
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
  /// Returns whether all reads sum over the same axis of the memory, which decays along no other, and whether a product
  /// that a read determines has no factors along the values.
  bool has_one_side() const {
    const bool by = by_rows();
    const auto along_values = [by](const outer_factors& f) { return by ? f.rows : f.columns; };
    return along_values(decays_).empty() && (!fed_product_ || along_values(fed_product_->factors).empty()) &&
           item_loops::all_of(reads_, [by](const memory_read& read) { return read.by_rows == by; });
  }

  const recurrence& recurrence_;
  value memory_, next_;
  whole_steps steps_, before_reads_;  ///< `before_reads_` has no values that depend on a read
  std::vector<term> terms_;           ///< of the memory after a step, except the memory before it
  std::vector<value> parts_;          ///< sums and products that are matrices, from which terms are made
  outer_factors decays_;
  std::vector<memory_product> products_;
  std::optional<memory_product> fed_product_;
  memory_feedback feedback_;
  std::vector<value> scaled_;
  std::vector<memory_read> reads_;
};

/// The inverse of I - v, for matrices v[..., n, n] that are 0 on and above the diagonal; n is a power of 2. The
/// inverses of two neighbouring blocks yield that of both together, so that no power of v is needed.
inline value inverse_of_one_minus(const value& v) {
  const std::int64_t n = v.extent(v.rank() - 1).extent();
  const auto square = [&](const auto& is_one) {
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t k = 0; k < n; ++k) numbers.push_back(is_one(i, k) ? 1 : 0);
    return array(v.owner(), v.dtype(), {n, n}, numbers);
  };
  const value one = square([](std::int64_t i, std::int64_t k) { return i == k; });
  value all;
  for (std::int64_t size = 1; size < n; size *= 2) {
    const auto is_below = [size](std::int64_t i, std::int64_t k) {
      return i / size == k / size + 1 && k / size % 2 == 0;
    };
    const value below = mul(v, square(is_below));
    all = all ? add(all, matmul(matmul(all, below), all)) : add(below, one);
  }
  return all;
}

/// The products that compute all reads of a memory: of each chunk of steps with itself, and with the memory before it.
/// Sums of logarithms are those of decays: what a step adds decays from the next one on. If steps add what they read,
/// x = c (z S) + f, then X = T (F + C Z S) in a chunk, where T is the inverse of I - C Z K' below the diagonal and S is
/// the memory before the chunk.
class memory_by_chunks {
 public:
  memory_by_chunks(const recurrence& r, memory_form& form, std::int64_t chunk)
      : recurrence_(r), form_(form), g_(r.owner()), decays_(form.decay_kind()), chunk_(chunk) {
    for (const memory_product& p : form.products()) {
      added_.push_back({in_chunks(keys_of(p))});
      added_.back().values = in_chunks(values_of(p.factors));
    }
    for (const memory_read& read : form.reads()) queries_.push_back(in_chunks(query_of(read)));
    const auto [rows, columns] = matrix_extents(form.memory());
    const value first = reshape(r.first(0), {batch_count(), rows, columns});
    first_ = form.by_rows() ? first : transpose(first, {0, 2, 1});
    find_decays();
    if (form.fed_product()) find_feedback(*form.fed_product());
  }

  /// A condition: no number is infinite or NaN, or could become so, no decay is below 0, and no product of decays over
  /// a chunk overflows, since it may be multiplied by 0; absent if it always holds.
  value is_ordinary(bool assume_finite) const {
    constexpr double most = 1e12, most_decay = 60, most_growth = 2, most_feedback = 1e4;
    value holds;
    const auto require = [&](const value& v) { holds = holds ? logical_and(holds, v) : v; };
    if (!assume_finite) {
      value sizes = sum_of_sizes(first_);
      for (const product& p : added_)
        for (const value& v : {p.keys, p.values}) sizes = add(sizes, sum_of_sizes(v));
      for (const value& v : queries_) sizes = add(sizes, sum_of_sizes(v));
      for (const value& v : {fed_.keys, fed_.values, fed_query_})
        if (v) sizes = add(sizes, sum_of_sizes(v));
      require(less(sizes, most));
    }
    if (inverse_) require(less(reduce("ReduceSumSquare", inverse_, iota_axes(4)), most_feedback * most_feedback));
    if (decays_ != memory_decay::none)
      require(less_equal(reduce("ReduceMax", factors_, iota_axes(3)), scalar(g_, type(), most_growth)));
    if (decays_ == memory_decay::numbers) require(greater_equal(reduce("ReduceMin", factors_, iota_axes(3)), 0));
    if (decays_ != memory_decay::vectors) return holds;
    require(less(sum_of_sizes(exponents_), most));  // no NaN: no decay is below 0
    require(less(reduce("ReduceMax", abs(exponents_), iota_axes(4)), most_decay));
    return holds;
  }

  /// The memory after the last step, and all reads.
  std::pair<value, std::vector<value>> results() const {
    std::vector<product> all = added_;
    value added;
    for (const product& p : all) {
      const value own = matmul(transpose(until_end(p.keys), {0, 1, 3, 2}), p.values);
      added = added ? add(added, own) : own;
    }
    const memories found = fed_.keys ? memories_with_feedback(added) : memories_after(added);
    if (fed_.keys) all.push_back({fed_.keys, found.fed});
    std::vector<value> reads;
    for (std::size_t i = 0; i < queries_.size(); ++i) reads.push_back(read(i, all, found.before));
    const value last = form_.by_rows() ? found.last : transpose(found.last, {0, 2, 1});
    return {reshape(last, form_.memory().dims()), reads};
  }

 private:
  /// Vectors of all steps whose outer products are added to the memory, as [chunks, batch, steps of a chunk, vector].
  struct product {
    value keys, values = {};
  };
  /// The memory after the last chunk, and before each of them; the values that are fed back.
  struct memories {
    value last, before, fed = {};
  };

  /// The logarithm of 0: sums of it are finite, and exp of it is 0.
  static constexpr double least_log = -1e30;

  dtype type() const { return form_.memory().dtype(); }
  std::int64_t steps() const { return recurrence_.sequence(0).extent(0).extent(); }
  std::int64_t chunks() const { return (steps() + chunk_ - 1) / chunk_; }
  shape batch() const { return {form_.memory().dims().begin(), form_.memory().dims().end() - 2}; }
  std::int64_t batch_count() const { return number_of(batch()); }

  /// [steps or 1, ...]: with as many axes as the memories of all steps.
  value in_steps(const step_factor& f) const {
    const bool has_steps = !f.whole && form_.steps().has(f.v);
    const value v = has_steps ? form_.steps().of(f.v) : f.v;
    return with_rank(v, form_.memory().rank() + 1, has_steps ? 1 : 0);
  }
  /// [steps, batch, extent]: the product of factors that are vectors along one axis of the matrices, or numbers.
  value vectors(const std::vector<step_factor>& factors, const std::vector<step_factor>& numbers, dim extent) const {
    value all;
    for (const std::vector<step_factor>* list : {&factors, &numbers})
      for (const step_factor& f : *list) all = all ? mul(all, in_steps(f)) : in_steps(f);
    if (!all) all = filled(g_, type(), shape(static_cast<std::size_t>(form_.memory().rank() + 1), dim(1)), 1);
    return by_batch(all, extent);
  }
  value by_batch(const value& v, dim extent) const {
    const auto [rows, columns] = matrix_extents(v);
    shape own(v.dims().begin(), v.dims().end() - 2), all{steps()};
    own.push_back(rows.is(1) ? columns : rows);
    all.append(batch());
    all.push_back(extent);
    return reshape(broadcast_to(reshape(v, own), all), {steps(), batch_count(), extent});
  }
  value keys_of(const memory_product& p) const {
    const value keys = keys_of(p.factors);
    return p.negative ? neg(keys) : keys;
  }
  value keys_of(const outer_factors& f) const {
    return vectors(form_.by_rows() ? f.columns : f.rows, f.numbers, form_.key_extent());
  }
  value values_of(const outer_factors& f) const {
    return vectors(form_.by_rows() ? f.rows : f.columns, {}, form_.value_extent());
  }
  value all_decays() const {
    const outer_factors& f = form_.decays();
    return vectors(form_.by_rows() ? f.columns : f.rows, f.numbers,
                   decays_ == memory_decay::vectors ? form_.key_extent() : dim(1));
  }
  value query_of(const memory_read& r) const { return by_batch(in_steps({r.query}), form_.key_extent()); }

  /// [chunks, batch, steps of a chunk, vector] of [steps, batch, vector]; what is missing in the last chunk is 0.
  value in_chunks(const value& v) const {
    const value ordered = in_order_of_steps(recurrence_, v);
    const std::int64_t missing = chunks() * chunk_ - steps();
    const value padded =
        missing == 0 ? ordered : pad(ordered, shape{0, 0, 0}, shape{missing, 0, 0}, scalar(g_, type(), 0));
    return transpose(reshape(padded, {chunks(), chunk_, batch_count(), v.extent(2)}), {0, 2, 1, 3});
  }
  /// Sums over the steps of a chunk up to each of them, or from each of them on; `inclusive`: itself, too.
  value running_sum(const value& v, bool inclusive, bool reverse = false) const {
    return g_.emit("CumSum", {v, scalar(g_, dtype::i64, 2)}, v.type(),
                   {{"exclusive", std::int64_t{!inclusive}}, {"reverse", std::int64_t{reverse}}});
  }
  void find_decays() {
    if (decays_ == memory_decay::none) return;
    factors_ = all_decays();
    logs_ = in_chunks(maximum(log(factors_), least_log));
    if (decays_ == memory_decay::numbers) total_ = exp(reduce("ReduceSum", logs_, {2}, true));
    if (decays_ == memory_decay::vectors) find_scales();
  }
  /// The scale of each step by its decays, measured from the middle of a chunk's range, since both halves may be large.
  /// Logarithms are summed as multiples of 2^-10, which is exact; their remainders are summed apart.
  void find_scales() {
    constexpr double grid = 1024;
    const value coarse = unary("Round", mul(logs_, grid)), fine = sub(logs_, mul(coarse, 1 / grid));
    const value sums = running_sum(coarse, true), middle = floor(mul(slice(sums, 2, chunk_ - 1, chunk_), 0.5));
    exponents_ = mul(sub(sums, middle), 1 / grid);
    scales_ = mul(exp(exponents_), exp(running_sum(fine, true)));
    middle_ = exp(mul(middle, 1 / grid));
    total_ = mul(middle_, last_scale());
  }
  value last_scale() const { return slice(scales_, 2, chunk_ - 1, chunk_); }
  value scales_before() const { return concat({reciprocal(middle_), slice(scales_, 2, 0, chunk_ - 1)}, 2); }
  /// Finds the parts of X = T (F + C Z S): T, F, and C Z as queries.
  void find_feedback(const memory_product& p) {
    const memory_feedback& f = form_.feedback();
    fed_.keys = in_chunks(keys_of(p));
    if (f.has_rest) fed_.values = in_chunks(rest_of(p.fed, form_.reads()[f.read].result));
    value factor;
    for (const memory_feedback::number& n : f.numbers) {
      const value x = number_in_steps(n);
      if (producer(n.at, "Div")) factor = factor ? div(factor, x) : reciprocal(x);
      else factor = factor ? mul(factor, x) : x;
    }
    fed_query_ = queries_[f.read];
    if (factor) fed_query_ = mul(fed_query_, in_chunks(factor));
    if (f.negative) fed_query_ = neg(fed_query_);
    inverse_ = inverse_of_one_minus(weights(fed_query_, fed_moment(), fed_.keys));
  }
  memory_moment fed_moment() const { return form_.reads()[form_.feedback().read].moment; }
  /// `fed` with a read of 0: [steps, batch, vector].
  value rest_of(const value& fed, const value& read) const {
    whole_steps without = form_.steps();
    shape dims{steps()};
    dims.append(read.dims());
    without.give(read, filled(g_, type(), dims, 0));
    return by_batch(with_rank(without.of(fed), form_.memory().rank() + 1, 1), form_.value_extent());
  }
  /// [steps, batch, 1]
  value number_in_steps(const memory_feedback::number& n) const {
    const value v = input_of(n.at, n.operand);
    const bool has_steps = form_.steps().has(v);
    shape dims{steps()};
    dims.append(n.at.dims());
    dims[static_cast<std::size_t>(1 + last_wide_axis(n.at))] = 1;
    const value all = with_rank(has_steps ? form_.steps().of(v) : v, std::ssize(dims), has_steps ? 1 : 0);
    return reshape(broadcast_to(all, dims), {steps(), batch_count(), 1});
  }

  /// [chunks, batch, vector, 1] of [chunks, batch, 1, vector]
  static value turned(const value& v) { return reshape(v, {v.extent(0), v.extent(1), v.extent(3), v.extent(2)}); }

  /// The memories, from what each chunk adds.
  memories memories_after(const value& added) const {
    if (decays_ == memory_decay::none) {
      const value all = cumsum(concat({unsqueeze(first_, {0}), added}, 0), 0);
      const value last = pick(all, chunks(), 0);
      return {last, slice(all, 0, 0, chunks())};
    }
    return by_steps_of({turned(total_), added}, [](const value& memory, const std::vector<value>& x) {
      return std::pair(add(mul(x[0], memory), x[1]), value());
    });
  }
  /// The same if each chunk also adds what it reads of the memory before it. `added` may be absent.
  memories memories_with_feedback(const value& added) const {
    const value query = matmul(inverse_, of_memory(fed_query_, fed_moment()));
    value rest = fed_.values;
    for (const product& p : added_) {
      const value own = matmul(weights(fed_query_, fed_moment(), p.keys), p.values);
      rest = rest ? add(rest, own) : own;
    }
    std::vector<value> sequences{query, transpose(until_end(fed_.keys), {0, 1, 3, 2})};
    for (const value& v :
         {decays_ == memory_decay::none ? value() : turned(total_), added, rest ? matmul(inverse_, rest) : value()})
      if (v) sequences.push_back(v);
    const bool decays = decays_ != memory_decay::none, adds = static_cast<bool>(added);
    return by_steps_of(sequences, [=](const value& memory, const std::vector<value>& x) {
      std::size_t at = 2;
      value fed = matmul(x[0], memory), next = decays ? mul(x[at++], memory) : memory;
      if (adds) next = add(next, x[at++]);
      if (rest) fed = add(fed, x[at]);
      return std::pair(add(next, matmul(x[1], fed)), fed);
    });
  }
  /// The memories if `step` computes the one after each chunk, and the values that are fed back.
  template <class Step>
  memories by_steps_of(const std::vector<value>& sequences, const Step& step) const {
    constexpr std::int64_t most_unrolled = 16;
    if (chunks() > most_unrolled) return by_scan(sequences, step);
    std::vector<value> all{unsqueeze(first_, {0})}, fed;
    for (std::int64_t i = 0; i < chunks(); ++i) {
      std::vector<value> x;
      for (const value& v : sequences) x.push_back(slice(v, 0, i, i + 1));
      const auto [next, own] = step(all.back(), x);
      all.push_back(next);
      if (own) fed.push_back(own);
    }
    const value last = squeeze(all.back(), {0});
    all.pop_back();
    const value before = concat(all, 0);
    return {last, before, fed.empty() ? value() : concat(fed, 0)};
  }
  template <class Step>
  memories by_scan(const std::vector<value>& sequences, const Step& step) const {
    const auto body = [&](const std::vector<value>& s, const std::vector<value>& x) {
      const auto [next, own] = step(s[0], x);
      loop_step out{{}, {next}, {s[0]}};
      if (own) out.collected.push_back(own);
      return out;
    };
    const loop_result all = scan(g_, {first_}, sequences, body, {.carried_names = {"memory"}});
    return {all.carried[0], all.collected[0], all.collected.size() > 1 ? all.collected[1] : value()};
  }

  /// Keys, scaled by the decays from their steps to the end of the chunk.
  value until_end(const value& keys) const {
    if (decays_ == memory_decay::none) return keys;
    if (decays_ == memory_decay::numbers) return mul(keys, exp(running_sum(logs_, false, true)));
    return mul(div(keys, scales_), last_scale());
  }
  /// Queries, scaled by the decays from the beginning of the chunk.
  value of_memory(const value& query, memory_moment moment) const {
    if (decays_ == memory_decay::none) return query;
    if (decays_ == memory_decay::numbers) return mul(query, exp(running_sum(logs_, includes_decay(moment))));
    return mul(mul(query, scales_at(moment)), middle_);
  }
  /// [chunks, batch, steps, steps]: the decayed products of the queries in rows and the keys of earlier steps in
  /// columns; with those of the same step if the memory is read after the step.
  value weights(const value& query, memory_moment moment, const value& keys) const {
    const bool by_vectors = decays_ == memory_decay::vectors;
    const value left = by_vectors ? mul(query, scales_at(moment)) : query,
                right = by_vectors ? div(keys, scales_) : keys;
    value products = matmul(left, transpose(right, {0, 1, 3, 2}));
    if (decays_ == memory_decay::numbers)
      products = mul(products, exp(running_sum(logs_after_each_step(), includes_decay(moment))));
    return g_.emit("Trilu", {products, scalar(g_, dtype::i64, moment == memory_moment::after ? 0 : -1)},
                   products.type(), {{"upper", std::int64_t{0}}});
  }
  static bool includes_decay(memory_moment moment) { return moment != memory_moment::before; }
  value scales_at(memory_moment moment) const { return includes_decay(moment) ? scales_ : scales_before(); }

  value read(std::size_t i, const std::vector<product>& all, const value& before) const {
    const memory_read& r = form_.reads()[i];
    value sum;
    for (const product& p : all) {
      const value own = matmul(weights(queries_[i], r.moment, p.keys), p.values);
      sum = sum ? add(sum, own) : own;
    }
    const value of_before = matmul(of_memory(queries_[i], r.moment), before);
    const value y = transpose(add(sum, of_before), {0, 2, 1, 3});
    const value flat = reshape(y, {chunks() * chunk_, batch_count(), form_.value_extent()});
    const value in_order = in_order_of_steps(recurrence_, slice(flat, 0, 0, steps()));
    shape dims{steps()};
    dims.append(r.result.dims());
    return reshape(is_empty(r.added) ? in_order : add(in_order, read_of_added(r)), dims);
  }
  /// [chunks, batch, steps, steps]: the logarithms in rows after the step of the column, and 0 in the others.
  value logs_after_each_step() const {
    std::vector<double> later;
    for (std::int64_t t = 0; t < chunk_; ++t)
      for (std::int64_t s = 0; s < chunk_; ++s) later.push_back(t > s);
    return mul(logs_, array(g_, type(), {chunk_, chunk_}, later));
  }
  /// The part of a read that comes from the outer product added to the memory for it.
  value read_of_added(const memory_read& r) const {
    return mul(reduce("ReduceSum", mul(query_of(r), keys_of(r.added)), {2}, true), values_of(r.added));
  }

  const recurrence& recurrence_;
  memory_form& form_;
  graph& g_;
  memory_decay decays_;
  std::int64_t chunk_;
  std::vector<product> added_;
  value first_, factors_, logs_, total_, exponents_, scales_, middle_;
  std::vector<value> queries_;
  product fed_ = {};  ///< the values are those without the read; absent for 0
  value fed_query_, inverse_;
};

/// Returns whether the memory of a Scan is small enough, and its steps are enough, that chunks are faster.
inline bool suits_memory(const recurrence& r, std::size_t i) {
  const auto elements = elements_for_chunks(r, i, {.least_steps = 32, .most_steps = 1 << 16, .most_elements = 1 << 22});
  if (!elements || r.state(i).rank() < 2) return false;
  const auto [rows, columns] = matrix_extents(r.state(i));
  return !rows.is(1) && !columns.is(1);
}

/// All results of a Scan, from the reads of its memory.
inline std::vector<value> results_by_chunks(const recurrence& r, memory_form& form, const memory_by_chunks& chunks) {
  const auto [last, reads] = chunks.results();
  whole_steps& steps = form.steps();
  for (std::size_t i = 0; i < reads.size(); ++i) steps.give(form.reads()[i].result, reads[i]);
  std::vector<value> out{last};
  for (std::size_t i = 0; i < r.collected_count(); ++i) out.push_back(unary("Identity", steps.of(r.collected(i))));
  return out;
}

/// The steps of a chunk. With feedback, inverses of matrices of that size are needed.
inline std::int64_t chunk_of_memory(const memory_form& form) {
  if (form.fed_product()) return 16;
  return form.decay_kind() == memory_decay::none ? 64 : 32;
}

/// Vectors of decays go by chunks of 32 or 16 steps; where these decay too far by chunks of 8; else the Scan remains.
inline outcome memory_in_branches(const context& c, const value& root, const recurrence& r, memory_form form) {
  constexpr std::int64_t short_chunk = 8;
  memory_form again = form;  // with values of a branch of its own
  const memory_by_chunks chunks(r, form, chunk_of_memory(form));
  const auto by_short_chunks = [&] {
    const memory_by_chunks shorter(r, again, short_chunk);
    return or_the_scan(root, r, shorter.is_ordinary(c.assume_finite),
                       [&] { return results_by_chunks(r, again, shorter); })
        .all;
  };
  outcome out;
  out.all = if_(
      chunks.is_ordinary(c.assume_finite), [&] { return results_by_chunks(r, form, chunks); }, by_short_chunks,
      result_types(root));
  return out;
}

inline outcome fuse_linear_attention(const context& c, const value& root) {
  if (is_alternative(root)) return {};
  const auto r = divisible_scan(c, root);
  if (!r || r->state_count() == 0) return {};
  if (r->state_count() > 1)
    return split_last_state(c, *r, [&](std::size_t i, whole_steps steps) {
      return suits_memory(*r, i) && memory_form(*r, i, std::move(steps)).find();
    });
  if (!suits_memory(*r, 0)) return {};
  memory_form form(*r);
  if (!form.find()) return {};
  if (form.decay_kind() == memory_decay::vectors) return memory_in_branches(c, root, *r, std::move(form));
  const memory_by_chunks chunks(*r, form, chunk_of_memory(form));
  const auto results = [&] { return results_by_chunks(*r, form, chunks); };
  if (const value ordinary = chunks.is_ordinary(c.assume_finite)) return or_the_scan(root, *r, ordinary, results);
  outcome out;
  out.all = results();
  return out;
}

inline constexpr rule linear_attention_rules[] = {
    {"linear-attention", "Scan(S = a S + k v', y = q S) -> MatMul(Trilu(MatMul(q, k')), v) over chunks of steps",
     "a is a scalar, or a vector along the axis that reads sum over; one v may be c z S + f, with a scalar c; "
     "32 to 65536 steps; when the model runs, it uses the Scan for decays below 0 or above 2, "
     "for vectors of decays whose product over 8 steps is below e^-120, for such a v that grows 10000 times in a "
     "chunk, "
     "and for operands that are not finite",
     ops<"Scan">, fuse_linear_attention, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
