// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/lower/linear/reduce_window.hpp>
#include <jax2onnx/lower/linear/window_types.hpp>
#include <jax2onnx/support/item_loops.hpp>
#include <jax2onnx/support/message.hpp>

/// Lowers select_and_scatter_add and select_and_gather_add, the derivatives of max pooling: a Gather of the windows,
/// ArgMax, then ScatterElements or GatherElements. select_and_scatter_add over adjacent windows becomes comparisons.
/// Source: jax.lax.select_and_scatter_add.
namespace jax2onnx::lower {

/// The element that every window selects: `ge` selects the first of the largest elements, `le` the first of the
/// smallest.
struct window_selection {
  value padded;           ///< the operand, padded with the identity element of maximum or minimum
  value lists;            ///< the elements of its windows
  value position;         ///< the position of the element in the list of the window's elements
  std::int64_t axis = 0;  ///< the axis of extent 1 in `position`; lists have the elements of a window along it
};

/// The axis for the elements of a window: after the axes of windows, so that later axes move as a whole.
inline std::int64_t axis_of_elements(const window_form& f) {
  const ints axes = f.windowed();
  return axes.empty() ? std::ssize(f.sizes) : axes.back() + 1;
}

/// Returns whether windows select their largest element; otherwise they select their smallest element.
inline bool selects_largest(const site& s) {
  const auto select = s.param<std::string_view>("select_prim");
  if (!select.starts_with("ge") && !select.starts_with("le"))
    s.unsupported(detail::message("its select_prim is {}; only ge and le are supported", select));
  return select.starts_with("ge");
}

inline window_selection select_in_windows(const site& s, const value& given, const window_form& f) {
  const bool largest = selects_largest(s);
  const value x = is_boolean(given.dtype()) ? cast(given, dtype::i32) : given;
  const value padded = f.padded(x, identity_element(s.g, largest ? reducer::maximum : reducer::minimum, x.dtype()));
  const std::int64_t axis = axis_of_elements(f);
  const value lists = window_lists(padded, f, axis);
  shape one = lists.dims();
  one[static_cast<std::size_t>(axis)] = 1;
  return {padded, lists,
          s.g.emit(largest ? operator_name("ArgMax") : operator_name("ArgMin"), {lists}, {dtype::i64, one},
                   {{"axis", axis}, {"keepdims", std::int64_t{1}}}),
          axis};
}

/// select_and_gather_add tangents operand: the tangents at the selected positions of the operand. In JAX, windows
/// select from their elements and an initial value whose tangent is 0. This value is the infinity that also fills the
/// padding.
inline jax_values select_and_gather_add(const site& s) {
  const window_form f = read_window_form(s);
  const window_selection chosen = select_in_windows(s, s.in(1), f);
  const value lists = window_lists(f.padded(s.in(0), scalar(s.g, s.in_dtype(), 0)), f, chosen.axis);
  const auto selected = [&](const value& of) {
    return squeeze(gather_elements(of, chosen.position, chosen.axis), {chosen.axis});
  };
  const value x = selected(chosen.lists), zero = scalar(s.g, s.in_dtype(), 0);
  const value initial = identity_element(s.g, selects_largest(s) ? reducer::maximum : reducer::minimum, x.dtype());
  return {where(equal(x, initial), zero, selected(lists))};
}

/// The distances of the elements of a window from its first element in the row-major padded operand. nullopt if the
/// distances depend on symbols.
inline std::optional<ints> offsets_in_window(const shape& padded, const window_form& f) {
  ints offsets{0};
  for (std::size_t d = 0; d < padded.size(); ++d) {
    if (f.sizes[d] == 1) continue;
    std::int64_t stride = f.dilation[d];
    for (std::size_t i = d + 1; i < padded.size(); ++i) {
      if (!padded[i].is_constant()) return std::nullopt;
      stride = jax2onnx::detail::checked_mul(stride, padded[i].extent());
    }
    ints more;
    for (const std::int64_t offset : offsets)
      for (std::int64_t i = 0; i < f.sizes[d]; ++i) more.push_back(offset + i * stride);
    offsets = std::move(more);
  }
  return offsets;
}

/// The positions, in the flat padded operand, of the first elements of all windows.
inline value first_positions(const value& positions, const window_form& f) {
  dim_table& dims = positions.owner().dims();
  const ints axes = f.windowed();
  shape limits;
  ints strides;
  for (const std::int64_t d : axes) {
    const window_axis w = f.along(positions, d);
    limits.push_back(dims.add(dims.mul(dims.sub(w.count, 1), w.stride), 1));
    strides.push_back(w.stride);
  }
  return slice(positions, axes, shape(axes.size(), dim(0)), limits, strides);
}

/// The positions, in the flat padded operand, of the elements that the windows select.
inline value selected_positions(const window_selection& chosen, const window_form& f, dim windows) {
  graph& g = chosen.padded.owner();
  const shape& padded = chosen.padded.dims();
  const value positions = reshape(range(g, g.dims().product(padded)), padded);
  const bool known = item_loops::all_of(chosen.position.dims(), [](dim d) { return d.is_constant() && !d.is(0); });
  if (const auto offsets = known ? offsets_in_window(padded, f) : std::nullopt) {
    const value behind = gather(int64s(g, *offsets), chosen.position, 0);
    return add(reshape(first_positions(positions, f), {windows}), reshape(behind, {windows}));
  }
  const value lists = window_lists(positions, f, chosen.axis);
  return reshape(gather_elements(lists, chosen.position, chosen.axis), {windows});
}

/// Returns whether windows are adjacent, have few elements, and no padding or dilation, and the extents of windowed
/// axes are constants. Then every element is in at most one window.
inline bool are_side_by_side(const value& x, const window_form& f) {
  constexpr std::int64_t most_elements = 16;
  const ints axes = f.windowed();
  std::int64_t elements = 1;
  for (const std::int64_t d : axes) {
    const auto i = static_cast<std::size_t>(d);
    if (f.sizes[i] != f.strides[i] || f.sizes[i] > most_elements) return false;
    elements *= f.sizes[i];
    if (elements > most_elements || !x.extent(d).is_constant() || x.extent(d).extent() < f.sizes[i]) return false;
  }
  const auto is_zero = [](dim d) { return d.is(0); };
  return !axes.empty() && all_ones(f.dilation) && all_ones(f.base_dilation) && item_loops::all_of(f.low, is_zero) &&
         item_loops::all_of(f.high, is_zero);
}

/// Element k of every window, for each k in row-major order. The windows are adjacent.
inline std::vector<value> elements_of_windows(const value& x, const window_form& f, const shape& counts) {
  const ints axes = f.windowed();
  std::vector<ints> starts{{}};
  for (const std::int64_t d : axes) {
    std::vector<ints> more;
    for (const ints& start : starts)
      for (std::int64_t i = 0; i < f.sizes[static_cast<std::size_t>(d)]; ++i)
        more.push_back(joined_axes(start, ints{i}));
    starts = std::move(more);
  }
  std::vector<value> elements;
  for (const ints& start : starts) {
    shape from, to;
    ints steps;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const auto d = static_cast<std::size_t>(axes[i]);
      from.push_back(start[i]);
      to.push_back(start[i] + (counts[d].extent() - 1) * f.sizes[d] + 1);
      steps.push_back(f.sizes[d]);
    }
    elements.push_back(slice(x, axes, from, to, steps));
  }
  return elements;
}

/// For each element of a window, in order, a mask of the windows that select it. A later element replaces the selected
/// element unless the selected element is greater or equal (or, without `largest`, less or equal). Comparisons with NaN
/// are false.
inline std::vector<value> selected_elements(const std::vector<value>& elements, bool largest) {
  std::vector<value> stays;  // true where the selected element before element k + 1 stays selected
  value current = elements[0];
  for (std::size_t k = 1; k < elements.size(); ++k) {
    stays.push_back(largest ? greater_equal(current, elements[k]) : less_equal(current, elements[k]));
    if (k + 1 < elements.size()) current = where(stays.back(), current, elements[k]);
  }
  std::vector<value> selected(elements.size());
  value until_end;  // true where no element after k is selected
  for (std::size_t k = stays.size(); k > 0; --k) {
    const value taken = logical_not(stays[k - 1]);
    selected[k] = until_end ? logical_and(taken, until_end) : taken;
    until_end = until_end ? logical_and(stays[k - 1], until_end) : stays[k - 1];
  }
  selected[0] = until_end;
  return selected;
}

/// Joins the elements of windows (each an array over all windows) to one array in which every windowed axis is followed
/// by the axis of positions in a window.
inline value join_elements(std::vector<value> elements, const window_form& f, const shape& joined) {
  const ints axes = f.windowed();
  const std::int64_t rank = elements[0].rank();
  if (axes.back() + 1 == rank)
    for (value& v : elements) v = unsqueeze(v, {rank});
  for (auto d = axes.rbegin(); d != axes.rend(); ++d) {
    const auto size = static_cast<std::ptrdiff_t>(f.sizes[static_cast<std::size_t>(*d)]);
    std::vector<value> merged;
    for (auto first = elements.begin(); first != elements.end(); first += size)
      merged.push_back(concat(std::vector<value>(first, first + size), *d + 1));
    elements = std::move(merged);
  }
  return reshape(elements[0], joined);
}

/// select_and_scatter_add if every element is in at most one window: a selected element becomes the source of its
/// window, any other element 0.
inline value scatter_side_by_side(const value& source, const value& x, const window_form& f, bool largest) {
  graph& g = x.owner();
  const shape& counts = source.dims();
  shape spread, joined, merged, low, high;
  for (std::size_t d = 0; d < counts.size(); ++d) {
    const bool windowed = f.sizes[d] != 1;
    spread.push_back(counts[d]);
    joined.push_back(counts[d]);
    if (windowed) {
      spread.push_back(1);
      joined.push_back(f.sizes[d]);
    }
    merged.push_back(windowed ? dim(counts[d].extent() * f.sizes[d]) : counts[d]);
    low.push_back(0);
    high.push_back(windowed ? dim(x.dims()[d].extent() - merged[d].extent()) : dim(0));
  }
  const value selected = join_elements(selected_elements(elements_of_windows(x, f, counts), largest), f, joined);
  const value zero = scalar(g, source.dtype(), 0);
  return pad(reshape(where(selected, reshape(source, spread), zero), merged), low, high, zero);
}

/// select_and_scatter_add source operand: adds the source of every window at the position that the window selects.
inline jax_values select_and_scatter_add(const site& s) {
  window_form f = read_window_form(s);
  const dtype t = is_boolean(s.out_dtype()) ? dtype::i32 : s.out_dtype();
  if (are_side_by_side(s.in(1), f)) {
    const value x = is_boolean(s.in_dtype(1)) ? cast(s.in(1), dtype::i32) : s.in(1);
    return {cast(scatter_side_by_side(cast(s.in(0), t), x, f, selects_largest(s)), s.out_dtype())};
  }
  const window_selection chosen = select_in_windows(s, s.in(1), f);
  const shape padded = chosen.padded.dims();
  const dim count = s.g.dims().product(padded);
  const dim windows = s.g.dims().product(s.in(0).dims());
  const value at = selected_positions(chosen, f, windows);
  const value source = reshape(cast(s.in(0), t), {windows});
  const value sum = s.g.emit("ScatterElements", {filled(s.g, t, {count}, 0), at, source}, {t, {count}},
                             {{"axis", std::int64_t{0}}, {"reduction", std::string("add")}});
  for (shape* side : {&f.low, &f.high})
    for (dim& d : *side) d = s.g.dims().sub(0, d);
  const value cropped = pad(reshape(sum, padded), f.low, f.high, scalar(s.g, t, 0));
  return {cast(cropped, s.out_dtype())};
}

inline constexpr lowering select_and_scatter_rows[] = {
    {"select_and_gather_add", select_and_gather_add, "Gather, ArgMax, GatherElements",
     windows_signature(2, 1, select_and_gather_types, {"select_prim", param_form::name})},
    {"select_and_scatter_add", select_and_scatter_add, "Gather, ArgMax, ScatterElements; side by side: Slice, Where",
     windows_signature(2, 1, select_and_scatter_types, {"select_prim", param_form::name})},
};

}  // namespace jax2onnx::lower
