// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <jax2onnx/lower/indexing/dynamic_slice.hpp>
#include <jax2onnx/lower/indexing/start_indices.hpp>
#include <jax2onnx/lower/indexing/types.hpp>
#include <jax2onnx/lower/reduction/reducer.hpp>
#include <jax2onnx/lower/reduction/scan_axis.hpp>
#include <jax2onnx/lower/shape/merge_dims.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Lowers scatter, scatter-add, scatter-sub, scatter-mul, scatter-min and scatter-max in every form to ScatterND,
/// ScatterElements, or Slice and Concat. Other computations become a Scan. Source: jax.lax.scatter,
/// ScatterDimensionNumbers.
namespace jax2onnx::lower {

/// The computation on an element and an update. `set` replaces the element; `other` is any other computation.
enum class scatter_kind : std::uint8_t { set, add, mul, minimum, maximum, other };

/// The dimension numbers and extents of a scatter.
struct scatter_form {
  ints update_window, inserted, map, operand_batch, index_batch;  ///< the lists of ScatterDimensionNumbers
  shape operand_dims, update_dims;

  /// The operand's dimensions that windows have, in order.
  ints window_dims() const { return complement(std::ssize(operand_dims), inserted, operand_batch); }
  /// The extent of a window along dimension d of the operand.
  dim size(std::int64_t d) const {
    const auto at = axis_position(window_dims(), d);
    return at ? update_dims[static_cast<std::size_t>(update_window[*at])] : dim(1);
  }
  shape sizes() const {
    shape out;
    for (std::int64_t d = 0; d < std::ssize(operand_dims); ++d) out.push_back(size(d));
    return out;
  }
  dim extent(std::int64_t d) const { return operand_dims[static_cast<std::size_t>(d)]; }
  /// The largest start along each indexed dimension.
  shape limits(graph& g) const {
    shape out;
    for (std::int64_t d : map) out.push_back(g.dims().sub(extent(d), size(d)));
    return out;
  }
  ints update_batch() const { return complement(std::ssize(update_dims), update_window); }
  /// Returns whether windows cover the whole dimension d, and d is not a batching dimension.
  bool is_whole(std::int64_t d) const { return size(d) == extent(d) && !has_axis(operand_batch, d); }
};

inline scatter_form read_scatter_form(const site& s) {
  const jaxpr::value& d = s.tree("dimension_numbers");
  return {.update_window = s.argument_or<ints>(d, "update_window_dims", {}),
          .inserted = s.argument_or<ints>(d, "inserted_window_dims", {}),
          .map = s.argument_or<ints>(d, "scatter_dims_to_operand_dims", {}),
          .operand_batch = s.argument_or<ints>(d, "operand_batching_dims", {}),
          .index_batch = s.argument_or<ints>(d, "scatter_indices_batching_dims", {}),
          .operand_dims = s.in_type(0).dims,
          .update_dims = s.in_type(2).dims};
}

/// ONNX's binary operator of a kind other than `set` and `other`.
constexpr operator_name operator_of(scatter_kind k) {
  switch (k) {
    case scatter_kind::add: return "Add";
    case scatter_kind::mul: return "Mul";
    case scatter_kind::minimum: return "Min";
    default: return "Max";
  }
}

/// An update that changes no element.
inline value neutral_update(graph& g, scatter_kind k, dtype t) { return identity_element(g, operator_of(k), t); }

inline value combine(scatter_kind k, const value& x, const value& update) {
  switch (k) {
    case scatter_kind::add: return add(x, update);
    case scatter_kind::mul: return mul(x, update);
    case scatter_kind::minimum: return extreme("Min", x, update);
    case scatter_kind::maximum: return extreme("Max", x, update);
    default: return update;
  }
}

inline std::string reduction_of(scatter_kind k) {
  if (k == scatter_kind::set) return "none";
  if (k == scatter_kind::add) return "add";
  if (k == scatter_kind::mul) return "mul";
  return k == scatter_kind::minimum ? "min" : "max";
}

/// x with the row at `starts` combined with `update`.
inline value combine_row(scatter_kind k, const value& x, const value& update, const std::vector<slice_start>& starts) {
  if (starts.size() == 1) return replace_row(x, combine(k, slice_at(x, starts), update), starts);
  const value index = cast(row_index(x.owner(), starts), dtype::i64), row = gather_nd(x, index);
  return scatter_nd(x, index, combine(k, row, reshape(update, row.dims())));
}

/// A single window: combines it with the slice at its position, and writes the result back.
inline value scatter_one(scatter_kind k, const value& x, const value& update, const start_indices& starts,
                         const scatter_form& f) {
  const value window = reshape(update, f.sizes());
  std::vector<slice_start> at;
  for (std::int64_t d = 0; d < x.rank(); ++d) {
    if (f.size(d) == f.extent(d)) continue;
    slice_start start{d, f.size(d), 0, {}};
    if (const auto column = axis_position(f.map, d)) {
      const auto known = constant_integers(starts.vectors);
      if (known && !starts.valid) start.known = (*known)[*column];
      else start.computed = starts.column(*column);
    }
    at.push_back(start);
  }
  if (!starts.valid && !selects_one_row(x, at))
    for (slice_start& start : at) settle(start);
  value out;
  if (k == scatter_kind::set) out = update_at(x, window, at);
  else if (selects_one_row(x, at)) out = combine_row(k, x, window, at);
  else out = splice(x, combine(k, slice_at(x, at), window), at);
  return starts.valid ? where(starts.valid, out, x) : out;
}

/// The operands of a ScatterND. The indexed dimensions of the operand come first; the index vectors address these
/// dimensions.
struct scatter_plan {
  ints operand_perm;
  value indices;      ///< [batch..., windows of the indexed dimensions..., k]
  ints update_perm;   ///< batch, windows of the indexed dimensions, all other dimensions
  shape update_dims;  ///< the extents after update_perm, with 1 for the dimensions that updates lack
  std::int64_t batch_rank = 0;
};

/// The index along dimension d of the operand at which each window begins: a component of the index vectors, the
/// position along a batching dimension, or 0.
inline value window_base(graph& g, const start_indices& starts, const scatter_form& f, std::int64_t d) {
  if (const auto column = axis_position(f.map, d)) return starts.column(*column);
  const auto batch = axis_position(f.operand_batch, d);
  if (!batch) return scalar(g, dtype::i64, 0);
  shape along(static_cast<std::size_t>(starts.batch_rank()), dim(1));
  along[static_cast<std::size_t>(f.index_batch[*batch])] = f.extent(d);
  return reshape(range(g, f.extent(d)), along);
}

/// The index vectors of all elements of the windows along the dimensions `indexed` of the operand.
inline value scatter_indices(graph& g, const start_indices& starts, const scatter_form& f, const ints& indexed) {
  ints columns;
  shape windows;
  for (std::int64_t d : indexed) {
    windows.push_back(f.size(d));
    if (const auto column = axis_position(f.map, d)) columns.push_back(static_cast<std::int64_t>(*column));
  }
  if (columns.size() == indexed.size()) return window_indices(starts, columns, windows);
  std::vector<value> bases;
  for (std::int64_t d : indexed) bases.push_back(window_base(g, starts, f, d));
  return index_grid(g, starts.batch(), bases, windows);
}

inline scatter_plan plan_scatter(graph& g, const start_indices& starts, const scatter_form& f) {
  ints indexed, rest;
  for (std::int64_t d = 0; d < std::ssize(f.operand_dims); ++d) (f.is_whole(d) ? rest : indexed).push_back(d);
  if (indexed.empty()) {  // every update covers the operand, but ScatterND needs at least one index
    indexed.push_back(rest.front());
    rest.erase(rest.begin());
  }
  scatter_plan plan{joined_axes(indexed, rest), {}, f.update_batch(), starts.batch(), starts.batch_rank()};
  plan.indices = scatter_indices(g, starts, f, indexed);
  const ints kept = f.window_dims();
  for (std::int64_t d : plan.operand_perm)
    if (const auto at = axis_position(kept, d)) plan.update_perm.push_back(f.update_window[*at]);
  shape windows;
  for (std::int64_t d : indexed) windows.push_back(f.size(d));
  if (!all_single(windows)) plan.update_dims.append(windows);
  for (std::int64_t d : rest) plan.update_dims.push_back(f.extent(d));
  return plan;
}

/// The updates in the order and with the extents of the plan.
inline value planned_updates(const value& updates, const scatter_plan& plan) {
  return reshape(transpose(updates, plan.update_perm), plan.update_dims);
}

/// Writes any number of windows, by ScatterND.
inline value scatter_many(const site& s, scatter_kind k, const value& x, const value& updates,
                          const start_indices& starts, const scatter_form& f) {
  const scatter_plan plan = plan_scatter(s.g, starts, f);
  value indices = plan.indices, changes = planned_updates(updates, plan);
  if (starts.valid && k != scatter_kind::set) {
    ints window;
    for (std::int64_t axis = plan.batch_rank; axis < changes.rank(); ++axis) window.push_back(axis);
    changes = where(unsqueeze(starts.valid, window), changes, neutral_update(s.g, k, changes.dtype()));
  } else if (starts.valid) {
    const value keep = merge_dims(starts.valid, 0, plan.batch_rank);
    indices = compress(merge_dims(indices, 0, plan.batch_rank), keep);
    changes = compress(merge_dims(changes, 0, plan.batch_rank), keep);
  }
  const value y = scatter_nd(transpose(x, plan.operand_perm), indices, changes, reduction_of(k));
  return transpose(y, inverse_permutation(plan.operand_perm));
}

/// Writes one update along a dimension for each position along all other dimensions, by ScatterElements. nullopt for
/// any other form.
inline std::optional<value> scatter_along(const site& s, scatter_kind k, const value& x, const value& updates,
                                          const start_indices& starts, const scatter_form& f) {
  const bool droppable = !starts.valid || k != scatter_kind::set;
  if (f.map.size() != 1 || std::ssize(f.operand_batch) != x.rank() - 1 || starts.batch_rank() != x.rank() || !droppable)
    return std::nullopt;
  const ints free = complement(starts.batch_rank(), f.index_batch);
  if (!f.size(f.map[0]).is(1) || !f.update_window.empty()) return std::nullopt;
  const ints perm = align_to_operand(x.rank(), f.operand_batch, f.index_batch, free[0]);
  const value changes = starts.valid ? where(starts.valid, updates, neutral_update(s.g, k, updates.dtype())) : updates;
  return scatter_elements(x, transpose(starts.vectors, perm), transpose(changes, perm), f.map[0], reduction_of(k));
}

inline value scatter_part(const site& s, scatter_kind k, const value& x, const value& updates,
                          const start_indices& starts, const scatter_form& f);

/// Updates single rows along one axis of an array that is filled with one number. Updates that are out of bounds go to
/// a spare row at each end. Absent for any other form, and if the updates have fewer elements than the array.
inline value scatter_with_spare_rows(const site& s, scatter_kind k, const value& x, const value& updates,
                                     start_indices starts, scatter_form f) {
  const value number = facts::uniform_constant(x);
  if (!number || starts.count != 1 || !starts.valid || !f.operand_batch.empty()) return {};
  if (starts.batch_rank() == 0 || !is_signed_integer(starts.given.dtype())) return {};
  if (!is_static(x.dims()) || !is_static(updates.dims()) || !f.size(f.map[0]).is(1)) return {};
  if (s.g.dims().product(x.dims()).extent() > s.g.dims().product(updates.dims()).extent()) return {};
  const std::int64_t axis = f.map[0], rows = f.extent(axis).extent();
  if (rows >= std::numeric_limits<std::int32_t>::max() - 1) return {};
  f.operand_dims[static_cast<std::size_t>(axis)] = rows + 2;
  const dtype t = starts.given.dtype();
  const value place = clip(starts.given, scalar(s.g, t, std::int64_t{-1}), scalar(s.g, t, rows));
  starts = {add(place, 1), 1, {}};
  const value wider = broadcast_to(reshape(number, shape()), f.operand_dims);
  return slice(scatter_part(s, k, wider, updates, starts, f), axis, 1, rows + 1);
}

/// The scatter of one tensor.
inline value scatter_part(const site& s, scatter_kind k, const value& x, const value& updates,
                          const start_indices& starts, const scatter_form& f) {
  if (starts.batch_rank() == 0) return scatter_one(k, x, updates, starts, f);
  if (const value y = scatter_with_spare_rows(s, k, x, updates, starts, f)) return y;
  if (const auto along = scatter_along(s, k, x, updates, starts, f)) return *along;
  return scatter_many(s, k, x, updates, starts, f);
}

/// The scatter of all parts with the computation `body`, which a Scan applies to one window after another.
inline jax_value scatter_computed(const site& s, const jaxpr::body& body, const start_indices& starts,
                                  const scatter_form& f) {
  const scatter_plan plan = plan_scatter(s.g, starts, f);
  jax_value x = s.in_parts(0), changes = s.in_parts(2);
  for (std::size_t p = 0; p < x.count; ++p) {
    x.parts[p] = transpose(x.parts[p], plan.operand_perm);
    changes.parts[p] = merge_dims(planned_updates(changes.parts[p], plan), 0, plan.batch_rank);
  }
  jax_values sequences{changes, jax_value(merge_dims(plan.indices, 0, plan.batch_rank))};
  if (starts.valid) sequences.push_back(merge_dims(starts.valid, 0, plan.batch_rank));
  jax_value y = scan_axis(s.g, {x}, sequences, 0, false, false, [&](const jax_values& acc, const jax_values& element) {
                  const value at = element[1].re();
                  jax_value current = acc[0], out = acc[0];
                  for (std::size_t p = 0; p < current.count; ++p) current.parts[p] = gather_nd(acc[0].parts[p], at);
                  jax_value next = s.inline_elementwise(body, jax_values{current, element[0]}, current.re().dims())[0];
                  for (std::size_t p = 0; p < next.count; ++p) {
                    if (starts.valid) next.parts[p] = where(element[2].re(), next.parts[p], current.parts[p]);
                    out.parts[p] = scatter_nd(acc[0].parts[p], at, next.parts[p]);
                  }
                  return jax_values{out};
                }).last[0];
  for (std::size_t p = 0; p < y.count; ++p) y.parts[p] = transpose(y.parts[p], inverse_permutation(plan.operand_perm));
  return y;
}

/// The kind of an equation of the primitive scatter: `set` if its computation is absent or returns the update, else
/// `other`.
inline scatter_kind set_kind(const jaxpr::body* body) {
  const bool replaces = !body || (body->equations.empty() && body->results.size() == 1 && body->invars.size() == 2 &&
                                  body->results[0].slot == body->invars[1].slot);
  return replaces ? scatter_kind::set : scatter_kind::other;
}

/// The scatter of kind k; `negate` subtracts the updates instead of adding them.
inline jax_values scatter_as(const site& s, scatter_kind k, const jaxpr::body* body, bool negate = false) {
  const scatter_form f = read_scatter_form(s);
  const bounds_mode mode = bounds_mode_of(s, bounds_mode::drop);
  if (is_empty(f.operand_dims) || is_empty(f.update_dims)) return {s.in_parts(0)};
  const start_indices starts = read_starts(s.in(1), f.limits(s.g), mode);
  const bool complex = s.is_complex() && k != scatter_kind::set && k != scatter_kind::add;
  if (k == scatter_kind::other || complex) {
    if (!body) s.unsupported("it needs its parameter update_jaxpr");
    return {scatter_computed(s, *body, starts, f)};
  }
  // For bools, a maximum is an or, and a minimum is an and.
  const bool logical = is_boolean(s.in_dtype()) && k != scatter_kind::set;
  if (logical && k == scatter_kind::add) k = scatter_kind::maximum;
  if (logical && k == scatter_kind::mul) k = scatter_kind::minimum;
  return {each_part(s.in_parts(0), s.in_parts(2), [&](value x, value updates) {
    if (negate) updates = sub(scalar(s.g, updates.dtype(), 0), updates);
    if (logical) x = cast(x, dtype::i32), updates = cast(updates, dtype::i32);
    const value y = scatter_part(s, k, x, updates, starts, f);
    return logical ? cast(y, dtype::boolean) : y;
  })};
}

inline const jaxpr::body* update_body(const site& s) {
  const jaxpr::value* v = s.find("update_jaxpr");
  return v && v->tag == jaxpr::value::kind::body ? v->body : nullptr;
}

inline jax_values scatter(const site& s) {
  const jaxpr::body* body = update_body(s);
  return scatter_as(s, set_kind(body), body);
}
template <scatter_kind Kind>
jax_values scatter_combining(const site& s) {
  return scatter_as(s, Kind, update_body(s));
}
inline jax_values scatter_sub(const site& s) { return scatter_as(s, scatter_kind::add, update_body(s), true); }

inline constexpr lowering scatter_rows[] = {
    {"scatter", scatter, "ScatterND, ScatterElements, Slice, Concat, Compress; Scan", scatter_signature,
     parts_rule::own, ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-add", scatter_combining<scatter_kind::add>, "ScatterND, ScatterElements", scatter_signature,
     parts_rule::own, ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-max", scatter_combining<scatter_kind::maximum>, "ScatterND, ScatterElements", scatter_signature,
     parts_rule::own, ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-min", scatter_combining<scatter_kind::minimum>, "ScatterND, ScatterElements", scatter_signature,
     parts_rule::own, ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-mul", scatter_combining<scatter_kind::mul>, "ScatterND, ScatterElements", scatter_signature,
     parts_rule::own, ignores{"indices_are_sorted unique_indices update_consts"}},
    {"scatter-sub", scatter_sub, "Sub, ScatterND, ScatterElements", scatter_signature, parts_rule::own,
     ignores{"indices_are_sorted unique_indices update_consts"}},
};

}  // namespace jax2onnx::lower
