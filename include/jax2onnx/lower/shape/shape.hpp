// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <jax2onnx/lower/shape/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/window.hpp>

/// Lowers the primitives of jax.lax that move elements without reading them: reshape, transpose, broadcast_in_dim,
/// concatenate, slice, pad, split, iota, … to Reshape, Transpose, Expand, Concat, Slice, Pad, Split, Range.
namespace jax2onnx::lower {

// The verbs; the lowerings have the same names.
using ops::broadcast_to;
using ops::pad;
using ops::reshape;
using ops::slice;
using ops::squeeze;
using ops::transpose;

inline jax_values reshape(const site& s) {
  if (const jaxpr::value* d = s.find("dimensions"); d && d->tag != jaxpr::value::kind::none)
    return {reshape(transpose(s.in(0), s.param<ints>("dimensions")), s.out_dims())};
  return {reshape(s.in(0), s.out_dims())};
}

inline jax_values transpose(const site& s) { return {transpose(s.in(0), s.param<ints>("permutation"))}; }

/// broadcast_in_dim: dimension i of the operand becomes dimension broadcast_dimensions[i] of the result.
inline jax_values broadcast_in_dim(const site& s) {
  const auto rank = std::ssize(s.out_dims());
  const ints at = s.axes("broadcast_dimensions", rank);
  // Leading dimensions need no Reshape: Expand aligns shapes at the right.
  const std::int64_t first = at.empty() ? rank : at.front();
  const value x = s.in(0);
  shape with_ones;
  for (std::int64_t axis = first, next = 0; axis < rank; ++axis)
    with_ones.push_back(has_axis(at, axis) ? x.extent(next++) : dim(1));
  return {broadcast_to(reshape(x, with_ones), s.out_dims())};
}

/// broadcast_to, which JAX prints for references and in Pallas: shapes are aligned at the right, as in NumPy.
inline jax_values broadcast_to(const site& s) { return {broadcast_to(s.in(0), s.out_dims())}; }

inline jax_values squeeze(const site& s) { return {reshape(s.in(0), s.out_dims())}; }

inline jax_values concatenate(const site& s) { return {concat(s.in_values(), s.param<std::int64_t>("dimension"))}; }

/// x[start : limit : stride] along every axis.
inline jax_values slice(const site& s) {
  const ints strides = s.param_or<ints>("strides", ints(static_cast<std::size_t>(s.in(0).rank()), 1));
  return {slice(s.in(0), iota_axes(s.in(0).rank()), s.param<shape>("start_indices"), s.param<shape>("limit_indices"),
                strides)};
}

inline jax_values rev(const site& s) { return {reverse(s.in(0), s.param<ints>("dimensions"))}; }

inline jax_values split(const site& s) {
  const auto axis = s.param<std::int64_t>("axis");
  const auto sizes = s.param<shape>("sizes");
  std::vector<tensor_type> types;
  for (std::size_t i = 0; i < s.out_count(); ++i) types.push_back({s.in(0).dtype(), s.out_dims(i)});
  if (types.size() == 1) return {s.in(0)};
  jax_values out;
  for (const value& v : s.g.emit_many("Split", std::vector{s.in(0), shape_value(s.g, sizes)}, types, {{"axis", axis}}))
    out.emplace_back(v);
  return out;
}

/// 0, 1, 2, … along one dimension. Types other than int32 and int64 are cast from int64, since Range lacks most of
/// them.
inline jax_values iota(const site& s) {
  const auto axis = s.param<std::int64_t>("dimension");
  const dim n = s.out_dims()[static_cast<std::size_t>(axis)];
  const dtype t = s.out_dtype();
  const dtype counted = t == dtype::i32 ? t : dtype::i64;
  const value limit = cast(reshape(dim_value(s.g, n), {}), counted);
  value v = s.g.emit("Range", {scalar(s.g, counted, 0), limit, scalar(s.g, counted, 1)}, {counted, {n}});
  v = cast(v, t);
  shape column(s.out_dims().size() - static_cast<std::size_t>(axis), dim(1));
  column[0] = n;
  v = broadcast_to(reshape(v, column), s.out_dims());
  return {s.is_complex() ? jax_value(v, filled(s.g, t, s.out_dims(), 0)) : jax_value(v)};
}

inline jax_values tile(const site& s) {
  return {s.g.emit("Tile", {s.in(0), shape_value(s.g, s.param<shape>("reps"))}, {s.in(0).dtype(), s.out_dims()})};
}

/// jnp.stack: concatenates the operands along a new axis.
inline jax_values stack(const site& s) {
  const auto axis = s.param<std::int64_t>("axis");
  std::vector<value> parts;
  for (const value& v : s.in_values()) parts.push_back(unsqueeze(v, {axis}));
  return {concat(parts, axis)};
}

/// jnp.unstack: the slices along an axis, which is removed.
inline jax_values unstack(const site& s) {
  const auto axis = s.param<std::int64_t>("axis");
  if (s.out_count() == 0) return {};
  shape with_axis = s.out_dims();
  with_axis.put(axis, 1);
  const std::vector<tensor_type> types(s.out_count(), {s.in(0).dtype(), with_axis});
  jax_values out;
  if (types.size() == 1) return {reshape(s.in(0), s.out_dims())};
  const ints sizes(types.size(), 1);
  for (const value& v : s.g.emit_many("Split", std::vector{s.in(0), int64s(s.g, sizes)}, types, {{"axis", axis}}))
    out.emplace_back(squeeze(v, {axis}));
  return out;
}

/// pad operand value: negative padding crops; interior padding is inserted between elements.
inline jax_values pad(const site& s) {
  shape low, high;
  ints interior;
  for (const shape& axis : s.param<std::vector<shape>>("padding_config")) {
    if (!axis[2].is_constant()) s.unsupported("its interior padding is symbolic");
    low.push_back(axis[0]);
    high.push_back(axis[1]);
    interior.push_back(axis[2].extent());
  }
  return {pad_between(s.in(0), low, high, interior, s.in(1))};
}

/// An uninitialized array; XLA fills it with zeros.
inline jax_values empty(const site& s) { return {filled(s.g, s.out_dtype(), s.out_dims(), 0)}; }

inline constexpr lowering shape_rows[] = {
    {"broadcast_in_dim", broadcast_in_dim, "Reshape, Expand",
     signature{or_more(1),
               1,
               broadcast_in_dim_types,
               {{"shape", param_form::dims, 0}, {"broadcast_dimensions", param_form::numbers}}},
     parts_rule::each, ignores{"shape sharding"}},
    {"broadcast_to", broadcast_to, "Expand", signature{1, 1, broadcast_to_types, {{"shape", param_form::dims, 0}}},
     parts_rule::each, ignores{"shape"}},
    {"concatenate", concatenate, "Concat",
     signature{or_more(1), 1, concatenate_types, {{"dimension", param_form::axis}}}, parts_rule::each},
    {"empty", empty, "(a constant)",
     signature{0, 1, empty_types, {{"shape", param_form::dims, 0}, {"dtype", param_form::element}}}, parts_rule::each,
     ignores{"dtype out_sharding shape"}},
    {"empty2", empty, "(a constant)", signature{0, 1, nullptr}, parts_rule::each, ignores{"dtype memory_space"}},
    {"iota", iota, "Range, Reshape, Expand",
     signature{{},
               1,
               iota_types,
               {{"shape", param_form::dims, 0}, {"dimension", param_form::number}, {"dtype", param_form::element}}},
     parts_rule::own, ignores{"dtype shape sharding"}},
    {"pad", pad, "Pad",
     signature{2, 1, pad_types, {{"padding_config", param_form::list, "(low, high, interior) for each axis"}}},
     parts_rule::each},
    {"reshape", reshape, "Reshape",
     signature{1, 1, reshape_types, {{"new_sizes", param_form::dims, 0}, {"dimensions", param_form::permutation}}},
     parts_rule::each, ignores{"new_sizes sharding"}},
    {"rev", rev, "Slice", signature{1, 1, same_type, {{"dimensions", param_form::axes}}}, parts_rule::each},
    {"slice", slice, "Slice",
     signature{1,
               1,
               slice_types,
               {{"start_indices", param_form::per_axis, 0},
                {"limit_indices", param_form::per_axis, 0},
                {"strides", param_form::per_axis, 1}}},
     parts_rule::each},
    {"split", split, "Split",
     signature{1, or_more(1), split_types, {{"axis", param_form::axis}, {"sizes", param_form::dims, 0}}},
     parts_rule::each},
    {"squeeze", squeeze, "Reshape", signature{1, 1, squeeze_types, {{"dimensions", param_form::axes}}},
     parts_rule::each, ignores{"dimensions"}},
    {"stack", stack, "Unsqueeze, Concat", signature{or_more(1), 1, stack_types, {{"axis", param_form::number, 0}}},
     parts_rule::each},
    {"tile", tile, "Tile", signature{1, 1, tile_types, {{"reps", param_form::per_axis, 0}}}, parts_rule::each},
    {"unstack", unstack, "Split, Squeeze", signature{1, {}, unstack_types, {{"axis", param_form::axis}}},
     parts_rule::each},
    {"transpose", transpose, "Transpose", signature{1, 1, transpose_types, {{"permutation", param_form::permutation}}},
     parts_rule::each},
};

}  // namespace jax2onnx::lower
