// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>

#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>

/// Type rules of the primitives that move elements. Source: jax._src.lax.lax, the shape rules of the same names.
namespace jax2onnx::lower {

/// The extent of an axis of a type.
/// @{
inline dim extent_of(const aval& t, std::int64_t axis) { return t.dims[static_cast<std::size_t>(axis)]; }
inline dim& extent_of(aval& t, std::int64_t axis) { return t.dims[static_cast<std::size_t>(axis)]; }
/// @}

/// The type of operand 0, for primitives whose result has this type.
inline std::vector<aval> same_type(const site& s) { return {s.in_type(0)}; }

/// Throws malformed_error if x exceeds `limit` for all values of the symbols; `what` describes x.
inline void require_at_most(const site& s, dim x, dim limit, std::string_view what) {
  const dim_table& dims = s.g.dims();
  if (provably_less(s.g.dims(), limit, x))
    s.malformed(detail::message("{} is {}, more than {}", what, dims.text(x), dims.text(limit)));
}

/// The extents in parameter `key`. If some extents are operands, or the parameter is missing or None, the extents of
/// the printed result.
inline shape printed_shape(const site& s, std::string_view key, std::size_t operands) {
  const bool given = s.arity() <= operands && s.find(key) && s.find(key)->tag != jaxpr::value::kind::none;
  return given ? s.param<shape>(key) : s.out_dims();
}

/// Throws malformed_error unless the operands have one element type and, except along `axis`, one shape.
inline void require_alike(const site& s, std::int64_t axis) {
  for (std::size_t i = 1; i < s.arity(); ++i) {
    require_same_element(s, i, 0);
    aval expected = s.in_type(0);
    if (axis >= 0 && s.in_type(i).rank() == expected.rank()) extent_of(expected, axis) = extent_of(s.in_type(i), axis);
    require_shape(s, i, expected.dims, "operand 0");
  }
}

inline std::vector<aval> broadcast_in_dim_types(const site& s) {
  const aval& x = s.in_type(0);
  aval out{x.elem, printed_shape(s, "shape", 1)};
  const ints at = s.param_or<ints>("broadcast_dimensions", {});
  if (std::ssize(at) != x.rank())
    s.malformed(
        detail::message("it has {} broadcast_dimension{|s} for an operand of {} dimension{|s}", at.size(), x.rank()));
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] < 0 || at[i] >= out.rank() || (i > 0 && at[i] <= at[i - 1]))
      s.malformed("its broadcast_dimensions are not ascending axes of the result");
    if (!x.dims[i].is(1) && provably_differ(s.g.dims(), x.dims[i], extent_of(out, at[i])))
      s.malformed(detail::message("operand 0 is {}, but the result is {}", text(s.g.dims(), x), text(s.g.dims(), out)));
  }
  return {out};
}

inline std::vector<aval> broadcast_to_types(const site& s) {
  const aval& x = s.in_type(0);
  const aval out{x.elem, printed_shape(s, "shape", 1)};
  bool fits = x.rank() <= out.rank();
  for (std::int64_t i = 1; fits && i <= x.rank(); ++i) {
    const dim from = extent_of(x, x.rank() - i);
    fits = from.is(1) || !provably_differ(s.g.dims(), from, extent_of(out, out.rank() - i));
  }
  if (!fits)
    s.malformed(detail::message("operand 0 is {}, but the result is {}", text(s.g.dims(), x), text(s.g.dims(), out)));
  return {out};
}

inline std::vector<aval> concatenate_types(const site& s) {
  const auto axis = s.param<std::int64_t>("dimension");
  require_alike(s, axis);
  aval out = s.in_type(0);
  for (std::size_t i = 1; i < s.arity(); ++i)
    extent_of(out, axis) = s.g.dims().add(extent_of(out, axis), extent_of(s.in_type(i), axis));
  return {out};
}

inline std::vector<aval> iota_types(const site& s) {
  const aval out{s.find("dtype") ? s.param<element>("dtype") : s.out_type().elem, printed_shape(s, "shape", 0)};
  require_axes(s, "dimension", {s.param<std::int64_t>("dimension")}, out.rank());
  return {out};
}

/// The result types of pad. An axis has the extent low + extent + (extent - 1) * interior + high; an extent of 0 has no
/// interior.
inline std::vector<aval> pad_types(const site& s) {
  require_same_element(s, 1, 0);
  require_rank(s, 1, 0);
  aval out = s.in_type(0);
  const auto config = s.param<std::vector<shape>>("padding_config");
  if (std::ssize(config) != out.rank()) s.malformed("its padding_config needs one entry per dimension");
  dim_table& dims = s.g.dims();
  for (std::size_t i = 0; i < config.size(); ++i) {
    if (config[i].size() != 3) s.malformed("its padding_config does not consist of three numbers for each axis");
    if (config[i][2].is_constant() && config[i][2].extent() < 0) s.malformed("its interior padding is negative");
    const dim gaps = dims.max(dims.sub(out.dims[i], 1), 0);
    out.dims[i] = dims.add(dims.add(dims.add(config[i][0], config[i][1]), out.dims[i]), dims.mul(gaps, config[i][2]));
    if (out.dims[i].is_constant() && out.dims[i].extent() < 0)
      s.malformed("its padding removes more elements than an axis has");
  }
  return {out};
}

inline std::vector<aval> reshape_types(const site& s) {
  const aval out{s.in_type(0).elem, printed_shape(s, "new_sizes", 1)};
  dim_table& dims = s.g.dims();
  const dim from = dims.product(s.in_type(0).dims), to = dims.product(out.dims);
  if (provably_differ(dims, from, to))
    s.malformed(detail::message("{} cannot be reshaped to {}", text(dims, s.in_type(0)), text(dims, out)));
  return {out};
}

/// The result types of slice: x[start : limit : stride] along every axis.
inline std::vector<aval> slice_types(const site& s) {
  aval out = s.in_type(0);
  const auto start = s.param<shape>("start_indices"), limit = s.param<shape>("limit_indices");
  const shape strides = s.param_or<shape>("strides", shape(out.dims.size(), dim(1)));
  dim_table& dims = s.g.dims();
  for (std::size_t i = 0; i < out.dims.size(); ++i) {
    require_at_most(s, limit[i], out.dims[i], "a limit");
    require_at_most(s, start[i], limit[i], "a start");
    const dim length = dims.sub(limit[i], start[i]);
    out.dims[i] = strides[i].is(1) ? length : dims.floordiv(dims.add(length, dims.sub(strides[i], 1)), strides[i]);
  }
  return {out};
}

inline std::vector<aval> split_types(const site& s) {
  const auto axis = s.param<std::int64_t>("axis");
  const auto sizes = s.param<shape>("sizes");
  std::vector<aval> out(sizes.size(), s.in_type(0));
  dim sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    extent_of(out[i], axis) = sizes[i];
    sum = s.g.dims().add(sum, sizes[i]);
  }
  if (!s.has_results(out.size()) || provably_differ(s.g.dims(), sum, extent_of(s.in_type(0), axis)))
    s.malformed("its sizes must add up to the extent of the axis, with one size per result");
  return out;
}

inline std::vector<aval> squeeze_types(const site& s) {
  aval out = s.in_type(0);
  ints axes = s.param<ints>("dimensions");
  std::ranges::sort(axes, std::greater());
  for (std::int64_t axis : axes) {
    if (provably_differ(s.g.dims(), extent_of(out, axis), 1))
      s.malformed(detail::message("axis {} of {} does not have the extent 1", axis, text(s.g.dims(), s.in_type(0))));
    out.dims.drop(axis);
  }
  return {out};
}

inline std::vector<aval> stack_types(const site& s) {
  require_alike(s, -1);
  const auto axis = s.param<std::int64_t>("axis");
  aval out = s.in_type(0);
  require_axes(s, "axis", {axis}, out.rank() + 1);
  out.dims.put(axis, dim(static_cast<std::int64_t>(s.arity())));
  return {out};
}

inline std::vector<aval> unstack_types(const site& s) {
  aval out = s.in_type(0);
  const auto axis = s.param<std::int64_t>("axis");
  if (provably_differ(s.g.dims(), extent_of(out, axis), static_cast<std::int64_t>(s.out_count())))
    s.malformed(detail::message("operand 0 is {}; the extent of the axis must be {}, the number of results",
                                text(s.g.dims(), out), s.out_count()));
  out.dims.drop(axis);
  return std::vector<aval>(s.out_count(), out);
}

inline std::vector<aval> tile_types(const site& s) {
  aval out = s.in_type(0);
  const auto reps = s.param<shape>("reps");
  for (std::size_t i = 0; i < reps.size(); ++i) out.dims[i] = s.g.dims().mul(out.dims[i], reps[i]);
  return {out};
}

inline std::vector<aval> transpose_types(const site& s) {
  aval out{s.in_type(0).elem, {}};
  for (std::int64_t axis : s.param<ints>("permutation")) out.dims.push_back(extent_of(s.in_type(0), axis));
  return {out};
}

inline std::vector<aval> empty_types(const site& s) {
  return {{s.find("dtype") ? s.param<element>("dtype") : s.out_type().elem, printed_shape(s, "shape", 0)}};
}

inline std::vector<aval> dim_as_value_types(const site& s) { return {{s.out_type().elem, {}}}; }

}  // namespace jax2onnx::lower
