// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/facts/ranges/interval_math.hpp>
#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/rules/indices.hpp>
#include <jax2onnx/support/item_loops.hpp>

/// Updates of one element or row of an array at a computed index, for ONNX Runtime: x.at[i].set(u), x.at[i].add(u),
/// x.at[i, j].add(u). If the model checks the range of the index and the array is small, a comparison of the index with
/// all positions replaces the update and the check. For other sums and products, a ScatterND that adds or multiplies
/// replaces the update. A remaining ScatterND of one element of a vector at an int32 index becomes a ScatterElements.
namespace jax2onnx::rewrite::detail {

/// An index along an axis, before it was clamped.
struct compared_index {
  std::int64_t axis = 0;
  value given = {};
  bool wraps = false;  ///< true if a negative index counts from the end
};

/// i if `index` is Where(i < 0, i + n, i) and n is the extent of the axis; otherwise `index` without Reshapes.
inline compared_index without_wrap(std::int64_t axis, dim extent, const value& index) {
  const value given = jax2onnx::detail::unreshaped(index);
  const auto w = match_wrapped(given);
  const bool wraps = w && extent.is_constant() && w->extent == static_cast<double>(extent.extent());
  return {axis, wraps ? w->i : given, wraps};
}

/// Clip(i, low, high), Max(i, low) or Min(i, high) of one index.
struct bounded_index {
  value of;
  std::optional<std::int64_t> low = {}, high = {};
};
inline std::optional<bounded_index> match_bounded(const value& v) {
  value of, low, high;
  const bool clips = match(v, m_op("Clip", m_value(of), m_constant(low), m_constant(high)));
  const bool raises = clips || match(v, m_commutes("Max", m_constant(low), m_value(of)));
  if (!raises && !match(v, m_commutes("Min", m_constant(high), m_value(of)))) return std::nullopt;
  bounded_index b{of};
  if (raises) b.low = constant_integer(low);
  if (clips || !raises) b.high = constant_integer(high);
  const bool are_known = b.low.has_value() == raises && b.high.has_value() == (clips || !raises);
  return are_known && of.dims() == v.dims() ? std::optional(b) : std::nullopt;
}
/// Returns whether `b` is known to leave its operand unchanged exactly if the operand is in [low, high].
inline bool tells_range(const bounded_index& b, std::int64_t low, std::int64_t high) {
  const interval range = range_of(b.of);
  const interval_math math(b.of.owner().dims());
  return (b.low ? *b.low == low : math.at_most(low, range.low)) &&
         (b.high ? *b.high == high : math.at_most(range.high, high));
}

/// The index that `clamped` clamps to [0, n - 1] along an axis of extent n, before the index is wrapped. nullopt if
/// `clamped` has another form, or if `valid` does not tell whether clamping leaves the index unchanged.
inline std::optional<compared_index> checked_index(std::int64_t axis, dim extent, const value& clamped,
                                                   const value& valid) {
  value bounded, given;
  if (!extent.is_constant() || !match(valid, m_op("Equal", m_value(bounded), m_value(given)))) return std::nullopt;
  if (!match_bounded(bounded)) std::swap(bounded, given);
  const std::int64_t n = extent.extent();
  const auto clamp = match_bounded(clamped), check = match_bounded(bounded);
  if (!clamp || !check || !same_value(check->of, given) || !tells_range(*clamp, 0, n - 1)) return std::nullopt;
  const compared_index index = without_wrap(axis, extent, clamp->of);
  if (same_value(check->of, clamp->of)) return tells_range(*check, 0, n - 1) ? std::optional(index) : std::nullopt;
  const bool is_before_wrap = index.wraps && same_value(check->of, index.given) && tells_range(*check, -n, n - 1);
  return is_before_wrap ? std::optional(index) : std::nullopt;
}

/// The components that a Concat joins to an index vector [count], before they are wrapped, and before `clamped` clamps
/// the vector to the extents of the axes. Empty if `clamped` has another form, or unless `valid` is true exactly for
/// vectors that clamping does not change.
inline std::vector<compared_index> checked_indices(const shape& extents, const value& clamped, const value& valid) {
  value numbers, bounded, given;
  const auto least = [&](const value& v) {
    return producer(v, "ReduceMin") && match(input_of(v, 0), m_op("Cast", m_value(numbers)));
  };
  if (!match(valid, m_op("Cast", least)) || numbers.rank() != 1) return {};
  if (!match(numbers, m_op("Equal", m_value(bounded), m_value(given)))) return {};
  const auto t = match_tuples(clamped);
  if (!t || std::ssize(inputs_of(t->joined)) > std::ssize(extents)) return {};
  const bool same = same_value(given, t->joined) || same_value(bounded, t->joined);
  const value other = same_value(given, t->joined) ? bounded : given;
  const value in_range = producer(clamped, "Cast") ? input_of(clamped, 0) : clamped;
  if (!same || !same_value(other, in_range)) return {};
  const interval_math math(clamped.owner().dims());
  std::vector<compared_index> all;
  for (const value& component : inputs_of(t->joined)) {
    const std::size_t k = all.size();
    const interval range = range_of_component(t->joined, static_cast<std::int64_t>(k));
    if (!extents[k].is_constant() || !component.extent(0).is(1)) return {};
    const std::int64_t last = extents[k].extent() - 1;
    const bool from_zero = t->low.empty() ? math.at_most(0, range.low) : t->low[k] == 0;
    const bool to_last = t->high.empty() ? math.at_most(range.high, last) : t->high[k] == last;
    if (!from_zero || !to_last) return {};
    all.push_back(without_wrap(static_cast<std::int64_t>(k), extents[k], component));
  }
  return all;
}

/// `v` without Reshapes, and without a Cast from int32 to int64.
inline value bare_index(const value& v) {
  const value index = jax2onnx::detail::unreshaped(v);
  const bool widens = producer(index, "Cast") && input_of(index, 0).dtype() == dtype::i32;
  return widens && index.dtype() == dtype::i64 ? jax2onnx::detail::unreshaped(input_of(index, 0)) : index;
}

/// The new row of ScatterND(x, i, row) if it is op(x[i], u), which combines the old row x[i] with u.
struct combined_row {
  value made;  ///< the result of the operator; absent if the row is anything else
  value u;
};
inline combined_row match_combined(const value& row, const value& x, const value& vectors) {
  static constexpr auto combining = ops<"Add", "Max", "Min", "Mul">;
  const value made = jax2onnx::detail::unreshaped(row);
  const node* n = producer(made);
  if (!n || !n->domain.empty() || !item_loops::contains(combining, n->op) || n->inputs.size() != 2) return {};
  const bool is_one = item_loops::all_equal(made.dims(), dim(1));
  if (!is_one && made.dims() != row.dims() && made.dims() != row.dims().tail(1)) return {};
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const value old = input_of(made, i), u = input_of(made, 1 - i), read = jax2onnx::detail::unreshaped(old);
    if (old.dims() != made.dims() || u.rank() > x.rank() || (!producer(read, "Gather") && !producer(read, "GatherND")))
      continue;
    const bool by_vector =
        producer(read, "GatherND") && integer_of(read, "batch_dims") == 0 &&
        same_value(jax2onnx::detail::unreshaped(input_of(read, 1)), jax2onnx::detail::unreshaped(vectors));
    const bool by_index = producer(read, "Gather") && axis_of(read) == 0 && vectors.dims().back().is(1) &&
                          same_value(bare_index(input_of(read, 1)), bare_index(vectors));
    if ((by_vector || by_index) && same_value(input_of(read, 0), x)) return {made, u};
  }
  return {};
}

/// Where(valid, x with an update, x) as it was matched.
struct small_update {
  std::vector<compared_index> at;  ///< empty if nothing matches
  value updated;                   ///< the new elements; they broadcast to x
};

/// The elements of x as if the ScatterND or ScatterElements `set` updated all of them. The result broadcasts to x.
inline value updated_everywhere(const value& set, const value& x) {
  const value u = input_of(set, 2), whole = jax2onnx::detail::unreshaped(u);
  const value fits = item_loops::all_equal(whole.dims(), dim(1)) && whole.rank() <= x.rank() ? whole : u;
  if (text_of(set, "reduction") == "add") return add(x, fits);
  if (text_of(set, "reduction") == "mul") return mul(x, fits);
  const combined_row row = match_combined(u, x, input_of(set, 1));
  return row.made ? with_inputs(row.made, {x, row.u}, x.type()) : fits;
}

/// Matches ScatterND(x, i, u) of one element or row, or ScatterElements(x, i, u) of one element of a vector, if `valid`
/// tells whether i is in range. Finds only the index; `updated` stays absent.
inline small_update match_scattered(const value& set, const value& x, const value& valid) {
  const value vectors = input_of(set, 1);
  const bool elements = producer(set, "ScatterElements") != nullptr;
  const std::string reduction = text_of(set, "reduction");
  if (reduction == "min" || reduction == "max" || !same_value(input_of(set, 0), x)) return {};
  if (elements ? x.rank() != 1 || !vectors.extent(0).is(1) : vectors.rank() != 2 || !vectors.extent(0).is(1)) return {};
  if (!vectors.dims().back().is_constant()) return {};
  value index = jax2onnx::detail::unreshaped(vectors);
  small_update s;
  if (vectors.dims().back().is(1)) {
    if (producer(index, "Cast")) index = jax2onnx::detail::unreshaped(input_of(index, 0));
    if (const auto only = checked_index(0, x.extent(0), index, valid)) s.at.push_back(*only);
  } else if (index.rank() == 1) {
    s.at = checked_indices(x.dims(), index, valid);
  }
  return s;
}

/// The begin and the end of Slice(x, begin, end) along one axis.
struct sliced_part {
  value begin, end;
};
inline std::optional<sliced_part> match_part(const value& v, const value& x, std::int64_t axis) {
  const node* n = producer(v);  // producer(v, "Slice") requires known extents
  static constexpr auto slices = ops<"Slice">;
  if (!n || n->op != slices[0] || !n->domain.empty() || !same_value(input_of(v, 0), x)) return std::nullopt;
  const value steps = input_of(v, 4);
  if (constant_integers(input_of(v, 3)) != ints{axis} || (steps && constant_integers(steps) != ints{1}))
    return std::nullopt;
  return sliced_part{input_of(v, 1), input_of(v, 2)};
}

/// The index i and the new row u of Concat(x[:i], u, x[i + 1:]).
struct replaced_row {
  std::int64_t axis = 0;
  value index = {};  ///< a scalar or a vector
  value row = {};
};
inline std::optional<replaced_row> match_replaced_row(const value& v, const value& x) {
  const node* n = producer(v);
  static constexpr auto joins = ops<"Concat">;
  if (!n || n->op != joins[0] || !n->domain.empty() || n->inputs.size() != 3) return std::nullopt;
  replaced_row r{axis_of(v), {}, input_of(v, 1)};
  const auto before = match_part(input_of(v, 0), x, r.axis), behind = match_part(input_of(v, 2), x, r.axis);
  if (!before || !behind || !r.row.extent(r.axis).is(1) || constant_integers(before->begin) != ints{0})
    return std::nullopt;
  const auto last = constant_integers(behind->end);
  const dim extent = x.extent(r.axis);
  if (!last || !extent.is_constant() || last->front() < extent.extent()) return std::nullopt;
  r.index = jax2onnx::detail::unreshaped(before->end);
  const auto is_index = [&](const value& i) { return same_value(jax2onnx::detail::unreshaped(i), r.index); };
  const value next = jax2onnx::detail::unreshaped(behind->begin);
  return match(next, m_commutes("Add", is_index, m_number(1))) ? std::optional(r) : std::nullopt;
}

/// If the new row is x[i] + u, returns x + u for the whole array, also for products, maxima and minima; otherwise
/// returns the new row.
inline value combined_with_all(const replaced_row& r, const value& x) {
  static constexpr auto combining = ops<"Add", "Max", "Min", "Mul">;
  const node* n = producer(r.row);
  if (!n || !n->domain.empty() || !item_loops::contains(combining, n->op)) return r.row;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    const value old = input_of(r.row, i), u = input_of(r.row, 1 - i);
    const bool reads = producer(old, "Gather") && axis_of(old) == r.axis && same_value(input_of(old, 0), x) &&
                       same_value(jax2onnx::detail::unreshaped(input_of(old, 1)), r.index);
    const std::int64_t axis = r.axis - (x.rank() - u.rank());
    if (!reads || old.dims() != r.row.dims() || u.rank() > x.rank() || (axis >= 0 && !u.extent(axis).is(1))) continue;
    return with_inputs(r.row, {x, u}, x.type());
  }
  return r.row;
}

/// Bools for all positions along the axis of `index`; the one at the indexed position is true, all others are false.
inline value is_at(const compared_index& index, const shape& extents) {
  const std::int64_t n = extents[static_cast<std::size_t>(index.axis)].extent(), rank = std::ssize(extents);
  const value i = index.given.rank() > 1 ? reshape(index.given, {1}) : index.given;
  graph& g = i.owner();
  const auto positions = [&](std::int64_t first) {
    ints numbers(static_cast<std::size_t>(n)), dims(static_cast<std::size_t>(rank - index.axis), 1);
    for (std::int64_t k = 0; k < n; ++k) numbers[static_cast<std::size_t>(k)] = first + k;
    dims[0] = n;
    return array(g, i.dtype(), dims, std::span<const std::int64_t>(numbers));
  };
  const value from_start = equal(positions(0), i);
  if (!index.wraps || interval_math(g.dims()).at_most(0, range_of(i).low)) return from_start;
  const value from_end = equal(positions(-n), i);
  return logical_or(from_start, from_end);
}

/// Where(c, u, x). ONNX Runtime's Where has no kernel for bool. Therefore And and Or compute truth values, unless all
/// elements of u are one constant.
inline value chosen_at_position(const value& c, const value& u, const value& x) {
  if (!is_boolean(x.dtype()) || uniform_constant(u)) return where(c, u, x);
  const value set = logical_and(c, u), kept = logical_and(logical_not(c), x);
  return logical_or(set, kept);
}

/// Where(i is in range, x with element i set or combined, x) -> Where(positions == i, u, x)
inline outcome choose_update(const context& c, const value& root) {
  constexpr std::uint64_t largest = 256;
  constexpr dtype types[] = {dtype::boolean, dtype::f32, dtype::f64, dtype::i32, dtype::i64};
  const value valid = input_of(root, 0), set = input_of(root, 1), x = input_of(root, 2);
  if (!is_onnx_runtime(c.runtime) || is_portable(c.runtime) || x.dims() != root.dims()) return {};
  if (!is_static(x.dims()) || x.rank() == 0 || set.dims() != x.dims()) return {};
  if (!item_loops::contains(types, x.dtype())) return {};
  small_update s;
  const bool scatters = producer(set, "ScatterND") || producer(set, "ScatterElements");
  if (scatters) {
    s = match_scattered(set, x, valid);
  } else if (const auto r = match_replaced_row(set, x)) {
    if (const auto only = checked_index(r->axis, x.extent(r->axis), r->index, valid))
      s = {{*only}, combined_with_all(*r, x)};
  }
  if (s.at.empty()) return {};
  if (element_count(x.type()) > largest) return decline("the array is large");
  if (!c.single_use(set)) return decline("the array with the update is read elsewhere too");
  value chosen;
  for (const compared_index& index : s.at)
    if (index.given.dtype() != dtype::i32 && index.given.dtype() != dtype::i64) return {};
  if (scatters) s.updated = updated_everywhere(set, x);
  for (const compared_index& index : s.at) {
    const value here = is_at(index, x.dims());
    chosen = chosen ? logical_and(chosen, here) : here;
  }
  return chosen_at_position(chosen, s.updated, x);
}

/// ScatterND(x, i, x[i] + u) -> ScatterND(x, i, u, reduction=add), and the same for products. Other runtimes lack the
/// reductions. Maxima and minima are left alone, since the reductions treat NaN differently from Max and Min.
inline outcome combine_in_place(const context& c, const value& root) {
  constexpr dtype types[] = {dtype::f32, dtype::f64, dtype::i32, dtype::i64};
  const value x = input_of(root, 0), vectors = input_of(root, 1), row = input_of(root, 2);
  if (!is_onnx_runtime(c.runtime) || is_portable(c.runtime) || text_of(root, "reduction") != "none") return {};
  if (vectors.rank() != 2 || !vectors.extent(0).is(1) || !item_loops::contains(types, x.dtype())) return {};
  if (!is_static(row.dims()) || vectors.is_constant()) return {};
  const combined_row r = match_combined(row, x, vectors);
  if (!r.made || (!producer(r.made, "Add") && !producer(r.made, "Mul"))) return {};
  if (!c.single_use(row) || !c.single_use(r.made)) return decline("the new row is read elsewhere too");
  const bool has_all = element_count(r.u.type()) == element_count(row.type());
  const value u = has_all ? reshape(r.u, row.dims()) : broadcast_to(r.u, row.dims());
  return scatter_nd(x, vectors, u, producer(r.made, "Add") ? "add" : "mul");
}

/// ScatterND(x, Cast(i), u) of one element of a vector -> ScatterElements(x, i, u), whose indices may be int32.
inline outcome set_element(const context& c, const value& root) {
  const value x = input_of(root, 0), vectors = input_of(root, 1), index = bare_index(vectors);
  if (!is_onnx_runtime(c.runtime) || is_portable(c.runtime) || x.rank() != 1) return {};
  if (vectors.dims() != shape{1, 1} || index.dtype() != dtype::i32 || !is_static(index.dims())) return {};
  const value at = reshape(index, {1}), u = reshape(input_of(root, 2), {1});
  return scatter_elements(x, at, u, 0, text_of(root, "reduction"));
}

inline constexpr rule small_update_rules[] = {
    {"combine-in-place",
     "ScatterND(x, i, x[i] + u) -> ScatterND(x, i, u, reduction=add), ScatterND(x, i, x[i] u) -> ScatterND(x, i, u, "
     "reduction=mul)",
     "only for ONNX Runtime; one element or row at a computed index; nothing else reads the new row; float32, float64, "
     "int32 and int64",
     ops<"ScatterND">, combine_in_place, stage::weights},
    {"set-element", "ScatterND(x, [[Cast(i)]], u) -> ScatterElements(x, [i], u)",
     "only for ONNX Runtime; one element of a vector x; an int32 index i", ops<"ScatterND">, set_element,
     stage::weights},
    {"choose-update",
     "Where(i is in range, ScatterND(x, i, u), x) -> Where(positions == i, u, x), "
     "Where(i is in range, Concat(x[:i], x[i] + u, x[i + 1:]), x) -> Where(positions == i, x + u, x)",
     "only for ONNX Runtime; one element or row of at most 256 elements; indices of one or more axes, which may count "
     "from the end; constant extents; the same for products, maxima and minima instead of "
     "sums; rows of any other form are used as u",
     ops<"Where">, choose_update, stage::weights},
};

}  // namespace jax2onnx::rewrite::detail
