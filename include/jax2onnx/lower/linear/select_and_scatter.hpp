#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jax2onnx/lower/linear/reduce_window.hpp>
#include <jax2onnx/lower/linear/window_types.hpp>
#include <jax2onnx/support/message.hpp>

/// Lowers select_and_scatter_add and select_and_gather_add, the derivatives of max pooling, to ArgMax over a Gather of
/// the windows, then ScatterElements or GatherElements. Source: jax.lax.select_and_scatter_add.
namespace jax2onnx::lower {

/// The element that every window selects: `ge` selects the first largest one, `le` the first smallest.
struct window_selection {
  value padded;           ///< the operand, padded with values that are never selected
  value position;         ///< the position of the element in the list of the window's elements
  std::int64_t axis = 0;  ///< the axis of `position` that is 1, where lists of elements have their elements
};

/// The axis for the elements of a window: behind the axes of windows, so that what lies behind these moves as a whole.
inline std::int64_t axis_of_elements(const window_form& f) {
  const ints axes = f.windowed();
  return axes.empty() ? std::ssize(f.sizes) : axes.back() + 1;
}

inline window_selection select_in_windows(const site& s, const value& given, const window_form& f) {
  const auto select = s.param<std::string_view>("select_prim");
  const bool largest = select.starts_with("ge");
  if (!largest && !select.starts_with("le"))
    s.unsupported(detail::message("its select_prim is {}; only ge and le are supported", select));
  const value x = is_boolean(given.dtype()) ? cast(given, dtype::i32) : given;
  const value padded = f.padded(x, identity_element(s.g, largest ? reducer::maximum : reducer::minimum, x.dtype()));
  const std::int64_t axis = axis_of_elements(f);
  const value lists = window_lists(padded, f, axis);
  shape one = lists.dims();
  one[static_cast<std::size_t>(axis)] = 1;
  return {padded,
          s.g.emit(largest ? operator_name("ArgMax") : operator_name("ArgMin"), {lists}, {dtype::i64, one},
                   {{"axis", axis}, {"keepdims", std::int64_t{1}}}),
          axis};
}

/// select_and_gather_add tangents operand: the tangents at the selected positions of the operand.
inline jax_values select_and_gather_add(const site& s) {
  const window_form f = read_window_form(s);
  const window_selection chosen = select_in_windows(s, s.in(1), f);
  const value lists = window_lists(f.padded(s.in(0), scalar(s.g, s.in_dtype(), 0)), f, chosen.axis);
  return {squeeze(gather_elements(lists, chosen.position, chosen.axis), {chosen.axis})};
}

/// How far the elements of a window lie behind its first one in the row-major padded operand. nullopt where that
/// depends on symbols.
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

/// The positions in the flat padded operand of the first elements of all windows.
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

/// The positions in the flat padded operand of the elements that the windows select.
inline value selected_positions(const window_selection& chosen, const window_form& f, dim windows) {
  graph& g = chosen.padded.owner();
  const shape& padded = chosen.padded.dims();
  const value positions = reshape(range(g, g.dims().product(padded)), padded);
  const bool known = std::ranges::all_of(chosen.position.dims(), [](dim d) { return d.is_constant() && !d.is(0); });
  if (const auto offsets = known ? offsets_in_window(padded, f) : std::nullopt) {
    const value behind = gather(int64s(g, *offsets), chosen.position, 0);
    return add(reshape(first_positions(positions, f), {windows}), reshape(behind, {windows}));
  }
  const value lists = window_lists(positions, f, chosen.axis);
  return reshape(gather_elements(lists, chosen.position, chosen.axis), {windows});
}

/// select_and_scatter_add source operand: adds the source of every window at the position that the window selects.
inline jax_values select_and_scatter_add(const site& s) {
  window_form f = read_window_form(s);
  const window_selection chosen = select_in_windows(s, s.in(1), f);
  const shape padded = chosen.padded.dims();
  const dim count = s.g.dims().product(padded);
  const dim windows = s.g.dims().product(s.in(0).dims());
  const value at = selected_positions(chosen, f, windows);
  const dtype t = is_boolean(s.out_dtype()) ? dtype::i32 : s.out_dtype();
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
    {"select_and_scatter_add", select_and_scatter_add, "Gather, ArgMax, ScatterElements; symbols: GatherElements",
     windows_signature(2, 1, select_and_scatter_types, {"select_prim", param_form::name})},
};

}  // namespace jax2onnx::lower
