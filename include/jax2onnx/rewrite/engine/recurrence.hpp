// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/affine_form.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Scans as recurrences, and the operands of ONNX's recurrent operators.
namespace jax2onnx::rewrite {

/// The attribute that marks a Scan that was a Loop.
inline constexpr std::string_view counted_mark = "counted";
/// Marks the Scan that makes `v` as a former Loop, which had a number of steps but no sequences. A rule that makes
/// another Scan from a marked Scan must mark the new one as well; passes/counted_loops.hpp removes the mark.
inline void mark_counted(const value& v) {
  v.owner().at(v.record().producer).attributes.push_back({counted_mark, std::int64_t{1}});
}
/// Removes the mark of a node. Returns whether the node had the mark.
inline bool unmark_counted(node& n) {
  return n.op == "Scan" && std::erase_if(n.attributes, [](const attribute& a) { return a.name == counted_mark; }) > 0;
}

/// A Scan along axis 0 of its sequences: the states that it carries and the sequences that it reads.
class recurrence {
 public:
  /// The Scan that makes `v`; nullopt if it scans along an axis other than 0 or in two directions, or if the inputs or
  /// outputs of its body do not match its operands or results.
  static std::optional<recurrence> of(const value& v) {
    const auto list = [&](const char* name) { return attribute_of<ints>(v, name).value_or(ints{}); };
    for (const char* name : {"scan_input_axes", "scan_output_axes"})
      for (std::int64_t axis : list(name))
        if (axis != 0) return std::nullopt;
    const node& scan = *producer(v);
    const attribute* body = scan.find("body");
    const block_id* block = body ? std::get_if<block_id>(&body->value) : nullptr;
    const auto scanned = static_cast<std::uint64_t>(integer_of(v, "num_scan_inputs"));
    if (!block || scanned > scan.inputs.size() || v.owner().at(*block).inputs.size() != scan.inputs.size() ||
        v.owner().at(*block).outputs.size() != scan.outputs.size() ||
        scan.inputs.size() - scanned > scan.outputs.size())
      return std::nullopt;
    const std::size_t states = scan.inputs.size() - scanned;
    const auto directions = [&](const char* name, std::size_t count) {
      return attribute_of<ints>(v, name).value_or(ints(count, 0));  // forward is ONNX's default
    };
    ints all = directions("scan_input_directions", scanned);
    for (std::int64_t d : directions("scan_output_directions", scan.outputs.size() - states)) all.push_back(d);
    if (!item_loops::all_equal(all, all.empty() ? 0 : all[0])) return std::nullopt;
    return recurrence(v, *block, states, !all.empty() && all[0] == 1);
  }

  block_id body() const { return body_; }
  bool reverse() const { return reverse_; }
  /// True if the recurrence was a Loop.
  bool is_counted() const { return scan_->find(counted_mark) != nullptr; }
  std::size_t state_count() const { return state_count_; }
  /// State `i`: at the start of a step, at its end, and before the first step.
  /// @{
  value state(std::size_t i) const { return {*graph_, graph_->at(body_).inputs[i]}; }
  value next(std::size_t i) const { return result(i); }
  value first(std::size_t i) const { return {*graph_, scan_->inputs[i]}; }
  /// @}
  /// A sequence, and its element in the body.
  /// @{
  std::size_t sequence_count() const { return scan_->inputs.size() - state_count_; }
  value sequence(std::size_t i) const { return first(state_count_ + i); }
  value element(std::size_t i) const { return state(state_count_ + i); }
  /// @}
  /// The results of a step that are stacked.
  std::size_t collected_count() const { return result_count() - state_count_; }
  value collected(std::size_t i) const { return result(state_count_ + i); }
  graph& owner() const { return *graph_; }
  /// The sequence whose element in the body is `v`; absent for any other value.
  value sequence_of(const value& v) const {
    const std::vector<value_id>& inputs = graph_->at(body_).inputs;
    const auto at = std::find(inputs.begin(), inputs.end(), v.id()) - inputs.begin();
    const auto i = static_cast<std::size_t>(at);
    return i >= state_count_ && i < inputs.size() ? value(*graph_, scan_->inputs[i]) : value();
  }
  /// True if `v` is an input of the body or made by one of its nodes.
  bool is_inner(const value& v) const { return graph_->at(v.id()).home == body_; }
  /// True if the source of a term is an element of a sequence, or a whole sequence.
  bool reads_sequence(const affine_term& t) const { return t.source && (sequence_of(t.source) || !is_inner(t.source)); }
  /// An empty affine form, to which values of the body can be added.
  affine_form form() const {
    return affine_form(body_, [this](const value& v) { return sequence_of(v); });
  }
  /// True if the loop stacks nothing but `v`.
  bool collects_only(const value& v) const {
    for (std::size_t i = state_count_; i < result_count(); ++i)
      if (!same_value(result(i), v)) return false;
    return true;
  }
  /// The number of results of a step, including states.
  std::size_t result_count() const { return graph_->at(body_).outputs.size(); }

 private:
  recurrence(const value& v, block_id body, std::size_t state_count, bool reverse)
      : graph_(&v.owner()), scan_(producer(v)), body_(body), state_count_(state_count), reverse_(reverse) {}
  /// A result of a step, without the Identity that keeps two results from being the same value.
  value result(std::size_t i) const {
    value v(*graph_, graph_->at(body_).outputs[i]);
    while (producer(v, "Identity")) v = input_of(v, 0);
    return v;
  }

  graph* graph_;
  const node* scan_;
  block_id body_;
  std::size_t state_count_;
  bool reverse_;
};

/// The operands X, W, R, B and the initial states of an LSTM, GRU or RNN, collected gate by gate.
class recurrent_operands {
 public:
  /// `hidden` is the hidden state at the start of a step.
  recurrent_operands(const recurrence& r, const value& hidden) : recurrence_(r), hidden_(hidden) {}

  /// Adds a gate: the sum of `terms` and `recurrent`, negated if `negative`. Biases among `recurrent` are added to the
  /// product with R. If `reset` is present, it replaces the hidden state in this gate. Returns false if the source of a
  /// product among `terms` is neither the state nor a sequence with the rows of the state, or if the source of a
  /// product among `recurrent` is not the state.
  bool add_gate(const std::vector<affine_term>& terms, const std::vector<affine_term>& recurrent = {},
                bool negative = false, const value& reset = {}) {
    const value state = reset ? reset : hidden_;
    for (const affine_term& t : terms)
      if (t.source && !same_value(t.source, state) && !add_source(t)) return false;
    for (const affine_term& t : recurrent)
      if (t.source && !same_value(t.source, state)) return false;
    gates_.push_back({terms, recurrent, negative, state});
    return true;
  }
  bool has_sources() const { return !sources_.empty(); }

  std::int64_t hidden_size() const { return hidden_.extent(hidden_.rank() - 1).extent(); }
  bool has_batch() const { return hidden_.rank() >= 2; }
  /// The number of rows of the state: the product of its batch axes.
  dim batch() const { return hidden_.owner().dims().product(shape(hidden_.dims().begin(), hidden_.dims().end() - 1)); }

  /// The result y of the operator, of shape [..., 1, batch, hidden_size], reshaped to the extents `steps` and then the
  /// extents of the state.
  value with_batch(const value& y, const shape& steps) const {
    const auto direction = static_cast<std::int64_t>(steps.size());
    if (hidden_.rank() <= 2) return squeeze(y, has_batch() ? ints{direction} : ints{direction, direction + 1});
    shape dims = steps;
    for (const dim d : hidden_.dims()) dims.push_back(d);
    return reshape(y, dims);
  }

  /// The operator's operand X, of shape [length, batch, inputs].
  value x() const {
    std::vector<value> sequences;
    for (const affine_term& s : sources_) sequences.push_back(sequence_of(s));
    const value all = concat(sequences, sequences[0].rank() - 1);
    if (!has_batch()) return unsqueeze(all, {1});
    return hidden_.rank() == 2 ? all : reshape(all, {all.extent(0), batch(), all.extent(all.rank() - 1)});
  }
  /// The operator's operand W, of shape [1, gates * hidden_size, inputs].
  value w() const {
    return stacked([&](const gate& g) {
      std::vector<value> parts;
      for (const affine_term& s : sources_)
        parts.push_back(matrix_of(
            g, [&](const affine_term& t) { return same_source(s, t); }, s.source));
      return concat(parts, 0);
    });
  }
  /// The operator's operand R, of shape [1, gates * hidden_size, hidden_size].
  value r() const {
    return stacked([&](const gate& g) {
      return matrix_of(
          g, [&](const affine_term& t) { return same_value(t.source, g.state); }, hidden_);
    });
  }
  /// The operator's operand B, of shape [1, 2 * gates * hidden_size]; absent if no gate has a bias.
  value b() const {
    std::vector<value> parts;
    bool any = false;
    for (const auto side : {&gate::terms, &gate::recurrent})
      for (const gate& g : gates_) {
        value sum;
        for (const affine_term& t : g.*side)
          if (!t.source) sum = sum ? add(sum, bias_of(t)) : bias_of(t);
        any = any || sum;
        parts.push_back(sum ? signed_as(g, sum) : zeros({hidden_size()}));
      }
    return any ? unsqueeze(concat(parts, 0), {0}) : value();
  }
  /// The first value of a state, of shape [1, batch, hidden_size]; absent for zeros, which are the operator's default.
  value initial(std::size_t state) const {
    const value v = recurrence_.first(state);
    if (uniform_number(v) == 0.0 || splat_number(v) == 0.0) return {};
    if (!has_batch()) return unsqueeze(v, {0, 1});
    return v.rank() == 2 ? unsqueeze(v, {0}) : reshape(v, {1, batch(), hidden_size()});
  }

 private:
  struct gate {
    std::vector<affine_term> terms, recurrent;
    bool negative = false;
    value state;
  };

  static bool same_source(const affine_term& a, const affine_term& b) {
    return same_value(a.source, b.source) && std::ranges::equal(a.moves, b.moves, {}, &value::id, &value::id);
  }
  bool add_source(const affine_term& t) {
    if (!recurrence_.reads_sequence(t) || !has_rows(t)) return false;
    if (item_loops::none_of(sources_, [&](const affine_term& s) { return same_source(s, t); })) sources_.push_back(t);
    return true;
  }
  /// True if the elements of a term's sequence have the same rows as the state.
  bool has_rows(const affine_term& t) const {
    shape dims = t.moves.empty() ? t.source.dims() : t.moves.front().dims();
    if (!recurrence_.sequence_of(t.source)) dims.drop(0);
    const shape& rows = hidden_.dims();
    return dims.size() == rows.size() && std::equal(dims.begin(), dims.end() - 1, rows.begin());
  }
  value sequence_of(const affine_term& t) const {
    if (const value s = recurrence_.sequence_of(t.source)) return s;
    value v = t.source;
    std::for_each(t.moves.rbegin(), t.moves.rend(), [&](const value& move) { v = transpose(v, *transpose_of(move)); });
    return v;
  }
  value zeros(const shape& dims) const { return filled(hidden_.owner(), hidden_.dtype(), dims, 0); }
  static value signed_as(const gate& g, const value& v) { return g.negative ? neg(v) : v; }

  /// Joins a matrix [..., hidden_size] of each gate to [1, gates * hidden_size, ...].
  template <class Matrix>
  value stacked(const Matrix& matrix) const {
    std::vector<value> columns;
    for (const gate& g : gates_) columns.push_back(transpose(signed_as(g, matrix(g)), {1, 0}));
    return unsqueeze(concat(columns, 0), {0});
  }
  /// The matrix [extent of source, hidden_size] that a gate multiplies the chosen sources by.
  template <class Choose>
  value matrix_of(const gate& g, const Choose& chosen, const value& source) const {
    value sum;
    for (const auto side : {&gate::terms, &gate::recurrent})
      for (const affine_term& t : g.*side)
        if (t.source && chosen(t)) sum = sum ? add(sum, block_of(t)) : block_of(t);
    return sum ? sum : zeros({source.extent(source.rank() - 1), hidden_size()});
  }
  static value block_of(const affine_term& t) {
    const value m = t.transposed ? transpose(t.matrix, {1, 0}) : t.matrix;
    return slice(slice(m, 1, t.taken.first, t.taken.first + t.taken.count), 0, t.first_row, t.first_row + t.row_count);
  }
  value bias_of(const affine_term& t) const {
    const shape columns = without_ones(t.matrix.dims());
    const dim count = columns.empty() ? dim(1) : columns[0];
    const value flat = reshape(t.matrix, {count});
    if (count.is(1)) return broadcast_to(flat, {hidden_size()});
    return slice(flat, 0, t.taken.first, t.taken.first + t.taken.count);
  }

  const recurrence& recurrence_;
  value hidden_;
  std::vector<affine_term> sources_;  // one for each sequence, in the order in which gates use them
  std::vector<gate> gates_;
};

}  // namespace jax2onnx::rewrite
