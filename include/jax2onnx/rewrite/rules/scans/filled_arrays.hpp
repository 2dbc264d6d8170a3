// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/operators/views/scatter.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/recurrence.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/scans/scan_inputs.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Arrays that a Scan carries only to fill them, row by row: their rows are stacked.
namespace jax2onnx::rewrite::detail {

/// The row of a state that each step sets, which may be a different row in each step. Nothing else reads the state.
struct filled_row {
  std::int64_t axis = 0;
  ints places = {};       ///< the row of each step, in the order of the sequences
  value scatter = {};     ///< the ScatterND that sets the row; absent if a Concat does
  bool is_where = false;  ///< true for Where(mask, the state with the row, the state)
  bool keeps = false;     ///< true if the row that is set is Where(mask, row, the row before)
  ints mask = {1};        ///< the elements that are set, in each step if `has_steps`
  shape mask_dims = {};   ///< the extents of the mask of a step, without the axis
  bool has_steps = false;

  /// The value that has the elements of the row in the state `next`.
  value row_of(value next) const {
    while (producer(next, "Identity")) next = input_of(next, 0);
    if (is_where) next = input_of(next, 1);
    const value row = jax2onnx::detail::unreshaped(input_of(next, scatter ? 2 : 1));
    return keeps ? jax2onnx::detail::unreshaped(input_of(row, 1)) : row;
  }
};

/// Recognizes a state that a Scan only fills row by row.
class filled_state {
 public:
  filled_state(const context& c, const recurrence& r, std::size_t i)
      : uses_(c.uses), recurrence_(r), state_(r.state(i)), next_(r.next(i)) {}

  std::optional<filled_row> row() const {
    if (!is_static(state_.dims()) || state_.rank() == 0 || uses_.of(next_) != 1) return std::nullopt;
    filled_row f;
    value written = next_;
    if (producer(next_, "Where") && same_value(input_of(next_, 2), state_)) {
      written = input_of(next_, 1);
      f.is_where = true;
      if (written.dims() != state_.dims() || uses_.of(written) != 1) return std::nullopt;
    }
    const bool scatters = producer(written, "ScatterND");
    if (!(scatters ? by_scatter(written, f) : by_concat(written, f)) || !are_inside(f)) return std::nullopt;
    f.mask_dims = shape(static_cast<std::size_t>(state_.rank() - 1), dim(1));
    if (f.is_where && !take_mask(input_of(next_, 0), true, f)) return std::nullopt;
    if (!f.is_where && !take_kept(jax2onnx::detail::unreshaped(input_of(written, scatters ? 2 : 1)), f))
      return std::nullopt;
    const std::uint32_t parts = scatters ? 1 : 2;
    return uses_.of(state_) == parts + (f.is_where || f.keeps ? 1u : 0u) ? std::optional(std::move(f)) : std::nullopt;
  }

 private:
  /// Reads the mask from a condition that is constant, or constant in each step. The condition is broadcast to the
  /// state if `has_axis` is true, else to the state without the axis. Returns false for any other condition.
  bool take_mask(const value& condition, bool has_axis, filled_row& f) const {
    const value sequence = recurrence_.sequence_of(condition);
    const auto numbers = constant_integers(sequence ? sequence : condition);
    if (!numbers) return false;
    shape dims(static_cast<std::size_t>(state_.rank() - (has_axis ? 0 : 1)), dim(1));
    if (condition.rank() > std::ssize(dims)) return false;
    std::copy(condition.dims().begin(), condition.dims().end(), dims.end() - condition.rank());
    if (has_axis && !dims[static_cast<std::size_t>(f.axis)].is(1)) return false;
    if (has_axis) dims.erase(dims.begin() + f.axis);
    f.mask = *numbers;
    f.mask_dims = dims;
    f.has_steps = bool(sequence);
    return true;
  }
  /// Reads the mask from Where(condition, row, the row before), and returns whether the Where can be a row of the
  /// state. Returns true for any other row.
  bool take_kept(const value& row, filled_row& f) const {
    if (!producer(row, "Where")) return true;
    const value before = jax2onnx::detail::unreshaped(input_of(row, 2));
    if (!producer(before, "Gather") || !same_value(input_of(before, 0), state_) || axis_of(before) != f.axis)
      return true;
    f.keeps = true;
    shape part = state_.dims(), one = part;  // the extents without the axis, and with one element along it
    part.erase(part.begin() + f.axis);
    one[static_cast<std::size_t>(f.axis)] = 1;
    return (row.dims() == part || row.dims() == one) && uses_.of(before) == 1 && uses_.of(input_of(row, 2)) == 1 &&
           input_of(row, 1).dims() == row.dims() && numbers_of_steps(input_of(before, 1)) == f.places &&
           take_mask(input_of(row, 0), row.rank() == state_.rank(), f);
  }
  /// The integer that `v` is in each step; nullopt if these integers are not constant.
  std::optional<ints> numbers_of_steps(const value& v) const {
    const std::int64_t steps = recurrence_.sequence(0).extent(0).extent();
    const value sequence = recurrence_.sequence_of(v);
    std::optional<ints> numbers = constant_integers(sequence ? sequence : v);
    if (!numbers || std::ssize(*numbers) != (sequence ? steps : 1)) return std::nullopt;
    if (!sequence) numbers->resize(static_cast<std::size_t>(steps), numbers->front());
    return numbers;
  }
  bool by_scatter(const value& v, filled_row& f) const {
    if (!same_value(input_of(v, 0), state_) || input_of(v, 1).dims() != shape{1, 1}) return false;
    const std::optional<ints> places = numbers_of_steps(input_of(v, 1));
    if (!places) return false;
    f.places = *places;
    f.scatter = v;
    return true;
  }
  /// Returns whether the operator `op` of ONNX makes `v`, whose extents may be computed.
  static bool is_result_of(const value& v, operator_name op) {
    const node* n = producer(v);
    return n && n->op == op && n->domain.empty();
  }
  /// The begin and the end, in every step, of a Slice of the state along the axis; nullopt if `v` is anything else.
  std::optional<std::pair<ints, ints>> part(const value& v, std::int64_t axis) const {
    if (!is_result_of(v, "Slice") || !same_value(input_of(v, 0), state_) || uses_.of(v) != 1) return std::nullopt;
    const value axes = input_of(v, 3), steps = input_of(v, 4);
    if (constant_integers(axes) != ints{axis} || (steps && constant_integers(steps) != ints{1})) return std::nullopt;
    const auto begins = numbers_of_steps(input_of(v, 1)), ends = numbers_of_steps(input_of(v, 2));
    return begins && ends ? std::optional(std::pair(*begins, *ends)) : std::nullopt;
  }
  /// Matches Concat(state[:i], row, state[i + 1:]).
  bool by_concat(const value& v, filled_row& f) const {
    if (!is_result_of(v, "Concat") || producer(v)->inputs.size() != 3) return false;
    f.axis = axis_of(v);
    const auto before = part(input_of(v, 0), f.axis), behind = part(input_of(v, 2), f.axis);
    if (!before || !behind || !input_of(v, 1).extent(f.axis).is(1)) return false;
    f.places = before->second;
    for (std::size_t i = 0; i < f.places.size(); ++i)
      if (before->first[i] != 0 || behind->first[i] != f.places[i] + 1) return false;
    const auto is_end = [&](std::int64_t end) { return end >= state_.extent(f.axis).extent(); };
    return item_loops::all_of(behind->second, is_end);
  }
  bool are_inside(const filled_row& f) const {
    const std::int64_t extent = state_.extent(f.axis).extent();
    return item_loops::all_of(f.places, [&](std::int64_t place) { return place >= 0 && place < extent; });
  }

  const use_counts& uses_;
  const recurrence& recurrence_;
  value state_, next_;
};

/// For each row, the step that sets it last, and the elements of the row that are set.
struct last_steps {
  ints steps = {};          ///< for each row, the step that sets it last; 0 if none does
  std::string is_set = {};  ///< for each row and each element of the mask, 1 if it is set
  bool sets_all = true;
};
/// Finds the last steps; nullopt if a step sets elements of a row and keeps other elements that an earlier step has
/// set.
inline std::optional<last_steps> last_steps_of(const filled_row& f, std::int64_t rows, bool reverse) {
  const std::size_t steps = f.places.size(), parts = f.has_steps ? f.mask.size() / steps : f.mask.size();
  last_steps last{ints(static_cast<std::size_t>(rows), 0), std::string(static_cast<std::size_t>(rows) * parts, 0)};
  for (std::size_t k = 0; k < steps; ++k) {
    const std::size_t step = reverse ? steps - 1 - k : k, row = static_cast<std::size_t>(f.places[step]);
    bool sets = false, keeps = false;
    for (std::size_t p = 0; p < parts; ++p) {
      char& known = last.is_set[row * parts + p];
      const bool is_set = f.mask[(f.has_steps ? step * parts : 0) + p] != 0;
      sets = sets || is_set;
      keeps = keeps || (!is_set && known != 0);
      if (is_set) known = 1;
    }
    if (sets && keeps) return std::nullopt;
    if (sets) last.steps[row] = static_cast<std::int64_t>(step);
  }
  last.sets_all = !item_loops::contains(last.is_set, 0);
  return last;
}

/// The elements of `all` at these steps.
inline value steps_of(const value& all, const ints& steps) {
  const auto follows = [](std::int64_t a, std::int64_t b) { return b != a + 1; };
  if (std::ranges::adjacent_find(steps, follows) != steps.end()) return gather(all, int64s(all.owner(), steps), 0);
  return slice(all, 0, steps.front(), steps.back() + 1);
}

/// The state after all steps, from the rows of all steps, which are stacked along a new leading axis.
inline value filled_array(const filled_row& f, const last_steps& last, const value& first, const value& stacked) {
  shape dims = first.dims();
  const dim rows = dims[static_cast<std::size_t>(f.axis)];
  dims.erase(dims.begin() + f.axis);
  dims.insert(dims.begin(), std::ssize(f.places));
  const value taken = steps_of(reshape(stacked, dims), last.steps);
  ints perm = iota_axes(first.rank());
  perm.erase(perm.begin());
  perm.insert(perm.begin() + f.axis, 0);
  const value all = transpose(taken, perm);
  if (last.sets_all) return unary("Identity", all);
  shape mask = f.mask_dims;  // the rows come first, until the Transpose
  mask.insert(mask.begin(), rows);
  const value is_set = first.owner().constant({dtype::boolean, mask}, bytes(std::string(last.is_set)));
  return where(transpose(is_set, perm), all, first);
}

/// Returns whether there are at most 1024 steps, or at most four steps for each row of the array.
inline bool are_few_steps(const filled_row& f, std::int64_t rows) {
  constexpr std::int64_t always_few = 1024;
  return std::ssize(f.places) <= std::max(always_few, 4 * rows);
}

/// ScatterND(o, all i, all u), which may also add to the rows.
inline value scattered(const filled_row& f, const value& first, const value& stacked) {
  shape dims = first.dims();
  dims[0] = std::ssize(f.places);
  const value places = reshape(int64s(first.owner(), f.places), {std::ssize(f.places), 1});
  return with_inputs(f.scatter, {first, places, reshape(stacked, dims)}, first.type());
}

inline bool are_distinct(ints places) {
  std::ranges::sort(places);
  return std::ranges::adjacent_find(places) == places.end();
}

/// Scan(o' = o with row i = u) -> the array with the rows u of all steps.
inline outcome rows_of_all_steps(const context& c, const value& root) {
  const auto r = recurrence::of(root);
  if (!r || r->sequence_count() == 0) return {};
  if (const dim steps = r->sequence(0).extent(0); !steps.is_constant() || steps.is(0)) return {};
  for (std::size_t i = 0; i < r->state_count(); ++i) {
    const std::optional<filled_row> f = filled_state(c, *r, i).row();
    if (!f) continue;
    const std::int64_t rows = r->state(i).extent(f->axis).extent();
    const bool scatters = f->scatter && !f->is_where && !f->keeps && are_distinct(f->places);
    const bool gathers = (!f->scatter || operators::sets_rows(f->scatter)) && are_few_steps(*f, rows);
    const auto last = gathers ? last_steps_of(*f, rows, r->reverse()) : std::nullopt;
    if (!scatters && !last) continue;
    std::vector<new_input> inputs = same_inputs(*r);
    inputs[i].given = r->first(i);
    loop_result made =
        scan_with(c, *r, inputs, [&](const std::vector<value>& out) { return std::vector<value>{f->row_of(out[i])}; });
    const value stacked = made.collected.back();
    made.collected.pop_back();
    const bool keeps_first = !last || !last->sets_all;
    return with_state(
        made, i,
        scatters && keeps_first ? scattered(*f, r->first(i), stacked) : filled_array(*f, *last, r->first(i), stacked));
  }
  return {};
}

inline constexpr rule filled_array_rules[] = {
    {"rows-of-steps",
     "Scan(o' = ScatterND(o, i, u)) -> ScatterND(o, all i, all u), Scan(o' = Where(m, Concat(o[:i], u, o[i + 1:]), "
     "o)), or of Where(m, u, o[i]), "
     "-> Where(all m, Gather(all u, steps), o)",
     "the rows i are known, along any axis, and the ScatterND sets each row once; "
     "m is known, and one step sets all of a row; nothing else reads o; not many more steps than rows",
     ops<"Scan">, rows_of_all_steps, stage::fuse},
};

}  // namespace jax2onnx::rewrite::detail
