// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/views/slice.hpp>
#include <jax2onnx/ops/control.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/chunks_of_steps.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/engine/whole_steps.hpp>
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Scans whose states are delay lines: each step drops the oldest element and adds one, as in echoes and plucked
/// strings. If steps read only elements that were added at least n steps before, a step does not depend on the n - 1
/// steps before it, so n steps are computed at once (docs/decisions/0101-delay-lines-by-blocks.md).
namespace jax2onnx::rewrite::detail {

/// A state that each step shifts by one along an axis: `kept` is the state without its oldest element, and `added` the
/// new element, of extent 1.
struct delay_line {
  std::int64_t axis, length;
  bool newest_first;  ///< true if the newest element comes first, false if the oldest does
  value kept, added;
};

/// A value of the body that is one element of a line. The element was added `age` steps before.
struct delayed_read {
  value result;
  std::size_t line;
  std::int64_t age;
};

/// A Scan whose states are all delay lines.
class delayed_steps {
 public:
  explicit delayed_steps(const recurrence& r) : recurrence_(r), graph_(r.owner()) {}

  /// Finds the lines and the values that read them. Returns false if a state is not a line or has other uses, or if a
  /// result cannot be computed for many steps at once.
  bool find() {
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i) {
      const auto line = line_of(i);
      if (!line) return false;
      lines_.push_back(*line);
      lag_ = std::min(lag_, line->length);
    }
    whole_steps steps(recurrence_);
    for (const node_id n : graph_.at(recurrence_.body()).nodes)
      if (!add_node(n, steps)) return false;
    const auto is_known = [&](const value& v) { return steps.has(v); };
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i)
      if (!is_known(recurrence_.collected(i))) return false;
    return item_loops::all_of(lines_, [&](const delay_line& line) { return is_known(line.added); });
  }
  /// The number of consecutive steps that do not depend on each other.
  std::int64_t lag() const { return lag_; }
  std::int64_t length_of_longest() const { return std::ranges::max(lines_, {}, &delay_line::length).length; }

  /// The results of the Scan, computed in blocks of `lag` steps; the last block may be shorter.
  outcome results() const {
    std::vector<value> windows, sequences;
    for (std::size_t i = 0; i < lines_.size(); ++i) windows.push_back(in_order_of_age(i, recurrence_.first(i)));
    for (std::size_t i = 0; i < recurrence_.sequence_count(); ++i)
      sequences.push_back(in_order_of_steps(recurrence_, recurrence_.sequence(i)));
    const std::int64_t block = std::min(lag_, steps()), whole = steps() / block * block;
    std::vector<std::vector<value>> parts(recurrence_.collected_count());
    if (is_unrolled(whole / block)) {
      for (std::int64_t at = 0; at < whole; at += block) add_block(windows, rows(sequences, at, at + block), parts);
    } else {
      add_blocks(windows, rows(sequences, 0, whole), block, parts);
    }
    if (whole < steps()) add_block(windows, rows(sequences, whole, steps()), parts);
    outcome out;
    for (std::size_t i = 0; i < lines_.size(); ++i) out.all.push_back(unary("Identity", as_state(i, windows[i])));
    for (const std::vector<value>& all : parts)
      out.all.push_back(unary("Identity", in_order_of_steps(recurrence_, concat(all, 0))));
    return out;
  }

 private:
  std::int64_t steps() const { return recurrence_.sequence(0).extent(0).extent(); }
  bool is_unrolled(std::int64_t blocks) const {
    constexpr std::int64_t most_nodes = 128;
    return blocks * std::ssize(graph_.at(recurrence_.body()).nodes) <= most_nodes;
  }

  /// Matches Concat(added, state without its oldest element), or the same with its operands exchanged.
  std::optional<delay_line> line_of(std::size_t i) const {
    const value next = recurrence_.next(i), state = recurrence_.state(i);
    if (!producer(next, "Concat") || inputs_of(next).size() != 2 || next.dims() != state.dims()) return std::nullopt;
    const std::int64_t axis = axis_of(next);
    if (!state.extent(axis).is_constant()) return std::nullopt;
    const std::int64_t length = state.extent(axis).extent();
    for (const bool newest_first : {true, false}) {
      const value kept = input_of(next, newest_first ? 1 : 0), added = input_of(next, newest_first ? 0 : 1);
      const auto taken = single_slice_of(kept);
      if (!taken || !same_value(input_of(kept, 0), state) || taken->axis != axis || taken->step != 1) continue;
      if (taken->first == (newest_first ? 0 : 1) && taken->count.is(length - 1) && added.extent(axis).is(1))
        return delay_line{axis, length, newest_first, kept, added};
    }
    return std::nullopt;
  }
  /// Records a node that reads one element of a line, or whose operands are known for all steps of a block; false if
  /// the node uses a line in another way.
  bool add_node(node_id n, whole_steps& steps) {
    const value v = first_result(graph_, n);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const auto is_line = [&](value_id id) { return id == recurrence_.state(i).id(); };
      if (item_loops::none_of(graph_.at(n).inputs, is_line)) continue;
      if (v && same_value(v, lines_[i].kept)) return true;
      const auto index = v ? index_in(v, i) : std::nullopt;
      if (!index) return false;
      reads_.push_back({v, i, lines_[i].newest_first ? *index + 1 : lines_[i].length - *index});
      lag_ = std::min(lag_, reads_.back().age);
      steps.promise(v);
      return true;
    }
    steps.add_node(graph_.at(n), graph_);
    return true;
  }
  /// If `v` is one element of line `i`, its index; else nullopt.
  std::optional<std::int64_t> index_in(const value& v, std::size_t i) const {
    const delay_line& line = lines_[i];
    if (!same_value(input_of(v, 0), recurrence_.state(i))) return std::nullopt;
    if (const auto taken = single_slice_of(v))
      return taken->axis == line.axis && taken->count.is(1) ? std::optional(taken->first) : std::nullopt;
    if (!producer(v, "Gather") || axis_of(v) != line.axis || input_of(v, 1).rank() != 0) return std::nullopt;
    const auto index = constant_integers(input_of(v, 1));
    if (!index || index->size() != 1) return std::nullopt;
    const std::int64_t from_first = from_front(index->front(), line.length);
    return from_first >= 0 && from_first < line.length ? std::optional(from_first) : std::nullopt;
  }

  /// A line as [length, ...], with the oldest element first.
  value in_order_of_age(std::size_t i, const value& state) const {
    const delay_line& line = lines_[i];
    ints perm = iota_axes(state.rank());
    perm.erase(perm.begin() + line.axis);
    perm.insert(perm.begin(), line.axis);
    return flipped(transpose(state, perm), line);
  }
  value as_state(std::size_t i, const value& window) const {
    ints perm = iota_axes(window.rank());
    perm.erase(perm.begin());
    perm.insert(perm.begin() + lines_[i].axis, 0);
    return transpose(flipped(window, lines_[i]), perm);
  }
  static value flipped(const value& v, const delay_line& line) { return line.newest_first ? reverse(v, {0}) : v; }
  static std::vector<value> rows(const std::vector<value>& sequences, std::int64_t first, std::int64_t last) {
    std::vector<value> taken;
    for (const value& v : sequences) taken.push_back(slice(v, 0, first, last));
    return taken;
  }

  /// Computes the steps that read these elements of the sequences. Shifts the lines in `windows`, and returns the
  /// values that these steps stack.
  std::vector<value> block(std::vector<value>& windows, const std::vector<value>& elements) const {
    const std::int64_t count = elements[0].extent(0).extent();
    whole_steps own(recurrence_);
    for (std::size_t i = 0; i < elements.size(); ++i) own.give(recurrence_.element(i), elements[i]);
    for (const delayed_read& read : reads_) {
      const delay_line& line = lines_[read.line];
      const std::int64_t first = line.length - read.age;
      const value taken = slice(windows[read.line], 0, first, first + count);
      own.give(read.result, producer(read.result, "Slice") ? unsqueeze(taken, {line.axis + 1}) : taken);
    }
    for (const node_id n : graph_.at(recurrence_.body()).nodes)
      if (const value v = first_result(graph_, n); v && !own.has(v)) own.add_node(graph_.at(n), graph_);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const value added = squeeze(own.of(lines_[i].added), {lines_[i].axis + 1});
      windows[i] = concat({slice(windows[i], 0, count, lines_[i].length), added}, 0);
    }
    std::vector<value> stacked;
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i) stacked.push_back(own.of(recurrence_.collected(i)));
    return stacked;
  }
  void add_block(std::vector<value>& windows, const std::vector<value>& elements,
                 std::vector<std::vector<value>>& parts) const {
    const std::vector<value> stacked = block(windows, elements);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].push_back(stacked[i]);
  }
  /// Computes many blocks by a Scan over the blocks.
  void add_blocks(std::vector<value>& windows, std::vector<value> elements, std::int64_t size,
                  std::vector<std::vector<value>>& parts) const {
    for (value& v : elements) v = reshape(v, with_blocks(v, size));
    const auto step = [this](const std::vector<value>& lines, const std::vector<value>& of_block) {
      std::vector<value> carried = lines;
      std::vector<value> stacked = block(carried, of_block);
      return loop_step{{}, std::move(carried), std::move(stacked)};
    };
    const loop_result all = scan(graph_, windows, elements, step, {.carried_names = {"line"}});
    windows = all.carried;
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].push_back(without_blocks(all.collected[i]));
  }
  static shape with_blocks(const value& v, std::int64_t size) {
    shape dims{v.extent(0).extent() / size, size};
    dims.insert(dims.end(), v.dims().begin() + 1, v.dims().end());
    return dims;
  }
  static value without_blocks(const value& v) {
    shape dims{v.extent(0).extent() * v.extent(1).extent()};
    dims.insert(dims.end(), v.dims().begin() + 2, v.dims().end());
    return reshape(v, dims);
  }

  const recurrence& recurrence_;
  graph& graph_;
  std::vector<delay_line> lines_;
  std::vector<delayed_read> reads_;
  std::int64_t lag_ = std::numeric_limits<std::int64_t>::max();
};

inline outcome delay_by_blocks(const context& c, const value& root) {
  constexpr std::int64_t least_lag = 4, most_blocks = 64, most_length_of_matrix = 64;
  const auto r = divisible_scan(c, root);
  if (!r || r->state_count() == 0 || !r->sequence(0).extent(0).is_constant()) return {};
  delayed_steps delayed(*r);
  if (!delayed.find() || delayed.lag() < least_lag) return {};
  const std::int64_t blocks = r->sequence(0).extent(0).extent() / delayed.lag();
  // affine-scan computes short lines as a product with one matrix
  if (blocks > most_blocks && delayed.length_of_longest() <= most_length_of_matrix) return {};
  return delayed.results();
}

inline constexpr rule delay_line_rules[] = {
    {"delay-line", "Scan(h' = Concat(f(h[n], x), h[:-1])) -> f of n steps at once",
     "all states shift by one element in each step, and steps read single elements; "
     "f is elementwise, or a product with a matrix; n is at least 4; a known number of steps",
     ops<"Scan">, delay_by_blocks, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
