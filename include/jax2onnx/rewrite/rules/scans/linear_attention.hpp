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
/// with scalar gates have it: products over chunks of steps (docs/decisions/0088-linear-attention-by-chunks.md).
/// Source: Yang et al., Gated Linear Attention Transformers with Hardware-Efficient Training, 2024.
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

/// A product of the memory with a vector.
struct memory_read {
  value result, query;
  bool by_rows = false;      ///< q S, a sum over the rows of S; else S q
  bool after = false;        ///< of the memory as the step ends with it; else as it begins
  outer_factors added = {};  ///< to the memory before it is read
};

/// The extents of a value's matrices: the last two, 1 where there are none. `of_steps`: its first axis are the steps.
inline std::pair<dim, dim> matrix_extents(const value& v, bool of_steps = false) {
  const std::int64_t rank = v.rank(), own = of_steps ? rank - 1 : rank;
  return {own > 1 ? v.extent(rank - 2) : dim(1), own > 0 ? v.extent(rank - 1) : dim(1)};
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
    if (!producer(next_, "Add")) return false;
    before_reads_ = steps_;
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      decays_ = {}, products_ = {};
      scaled_.clear();
      if (is_scaled_memory(input_of(next_, i)) && add_factors({input_of(next_, 1 - i)}, products_))
        return find_reads() && has_one_side();
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
  const outer_factors& products() const { return products_; }

 private:
  bool is_free(const value& v) const { return before_reads_.has(v) || steps_.is_outer(v); }

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

  /// True if `v` is the memory after a step, false if it is the memory before it, nullopt if it is neither.
  std::optional<bool> memory_after(const value& v) const {
    if (same_value(v, next_)) return true;
    return same_value(v, memory_) ? std::optional(false) : std::nullopt;
  }
  /// The same for the memory plus an outer product.
  std::optional<bool> sum_after(const value& v, outer_factors& added) const {
    if (const auto after = memory_after(v)) return after;
    if (!producer(v, "Add") || v.dims() != memory_.dims()) return std::nullopt;
    const std::size_t i = memory_after(input_of(v, 0)) ? 0 : 1;
    return add_factors({input_of(v, 1 - i)}, added) ? memory_after(input_of(v, i)) : std::nullopt;
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
    return producer(v, "Identity") || item_loops::any_of(scaled_, is_v) || is_product_for_memory(v) ||
           is_product_for_sum(v) || sum_after(is_turned(v) ? input_of(v, 0) : v, added).has_value();
  }
  /// A product of a column and a row is no value of all steps, which would be large; its uses are checked as theirs.
  bool is_product_for_memory(const value& v) const {
    outer_factors factors;
    return (producer(v, "Mul") || is_outer_product(v)) && v.dims() == memory_.dims() && add_factors({v}, factors);
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
    return is_free(input_of(v, query)) && sum_after(input_of(v, 1 - query), added).has_value();
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
    const auto after = sum_after(sum, found.added);
    if (!after || !is_free(query) || query.rank() > memory_.rank()) return std::nullopt;
    const auto [rows, columns] = matrix_extents(memory_);
    const auto [a, b] = matrix_extents(query);
    const dim length = by_rows ? rows : columns;
    if (!(a.is(1) && b == length) && !(b.is(1) && a == length)) return std::nullopt;
    if (number_of(v.dims()) * length.extent() != number_of(memory_.dims())) return std::nullopt;
    found.after = *after;
    return found;
  }
  /// Returns whether all reads sum over the same axis of the memory, which decays along no other.
  bool has_one_side() const {
    const bool by = by_rows();
    return (by ? decays_.rows : decays_.columns).empty() &&
           item_loops::all_of(reads_, [by](const memory_read& read) { return read.by_rows == by; });
  }

  const recurrence& recurrence_;
  value memory_, next_;
  whole_steps steps_, before_reads_;  ///< `before_reads_` has no values that depend on a read
  outer_factors decays_, products_;
  std::vector<value> scaled_;
  std::vector<memory_read> reads_;
};

/// The products that compute all reads of a memory: of each chunk of steps with itself, and with the memory before it.
/// Sums of logarithms are those of decays: what a step adds decays from the next one on.
class memory_by_chunks {
 public:
  memory_by_chunks(const recurrence& r, memory_form& form, std::int64_t chunk)
      : recurrence_(r), form_(form), g_(r.owner()), decays_(form.decay_kind()), chunk_(chunk) {
    keys_ = in_chunks(keys_of(form.products()));
    values_ = in_chunks(values_of(form.products()));
    for (const memory_read& read : form.reads()) queries_.push_back(in_chunks(query_of(read)));
    const auto [rows, columns] = matrix_extents(form.memory());
    const value first = reshape(r.first(0), {batch_count(), rows, columns});
    first_ = form.by_rows() ? first : transpose(first, {0, 2, 1});
    if (decays_ == memory_decay::none) return;
    factors_ = all_decays();
    logs_ = in_chunks(maximum(log(factors_), least_log));
    if (decays_ == memory_decay::numbers) total_ = exp(reduce("ReduceSum", logs_, {2}, true));
    if (decays_ == memory_decay::vectors) find_scales();
  }

  /// A condition: no number is infinite or NaN, or could become so, no decay is below 0, and no product of decays over
  /// a chunk overflows, since it may be multiplied by 0; absent if it always holds.
  value is_ordinary(bool assume_finite) const {
    constexpr double most = 1e12, most_decay = 60, most_growth = 2;
    value holds;
    const auto require = [&](const value& v) { holds = holds ? logical_and(holds, v) : v; };
    if (!assume_finite) {
      value sizes = add(add(sum_of_sizes(keys_), sum_of_sizes(values_)), sum_of_sizes(first_));
      for (const value& v : queries_) sizes = add(sizes, sum_of_sizes(v));
      require(less(sizes, most));
    }
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
    value keys = keys_, scaled = keys_;
    if (decays_ == memory_decay::numbers) scaled = mul(keys_, exp(running_sum(logs_, false, true)));
    if (decays_ == memory_decay::vectors) keys = scaled = div(keys_, scales_);
    value added = matmul(transpose(scaled, {0, 1, 3, 2}), values_);
    if (decays_ == memory_decay::vectors) added = mul(added, turned(last_scale()));
    const auto [last, before] = memories(added);
    std::vector<value> reads;
    for (std::size_t i = 0; i < queries_.size(); ++i) reads.push_back(read(i, keys, before));
    return {reshape(form_.by_rows() ? last : transpose(last, {0, 2, 1}), form_.memory().dims()), reads};
  }

 private:
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
  /// [chunks, batch, vector, 1] of [chunks, batch, 1, vector]
  static value turned(const value& v) { return reshape(v, {v.extent(0), v.extent(1), v.extent(3), v.extent(2)}); }

  /// The memory after the last chunk, and before each of them, from what each chunk adds.
  std::pair<value, value> memories(const value& added) const {
    if (decays_ == memory_decay::none) {
      const value all = cumsum(concat({unsqueeze(first_, {0}), added}, 0), 0);
      return {pick(all, chunks(), 0), slice(all, 0, 0, chunks())};
    }
    const value factors = turned(total_);
    constexpr std::int64_t most_unrolled = 16;
    if (chunks() <= most_unrolled) {
      std::vector<value> all{unsqueeze(first_, {0})};
      for (std::int64_t i = 0; i < chunks(); ++i)
        all.push_back(add(mul(slice(factors, 0, i, i + 1), all.back()), slice(added, 0, i, i + 1)));
      const value last = squeeze(all.back(), {0});
      all.pop_back();
      return {last, concat(all, 0)};
    }
    const auto step = [](const std::vector<value>& s, const std::vector<value>& x) {
      return loop_step{{}, {add(mul(x[0], s[0]), x[1])}, {s[0]}};
    };
    const loop_result all = scan(g_, {first_}, {factors, added}, step, {.carried_names = {"memory"}});
    return {all.carried[0], all.collected[0]};
  }

  value read(std::size_t i, const value& keys, const value& before) const {
    const memory_read& r = form_.reads()[i];
    value query = queries_[i], of_memory = queries_[i], memory = before;
    if (decays_ == memory_decay::vectors) {
      query = of_memory = mul(query, r.after ? scales_ : scales_before());
      memory = mul(before, turned(middle_));
    }
    value products = matmul(query, transpose(keys, {0, 1, 3, 2}));
    if (decays_ == memory_decay::numbers) {
      products = mul(products, exp(running_sum(logs_after_each_step(), r.after)));
      of_memory = mul(query, exp(running_sum(logs_, r.after)));
    }
    const value earlier = g_.emit("Trilu", {products, scalar(g_, dtype::i64, r.after ? 0 : -1)}, products.type(),
                                  {{"upper", std::int64_t{0}}});
    const value y = transpose(add(matmul(earlier, values_), matmul(of_memory, memory)), {0, 2, 1, 3});
    const value flat = reshape(y, {chunks() * chunk_, batch_count(), form_.value_extent()});
    const value all = in_order_of_steps(recurrence_, slice(flat, 0, 0, steps()));
    shape dims{steps()};
    dims.append(r.result.dims());
    return reshape(is_empty(r.added) ? all : add(all, read_of_added(r)), dims);
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
  static bool is_empty(const outer_factors& f) { return f.columns.empty() && f.rows.empty() && f.numbers.empty(); }

  const recurrence& recurrence_;
  memory_form& form_;
  graph& g_;
  memory_decay decays_;
  std::int64_t chunk_;
  value keys_, values_, first_, factors_, logs_, total_, exponents_, scales_, middle_;
  std::vector<value> queries_;
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

/// Vectors of decays go by chunks of 32 steps; where these decay too far by chunks of 8; else the Scan remains.
inline outcome memory_in_branches(const context& c, const value& root, const recurrence& r, memory_form form) {
  constexpr std::int64_t long_chunk = 32, short_chunk = 8;
  memory_form again = form;  // with values of a branch of its own
  const memory_by_chunks chunks(r, form, long_chunk);
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
  const memory_by_chunks chunks(*r, form, form.decay_kind() == memory_decay::none ? 64 : 32);
  const auto results = [&] { return results_by_chunks(*r, form, chunks); };
  if (const value ordinary = chunks.is_ordinary(c.assume_finite)) return or_the_scan(root, *r, ordinary, results);
  outcome out;
  out.all = results();
  return out;
}

inline constexpr rule linear_attention_rules[] = {
    {"linear-attention", "Scan(S = a S + k v', y = q S) -> MatMul(Trilu(MatMul(q, k')), v) over chunks of steps",
     "a is a scalar, or a vector along the axis that reads sum over; "
     "32 to 65536 steps; when the model runs, it uses the Scan for decays below 0 or above 2, "
     "for vectors of decays whose product over 8 steps is below e^-120, and for operands that are not finite",
     ops<"Scan">, fuse_linear_attention, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
