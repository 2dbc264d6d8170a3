#pragma once

#include <vector>

#include <jax2onnx/lower/linear/reduce_window.hpp>
#include <jax2onnx/lower/linear/window_types.hpp>
#include <jax2onnx/support/message.hpp>

/// Lowers select_and_scatter_add and select_and_gather_add, the derivatives of max pooling, to ArgMax over a Gather of
/// the windows, then ScatterElements or GatherElements. Source: jax.lax.select_and_scatter_add.
namespace jax2onnx::lower {

/// The element that every window selects: `ge` selects the first largest one, `le` the first smallest.
struct window_selection {
  value padded;    ///< the operand, padded with values that are never selected
  value position;  ///< [windows..., 1]: the position of the element in the list of the window's elements
  std::int64_t axis = 0;
};

inline window_selection select_in_windows(const site& s, const value& given, const window_form& f) {
  const auto select = s.param<std::string_view>("select_prim");
  const bool largest = select.starts_with("ge");
  if (!largest && !select.starts_with("le"))
    s.unsupported(detail::message("its select_prim is {}; only ge and le are supported", select));
  const value x = is_boolean(given.dtype()) ? cast(given, dtype::i32) : given;
  const value padded = f.padded(x, identity_element(s.g, largest ? reducer::maximum : reducer::minimum, x.dtype()));
  const value lists = window_lists(padded, f);
  shape one = lists.dims();
  one.back() = 1;
  const std::int64_t axis = lists.rank() - 1;
  return {padded,
          s.g.emit(largest ? operator_name("ArgMax") : operator_name("ArgMin"), {lists}, {dtype::i64, one},
                   {{"axis", axis}, {"keepdims", std::int64_t{1}}}),
          axis};
}

/// select_and_gather_add tangents operand: the tangents at the selected positions of the operand.
inline jax_values select_and_gather_add(const site& s) {
  const window_form f = read_window_form(s);
  const window_selection chosen = select_in_windows(s, s.in(1), f);
  const value lists = window_lists(f.padded(s.in(0), scalar(s.g, s.in_dtype(), 0)), f);
  return {squeeze(gather_elements(lists, chosen.position, chosen.axis), {chosen.axis})};
}

/// select_and_scatter_add source operand: adds the source of every window at the position that the window selects.
inline jax_values select_and_scatter_add(const site& s) {
  window_form f = read_window_form(s);
  const window_selection chosen = select_in_windows(s, s.in(1), f);
  const shape padded = chosen.padded.dims();
  const dim count = s.g.dims().product(padded);
  const value positions = window_lists(reshape(range(s.g, count), padded), f);
  const dim windows = s.g.dims().product(s.in(0).dims());
  const value at = reshape(gather_elements(positions, chosen.position, chosen.axis), {windows});
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
    {"select_and_scatter_add", select_and_scatter_add, "Gather, ArgMax, GatherElements, ScatterElements",
     windows_signature(2, 1, select_and_scatter_types, {"select_prim", param_form::name})},
};

}  // namespace jax2onnx::lower
