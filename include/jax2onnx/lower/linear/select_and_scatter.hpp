#pragma once

#include <vector>

#include <jax2onnx/lower/linear/reduce_window.hpp>

/// What the derivatives of pooling need: the element that a window selects. Source: jax.lax.select_and_scatter_add.
namespace jax2onnx::lower {

/// Windows of which `ge` selects the first largest element and `le` the first smallest.
struct window_selection {
  value padded;    ///< the operand with what is never selected around it
  value position;  ///< [windows..., 1]: which element of the window's list
  std::int64_t axis = 0;
};

inline window_selection select_in_windows(const site& s, const value& operand, const window_form& f) {
  const auto select = s.param<std::string_view>("select_prim");
  const bool largest = select.starts_with("ge");
  if (!largest && !select.starts_with("le")) s.unsupported(fmt::format("selection by {}", select));
  const value x = is_boolean(operand.dtype()) ? cast(operand, dtype::i32) : operand;
  const value padded = f.padded(x, identity_element(s.g, largest ? reducer::maximum : reducer::minimum, x.dtype()));
  const value lists = window_lists(padded, f);
  shape one = lists.dims();
  one.back() = 1;
  const std::int64_t axis = lists.rank() - 1;
  return {padded,
          s.g.emit(largest ? "ArgMax" : "ArgMin", {lists}, {dtype::i64, one},
                   {{"axis", axis}, {"keepdims", std::int64_t{1}}}),
          axis};
}

/// select_and_gather_add tangents operand: the tangents at the selected places.
inline jax_values select_and_gather_add(const site& s) {
  const window_form f(s);
  const window_selection chosen = select_in_windows(s, s.in(1), f);
  const value lists = window_lists(f.padded(s.in(0), scalar(s.g, s.in_dtype(), 0)), f);
  return {squeeze(gather_elements(lists, chosen.position, chosen.axis), {chosen.axis})};
}

/// select_and_scatter_add source operand: each window's source is added at the place that it selects.
inline jax_values select_and_scatter_add(const site& s) {
  window_form f(s);
  const window_selection chosen = select_in_windows(s, s.in(1), f);
  const shape padded = chosen.padded.dims();
  const dim count = s.g.dims().product(padded);
  const value places = window_lists(jax2onnx::reshape(range(s.g, count), padded), f);
  const dim windows = s.g.dims().product(s.in(0).dims());
  const value at = jax2onnx::reshape(gather_elements(places, chosen.position, chosen.axis), {windows});
  const dtype t = is_boolean(s.out_dtype()) ? dtype::i32 : s.out_dtype();
  const value source = jax2onnx::reshape(cast(s.in(0), t), {windows});
  const value sum = s.g.emit("ScatterElements", {filled(s.g, t, {count}, 0), at, source}, {t, {count}},
                             {{"axis", std::int64_t{0}}, {"reduction", std::string("add")}});
  for (shape* side : {&f.low, &f.high})
    for (dim& d : *side) d = s.g.dims().sub(0, d);
  const value cropped = jax2onnx::pad(jax2onnx::reshape(sum, padded), f.low, f.high, scalar(s.g, t, 0));
  return {cast(cropped, s.out_dtype())};
}

inline constexpr lowering select_and_scatter_rows[] = {
    {"select_and_gather_add", select_and_gather_add, "Gather, ArgMax, GatherElements"},
    {"select_and_scatter_add", select_and_scatter_add, "Gather, ArgMax, GatherElements, ScatterElements"},
};

}  // namespace jax2onnx::lower
