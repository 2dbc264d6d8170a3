// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <jax2onnx/facts/ranges/interval_math.hpp>
#include <jax2onnx/facts/ranges/range_of.hpp>
#include <jax2onnx/graph/axes.hpp>
#include <jax2onnx/graph/constant_integers.hpp>
#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/match.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/engine/rule.hpp>
#include <jax2onnx/rewrite/engine/vocabulary.hpp>
#include <jax2onnx/rewrite/equations/row.hpp>

/// Rules that remove adjustments of indices, since ONNX does not need them, and that read elements by faster operators.
namespace jax2onnx::rewrite::detail {

/// An index `i` as it was written, and the `extent` that JAX's indexing adds to it if it is negative.
struct wrapped_index {
  value i;
  double extent = 0;
};
/// Matches Where(i < 0, i + n, i).
inline std::optional<wrapped_index> match_wrapped(const value& v) {
  wrapped_index w;
  const auto moved = [&](const value& sum) { return match(sum, m_commutes("Add", m_same(w.i), m_scalar(w.extent))); };
  if (!match(v, m_op("Where", m_op("Less", m_value(w.i), m_number(0)), moved, m_same(w.i)))) return std::nullopt;
  return w.i.dims() == v.dims() ? std::optional(w) : std::nullopt;
}
/// Matches Clip(Where(i < 0, i + n, i), 0, n - 1).
inline std::optional<wrapped_index> match_clamped(const value& v) {
  value wrapped;
  double last = 0;
  if (!match(v, m_op("Clip", m_value(wrapped), m_number(0), m_scalar(last)))) return std::nullopt;
  const std::optional<wrapped_index> w = match_wrapped(wrapped);
  return w && w->extent == last + 1 ? w : std::nullopt;
}
/// Clip(i, -n, n - 1)
inline value clamped(const wrapped_index& w) {
  graph& g = w.i.owner();
  const auto n = static_cast<std::int64_t>(w.extent);
  return clip(w.i, scalar(g, w.i.dtype(), -n), scalar(g, w.i.dtype(), n - 1));
}

/// Rewrites an index j along an axis of extent n. If j is Where(i < 0, i + n, i), returns i, since ONNX also counts
/// negative indices from the end. If j is Clip(Where(i < 0, i + n, i), 0, n - 1), returns Clip(i, -n, n - 1). Declines
/// if the number added to i is not the extent. Returns nothing for any other j.
inline outcome counted_from_end(const value& j, dim extent) {
  const std::optional<wrapped_index> clamp = match_clamped(j), w = clamp ? clamp : match_wrapped(j);
  if (!w) return {};
  if (!extent.is_constant() || static_cast<double>(extent.extent()) != w->extent)
    return decline("the number added is not the extent");
  return clamp ? clamped(*w) : w->i;
}

/// The component of index vectors that `row` selects, if it is a constant row of zeros and one 1; -1 for any other
/// value.
inline std::int64_t selected_component(const value& row) {
  const auto numbers = constant_integers(row);
  if (!numbers || numbers->empty() || row.dims().back() != dim(std::ssize(*numbers))) return -1;
  if (std::ranges::count(*numbers, 0) + 1 != std::ssize(*numbers) || std::ranges::count(*numbers, 1) != 1) return -1;
  return std::ranges::find(*numbers, 1) - numbers->begin();
}

inline outcome negative_rows(const context&, const value& root) {
  const value x = input_of(root, 0), indices = input_of(root, 1);
  value numbers, row, j;
  const auto component = [&](const value& v) { return bool(numbers = v) && match(v, m_op("Cast", m_value(j))); };
  if (!match(indices, m_op("Mul", component, m_constant(row))) || selected_component(row) < 0) return {};
  if (!is_signed_integer(j.dtype())) return {};
  outcome i = counted_from_end(j, x.extent(selected_component(row)));
  if (!i.replacement) return i;
  const value index = mul(cast(i.replacement, dtype::i64), row);
  std::vector<value> inputs = inputs_of(root);
  inputs[1] = index;
  return with_inputs(root, inputs, root.type());
}

/// The fewest single elements for which GatherElements is faster than Gather, without and with a Reshape of the
/// indices.
inline constexpr std::uint64_t fewest_lookups = 64, fewest_reshaped_lookups = 256;

/// Clip(i, a, b) -> i if the range analysis shows that i is in [a, b].
inline outcome known_clip(const context& c, const value& root) {
  const value i = input_of(root, 0);
  const auto low = constant_integer(input_of(root, 1)), high = constant_integer(input_of(root, 2));
  if (!is_integer(i.dtype()) || !low || !high) return {};
  const interval bounds{jax2onnx::detail::as_bound(*low), jax2onnx::detail::as_bound(*high)};
  if (bounds.low.is_dyn() || bounds.high.is_dyn()) return {};
  return interval_math(c.g.dims()).inside(range_of(i), bounds) ? outcome(i) : outcome();
}

/// Clip(Cast(Clip(Where(IsNaN(x), 0, x), -2^31, 2^31 - 1)), a, b) -> Cast(Clip(Where(IsNaN(x), 0, x), a, b)).
/// Conversions to int32 clip in double, because float cannot represent 2^31 - 1. Truncation towards zero keeps the
/// order of numbers, so that integer bounds may be applied before the truncation.
inline outcome clip_before_cast(const context& c, const value& root) {
  constexpr std::int64_t exact_in_float = 1 << 24;
  const value integers = input_of(root, 0);
  const auto low = constant_integer(input_of(root, 1)), high = constant_integer(input_of(root, 2));
  value bounded, clean, given;
  double least = 0, most = 0;
  if (!low || !high || !match(integers, m_op("Cast", m_value(bounded))) || !is_signed_integer(integers.dtype()))
    return {};
  if (!match(bounded, m_op("Clip", m_value(clean), m_scalar(least), m_scalar(most)))) return {};
  if (!match(clean, m_op("Where", m_op("IsNaN", m_value(given)), m_number(0), m_same(given)))) return {};
  if (!c.single_use(integers)) return decline("the integers are read elsewhere too");
  const bool narrows = least <= static_cast<double>(*low) && *low <= *high && static_cast<double>(*high) <= most;
  if (!narrows || *low < -exact_in_float || *high > exact_in_float) return {};
  const value narrow = producer(given, "Cast") ? input_of(given, 0) : given;
  const value x = narrow.dtype() == dtype::f32 ? narrow : given;
  const value number = where(is_nan(x), scalar(c.g, x.dtype(), 0), x);
  return cast(clip(number, scalar(c.g, x.dtype(), *low), scalar(c.g, x.dtype(), *high)), root.dtype());
}

/// Gather(x, 0, 1, ..., n - 1, axis) -> x. Such Gathers come from loops that index an array which they could scan.
inline outcome all_in_order(const context&, const value& root) {
  const value x = input_of(root, 0), indices = input_of(root, 1);
  const std::int64_t axis = axis_of(root);
  if (!is_static(x.dims()) || !indices.is_constant()) return {};
  const std::optional<ints> numbers = constant_integers(indices);
  if (!numbers || std::ssize(*numbers) != x.extent(axis).extent()) return {};
  for (std::size_t i = 0; i < numbers->size(); ++i)
    if ((*numbers)[i] != static_cast<std::int64_t>(i)) return {};
  return reshape(x, root.dims());
}

/// Reshape(Gather(x, [i], axis)) -> Gather(x, i, axis) if the Reshape removes the axis and i is known to be in range.
inline outcome pick_one(const context& c, const value& root) {
  const value picked = input_of(root, 0);
  if (!producer(picked, "Gather") || !is_reshape(input_of(picked, 1)) || !c.single_use(picked)) return {};
  const value i = input_of(input_of(picked, 1), 0), x = input_of(picked, 0);
  const std::int64_t axis = axis_of(picked);
  if (i.rank() != 0 || input_of(picked, 1).rank() != 1) return {};
  if (c.uses.of(input_of(picked, 1)) > 2) return decline("other readers keep the index as a vector");
  const dim extent = x.extent(axis);
  shape dims = picked.dims();
  dims.erase(dims.begin() + axis);
  if (dims != root.dims() || !extent.is_constant()) return {};
  if (!interval_math(c.g.dims()).inside(range_of(i), {0, extent.extent() - 1}))
    return decline("the index may be out of range");
  return gather(x, i, axis);
}

/// Index vectors that a Concat makes from components of shape [..., 1], and the bounds to which the components are
/// clamped.
struct index_tuples {
  value joined;
  ints low = {}, high = {};  ///< lower and upper bounds of the components; each empty if there are no such bounds

  std::size_t count() const { return producer(joined)->inputs.size(); }
  /// Returns whether the lower bound of each component is 0, or no component has a lower bound.
  bool starts_at_zero() const { return std::ranges::count(low, 0) == std::ssize(low); }
  /// Returns whether the upper bound of component k is n - 1, or no component has an upper bound.
  bool ends_at(std::size_t k, std::int64_t n) const { return high.empty() || high[k] == n - 1; }
};
inline std::optional<ints> bounds_of(const value& constant, std::size_t count) {
  const auto numbers = constant_integers(constant);
  if (!numbers || constant.rank() > 1 || (numbers->size() != 1 && numbers->size() != count)) return std::nullopt;
  return numbers->size() == count ? *numbers : ints(count, numbers->front());
}
inline std::optional<index_tuples> match_tuples(const value& indices) {
  const auto count = static_cast<std::size_t>(indices.dims().back().is_constant() ? indices.dims().back().extent() : 0);
  index_tuples t{producer(indices, "Cast") ? input_of(indices, 0) : indices};
  const auto clamp = [&](ints& bounds, const value& constant) {
    const auto numbers = bounds_of(constant, count);
    return numbers && bounds.empty() && (bounds = *numbers, true);
  };
  while (!producer(t.joined, "Concat")) {
    const value v = t.joined;
    value low, high;
    if (!match(v, m_op("Clip", m_value(t.joined), m_constant(low), m_constant(high))) &&
        !match(v, m_commutes("Max", m_constant(low), m_value(t.joined))) &&
        !match(v, m_commutes("Min", m_constant(high), m_value(t.joined))))
      return std::nullopt;
    if (t.joined.dims() != indices.dims()) return std::nullopt;
    const bool clips = producer(v, "Clip") != nullptr, raises = clips || producer(v, "Max");
    if (raises && !clamp(t.low, low)) return std::nullopt;
    if ((clips || !raises) && !clamp(t.high, high)) return std::nullopt;
  }
  const auto is_component = [](const value& v) { return v.dims().back().is(1) && is_signed_integer(v.dtype()); };
  const bool joins_last = axis_of(t.joined) == t.joined.rank() - 1 && t.count() == count;
  return joins_last && item_loops::all_of(inputs_of(t.joined), is_component) ? std::optional(t) : std::nullopt;
}

/// The row-major position of each point within the axes that are indexed. If the first component is negative, the
/// position is negative as well, and counts from the end. Further negative components are replaced by the same indices
/// counted from the start. Declines if an index may be out of range.
inline outcome flat_indices(const context& c, const shape& extents, const index_tuples& t, const shape& points) {
  const interval_math math(c.g.dims());
  const std::vector<value> components = inputs_of(t.joined);
  value flat;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const std::int64_t n = extents[k].extent();
    const dtype type = components[k].dtype();
    const interval range = range_of_component(t.joined, static_cast<std::int64_t>(k));
    const auto is_at_least = [&](std::int64_t least) {
      return t.low.empty() ? math.at_most(least, range.low) : t.low[k] >= least;
    };
    if (!(t.high.empty() ? math.at_most(range.high, n - 1) : t.ends_at(k, n)) || !is_at_least(-n))
      return decline("an index may be out of range");
    // A wrapped index is in [0, n - 1] exactly if the index is in [-n, n - 1] before it is wrapped.
    const value given = is_reshape(components[k]) ? input_of(components[k], 0) : components[k];
    const auto w = t.low.empty() != t.high.empty() || !is_at_least(0) ? std::nullopt : match_wrapped(given);
    const bool wraps = w && w->extent == static_cast<double>(n) && is_static_reshape(w->i, points);
    value at = reshape(wraps ? w->i : components[k], points);
    if (!t.low.empty()) at = maximum(at, scalar(c.g, type, wraps ? -n : t.low[k]));
    if (!t.high.empty()) at = minimum(at, scalar(c.g, type, n - 1));
    if (k > 0 && (wraps || !is_at_least(0))) at = c.g.emit("Mod", {at, scalar(c.g, type, n)}, at.type());
    const value before = flat ? mul(flat, scalar(c.g, type, n)) : value();
    flat = before ? add(before, at) : at;
  }
  return flat;
}
/// Computes positions as flat_indices() does, for index vectors along the last axis of i, or of i + r with a constant
/// row r. Applies only if several nodes read i, since these nodes share the product of i and the strides of x. Declines
/// if an index may be out of range or negative.
inline outcome flat_rows_of_indices(const context& c, const shape& extents, const value& indices) {
  const value v = producer(indices, "Cast") ? input_of(indices, 0) : indices;
  constexpr int fewest_readers = 3;
  value base = v, row;
  if (match(v, m_commutes("Add", m_value(base),
                          [&](const value& x) {
                            row = producer(x, "Expand") ? input_of(x, 0) : x;
                            return row.is_constant();
                          })) &&
      !base.is_constant()) {
    if (base.dims() != v.dims()) return {};
  } else {
    base = v, row = value();
  }
  if ((v.dtype() != dtype::i32 && v.dtype() != dtype::i64) || c.uses.of(base) < fewest_readers) return {};
  const interval range = range_of(v);
  const interval_math math(c.g.dims());
  ints steps(extents.size(), 1);
  for (std::size_t k = extents.size() - 1; k > 0; --k) steps[k - 1] = steps[k] * extents[k].extent();
  for (const dim n : extents)
    if (!math.inside(range, {0, n.extent() - 1})) return decline("an index may be out of range");
  std::int64_t moved = 0;
  if (row) {
    const auto numbers = constant_integers(row);
    if (!numbers || (numbers->size() != 1 && numbers->size() != extents.size())) return {};
    for (std::size_t k = 0; k < extents.size(); ++k) moved += (*numbers)[numbers->size() == 1 ? 0 : k] * steps[k];
  }
  const value weights = array(c.g, v.dtype(), {std::ssize(steps)}, std::span<const std::int64_t>(steps));
  const value first = matmul(base, weights);
  return moved ? add(first, scalar(c.g, v.dtype(), moved)) : first;
}

/// Reads points as elements of a vector, or as rows of a matrix, since ONNX Runtime copies these several times as fast
/// as points.
inline outcome flat_points(const context& c, const value& root) {
  const value x = input_of(root, 0), indices = input_of(root, 1);
  if (!is_onnx_runtime(c.runtime) || !is_static(x.dims()) || !is_static(indices.dims())) return {};
  const std::int64_t count = indices.dims().back().extent();
  if (integer_of(root, "batch_dims") != 0 || count < 2) return {};
  constexpr std::uint64_t most_elements = std::uint64_t{1} << 30;
  const shape points = indices.dims().head(indices.rank() - 1), extents = x.dims().head(count);
  const std::int64_t point_count = c.g.dims().product(points).extent();
  if (point_count < static_cast<std::int64_t>(fewest_reshaped_lookups) || element_count(x.type()) > most_elements)
    return {};
  const auto t = match_tuples(indices);
  outcome flat = t                  ? flat_indices(c, extents, *t, points)
                 : count < x.rank() ? flat_rows_of_indices(c, extents, indices)
                                    : outcome();
  if (!flat.replacement) return flat;
  shape rows = x.dims().tail(count);
  rows.insert(rows.begin(), c.g.dims().product(extents));
  const value all = reshape(x, rows);
  if (count < x.rank()) return gather(all, flat.replacement, 0);
  return reshape(gather_elements(all, reshape(flat.replacement, {point_count}), 0), root.dims());
}

/// Removes the extents that are added to negative components. GatherND and ScatterND count negative components from the
/// end, as JAX's indexing does.
inline outcome negative_points(const context& c, const value& root) {
  const value x = input_of(root, 0), indices = input_of(root, 1);
  if (!is_onnx_runtime(c.runtime) || (producer(root, "GatherND") && integer_of(root, "batch_dims") != 0)) return {};
  const auto t = match_tuples(indices);
  if (!t || !t->starts_at_zero() || std::ssize(inputs_of(t->joined)) > x.rank()) return {};
  std::vector<value> components = inputs_of(t->joined);
  ints low(components.size(), 0);
  bool any = false;
  for (std::size_t k = 0; k < components.size(); ++k) {
    const value& given = components[k];
    const auto w = match_wrapped(is_reshape(given) ? input_of(given, 0) : given);
    const dim n = x.extent(static_cast<std::int64_t>(k));
    if (!w || !n.is_constant() || w->extent != static_cast<double>(n.extent()) || !t->ends_at(k, n.extent())) continue;
    if (!is_static_reshape(w->i, given.dims())) continue;
    any = true;
    low[k] = -n.extent();
    components[k] = reshape(w->i, given.dims());
  }
  if (!any) return {};
  if (!c.single_use(indices) || !c.single_use(t->joined)) return decline("the index is read elsewhere too");
  value all = concat(components, indices.rank() - 1);
  const auto bound = [&](const ints& numbers) {
    if (item_loops::all_equal(numbers, numbers[0])) return value(scalar(c.g, all.dtype(), numbers[0]));
    return array(c.g, all.dtype(), {std::ssize(numbers)}, std::span<const std::int64_t>(numbers));
  };
  if (!t->low.empty()) all = maximum(all, bound(low));
  if (!t->high.empty()) all = minimum(all, bound(t->high));
  std::vector<value> inputs = inputs_of(root);
  inputs[1] = cast(all, dtype::i64);
  return with_inputs(root, inputs, root.type());
}

/// Reads elements of a vector by GatherElements: ONNX Runtime's Gather copies each element as a row.
inline outcome lookups_of_elements(const context& c, const value& root) {
  const value x = input_of(root, 0), indices = input_of(root, 1);
  if (!is_onnx_runtime(c.runtime) || x.rank() != 1 || indices.rank() == 0 || !is_static(indices.dims())) return {};
  const std::uint64_t count = element_count(indices.type());
  if (count < (indices.rank() == 1 ? fewest_lookups : fewest_reshaped_lookups)) return decline("there are few indices");
  return reshape(gather_elements(x, reshape(indices, {static_cast<std::int64_t>(count)}), 0), root.dims());
}

/// Gathers many elements of each row as rows of the transposed array: ONNX Runtime would copy the elements of a row one
/// by one.
inline outcome gather_columns(const context& c, const value& root) {
  constexpr std::int64_t least_elements = 32, most_columns_of_element = 4;
  const value x = input_of(root, 0), indices = input_of(root, 1);
  const std::int64_t last = x.rank() - 1, axis = axis_of(root);
  if (!is_onnx_runtime(c.runtime) || last < 1 || axis != last || indices.rank() == 0) return {};
  if (!is_static(x.dims()) || !is_static(indices.dims())) return {};
  const std::int64_t rows = c.g.dims().product(x.dims().head(last)).extent();
  const std::int64_t elements = c.g.dims().product(indices.dims()).extent();
  if (rows < 2 || elements < least_elements || x.extent(last).extent() > most_columns_of_element * elements)
    return decline("there is one row, or few elements of each row are read");
  ints to_rows = iota_axes(last), back;
  to_rows.insert(to_rows.begin(), last);
  for (std::int64_t i = 0; i < root.rank(); ++i) back.push_back((i + indices.rank()) % root.rank());
  return transpose(gather(transpose(x, to_rows), indices, 0), back);
}

inline constexpr rule index_rules[] = {
    equation<
        "negative-indices",
        "Gather(x, j, axis=a) -> Gather(x, i, axis=a); GatherElements(x, j, axis=a) -> GatherElements(x, i, axis=a); "
        "Gather(x, k, axis=a) -> Gather(x, clamped(i, n), axis=a); "
        "GatherElements(x, k, axis=a) -> GatherElements(x, clamped(i, n), axis=a) "
        "where k = Clip(j, 0, m), j = Where(i < 0, i + n, i) for number(n, m), same_shape(i, j), one_more(n, m) "
        "if extent(x, a, n), once(k) 'the index is read elsewhere too'">(),
    {"negative-rows",
     "ScatterND(x, j e, u) -> ScatterND(x, i e, u), ScatterND(x, Clip(j, 0, n - 1) e, u) -> ScatterND(x, Clip(i, -n, "
     "n - 1) e, u), j = Where(i < 0, i + n, i), n the extent of x along the axis",
     "a constant e of zeros and one 1; a constant extent", ops<"ScatterND">, negative_rows},
    // A wrapped index is in [0, n - 1] exactly if the index is in [-n, n - 1] before it is wrapped.
    equation<"negative-bounds",
             "Clip(j, 0, m) == j -> clamped(i, n) == i where j = Where(i < 0, i + n, i) "
             "for signed(i), number(n, m), 1 <= n, same_shape(i, j), one_more(n, m)">(),
    {"known-clip", "Clip(i, a, b) -> i", "integers that are known to be in [a, b]", ops<"Clip">, known_clip},
    {"clip-before-cast",
     "Clip(Cast(Clip(Where(IsNaN(x), 0, x), l, h)), a, b) -> Cast(Clip(Where(IsNaN(x), 0, x), a, b))",
     "integers a and b in [l, h] with at most 24 bits; nothing else reads the Cast; x may be a Cast of float32 to "
     "double",
     ops<"Clip">, clip_before_cast},
    {"all-in-order", "Gather(x, 0, 1, ..., n - 1, axis) -> x", "n is the extent of the axis; the shape is static",
     ops<"Gather">, all_in_order},
    {"pick-one", "Reshape(Gather(x, [i], axis)) -> Gather(x, i, axis)",
     "the Reshape removes the axis; the Gather is read once, [i] at most twice; i is known to be in range",
     operators_with<trait::reshapes>, pick_one},
    {"gather-columns", "Gather(x, i, axis) -> Transpose(Gather(Transpose(x), i, 0))",
     "only for ONNX Runtime; the axis is the last one, and there are several rows; at least 32 indices, and at least "
     "a quarter of the extent of the axis; constant extents",
     ops<"Gather">, gather_columns, stage::late},
    {"gather-elements", "Gather(x, i) -> Reshape(GatherElements(x, Reshape(i)))",
     "only for ONNX Runtime; a vector x; at least 64 indices in a vector or 256 in another array; constant extents",
     ops<"Gather">, lookups_of_elements, stage::late},
    {"flat-points",
     "GatherND(x, Concat(i, j, ...)) -> Reshape(GatherElements(Reshape(x), Reshape(i n + j ...))), "
     "GatherND(x, Concat(i, j, ...)) -> Gather(Reshape(x), i n + j ..., 0), "
     "GatherND(x, i + r) -> Gather(Reshape(x), MatMul(i, s) + r s, 0)",
     "only for ONNX Runtime; at least 256 elements or rows of x; Clip, Max, Min and Cast may follow the Concat; "
     "indices are clamped or known to be in range, and r is a constant row; in the last form, at least three nodes "
     "read i; constant extents",
     ops<"GatherND">, flat_points, stage::late},
    {"negative-points",
     "GatherND(x, Concat(j, ...)) -> GatherND(x, Concat(i, ...)), ScatterND(x, Concat(j, ...), u) -> ScatterND(x, "
     "Concat(i, ...), u), j = Where(i < 0, i + n, i), n the extent of x along the axis",
     "only for ONNX Runtime; Clip, Max, Min and Cast may follow the Concat, with bounds 0 and n - 1; nothing else "
     "reads the indices; a constant extent",
     ops<"GatherND", "ScatterND">, negative_points, stage::late},
};

}  // namespace jax2onnx::rewrite::detail
