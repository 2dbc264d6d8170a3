// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/affine_scans.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Scans that multiply the states of the step before by a small matrix, which differs from step to step, and add
/// inputs: filters with moving cutoffs, Kalman filters whose gains are known. The matrices of chunks of steps are
/// multiplied (docs/decisions/0082-affine-scans-are-products.md).
namespace jax2onnx::rewrite::detail {

/// Computes the states between blocks of steps. A block is a matrix: its product with a state, as a column, is the next
/// state. The product of eight blocks is one block of the next level.
class products_of_blocks {
 public:
  /// `blocks` is [count, batch, N, N].
  explicit products_of_blocks(const value& blocks)
      : size_(blocks.extent(2).extent()), batch_(blocks.extent(1).extent()), in_lanes_(size_ <= most_in_lanes) {
    last_ = in_lanes_ ? transpose(blocks, {2, 3, 0, 1}) : blocks;
    for (std::int64_t states = blocks.extent(0).extent() + 1; states > most_last;) {
      const std::int64_t chunks = (states + chunk - 1) / chunk;
      level l{states, cut(padded_to(last_, chunks * chunk), chunks, chunk)};
      last_ = in_lanes_ ? reshape(l.blocks[0], {size_, size_, chunks, batch_}) : l.blocks[0];
      for (std::size_t i = 1; i < l.blocks.size(); ++i) products_.push_back(last_ = times(l.blocks[i], last_));
      levels_.push_back(std::move(l));
      states = chunks;
    }
  }

  /// The sum of the squares of all numbers in products of several blocks, without their last row and column.
  value sum_of_squares() const {
    const std::int64_t rows = in_lanes_ ? 0 : 2;
    const value all = concat(products_, axis_of_steps());
    const value own = slice(slice(all, rows, 0, size_ - 1), rows + 1, 0, size_ - 1);
    return reduce("ReduceSumSquare", own, iota_axes(4));
  }
  /// The states [count + 1, batch, N] before each block and after the last one, given the state [batch, N] before the
  /// first.
  value states(const value& first) const {
    const std::int64_t axis = axis_of_steps();
    std::vector<value> all{reshape(in_lanes_ ? transpose(first, {1, 0}) : first, columns(1, 1))};
    const std::int64_t last_states = levels_.empty() ? last_.extent(axis).extent() + 1 : last_.extent(axis).extent();
    const std::vector<value> blocks = cut(last_, 1, last_.extent(axis).extent());
    for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(last_states); ++i)
      all.push_back(times(blocks[i], all.back()));
    value states = concat(all, axis);
    for (auto l = levels_.rbegin(); l != levels_.rend(); ++l) {
      const std::int64_t chunks = states.extent(axis).extent();
      all = {states};
      for (std::size_t i = 0; i + 1 < l->blocks.size(); ++i) all.push_back(times(l->blocks[i], all.back()));
      states = slice(reshape(concat(all, axis + 1), columns(chunks * chunk, 1)), axis, 0, l->states);
    }
    const value in_order = in_lanes_ ? transpose(states, {2, 3, 0, 1}) : states;
    return reshape(in_order, {in_order.extent(0), batch_, size_});
  }

 private:
  static constexpr std::int64_t chunk = 8, most_last = 12, most_in_lanes = 4;
  struct level {
    std::int64_t states;
    std::vector<value> blocks;  ///< the first block of each chunk, then the second blocks, ...
  };

  /// The axis of the blocks. Small matrices are laid out as [N, N, steps, batch], and multiplied by Mul and ReduceSum:
  /// ONNX Runtime's MatMul computes the products of a batch one by one.
  std::int64_t axis_of_steps() const { return in_lanes_ ? 2 : 0; }
  value times(const value& block, const value& x) const {
    return in_lanes_ ? reduce("ReduceSum", mul(block, x), {1}) : matmul(block, x);
  }
  shape columns(std::int64_t steps, std::int64_t count) const {
    return in_lanes_ ? shape{size_, count, steps, batch_} : shape{steps, batch_, size_, count};
  }
  value padded_to(const value& blocks, std::int64_t steps) const {
    const std::int64_t axis = axis_of_steps(), missing = steps - blocks.extent(axis).extent();
    if (missing == 0) return blocks;
    shape before(4, dim(0)), after(4, dim(0));
    after[static_cast<std::size_t>(axis)] = missing;
    return pad(blocks, before, after, scalar(blocks.owner(), blocks.dtype(), 0));
  }
  /// For each index in chunks of `length` blocks, the blocks of all chunks at that index.
  std::vector<value> cut(const value& blocks, std::int64_t chunks, std::int64_t length) const {
    if (in_lanes_) return equal_parts(reshape(blocks, {size_, size_, 1, chunks, length * batch_}), 4, batch_);
    return equal_parts(reshape(blocks, {chunks, length * batch_, size_, size_}), 1, batch_);
  }

  std::int64_t size_, batch_;
  bool in_lanes_;
  value last_;
  std::vector<level> levels_;
  std::vector<value> products_;
};

/// A Scan whose states change by matrices that vary from step to step. A 1 is appended to the vector of all states, so
/// that the last column of a step's matrix has the terms that the step adds.
class varying_affine_scan {
 public:
  varying_affine_scan(const recurrence& r, affine_body& body)
      : recurrence_(r), body_(body), batch_(r, body), whole_(body.steps()) {
    for (std::size_t i = 0; i < r.state_count(); ++i) offsets_.push_back(offsets_.back() + extent_of(r.state(i)));
    for (std::size_t i = 0; i < r.state_count(); ++i) {
      whole_.promise(r.state(i));
      whole_.promise(r.next(i));
    }
    for (const node_id n : r.owner().at(r.body()).nodes)
      if (const value v = first_result(r.owner(), n); v && !whole_.has(v)) whole_.add_node(r.owner().at(n), r.owner());
  }

  /// Returns whether the matrices are small, and all stacked values follow from the states of all steps.
  bool fits() const {
    constexpr std::int64_t most_size = 12, most_batch = 32, most_numbers = 1 << 20;
    if (size() < 2 || size() > most_size || batch_count() > most_batch) return false;
    if (steps() * batch_count() * (size() + 1) * (size() + 1) > most_numbers) return false;
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i)
      if (const value v = recurrence_.collected(i); !whole_.has(v) && !body_.steps().is_outer(v)) return false;
    return true;
  }
  /// Makes the matrices of all steps and multiplies them.
  void begin() {
    std::vector<value> columns;
    for (std::int64_t k = 0; k <= size(); ++k) {
      const auto leaf = [&](const value& v) { return k < size() ? column_of_unit(v, k) : own_part(v); };
      affine_part part(recurrence_, body_, steps(), leaf);
      std::vector<value> all;
      for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
        all.push_back(
            reshape(part.all_of(recurrence_.next(i)), {steps(), batch_count(), extent_of(recurrence_.state(i)), 1}));
      columns.push_back(concat(all, 2));
    }
    const value matrices = concat(columns, 3);
    std::vector<double> ones(static_cast<std::size_t>(size()), 0);
    ones.push_back(1);
    const value row = array(matrices.owner(), matrices.dtype(), {1, 1, 1, size() + 1}, ones);
    const value rows = broadcast_to(row, {steps(), batch_count(), 1, size() + 1});
    blocks_ = in_order_of_steps(recurrence_, concat({matrices, rows}, 2));
    std::vector<value> first;
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      first.push_back(reshape(recurrence_.first(i), {batch_count(), extent_of(recurrence_.state(i))}));
    first.push_back(filled(matrices.owner(), matrices.dtype(), {batch_count(), 1}, 1));
    first_ = concat(first, 1);
    products_.emplace(blocks_);
  }
  /// A condition that is true if no product of matrices has numbers so large that sums would cancel.
  value is_stable() const {
    constexpr double most = 1e2;
    const value squares = products_->sum_of_squares();
    return less_equal(squares, scalar(squares.owner(), squares.dtype(), most * most));
  }
  value is_ordinary() const { return are_ordinary(blocks_, first_); }

  /// The results of the Scan.
  std::vector<value> results() {
    const value states = products_->states(first_);
    const value before = slice(states, 0, 0, steps()), after = slice(states, 0, 1, steps() + 1);
    const value end = slice(states, 0, steps(), steps() + 1);
    std::vector<value> out;
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i) {
      out.push_back(reshape(part(end, i), recurrence_.state(i).dims()));
      whole_.give(recurrence_.state(i), in_all_steps_of(before, i));
      whole_.give(recurrence_.next(i), in_all_steps_of(after, i));
    }
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i) {
      const value v = recurrence_.collected(i);
      out.push_back(unary("Identity", whole_.has(v) ? whole_.of(v) : outer_in_all_steps(v)));
    }
    return out;
  }

 private:
  std::int64_t steps() const { return recurrence_.sequence(0).extent(0).extent(); }
  std::int64_t batch_count() const { return number_of(batch_.dims()); }
  std::int64_t extent_of(const value& v) const { return number_of(v.dims()) / batch_count(); }
  std::int64_t size() const { return offsets_.back(); }
  shape whole_dims(const value& v) const {
    shape dims{steps()};
    dims.append(v.dims());
    return dims;
  }

  /// The state `v` if element `k` of the vector of all states is 1 and the other elements are 0; absent if all elements
  /// of this state are 0.
  value column_of_unit(const value& v, std::int64_t k) const {
    const auto i = body_.state_of(v);
    if (!i || k < offsets_[*i] || k >= offsets_[*i + 1]) return {};
    std::vector<double> numbers(static_cast<std::size_t>(extent_of(v)));
    numbers[static_cast<std::size_t>(k - offsets_[*i])] = 1;
    shape own{1};
    for (std::int64_t axis = 0; axis < v.rank(); ++axis) own.push_back(axis < batch_.count() ? dim(1) : v.extent(axis));
    return broadcast_to(reshape(array(v.owner(), v.dtype(), {extent_of(v)}, numbers), own), whole_dims(v));
  }
  /// The value of `v` in all steps, if no state determines it; else absent.
  value own_part(const value& v) const {
    if (!body_.is_free(v)) return {};
    return body_.steps().has(v) ? broadcast_to(body_.steps().of(v), whole_dims(v)) : outer_in_all_steps(v);
  }
  value outer_in_all_steps(const value& v) const { return broadcast_to(unsqueeze(v, {0}), whole_dims(v)); }
  /// State `i` of vectors of all states.
  value part(const value& states, std::size_t i) const { return slice(states, 2, offsets_[i], offsets_[i + 1]); }
  value in_all_steps_of(const value& states, std::size_t i) const {
    return in_order_of_steps(recurrence_, reshape(part(states, i), whole_dims(recurrence_.state(i))));
  }

  const recurrence& recurrence_;
  affine_body& body_;
  batch_axes batch_;
  whole_steps whole_;
  std::vector<std::int64_t> offsets_{0};  ///< the offset of each state in the vector, then the size of the vector
  value blocks_, first_;
  std::optional<products_of_blocks> products_;
};

inline outcome fuse_varying_affine_scan(const context& c, const value& root) {
  const auto r = scan_of_states(c, root, 1024);
  if (!r) return {};
  affine_body body(*r, affine_factors::of_steps);
  for (std::size_t i = 0; i < r->state_count(); ++i)
    if (!body.is_affine(r->next(i))) return {};
  for (std::size_t i = 0; i < r->result_count(); ++i)
    if (!is_static((i < r->state_count() ? r->next(i) : r->collected(i - r->state_count())).dims())) return {};
  varying_affine_scan products(*r, body);
  if (!products.fits()) return {};
  products.begin();
  return products_or_the_scan(c, root, *r, products);
}

inline constexpr rule varying_affine_scan_rules[] = {
    {"varying-affine-scan",
     "Scan(h = A h + x) -> MatMul of the matrices A of chunks of steps, then of the products and the states",
     "A and x differ from step to step; at most 12 rows, or as many for each of at most 32 elements of leading axes; "
     "16 to 65536 steps; when the model runs, it uses the Scan for products that grow and for operands that are not "
     "finite",
     ops<"Scan">, fuse_varying_affine_scan, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
