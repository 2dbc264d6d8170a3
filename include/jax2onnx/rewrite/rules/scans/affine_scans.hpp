// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/views/gemm.hpp>
#include <jax2onnx/operators/views/scatter.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Scans that multiply the states of the step before by a matrix and add inputs, as recursive filters and averages do.
/// They become products with powers of the matrix, over chunks of steps
/// (docs/decisions/0082-affine-scans-are-products.md).
namespace jax2onnx::rewrite::detail {

/// The rows [first, first + count) of x that ScatterND(x, indices, updates) sets.
struct rows_set {
  std::int64_t first = 0, count = 0;
};
/// The rows that a ScatterND along the first axis sets; nullopt unless they are known, adjacent and ascending.
inline std::optional<rows_set> rows_set_by(const value& v) {
  if (!operators::sets_rows(v)) return std::nullopt;
  const std::optional<ints> rows = constant_integers(input_of(v, 1));
  if (!rows || rows->empty() || rows->front() < 0) return std::nullopt;
  for (std::size_t i = 0; i < rows->size(); ++i)
    if ((*rows)[i] != rows->front() + static_cast<std::int64_t>(i)) return std::nullopt;
  return rows_set{rows->front(), std::ssize(*rows)};
}

/// The factors by which a body may multiply states: only factors that all steps share, or any factors that no state
/// determines.
enum class affine_factors : std::uint8_t { shared, of_steps };

/// Finds the values of a Scan's body that are affine in its states. They are sums of products of states with factors,
/// and of values that do not depend on states.
class affine_body {
 public:
  explicit affine_body(const recurrence& r, affine_factors factors = affine_factors::shared)
      : recurrence_(r), factors_(factors), steps_(r), lifts_(r) {
    for (const node_id n : r.owner().at(r.body()).nodes) steps_.add_node(r.owner().at(n), r.owner());
    if (factors_ == affine_factors::of_steps) lifts_ = steps_;
  }

  bool is_state(const value& v) const { return state_of(v).has_value(); }
  bool is_free(const value& v) const { return steps_.has(v) || steps_.is_outer(v); }
  bool is_affine(const value& v) {
    if (is_state(v) || is_free(v)) return true;
    const auto [known, is_new] = affine_.try_emplace(v.id(), false);
    if (is_new && is_affine_result(v)) {
      known_.push_back(v);
      affine_[v.id()] = true;
    }
    return affine_.at(v.id());
  }
  /// The index of the state that `v` is; nullopt if it is not a state.
  std::optional<std::size_t> state_of(const value& v) const {
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      if (same_value(recurrence_.state(i), v)) return i;
    return std::nullopt;
  }
  /// The index of the only operand that depends on states; nullopt if there are several or none.
  std::optional<std::size_t> linear_operand(const value& v) const {
    std::optional<std::size_t> found;
    const std::vector<value> operands = inputs_of(v);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i] || is_free(operands[i])) continue;
      if (found) return std::nullopt;
      found = i;
    }
    return found;
  }
  /// Returns whether `v` is a sum, difference, negation, copy or Concat.
  static bool is_sum(const value& v) {
    return producer(v, "Add") || producer(v, "Sub") || producer(v, "Neg") || producer(v, "Concat") ||
           producer(v, "Identity");
  }
  /// The affine values that depend on states, but are not states; operands come before results.
  const std::vector<value>& known() const { return known_; }
  whole_steps& steps() { return steps_; }

 private:
  bool is_affine_result(const value& v) {
    if (!producer(v)) return false;
    if (is_sum(v)) return item_loops::all_of(inputs_of(v), [this](const value& x) { return is_affine(x); });
    if (const auto gemm = operators::gemm_of(v)) {
      lifts_.promise(gemm->a);
      return gemm->is_unscaled() && lifts_.has_product(v) && is_affine(gemm->a) && (!gemm->c || is_affine(gemm->c));
    }
    if (rows_set_by(v)) return is_affine(input_of(v, 0)) && is_affine(input_of(v, 2));
    const auto k = linear_operand(v);
    if (!k || !is_linear_in(v, *k) || !is_affine(input_of(v, *k))) return false;
    for (std::size_t i = 0; i < producer(v)->inputs.size(); ++i)
      if (i != *k && input_of(v, i) && !is_factor(input_of(v, i))) return false;
    lifts_.promise(input_of(v, *k));
    return lifts_.add_node(*producer(v), v.owner());
  }
  bool is_factor(const value& v) const { return factors_ == affine_factors::shared ? steps_.is_outer(v) : is_free(v); }
  static bool is_linear_in(const value& v, std::size_t k) {
    if (producer(v, "Mul") || producer(v, "MatMul")) return true;
    const bool moves = is_reshape(v) || producer(v, "Transpose") || producer(v, "Slice") || producer(v, "Gather");
    return k == 0 && (moves || producer(v, "Div") || producer(v, "ReduceSum") || producer(v, "ReduceMean"));
  }

  const recurrence& recurrence_;
  affine_factors factors_;
  whole_steps steps_, lifts_;
  std::unordered_map<value_id, bool> affine_;
  std::vector<value> known_;
};

/// One part of affine values, stacked along a new leading axis: the factors of some states, or the terms that steps
/// add. An absent value is 0.
class affine_part {
 public:
  /// `leaf` returns the part of a state, or of a value that does not depend on states.
  affine_part(const recurrence& r, affine_body& body, std::int64_t count, std::function<value(const value&)> leaf)
      : body_(body), lifts_(r), count_(count), leaf_(std::move(leaf)) {}

  value of(const value& v) {
    if (body_.is_state(v) || body_.is_free(v)) return leaf_(v);
    const auto [at, is_new] = known_.try_emplace(v.id());
    if (is_new) known_[v.id()] = computed(v);
    return known_.at(v.id());
  }
  /// The part of `v`, with zeros if it is absent.
  value all_of(const value& v) {
    const value x = of(v);
    return broadcast_to(x ? x : scalar(v.owner(), v.dtype(), 0), dims_of(v));
  }

 private:
  shape dims_of(const value& v) const {
    shape dims{count_};
    dims.append(v.dims());
    return dims;
  }
  value computed(const value& v) {
    if (affine_body::is_sum(v)) return sum(v);
    if (producer(v, "Gemm")) return product_and_bias(v);
    if (const auto rows = rows_set_by(v)) return with_rows(v, *rows);
    const std::size_t operand = *body_.linear_operand(v);
    const value x = of(input_of(v, operand));
    if (!x) return {};
    lifts_.give(input_of(v, operand), x);
    for (const value& factor : inputs_of(v))
      if (factor && body_.steps().has(factor)) lifts_.give(factor, body_.steps().of(factor));
    lifts_.add_node(*producer(v), v.owner());
    return lifts_.of(v);
  }
  value with_rows(const value& v, const rows_set& rows) {
    const value x = all_of(input_of(v, 0)), set = all_of(input_of(v, 2));
    return concat({slice(x, 1, 0, rows.first), set, slice(x, 1, rows.first + rows.count, x.extent(1))}, 1);
  }
  value product_and_bias(const value& v) {
    const value x = of(input_of(v, 0)), bias = input_of(v, 2) ? aligned(v, 2) : value();
    if (!x) return bias;
    lifts_.give(input_of(v, 0), x);
    const value product = lifts_.product_of(v);
    return bias ? add(product, bias) : product;
  }
  value sum(const value& v) {
    if (producer(v, "Concat")) {
      std::vector<value> parts;
      for (const value& x : inputs_of(v)) parts.push_back(all_of(x));
      return concat(parts, axis_of(v) + 1);
    }
    const value a = aligned(v, 0);
    if (producer(v, "Identity")) return a;
    if (producer(v, "Neg")) return a ? neg(a) : a;
    const value b = aligned(v, 1);
    if (!b) return a;
    if (producer(v, "Sub")) return a ? sub(a, b) : neg(b);
    return a ? add(a, b) : b;
  }
  /// The part of an operand of `v`, broadcast to the shape of the part of `v`; absent if it is 0.
  value aligned(const value& v, std::size_t operand) {
    const value x = of(input_of(v, operand));
    if (!x) return x;
    return broadcast_to(with_rank(x, v.rank() + 1, 1), dims_of(v));
  }

  affine_body& body_;
  whole_steps lifts_;
  std::int64_t count_;
  std::function<value(const value&)> leaf_;
  std::unordered_map<value_id, value> known_;
};

/// The leading axes that all states share and that a body treats element by element. A step multiplies each element of
/// these axes by one matrix.
class batch_axes {
 public:
  batch_axes(const recurrence& r, affine_body& body) : body_(body), dims_(r.state(0).dims()) {
    for (std::size_t i = 1; i < r.state_count(); ++i) keep_common(r.state(i).dims());
    for (std::size_t i = 0; i < r.result_count(); ++i) {
      const value v = i < r.state_count() ? r.next(i) : r.collected(i - r.state_count());
      if (!body.is_free(v)) keep_common(v.dims());
    }
    for (const value& v : body.known())
      while (!is_kept(v)) dims_.pop_back();
  }

  const shape& dims() const { return dims_; }
  std::int64_t count() const { return std::ssize(dims_); }
  /// Returns whether all elements of the batch have the same matrix.
  bool share_matrix() const {
    return count() == 0 || item_loops::all_of(body_.known(), [this](const value& v) {
             if (affine_body::is_sum(v) || producer(v, "Gemm") || producer(v, "ScatterND")) return true;
             for (const value& x : inputs_of(v))
               if (x && x.dtype() == v.dtype() && body_.is_free(x) && !is_same_along_batch(x, v)) return false;
             return true;
           });
  }

 private:
  void keep_common(const shape& dims) {
    std::size_t same = 0;
    while (same < std::min(dims.size(), dims_.size()) && dims[same] == dims_[same]) ++same;
    dims_ = shape(dims_.begin(), dims_.begin() + static_cast<std::ptrdiff_t>(same));
  }
  bool begins_with_batch(const value& v) const {
    return v.rank() >= count() && std::equal(dims_.begin(), dims_.end(), v.dims().begin());
  }
  bool is_kept(const value& v) const {
    if (count() == 0) return true;
    if (!begins_with_batch(v)) return false;
    for (const value& x : inputs_of(v))
      if (x && !body_.is_free(x) && !begins_with_batch(x)) return false;
    if (producer(v, "ScatterND")) return false;
    if (producer(v, "Gemm")) return count() <= 1 && has_rank_of_linear_operands(v);
    const auto is_inner = [this](std::int64_t axis) { return axis >= count(); };
    if (producer(v, "MatMul")) return count() <= most_in_product(v);
    if (producer(v, "Concat") || producer(v, "Gather")) return is_inner(axis_of(v));
    if (const auto perm = transpose_of(v))
      return std::ranges::equal(iota_axes(count()), std::vector(perm->begin(), perm->begin() + count()));
    if (const auto axes = slice_axes_of(v)) return item_loops::all_of(*axes, is_inner);
    if (const auto r = reduction_of(v)) return item_loops::all_of(r->axes, is_inner);
    return is_reshape(v) || has_rank_of_linear_operands(v);
  }
  bool has_rank_of_linear_operands(const value& v) const {
    return item_loops::all_of(inputs_of(v),
                              [&](const value& x) { return !x || body_.is_free(x) || x.rank() == v.rank(); });
  }
  /// The number of leading axes along which a product does not mix elements. The axis of rows is one of them if the
  /// matrix, without a batch, is the right operand.
  std::int64_t most_in_product(const value& v) const {
    const std::size_t k = *body_.linear_operand(v);
    const value x = input_of(v, k), matrix = input_of(v, 1 - k);
    if (matrix.rank() == 1) return k == 0 ? x.rank() - 1 : x.rank() - 2;
    if (x.rank() != v.rank()) return 0;
    return k == 0 && matrix.rank() == 2 ? x.rank() - 1 : x.rank() - 2;
  }
  bool is_same_along_batch(const value& x, const value& v) const {
    if (producer(v, "MatMul")) return x.rank() <= 2;
    for (std::int64_t axis = std::max<std::int64_t>(0, v.rank() - x.rank()); axis < count(); ++axis)
      if (!x.extent(axis - (v.rank() - x.rank())).is(1)) return false;
    return true;
  }

  const affine_body& body_;
  shape dims_;
};

/// The states after all steps of h = h M + x, for h[..., N] and a matrix [N, N], or a matrix for each index of a first
/// axis. Chunks of steps are multiplied by powers of M, or all chunks advance together, step by step. The states after
/// the chunks are a shorter recurrence of the same form.
class matrix_recurrence {
 public:
  /// Computes the powers in the type `powers`, and converts them to the type of the matrix.
  matrix_recurrence(const value& first_power, std::int64_t steps, dtype powers)
      : size_(first_power.extent(first_power.rank() - 1).extent()) {
    value matrix = cast(first_power, powers);
    const std::int64_t batch = matrix.rank() == 3 ? matrix.extent(0).extent() : 1;
    goes_by_steps_ = goes_by_steps(size_, batch);
    for (; goes_by_steps_; steps = (steps + chunk_of_steps - 1) / chunk_of_steps - 1) {
      levels_.push_back({steps, steps <= most_last_steps ? steps : chunk_of_steps});
      levels_.back().after = cast(matrix, first_power.dtype());
      if (steps <= most_last_steps) return;
      for (std::int64_t k = 1; k < chunk_of_steps; k *= 2) matrix = matmul(matrix, matrix);
    }
    for (;;) {
      level l{steps, chunk_of(steps, batch)};
      const std::int64_t axis = matrix.rank() - 1;
      value row = matrix, power = matrix;
      for (std::int64_t k = 1; k < l.chunk; k *= 2) {
        row = concat({row, matmul(power, row)}, axis);
        power = slice(row, axis, (2 * k - 1) * size_, 2 * k * size_);
      }
      l.after = cast(row, first_power.dtype());
      l.before = concat({identity(first_power), slice(l.after, axis, 0, (l.chunk - 1) * size_)}, axis);
      levels_.push_back(l);
      if (steps <= l.chunk) return;
      steps = (steps + l.chunk - 1) / l.chunk - 1;
      matrix = power;
    }
  }

  /// A condition that is true if the computed powers of the matrix have no numbers so large that sums would cancel.
  value is_stable() const {
    constexpr double most = 1e4;
    value all;
    for (const level& l : levels_) {
      const value squares = reduce("ReduceSumSquare", l.after, iota_axes(l.after.rank()));
      all = all ? add(all, squares) : squares;
    }
    return less_equal(all, scalar(all.owner(), all.dtype(), most * most));
  }
  /// The states [batch, steps, N] for inputs of that shape and the first state [batch, 1, N].
  value states(const value& inputs, const value& first) const { return states(0, inputs, first); }

  /// Returns whether chunks are computed step by step, or `batch` matrices are small enough for chunks of at least 4
  /// steps.
  static bool is_small(std::int64_t size, std::int64_t batch, std::int64_t steps) {
    return goes_by_steps(size, batch) || chunk_of(steps, batch, size) >= 4;
  }

 private:
  static constexpr std::int64_t chunk_of_steps = 8, most_last_steps = 16;
  struct level {
    std::int64_t steps, chunk;
    /// `before` has the powers from 0 on, `after` the powers from 1 on, as [..., N, chunk N]. If chunks are computed
    /// step by step, `before` is absent, and `after` is the first power only.
    value before = {}, after = {};
  };

  /// Returns whether products with powers for all steps of a chunk would take longer than the steps.
  static bool goes_by_steps(std::int64_t size, std::int64_t batch) { return size >= (batch == 1 ? 16 : 8); }

  std::int64_t chunk_of(std::int64_t steps, std::int64_t batch) const { return chunk_of(steps, batch, size_); }
  static std::int64_t chunk_of(std::int64_t steps, std::int64_t batch, std::int64_t size) {
    constexpr std::int64_t most_columns = 256, usual_numbers = 1 << 15, most_numbers = 1 << 17, short_chunk = 4;
    const auto fits = [&](std::int64_t chunk) {
      const std::int64_t numbers = batch * chunk * size * chunk * size;
      return chunk * size <= most_columns && numbers <= (chunk > short_chunk ? usual_numbers : most_numbers);
    };
    std::int64_t chunk = 1;
    while (chunk < steps && fits(2 * chunk)) chunk *= 2;
    if (chunk >= steps) return chunk;
    while (chunk > 2 && chunk / 2 * (chunk / 2) >= steps) chunk /= 2;
    return chunk;
  }
  static value identity(const value& matrix) {
    const std::int64_t n = matrix.extent(matrix.rank() - 1).extent();
    std::vector<double> numbers(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < n; ++i) numbers[static_cast<std::size_t>(i * n + i)] = 1;
    return broadcast_to(array(matrix.owner(), matrix.dtype(), {n, n}, numbers), matrix.dims());
  }

  /// The inputs as [batch, chunks, chunk N], with zeros after the last step.
  value in_chunks(const level& l, const value& inputs) const {
    const std::int64_t chunks = (l.steps + l.chunk - 1) / l.chunk, missing = chunks * l.chunk - l.steps;
    const value zero = scalar(inputs.owner(), inputs.dtype(), 0);
    const value padded = missing == 0 ? inputs : pad(inputs, shape{0, 0, 0}, shape{0, missing, 0}, zero);
    return reshape(padded, {inputs.extent(0), chunks, l.chunk * size_});
  }
  value states(std::size_t at, const value& inputs, const value& first) const {
    if (goes_by_steps_) return states_by_steps(at, inputs, first);
    const level& l = levels_[at];
    const dim batch = inputs.extent(0);
    const value padded = in_chunks(l, inputs);
    const std::int64_t chunks = padded.extent(1).extent();
    const value own = matmul(padded, triangle(l));
    value begins = first;
    if (chunks > 1) {
      const value ends = slice(slice(own, 2, (l.chunk - 1) * size_, l.chunk * size_), 1, 0, chunks - 1);
      begins = concat({first, states(at + 1, ends, first)}, 1);
    }
    const value all = add(own, matmul(begins, l.after));
    return slice(reshape(all, {batch, chunks * l.chunk, size_}), 1, 0, l.steps);
  }

  /// The states, computed step by step: from zeros to the ends of all chunks except the last one, then from the states
  /// before the chunks.
  value states_by_steps(std::size_t at, const value& inputs, const value& first) const {
    const level& l = levels_[at];
    const value padded = in_chunks(l, inputs);
    const std::int64_t chunks = padded.extent(1).extent();
    const auto next = [&](const value& h, const value& x) { return add(matmul(h, l.after), x); };
    value h = first;
    if (chunks > 1) {
      const std::vector<value> x = equal_parts(slice(padded, 1, 0, chunks - 1), 2, size_);
      value end = x[0];
      for (std::size_t i = 1; i < x.size(); ++i) end = next(end, x[i]);
      h = concat({first, states_by_steps(at + 1, end, first)}, 1);
    }
    std::vector<value> all = equal_parts(padded, 2, size_);
    for (value& x : all) x = h = next(h, x);
    return slice(reshape(concat(all, 2), {padded.extent(0), chunks * l.chunk, size_}), 1, 0, l.steps);
  }

  /// A matrix [..., chunk N, chunk N] of blocks: the power t - s in row s and column t, and 0 below the diagonal.
  value triangle(const level& l) const {
    constexpr std::int64_t least_to_gather = 8;  // columns that are copied at once
    const value all = size_ < least_to_gather ? shifted_rows(l) : gathered_rows(l);
    const std::int64_t axis = l.before.rank() - 1, row = l.chunk * size_;
    ints perm = iota_axes(axis + 2);
    std::swap(perm[static_cast<std::size_t>(axis - 1)], perm[static_cast<std::size_t>(axis)]);
    shape square(l.before.dims().begin(), l.before.dims().end() - 2);
    square.push_back(row);
    square.push_back(row);
    return reshape(transpose(all, perm), square);
  }
  /// The rows of triangle(), [..., N, chunk, chunk N], gathered by the positions of the powers.
  value gathered_rows(const level& l) const {
    const std::int64_t axis = l.before.rank() - 1;
    std::vector<std::int64_t> powers;
    for (std::int64_t s = 0; s < l.chunk; ++s)
      for (std::int64_t t = 0; t < l.chunk; ++t) powers.push_back(t < s ? l.chunk : t - s);
    const value of = reshape(int64s(l.before.owner(), powers), {l.chunk, l.chunk});
    const value all = concat({l.before, zeros(l, size_)}, axis);
    return reshape(gather(reshape(all, beside(l, {l.chunk + 1, size_})), of, axis),
                   beside(l, {l.chunk, l.chunk * size_}));
  }
  /// Computes the rows of gathered_rows() without a Gather, which would copy only a few numbers at a time. Joins zeros,
  /// the powers and a zero matrix to one row, and repeats it. The copies are read as rows that are one matrix shorter,
  /// so that each of these begins one matrix earlier in its copy.
  value shifted_rows(const level& l) const {
    const std::int64_t axis = l.before.rank() - 1, row = l.chunk * size_, width = 2 * row;
    const value one = concat({zeros(l, row - size_), l.before, zeros(l, size_)}, axis);
    const value rows = broadcast_to(reshape(one, beside(l, {1, width})), beside(l, {l.chunk, width}));
    const value flat = slice(reshape(rows, beside(l, {l.chunk * width})), axis, 0, l.chunk * (width - size_));
    return slice(reshape(flat, beside(l, {l.chunk, width - size_})), axis + 1, row - size_, width - size_);
  }
  /// The extents of a level's powers without the last extent, followed by `last`.
  static shape beside(const level& l, std::initializer_list<dim> last) {
    shape all(l.before.dims().begin(), l.before.dims().end() - 1);
    for (const dim d : last) all.push_back(d);
    return all;
  }
  static value zeros(const level& l, std::int64_t columns) {
    return filled(l.before.owner(), l.before.dtype(), beside(l, {columns}), 0);
  }

  std::int64_t size_;
  bool goes_by_steps_;
  std::vector<level> levels_;
};

/// Computes a Scan by a matrix_recurrence whose state is the vector of all states.
class affine_scan {
 public:
  affine_scan(const recurrence& r, affine_body& body, const batch_axes& batch)
      : recurrence_(r),
        body_(body),
        batch_(batch),
        shares_(batch.share_matrix()),
        offsets_(offsets_of(r, batch)),
        size_(offsets_.back()),
        linear_(r, body, size_, [this](const value& v) { return rows_of_unit(v); }),
        added_(r, body, steps(), [this](const value& v) { return all_steps(v); }) {}

  /// Returns whether the matrices are small enough, and the states of all steps have few enough numbers.
  bool is_small() const {
    constexpr std::int64_t most_size = 64, most_numbers = 1 << 22;
    const std::int64_t matrices = shares_ ? 1 : batch_count();
    if (size_ == 1 && !shares_ && steps() >= 64) return false;  // diagonal-scan needs fewer operations
    return size_ <= most_size && batch_count() * size_ * steps() <= most_numbers &&
           matrix_recurrence::is_small(size_, matrices, steps());
  }
  /// Computes the operands of the recurrence.
  void begin(dtype powers) {
    std::vector<value> columns, inputs, first;
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i) {
      const dim extent = extent_of(recurrence_.state(i));
      columns.push_back(reshape(linear_.all_of(recurrence_.next(i)), {size_, batch_count(), extent}));
      inputs.push_back(by_batch(added_.all_of(recurrence_.next(i)), extent));
      first.push_back(reshape(recurrence_.first(i), {batch_count(), 1, extent}));
    }
    inputs_ = concat(inputs, 2);
    first_ = concat(first, 2);
    powers_.emplace(matrices(concat(columns, 2)), steps(), powers);
  }
  value is_stable() const { return powers_->is_stable(); }
  value is_ordinary() const { return are_ordinary(inputs_, first_); }

  /// The results of the Scan.
  std::vector<value> results() {
    const value after = powers_->states(inputs_, first_);
    const value before = concat({first_, slice(after, 1, 0, steps() - 1)}, 1);
    const std::vector<value> last = parts(slice(after, 1, steps() - 1, steps())), all = parts(after);
    std::vector<value> out;
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      out.push_back(reshape(last[i], recurrence_.state(i).dims()));
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i)
      out.push_back(unary("Identity", stacked(recurrence_.collected(i), all, before)));
    return out;
  }

 private:
  static std::vector<std::int64_t> offsets_of(const recurrence& r, const batch_axes& batch) {
    std::vector<std::int64_t> all{0};
    for (std::size_t i = 0; i < r.state_count(); ++i)
      all.push_back(all.back() + number_of(r.state(i).dims()) / number_of(batch.dims()));
    return all;
  }
  std::int64_t steps() const { return recurrence_.sequence(0).extent(0).extent(); }
  std::int64_t batch_count() const { return number_of(batch_.dims()); }
  std::int64_t extent_of(const value& v) const { return number_of(v.dims()) / batch_count(); }

  /// The linear part of a state: the rows of a unit matrix. Absent if `v` is not a state.
  value rows_of_unit(const value& v) const {
    const auto i = body_.state_of(v);
    if (!i) return {};
    const std::int64_t extent = extent_of(v);
    std::vector<double> numbers(static_cast<std::size_t>(size_ * extent));
    for (std::int64_t k = 0; k < extent; ++k) numbers[static_cast<std::size_t>((offsets_[*i] + k) * extent + k)] = 1;
    shape own{size_}, all{size_};
    for (std::int64_t axis = 0; axis < v.rank(); ++axis) own.push_back(axis < batch_.count() ? dim(1) : v.extent(axis));
    all.append(v.dims());
    return broadcast_to(reshape(array(v.owner(), v.dtype(), {size_, extent}, numbers), own), all);
  }
  /// The term that `v` adds in all steps; absent if `v` depends on states.
  value all_steps(const value& v) const {
    if (!body_.is_free(v)) return {};
    shape dims{steps()};
    dims.append(v.dims());
    return broadcast_to(body_.steps().has(v) ? body_.steps().of(v) : unsqueeze(v, {0}), dims);
  }

  /// Converts [steps, ...] to [batch, steps, extent], in the order of the steps.
  value by_batch(const value& v, dim extent) const {
    return transpose(reshape(in_order_of_steps(recurrence_, v), {steps(), batch_count(), extent}), {1, 0, 2});
  }
  /// The inverse of by_batch(), for a value of the body.
  value by_steps(const value& v, const value& of) const {
    shape dims{steps()};
    dims.append(of.dims());
    return in_order_of_steps(recurrence_, reshape(transpose(v, {1, 0, 2}), dims));
  }
  /// Converts [N, batch, columns] to [batch, N, columns], or to [N, columns] if all elements of the batch share the
  /// matrix.
  value matrices(const value& v) const {
    if (!shares_) return transpose(v, {1, 0, 2});
    return reshape(slice(v, 1, 0, 1), {size_, v.extent(2)});
  }
  /// Splits a vector of all states into the states.
  std::vector<value> parts(const value& states) const {
    if (recurrence_.state_count() == 1) return {states};
    std::vector<std::int64_t> extents;
    std::vector<tensor_type> types(recurrence_.state_count(), states.type());
    for (std::size_t i = 0; i < types.size(); ++i) {
      extents.push_back(offsets_[i + 1] - offsets_[i]);
      types[i].dims.back() = extents[i];
    }
    graph& g = states.owner();
    return g.emit_many("Split", std::vector<value>{states, int64s(g, extents)}, types, {{"axis", std::int64_t{2}}});
  }

  value stacked(const value& v, const std::vector<value>& after, const value& before) {
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      if (same_value(recurrence_.next(i), v)) return by_steps(after[i], v);
    const value added = added_.of(v);
    if (const auto i = body_.state_of(v)) return by_steps(parts(before)[*i], v);
    if (body_.is_free(v)) return added;
    const value columns = reshape(linear_.all_of(v), {size_, batch_count(), extent_of(v)});
    const value product = by_steps(matmul(before, matrices(columns)), v);
    return added ? add(product, added) : product;
  }

  const recurrence& recurrence_;
  affine_body& body_;
  const batch_axes& batch_;
  bool shares_;
  std::vector<std::int64_t> offsets_;  ///< the offset of each state in the vector
  std::int64_t size_;
  affine_part linear_, added_;
  value inputs_, first_;
  std::optional<matrix_recurrence> powers_;
};

/// The Scan that `root` is a result of, if its steps can be computed in chunks, and its states have one element type
/// and at most `most_elements` elements each. nullopt for any other Scan.
inline std::optional<recurrence> scan_of_states(const context& c, const value& root, std::int64_t most_elements) {
  if (is_alternative(root)) return std::nullopt;
  auto r = divisible_scan(c, root);
  if (!r || r->state_count() == 0) return std::nullopt;
  for (std::size_t i = 0; i < r->state_count(); ++i)
    if (!elements_for_chunks(*r, i, {.least_steps = 16, .most_steps = 1 << 16, .most_elements = most_elements}) ||
        r->state(i).dtype() != r->state(0).dtype())
      return std::nullopt;
  return r;
}

/// The results of `products` if their numbers are stable and ordinary when the model runs, else the results of the
/// Scan. Under `assume_finite`, the numbers only need to be stable.
template <class Products>
outcome products_or_the_scan(const context& c, const value& root, const recurrence& r, Products& products) {
  const value stable = products.is_stable();
  return or_the_scan(root, r, c.assume_finite ? stable : logical_and(stable, products.is_ordinary()),
                     [&] { return products.results(); });
}

inline outcome fuse_affine_scan(const context& c, const value& root) {
  const auto r = scan_of_states(c, root, 4096);
  if (!r) return {};
  affine_body body(*r);
  for (std::size_t i = 0; i < r->result_count(); ++i) {
    const value v = i < r->state_count() ? r->next(i) : r->collected(i - r->state_count());
    if (!is_static(v.dims()) || v.dtype() != r->state(0).dtype() || !body.is_affine(v)) return {};
  }
  const batch_axes batch(*r, body);
  affine_scan products(*r, body, batch);
  if (!products.is_small()) return {};
  products.begin(is_portable(c.runtime) ? r->state(0).dtype() : dtype::f64);
  return products_or_the_scan(c, root, *r, products);
}

inline constexpr rule affine_scan_rules[] = {
    {"affine-scan", "Scan(h = A h + x) -> MatMul(x, powers of A) over chunks of steps, and over these chunks again",
     "a matrix of at most 64 rows that is the same in all steps, or one for each element of leading axes; "
     "16 to 65536 steps; when the model runs, it uses the Scan for powers that grow and for operands that are not "
     "finite",
     ops<"Scan">, fuse_affine_scan, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
