// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_set>
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
#include <jax2onnx/rewrite/rules/scans/scans.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Scans of h = a h + b u, element by element, with the same a in all steps, real or complex, as in diagonal state
/// spaces. They become products of chunks of steps with matrices made of the powers of a. These products give the
/// values that steps read from the states, such as sums, without the states of each step
/// (docs/decisions/0097-state-spaces-by-their-responses.md). Source: Gu et al., On the Parameterization and
/// Initialization of Diagonal State Space Models, 2022.
namespace jax2onnx::rewrite::detail {

/// Real or complex numbers as an array: `axis` has extent 1, or 2 for the real and imaginary parts.
struct packed_numbers {
  value v;
  std::int64_t axis = 0;
  bool is_complex() const { return !v.extent(axis).is(1); }
  value part(std::int64_t i) const { return is_complex() ? slice(v, axis, i, i + 1) : v; }
};
/// Packed numbers as factors of other packed numbers: their real parts, and their imaginary parts times -1 and 1. `im`
/// is absent for real numbers.
struct packed_factor {
  value re, im;

  explicit packed_factor(const packed_numbers& x) : re(x.part(0)) {
    if (!x.is_complex()) return;
    ints signs(static_cast<std::size_t>(x.v.rank()), 1);
    signs[static_cast<std::size_t>(x.axis)] = 2;
    im = mul(x.part(1), array(x.v.owner(), x.v.dtype(), signs, std::vector<double>{-1, 1}));
  }
  packed_numbers times(const packed_numbers& x) const {
    const value own = mul(x.v, re);
    if (!im) return {own, x.axis};
    const value exchanged = gather(x.v, int64s(x.v.owner(), {1, 0}), x.axis);
    return {add(own, mul(exchanged, im)), x.axis};
  }
};
inline packed_numbers conjugate_of(const packed_numbers& x) {
  if (!x.is_complex()) return x;
  ints signs(static_cast<std::size_t>(x.v.rank()), 1);
  signs[static_cast<std::size_t>(x.axis)] = 2;
  return {mul(x.v, array(x.v.owner(), x.v.dtype(), signs, std::vector<double>{1, -1})), x.axis};
}

/// Transpose(v, perm) by a Transpose of as few axes as possible, since runtimes copy fewer axes faster. Axes of extent
/// 1 are left out, and axes that stay side by side are joined.
inline value transposed_by_blocks(const value& v, const ints& perm) {
  shape out;
  std::vector<ints> blocks;
  for (const std::int64_t axis : perm) {
    out.push_back(v.extent(axis));
    if (v.extent(axis).is(1)) continue;
    const auto follows = [&](std::int64_t last) {
      for (std::int64_t between = last + 1; between < axis; ++between)
        if (!v.extent(between).is(1)) return false;
      return last < axis;
    };
    if (!blocks.empty() && follows(blocks.back().back())) blocks.back().push_back(axis);
    else blocks.push_back({axis});
  }
  std::vector<ints> sorted = blocks;
  std::ranges::sort(sorted, {}, [](const ints& block) { return block.front(); });
  shape joined;
  for (const ints& block : sorted) {
    joined.push_back(1);
    for (const std::int64_t axis : block) joined.back() = joined.back().extent() * v.extent(axis).extent();
  }
  ints order;
  for (const ints& block : blocks) order.push_back(std::ranges::find(sorted, block) - sorted.begin());
  return reshape(transpose(reshape(v, joined), order), out);
}

/// A product of a state or an input with values that are the same in all steps.
struct space_term {
  struct factor {
    value v;
    bool divides = false;
    friend bool operator==(const factor& a, const factor& b) { return a.v.id() == b.v.id() && a.divides == b.divides; }
  };
  bool negative = false;
  std::vector<factor> factors = {};
  value input = {};    ///< the value that is multiplied; absent if it is the state
  bool whole = false;  ///< true if `input` has all steps, as a sequence does
};
using space_terms = std::vector<space_term>;

/// A value of a step that is linear in the states, or the sum of such a value over some axes.
struct space_read {
  value result;
  std::vector<space_terms> of_states;
  bool after = false;  ///< true if the read sees the states after the step, else before it
  ints axes = {};
};

/// Matches a Scan that is a diagonal state space, with one real state, or with the two parts of a complex state.
class space_form {
 public:
  explicit space_form(const recurrence& r) : recurrence_(r), steps_(r) {
    for (const node_id n : r.owner().at(r.body()).nodes) steps_.add_node(r.owner().at(n), r.owner());
  }

  /// Finds the parts; false if the Scan is not a diagonal state space.
  bool find() {
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i) {
      space_terms all;
      if (!add_terms(recurrence_.next(i), {}, all)) return false;
      states_.push_back(terms_of_states(all));
      inputs_.emplace_back();
      for (const space_term& t : all)
        if (t.input && !is_state(t.input)) inputs_.back().push_back(t);
      if (item_loops::all_of(states_.back(), [](const space_terms& t) { return t.empty(); })) return false;
    }
    return is_complex() && find_reads();
  }

  /// The factor a: its only part, or its real and imaginary parts. These parts are the factors of the first state in
  /// each next state.
  std::vector<space_terms> factors() const {
    std::vector<space_terms> parts;
    for (const std::vector<space_terms>& of : states_) parts.push_back(of.front());
    return parts;
  }
  const std::vector<space_terms>& inputs() const { return inputs_; }
  std::vector<space_read>& reads() { return reads_; }
  const std::vector<space_read>& reads() const { return reads_; }
  whole_steps& steps() { return steps_; }
  const whole_steps& steps() const { return steps_; }

 private:
  static constexpr std::size_t most_terms = 8;

  bool is_state(const value& v) const { return state_of(v).has_value(); }
  std::optional<std::size_t> state_of(const value& v) const {
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      if (same_value(recurrence_.state(i), v)) return i;
    return std::nullopt;
  }
  const shape& dims() const { return state_dims_; }

  /// The terms of each state.
  std::vector<space_terms> terms_of_states(const space_terms& all) const {
    std::vector<space_terms> found(recurrence_.state_count());
    for (const space_term& t : all)
      if (const auto i = state_of(t.input)) found[*i].push_back({t.negative, t.factors});
    return found;
  }
  /// Returns whether `v` is the same in all steps, and fits the state.
  bool is_factor(const value& v) const {
    return steps_.is_outer(v) && v.rank() <= std::ssize(dims()) && is_static(v.dims());
  }
  /// Adds the terms whose sum is `v`, each times `scale`; false if `v` is not a sum of space_terms.
  bool add_terms(const value& v, const space_term& scale, space_terms& out) const {
    if (out.size() > most_terms) return false;
    if (is_state(v)) return add_input(v, false, scale, out);
    if (steps_.is_outer(v)) return is_factor(v) && add_input(v, false, scale, out);
    if (producer(v, "Neg")) return add_terms(input_of(v, 0), negated(scale), out);
    if (producer(v, "Mul") || producer(v, "Div")) {
      const std::size_t by = producer(v, "Div") || is_factor(input_of(v, 1)) ? 1 : 0;
      if (is_factor(input_of(v, by)))
        return add_terms(input_of(v, 1 - by), scaled(scale, input_of(v, by), producer(v, "Div") != nullptr), out);
    } else if (!steps_.has(v) && (producer(v, "Add") || producer(v, "Sub"))) {
      if (v.dims() != dims()) return false;
      const space_term second = producer(v, "Sub") ? negated(scale) : scale;
      return add_terms(input_of(v, 0), scale, out) && add_terms(input_of(v, 1), second, out);
    }
    if (!steps_.has(v)) return false;
    const value sequence = recurrence_.sequence_of(v);
    return sequence ? add_sequence(sequence, scale, out) : add_input(v, false, scale, out);
  }
  /// Adds the term of a whole sequence. If the sequence is a product with a factor that is the same in all steps, this
  /// factor becomes a factor of the term.
  bool add_sequence(const value& v, const space_term& scale, space_terms& out) const {
    if (producer(v, "Mul"))
      for (const std::size_t by : {std::size_t{1}, std::size_t{0}}) {
        const value factor = input_of(v, by), rest = input_of(v, 1 - by);
        // True if all steps have the same factor.
        const bool is_shared = factor.rank() < v.rank() || factor.extent(0).is(1);
        if (is_shared && factor.rank() <= std::ssize(dims()) && is_static(factor.dims()) && rest.rank() == v.rank() &&
            rest.extent(0) == v.extent(0))
          return add_sequence(rest, scaled(scale, factor, false), out);
      }
    return add_input(v, true, scale, out);
  }
  static bool add_input(const value& v, bool whole, space_term scale, space_terms& out) {
    scale.input = v;
    scale.whole = whole;
    out.push_back(std::move(scale));
    return true;
  }
  static space_term negated(space_term t) {
    t.negative = !t.negative;
    return t;
  }
  static space_term scaled(space_term t, const value& by, bool divides) {
    t.factors.push_back({by, divides});
    return t;
  }

  /// Returns whether there is one state, or the two parts of a complex one: re' = a re - b im, im' = b re + a im.
  bool is_complex() const {
    if (states_.size() == 1) return true;
    if (states_.size() != 2) return false;
    for (const auto& of : states_)
      for (const space_terms& t : of)
        if (t.size() != 1) return false;
    return is_same(states_[0][0][0], states_[1][1][0], false) && is_same(states_[0][1][0], states_[1][0][0], true);
  }
  static bool is_same(const space_term& a, const space_term& b, bool negated) {
    return a.negative == (b.negative != negated) && std::ranges::is_permutation(a.factors, b.factors);
  }

  /// Finds the reads; false if a stacked result needs the steps one by one, or if nothing reads the states.
  bool find_reads() {
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i) need(recurrence_.collected(i));
    graph& g = recurrence_.owner();
    for (const node_id n : g.at(recurrence_.body()).nodes) steps_.add_node(g.at(n), g);
    for (std::size_t i = 0; i < recurrence_.collected_count(); ++i)
      if (!steps_.has(recurrence_.collected(i))) return false;
    return !reads_.empty();
  }
  void need(const value& v) {
    if (!v || steps_.has(v) || steps_.is_outer(v) || !seen_.insert(v.id()).second) return;
    if (auto read = read_of(v)) {
      steps_.promise(v);
      reads_.push_back(std::move(*read));
    } else if (producer(v)) {
      for (const value& operand : inputs_of(v)) need(operand);
    }
  }
  std::optional<space_read> read_of(const value& v) const {
    if (producer(v, "ReduceSum")) {
      const auto sum = reduction_of(v);
      auto read = sum ? read_of(input_of(v, 0)) : std::nullopt;
      if (!read || !read->axes.empty()) return std::nullopt;
      read->result = v;
      read->axes = sum->axes;
      return read;
    }
    if (producer(v, "MatMul")) return read_of_product(v);
    if (v.dims() != dims()) return std::nullopt;
    for (const bool after : {true, false}) {
      space_read found{v, std::vector<space_terms>(recurrence_.state_count()), after};
      if (add_read(v, {}, found)) return found;
    }
    return std::nullopt;
  }
  /// The read `v` if it is a product along the last axis, with one vector, or with a vector for each element of the
  /// other axes.
  std::optional<space_read> read_of_product(const value& v) const {
    const std::size_t by = steps_.is_outer(input_of(v, 0)) ? 0 : 1;
    const value vector = input_of(v, by), linear = input_of(v, 1 - by);
    const std::int64_t last = std::ssize(dims()) - 1;
    if (!steps_.is_outer(vector) || last < 0 || !is_static(vector.dims()) || !is_static(linear.dims()))
      return std::nullopt;
    const dim length = dims()[static_cast<std::size_t>(last)];
    const value x = linear.dims() != dims() && is_reshape(linear) ? input_of(linear, 0) : linear;
    if (x.dims() != dims()) return std::nullopt;
    const bool is_one = vector.rank() == 1 && linear.dims() == dims() && by == 1;
    const auto is_row = [&](const value& m) { return m.rank() >= 2 && m.extent(m.rank() - 1) == length; };
    const auto is_column = [&](const value& m) {
      return m.rank() >= 2 && m.extent(m.rank() - 2) == length && m.extent(m.rank() - 1).is(1);
    };
    const bool are_many = number_of(vector.dims()) == number_of(dims()) && vector.rank() == linear.rank() &&
                          is_row(input_of(v, 0)) && input_of(v, 0).extent(v.rank() - 2).is(1) &&
                          is_column(input_of(v, 1));
    if (!is_one && !are_many) return std::nullopt;
    auto read = read_of(x);
    if (!read || !read->axes.empty()) return std::nullopt;
    const value factor = is_one ? vector : reshape(vector, dims());
    for (space_terms& terms : read->of_states)
      for (space_term& t : terms) t.factors.push_back({factor});
    read->result = v;
    read->axes = {last};
    return read;
  }
  /// Adds `v` times `scale` to a read; false if `v` is not linear in the states, which are read after the step if
  /// `out.after` is true, else before it.
  bool add_read(const value& v, const space_term& scale, space_read& out) const {
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i) {
      if (out.of_states[i].size() > most_terms) return false;
      if (same_value(v, out.after ? recurrence_.next(i) : recurrence_.state(i))) {
        out.of_states[i].push_back(scale);
        return true;
      }
    }
    if (!producer(v) || steps_.has(v) || steps_.is_outer(v)) return false;
    if (producer(v, "Neg")) return add_read(input_of(v, 0), negated(scale), out);
    if (producer(v, "Add") || producer(v, "Sub")) {
      if (input_of(v, 0).dims() != v.dims() || input_of(v, 1).dims() != v.dims()) return false;
      return add_read(input_of(v, 0), scale, out) &&
             add_read(input_of(v, 1), producer(v, "Sub") ? negated(scale) : scale, out);
    }
    if (!producer(v, "Mul") && !producer(v, "Div")) return false;
    const std::size_t by = producer(v, "Div") || is_factor(input_of(v, 1)) ? 1 : 0;
    return is_factor(input_of(v, by)) && input_of(v, 1 - by).dims() == v.dims() &&
           add_read(input_of(v, 1 - by), scaled(scale, input_of(v, by), producer(v, "Div") != nullptr), out);
  }

  const recurrence& recurrence_;
  shape state_dims_ = recurrence_.state(0).dims();
  whole_steps steps_;
  std::vector<std::vector<space_terms>> states_;  ///< for each next state, the terms of each state
  std::vector<space_terms> inputs_;               ///< for each next state, the terms of its inputs
  std::vector<space_read> reads_;
  std::unordered_set<value_id> seen_;
};

/// The axes of a state are of three kinds: rows, along which only inputs change; axes that all reads sum over; and
/// groups, which are all other axes.
struct space_axes {
  ints kept, rows, summed;  ///< `kept` are the rows and the groups
  std::int64_t group_count = 1, row_count = 1, sum_count = 1;

  space_axes(const recurrence& r, const space_form& form) {
    const shape& dims = r.state(0).dims();
    for (std::int64_t axis = 0; axis < std::ssize(dims); ++axis) {
      const std::int64_t extent = dims[static_cast<std::size_t>(axis)].extent();
      const bool sums = is_summed(form, dims, axis), is_of_rows = !sums && is_row(form, dims, axis);
      (sums ? summed : kept).push_back(axis);
      (sums ? sum_count : is_of_rows ? row_count : group_count) *= extent;
      if (is_of_rows) rows.push_back(axis);
    }
    if (item_loops::all_of(form.reads(), [&](const space_read& read) { return read.axes == summed; })) return;
    kept.insert(kept.end(), summed.begin(), summed.end());
    std::ranges::sort(kept);
    group_count *= sum_count;
    sum_count = 1;
    summed.clear();
  }
  /// The axes that are kept, followed by the axes that are summed.
  ints order() const {
    ints all = kept;
    all.insert(all.end(), summed.begin(), summed.end());
    return all;
  }

 private:
  static bool is_one(const value& v, const shape& dims, std::int64_t axis, bool has_steps) {
    const std::int64_t own = axis - (std::ssize(dims) - (v.rank() - (has_steps ? 1 : 0)));
    return own < 0 || v.extent(own + (has_steps ? 1 : 0)).is(1);
  }
  static bool has_factors_of_one(const space_terms& terms, const shape& dims, std::int64_t axis) {
    return item_loops::all_of(terms, [&](const space_term& t) {
      return item_loops::all_of(t.factors, [&](const auto& f) { return is_one(f.v, dims, axis, false); });
    });
  }
  static bool is_summed(const space_form& form, const shape& dims, std::int64_t axis) {
    const auto sums = [&](const space_read& r) { return std::ranges::find(r.axes, axis) != r.axes.end(); };
    if (!item_loops::all_of(form.reads(), sums)) return false;
    return item_loops::all_of(form.inputs(), [&](const space_terms& terms) {
      return item_loops::all_of(terms, [&](const space_term& t) { return is_one(t.input, dims, axis, t.whole); });
    });
  }
  static bool is_row(const space_form& form, const shape& dims, std::int64_t axis) {
    const auto one = [&](const space_terms& t) { return has_factors_of_one(t, dims, axis); };
    return item_loops::all_of(form.factors(), one) && item_loops::all_of(form.inputs(), one) &&
           item_loops::all_of(form.reads(), [&](const space_read& r) { return item_loops::all_of(r.of_states, one); });
  }
};

/// Computes all reads of a Scan that space_form describes by products over chunks of steps. The response of a
/// read to an input is a matrix [steps, steps] for each group and chunk. The states are computed only between chunks.
class space_by_chunks {
 public:
  space_by_chunks(const recurrence& r, space_form& form, const space_axes& axes, std::int64_t chunk)
      : recurrence_(r), form_(form), axes_(axes), g_(r.owner()), chunk_(chunk) {
    for (std::size_t i = 0; i < form.inputs().size(); ++i)
      for (const space_term& t : form.inputs()[i]) add_input(t, i);
    find_powers();
    find_responses();
  }

  /// The number of steps of a chunk for which the estimated cost is least; nullopt if no number is possible.
  static std::optional<std::int64_t> chunk_for(const recurrence& r, const space_form& form, const space_axes& axes) {
    constexpr double of_response = 1.5e-3, of_product = 1e-4, of_step = 1.5, most = 1 << 20;
    const std::int64_t steps = steps_of(r);
    const bool starts_at_zero = has_zero_states(r);
    const auto parts = static_cast<double>(r.state_count());
    const auto groups = static_cast<double>(axes.group_count), rows = static_cast<double>(axes.row_count);
    const auto inputs = static_cast<double>(count_inputs(form)), reads = static_cast<double>(form.reads().size());
    std::optional<std::int64_t> best;
    double least = 0;
    for (std::int64_t chunk = 8; chunk <= 128 && chunk < steps; ++chunk) {
      if (steps % chunk != 0 && (!starts_at_zero || chunk % 8 != 0)) continue;
      const std::int64_t chunk_count = (steps + chunk - 1) / chunk;
      const auto length = static_cast<double>(chunk), chunks = static_cast<double>(chunk_count);
      const double numbers = groups * length * length * inputs * reads;
      if (numbers > most) continue;
      const double sums = length * inputs + parts * static_cast<double>(axes.sum_count);
      const double cost = of_response * numbers + of_product * groups * rows * chunks * length * sums * reads +
                          of_step * chunks * (parts == 2 ? 2 : 1);
      if (!best || cost < least) best = chunk, least = cost;
    }
    return best;
  }

  /// A condition that is true if no factor to the power of the number of steps is large, and no number is close to
  /// infinity. Under `assume_finite`, inputs and first states are not checked.
  value is_ordinary(bool assume_finite) const {
    constexpr double most_power = 1e4, most_number = 1e18;
    const value squares = reduce("ReduceSumSquare", whole_, {1}),
                largest = reduce("ReduceMax", squares, iota_axes(squares.rank()));
    const double most = std::pow(most_power, 2.0 * static_cast<double>(chunk_) / static_cast<double>(steps()));
    std::vector<value> sizes{sum_of_sizes(response_), sum_of_sizes(ends_)};
    if (!assume_finite) {
      for (const value& v : inputs_) sizes.push_back(sum_of_sizes(v));
      for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
        if (!has_zero_state(recurrence_, i)) sizes.push_back(sum_of_sizes(recurrence_.first(i)));
    }
    return logical_and(less(largest, most), less(g_.emit("Sum", sizes, sizes[0].type()), most_number));
  }

  /// Returns the states after the last step, and all reads.
  std::pair<std::vector<value>, std::vector<value>> results() const {
    std::vector<value> chunks_of_inputs;
    for (const value& v : inputs_) chunks_of_inputs.push_back(in_chunks(v));
    const std::int64_t last_axis = response_.rank() - 1;
    const value inputs = concat(chunks_of_inputs, last_axis);
    auto [last, begins] = states(matmul(inputs, ends_));
    const value all = matmul(concat({inputs, begins}, last_axis), response_);
    std::vector<value> reads;
    for (std::size_t i = 0; i < form_.reads().size(); ++i)
      reads.push_back(of_read(form_.reads()[i], slice(all, last_axis, at(i) * chunk_, at(i + 1) * chunk_)));
    return {last, reads};
  }

 private:
  static std::int64_t at(std::size_t i) { return static_cast<std::int64_t>(i); }
  static std::int64_t steps_of(const recurrence& r) { return r.sequence(0).extent(0).extent(); }
  static bool has_zero_state(const recurrence& r, std::size_t i) { return is_filled_with(r.first(i), 0); }
  static bool has_zero_states(const recurrence& r) {
    for (std::size_t i = 0; i < r.state_count(); ++i)
      if (!has_zero_state(r, i)) return false;
    return true;
  }
  static std::size_t count_inputs(const space_form& form) {
    std::vector<value> distinct;
    for (const space_terms& terms : form.inputs())
      for (const space_term& t : terms)
        if (item_loops::none_of(distinct, [&](const value& v) { return same_value(v, t.input); }))
          distinct.push_back(t.input);
    return std::max<std::size_t>(distinct.size(), 1);
  }

  bool is_complex() const { return recurrence_.state_count() == 2; }
  dtype type() const { return recurrence_.state(0).dtype(); }
  const shape& dims() const { return dims_; }
  std::int64_t steps() const { return steps_of(recurrence_); }
  std::int64_t chunks() const { return (steps() + chunk_ - 1) / chunk_; }
  std::int64_t missing() const { return chunks() * chunk_ - steps(); }
  std::int64_t state_size() const { return axes_.sum_count * part_count(); }
  std::int64_t part_count() const { return is_complex() ? 2 : 1; }
  value zeros(const shape& s) const { return filled(g_, type(), s, 0); }

  /// The kept extents, or their product if there are no rows, followed by `last`. If `shared`, rows have extent 1,
  /// since the value is the same for all rows.
  shape beside(std::initializer_list<dim> last, bool shared = false) const {
    shape all;
    for (const std::int64_t axis : axes_.kept)
      all.push_back(shared && std::ranges::find(axes_.rows, axis) != axes_.rows.end()
                        ? dim(1)
                        : dims()[static_cast<std::size_t>(axis)]);
    if (axes_.rows.empty()) all = {dim(axes_.group_count)};
    for (const dim d : last) all.push_back(d);
    return all;
  }
  /// The extents of a state along `axes`.
  shape extents(const ints& axes) const {
    shape found;
    for (const std::int64_t axis : axes) found.push_back(dims()[static_cast<std::size_t>(axis)]);
    return found;
  }
  /// The sum over all terms of the product of their factors, in the shape `one_step()`; absent if there are no terms.
  value lanes_of(const space_terms& terms) const {
    value sum;
    for (const space_term& t : terms) {
      value product;
      for (const auto& f : t.factors) {
        if (f.divides) product = div(product ? product : scalar(g_, type(), 1), f.v);
        else product = product ? mul(product, f.v) : f.v;
      }
      if (!product) product = scalar(g_, type(), 1);
      sum = !sum ? (t.negative ? neg(product) : product) : t.negative ? sub(sum, product) : add(sum, product);
    }
    if (!sum) return sum;
    shape all = dims();
    for (const std::int64_t axis : axes_.rows) all[static_cast<std::size_t>(axis)] = 1;
    const value whole = broadcast_to(with_rank(sum, std::ssize(all), 0), all);
    return reshape(transposed_by_blocks(whole, axes_.order()), one_step());
  }
  /// Packed numbers with these real and imaginary parts; an absent part is 0.
  packed_numbers lanes_of(const value& re, const value& im) const {
    if (!is_complex()) return {re, parts_axis()};
    return {concat({re ? re : zeros(one_step()), im ? im : zeros(one_step())}, parts_axis()), parts_axis()};
  }
  /// The layout of numbers by steps: [steps, groups, parts, summed], or [parts, steps, groups, 1] if no axis is summed.
  /// Thus numbers that are summed, or that become rows of a matrix, are side by side.
  /// @{
  bool is_summed() const { return axes_.sum_count > 1; }
  std::int64_t parts_axis() const { return is_summed() ? 2 : 0; }
  std::int64_t steps_axis() const { return is_summed() ? 0 : 1; }
  shape one_step() const {
    return is_summed() ? shape{1, axes_.group_count, 1, axes_.sum_count} : shape{1, 1, axes_.group_count, 1};
  }
  /// @}

  void add_input(const space_term& t, std::size_t state) {
    const auto known = std::ranges::find_if(sources_, [&](const value& v) { return same_value(v, t.input); });
    const auto i = static_cast<std::size_t>(known - sources_.begin());
    if (known == sources_.end()) {
      sources_.push_back(t.input);
      inputs_.push_back(all_steps(t));
      scales_.emplace_back();
    }
    const value scale = lanes_of({space_term{t.negative, t.factors}});
    value& part = state == 0 ? scales_[i].first : scales_[i].second;
    part = part ? add(part, scale) : scale;
  }
  /// An input as [steps, ...] with the axes of the state, in the order of the steps. Axes that are summed have extent
  /// 1.
  value all_steps(const space_term& t) const {
    const bool has_steps = t.whole || form_.steps().has(t.input);
    const value v = t.whole ? t.input : has_steps ? form_.steps().of(t.input) : t.input;
    shape all{steps()};
    all.append(dims());
    for (const std::int64_t axis : axes_.summed) all[static_cast<std::size_t>(axis + 1)] = 1;
    return in_order_of_steps(recurrence_, broadcast_to(with_rank(v, std::ssize(all), has_steps ? 1 : 0), all));
  }
  /// An input that all_steps() returned, as [kept, chunks, steps of a chunk], with zeros before the first step.
  value in_chunks(const value& v) const {
    value padded = v;
    if (missing() > 0) {
      shape front = v.dims();
      front[0] = missing();
      padded = concat({zeros(front), v}, 0);
    }
    shape all{chunks(), chunk_};
    all.append(shape(v.dims().begin() + 1, v.dims().end()));
    ints perm;
    for (const std::int64_t axis : axes_.kept) perm.push_back(axis + 2);
    perm.push_back(0);
    perm.push_back(1);
    for (const std::int64_t axis : axes_.summed) perm.push_back(axis + 2);
    return reshape(transposed_by_blocks(reshape(padded, all), perm), beside({chunks(), chunk_}));
  }

  /// Computes the powers of the factor from 0 on, one for each step of a chunk, and the power of a whole chunk.
  void find_powers() {
    const std::vector<space_terms> terms = form_.factors();
    factor_ = lanes_of(lanes_of(terms[0]), is_complex() ? lanes_of(terms[1]) : value());
    constexpr std::int64_t few_steps = 512;  // their powers are as exact as the steps of a Scan
    packed_numbers all = factor_;
    if (steps() > few_steps) all.v = cast(all.v, dtype::f64);
    packed_numbers last = all;
    for (std::int64_t k = 1; k < chunk_; k *= 2) {
      all.v = concat({all.v, packed_factor(last).times(all).v}, steps_axis());
      last.v = slice(all.v, steps_axis(), 2 * k - 1, 2 * k);
    }
    const value from_one = cast(all.v, type()), zeroth = lanes_of(filled(g_, type(), one_step(), 1), {}).v;
    powers_ = {concat({zeroth, slice(from_one, steps_axis(), 0, chunk_ - 1)}, steps_axis()), parts_axis()};
    const value whole = slice(from_one, steps_axis(), chunk_ - 1, chunk_);
    shape dims{1, part_count()};
    dims.append(beside({axes_.sum_count}, true));
    whole_ = reshape(is_summed() ? transposed_by_blocks(whole, {0, 2, 1, 3}) : whole, dims);
  }
  /// Finds the response of a chunk, [groups, inputs and states, reads]: how the reads of its steps depend on its
  /// inputs, and on the state before the chunk.
  void find_responses() {
    std::vector<value> of_inputs, of_states, ends;
    std::vector<std::vector<value>> rows(inputs_.size());
    const packed_factor factor(factor_);
    for (const space_read& read : form_.reads()) {
      const auto part = [&](std::size_t i) { return lanes_of(read.of_states[i]); };
      const packed_numbers query = conjugate_of(lanes_of(part(0), is_complex() ? part(1) : value()));
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        rows[i].push_back(response(packed_factor(lanes_of(i)).times(query), read));
      const packed_numbers from = packed_factor(read.after ? factor.times(query) : query).times(powers_);
      of_states.push_back(by_group(conjugate_of(from)));
    }
    for (const std::vector<value>& row : rows) of_inputs.push_back(concat(row, 2));
    of_inputs.push_back(concat(of_states, 2));
    const value response = concat(of_inputs, 1);
    response_ = reshape(response, beside({response.extent(1), response.extent(2)}, true));
    const packed_numbers back{reversed(powers_.v), parts_axis()};
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const packed_numbers by = packed_factor(lanes_of(i)).times(back);
      ends.push_back(by_group(by));
    }
    const value all = transpose(concat(ends, 2), {0, 2, 1});
    ends_ = reshape(all, beside({all.extent(1), all.extent(2)}, true));
  }
  /// Numbers by steps as [groups, state, steps of a chunk].
  value by_group(const packed_numbers& x) const {
    return reshape(transposed_by_blocks(x.v, is_summed() ? ints{1, 2, 3, 0} : ints{2, 0, 3, 1}),
                   {axes_.group_count, state_size(), chunk_});
  }
  packed_numbers lanes_of(std::size_t input) const { return lanes_of(scales_[input].first, scales_[input].second); }
  value reversed(const value& v) const { return reverse(v, {steps_axis()}); }
  /// The response of a chunk's reads to its inputs, [groups, steps, steps]: the element in row s and column t is the
  /// real part of scale a^(t - s), or of scale a^(t - s - 1) if reads see the state before the step; 0 before step s.
  value response(const packed_numbers& scale, const space_read& read) const {
    ints summed;
    if (is_complex()) summed.push_back(parts_axis());
    if (is_summed()) summed.push_back(3);
    const value products = mul(powers_.v, conjugate_of(scale).v);
    const value taps =
        reshape(summed.empty() ? products : reduce("ReduceSum", products, summed), {chunk_, axes_.group_count});
    const value table = concat({taps, zeros({1, axes_.group_count})}, 0);
    std::vector<std::int64_t> rows;
    for (std::int64_t s = 0; s < chunk_; ++s)
      for (std::int64_t t = 0; t < chunk_; ++t) {
        const std::int64_t power = t - s - (read.after ? 0 : 1);
        rows.push_back(power < 0 ? chunk_ : power);
      }
    const value square = gather(table, reshape(int64s(g_, rows), {chunk_, chunk_}), 0);
    return transposed_by_blocks(square, {2, 0, 1});
  }

  /// The states after the last chunk, and the states before each chunk as [kept, chunks, state], from the values that
  /// each chunk adds.
  std::pair<std::vector<value>, value> states(const value& added) const {
    const shape flat{axes_.group_count * axes_.row_count, chunks(), part_count(), axes_.sum_count};
    shape by_chunks{chunks(), part_count()}, one{1, 1};
    by_chunks.append(beside({axes_.sum_count}));
    one.append(beside({axes_.sum_count}));
    const value ends = reshape(transposed_by_blocks(reshape(added, flat), {1, 2, 0, 3}), by_chunks);
    std::vector<value> firsts;
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      firsts.push_back(reshape(transposed_by_blocks(recurrence_.first(i), axes_.order()), one));
    const packed_numbers first{concat(firsts, 1), 1};
    constexpr std::int64_t most_unrolled = 32;
    const auto [last, begins] = chunks() <= most_unrolled ? unrolled(first, ends) : scanned(first, ends);
    std::vector<value> states;
    for (std::size_t i = 0; i < recurrence_.state_count(); ++i)
      states.push_back(of_lanes(packed_numbers{last, 1}.part(at(i)), i));
    const shape packed{chunks(), part_count(), axes_.group_count * axes_.row_count, axes_.sum_count};
    return {states,
            reshape(transposed_by_blocks(reshape(begins, packed), {2, 0, 1, 3}), beside({chunks(), state_size()}))};
  }
  std::pair<value, value> unrolled(const packed_numbers& first, const value& ends) const {
    const std::vector<value> added = equal_parts(ends, 0, 1);
    const packed_factor factor({whole_, 1});
    packed_numbers state = first;
    std::vector<value> begins;
    for (std::size_t i = 0; i < added.size(); ++i) {
      begins.push_back(state.v);
      state.v = i == 0 && has_zero_states(recurrence_) ? added[i] : add(factor.times(state).v, added[i]);
    }
    return {state.v, concat(begins, 0)};
  }
  std::pair<value, value> scanned(const packed_numbers& first, const value& ends) const {
    const packed_factor factor({squeeze(whole_, {0}), 0});
    const auto step = [&](const std::vector<value>& s, const std::vector<value>& x) {
      return loop_step{{}, {add(factor.times({s[0], 0}).v, x[0])}, s};
    };
    const loop_result all = scan(g_, {squeeze(first.v, {0})}, {ends}, step, {.carried_names = {"h"}});
    return {unsqueeze(all.carried[0], {0}), all.collected[0]};
  }
  /// A state of the Scan, from [1, 1, kept, summed].
  value of_lanes(const value& v, std::size_t i) const {
    const ints order = axes_.order();
    return reshape(transposed_by_blocks(reshape(v, extents(order)), inverse(order)), recurrence_.state(i).dims());
  }
  static ints inverse(const ints& perm) {
    ints back(perm.size());
    for (std::size_t i = 0; i < perm.size(); ++i) back[static_cast<std::size_t>(perm[i])] = at(i);
    return back;
  }
  /// All steps of a read, from [kept, chunks, steps of a chunk].
  value of_read(const space_read& read, const value& v) const {
    shape flat{chunks() * chunk_};
    flat.append(extents(axes_.kept));
    const value by_steps = reshape(v, {axes_.group_count * axes_.row_count, chunks() * chunk_});
    const value padded = reshape(transpose(by_steps, {1, 0}), flat);
    const value ordered = in_order_of_steps(recurrence_, slice(padded, 0, missing(), chunks() * chunk_));
    shape own{steps()};
    own.append(read.result.dims());
    if (read.axes.empty() || !axes_.summed.empty()) return reshape(ordered, own);
    ints summed = read.axes;
    for (std::int64_t& axis : summed) ++axis;
    return reshape(reduce("ReduceSum", ordered, summed), own);
  }

  const recurrence& recurrence_;
  space_form& form_;
  const space_axes& axes_;
  graph& g_;
  shape dims_ = recurrence_.state(0).dims();
  std::int64_t chunk_;
  packed_numbers factor_;
  packed_numbers powers_;  ///< the powers for the steps of a chunk, from 0 on
  value whole_;            ///< the power of a whole chunk, [1, parts, kept, summed]
  std::vector<value> sources_, inputs_;
  std::vector<std::pair<value, value>> scales_;  ///< for each input, the real and imaginary part; absent for 0
  value response_, ends_;
};

/// Returns whether a Scan has one or two states, of sizes for which chunks may be faster.
inline bool suits_responses(const recurrence& r) {
  if (r.state_count() == 0 || r.state_count() > 2) return false;
  for (std::size_t i = 0; i < r.state_count(); ++i)
    if (!elements_for_chunks(r, i, {.least_steps = 32, .most_steps = 1 << 14, .most_elements = 1 << 14}) ||
        r.state(i).dtype() != r.state(0).dtype() || r.state(i).dims() != r.state(0).dims())
      return false;
  return true;
}

inline outcome fuse_state_space(const context& c, const value& root) {
  constexpr std::size_t most_reads = 4;
  if (is_alternative(root)) return {};
  const auto r = divisible_scan(c, root);
  if (!r || !suits_responses(*r)) return {};
  space_form form(*r);
  if (!form.find() || form.reads().size() > most_reads) return {};
  const space_axes axes(*r, form);
  if (axes.group_count * axes.sum_count == 1) return {};  // affine-scan computes it with one matrix
  const auto chunk = space_by_chunks::chunk_for(*r, form, axes);
  if (!chunk) return {};
  const space_by_chunks chunks(*r, form, axes, *chunk);
  return or_the_scan(root, *r, chunks.is_ordinary(c.assume_finite), [&] {
    auto [out, reads] = chunks.results();
    for (std::size_t i = 0; i < reads.size(); ++i) form.steps().give(form.reads()[i].result, reads[i]);
    for (std::size_t i = 0; i < r->collected_count(); ++i)
      out.push_back(unary("Identity", form.steps().of(r->collected(i))));
    return out;
  });
}

inline constexpr rule state_space_rules[] = {
    {"state-space", "Scan(h = a h + b u, y = c h) -> MatMul(u, responses of y) over chunks of steps",
     "element by element, real or complex, with a, b and c that are the same in all steps; y may be a sum of elements; "
     "32 to 16384 steps; the Scan stays for powers that grow and for operands that are not finite",
     ops<"Scan">, fuse_state_space, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
