// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/folding.hpp>
#include <jax2onnx/rewrite/engine/numbers.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/equations/bindings.hpp>

/// The functions of right sides: values that depend on shapes.
namespace jax2onnx::rewrite::equations {

/// The operands of a function: values that were built, and axes.
struct function_arguments {
  const bindings& b;
  std::span<const value> values;  ///< absent for axes
  std::span<const int> ids;       ///< the indices of variables; -1 for other terms
  reduction axes(std::size_t i) const { return b.axes(ids[i]); }
};

/// `parameter` without the leading extents of 1 that `wanted` lacks; absent if its shape differs otherwise.
inline value in_shape(const value& parameter, const shape& wanted) {
  shape dims = parameter.dims();
  while (dims.size() > wanted.size() && dims.front().is(1)) dims.erase(dims.begin());
  return dims == wanted ? reshape(parameter, wanted) : value();
}

/// Ones of the type of x and these extents, for operators that require a scale; absent if an extent is symbolic.
inline value ones_of(const value& x, const shape& dims) {
  constexpr std::int64_t written_out = 4096;  // more ones are broadcast when the model runs
  if (!is_static(dims)) return {};
  std::int64_t count = 1;
  for (const dim d : dims) count = std::min(count, written_out) * std::min(d.extent(), written_out + 1);
  if (count > written_out) return filled(x.owner(), x.dtype(), dims, 1.0);
  ints extents;
  for (const dim d : dims) extents.push_back(d.extent());
  const std::vector<double> ones(static_cast<std::size_t>(count), 1.0);
  return array(x.owner(), x.dtype(), extents, std::span<const double>(ones));
}

/// A function that builds a value. If it returns an absent value, the equation does not apply; `reason`, if any, is
/// reported.
struct function {
  std::string_view name;
  std::uint8_t operands;
  std::string_view reason;
  std::string_view says;
  value (*build)(const function_arguments&);
};

inline constexpr function functions[] = {
    {"shaped",
     1,
     {},
     "the value in the shape of the result, which may have more leading extents of 1",
     [](const function_arguments& a) {
       const value &x = a.values[0], &root = a.b.root();
       if (x.dims() == root.dims()) return x;
       return adds_leading_ones(x.dims(), root.dims()) && is_static_reshape(x, root.dims()) ? reshape(x, root.dims())
                                                                                            : value();
     }},
    {"reshaped",
     1,
     {},
     "the value in the shape of the result, which has the same extents up to ones",
     [](const function_arguments& a) {
       const value &x = a.values[0], &root = a.b.root();
       if (x.dims() == root.dims()) return x;
       return moves_only_ones(x.dims(), root.dims()) && is_static_reshape(x, root.dims()) ? reshape(x, root.dims())
                                                                                          : value();
     }},
    {"as",
     2,
     {},
     "the first value in the shape of the second value",
     [](const function_arguments& a) { return reshape(a.values[0], a.values[1].dims()); }},
    {"fitted", 2, "the shape would be computed at run time",
     "the first value in the shape of the second value; no extent is computed at run time",
     [](const function_arguments& a) {
       const shape& dims = a.values[1].dims();
       if (a.values[0].dims() == dims) return a.values[0];
       return is_static_reshape(a.values[0], dims) ? reshape(a.values[0], dims) : value();
     }},
    {"row",
     1,
     {},
     "the vector as a matrix of one row",
     [](const function_arguments& a) { return unsqueeze(a.values[0], {0}); }},
    {"rows", 1, "the shape would be computed at run time", "the value as a matrix whose rows run along its last axis",
     [](const function_arguments& a) {
       const value& x = a.values[0];
       const shape dims{x.owner().dims().product(x.dims().head(x.rank() - 1)), x.dims().back()};
       return is_static_reshape(x, dims) ? reshape(x, dims) : value();
     }},
    {"vector",
     1,
     {},
     "the only row of a matrix",
     [](const function_arguments& a) { return squeeze(a.values[0], {0}); }},
    {"converted", 1, "the table is large, or its elements are not integers",
     "the constant of integers in the type of the result",
     [](const function_arguments& a) {
       if (is_floating(a.values[0].dtype())) return value();
       return jax2onnx::detail::converted_constant(a.values[0], a.b.root().dtype()).value_or(value());
     }},
    {"clamped",
     2,
     {},
     "Clip(i, -n, n - 1)",
     [](const function_arguments& a) {
       const value& i = a.values[0];
       const auto n = static_cast<std::int64_t>(a.b.number(a.ids[1]));
       return clip(i, scalar(i.owner(), i.dtype(), -n), scalar(i.owner(), i.dtype(), n - 1));
     }},
    {"channels", 2, "the bias is not one number per channel",
     "the first value as one number for each channel of the second value",
     [](const function_arguments& a) {
       const value &bias = a.values[0], &conv = a.values[1];
       shape per_channel(static_cast<std::size_t>(conv.rank()) - 1, dim(1));
       per_channel.front() = conv.extent(1);
       shape given = bias.dims();
       if (given.size() > per_channel.size() && given.front().is(1)) given.erase(given.begin());
       return given == per_channel ? reshape(bias, {conv.extent(1)}) : value();
     }},
    {"spread", 3, "the scale does not have the shape of the normalized axes",
     "the value without leading extents of 1, in the shape of the reduced axes, which are the last ones",
     [](const function_arguments& a) { return in_shape(a.values[0], extents_at(a.values[1].dims(), a.axes(2).axes)); }},
    {"alike", 2, "the bias does not have the shape of the normalized axes",
     "the first value without leading extents of 1, in the shape of the second value",
     [](const function_arguments& a) { return in_shape(a.values[0], a.values[1].dims()); }},
    {"all_ones", 2, "an extent of the normalized axes is symbolic", "ones of the shape of the reduced axes",
     [](const function_arguments& a) { return ones_of(a.values[0], extents_at(a.values[0].dims(), a.axes(1).axes)); }},
    {"composed",
     2,
     {},
     "the first value, transposed as the second value and then as the root",
     [](const function_arguments& a) {
       return transpose(a.values[0], joined_permutation(*transpose_of(a.values[1]), *transpose_of(a.b.root())));
     }},
    {"stored",
     1,
     {},
     "the constant in the shape of the result",
     [](const function_arguments& a) {
       const value &c = a.values[0], &root = a.b.root();
       return c.owner().constant(root.type(), c.data(), c.owner().at(c.id()).name);
     }},
    {"vector_of",
     1,
     {},
     "the value as a vector",
     [](const function_arguments& a) {
       const value& x = a.values[0];
       return reshape(x, {x.owner().dims().product(x.dims())});
     }},
    {"channels_second",
     2,
     {},
     "the first value, with the axis along which the second value lies moved to index 1",
     [](const function_arguments& a) {
       const value& x = a.values[0];
       ints perm = iota_axes(x.rank());
       const std::int64_t axis = channels_along(a.values[1], x);
       std::rotate(perm.begin() + 1, perm.begin() + axis, perm.begin() + axis + 1);
       return transpose(x, perm);
     }},
    {"channels_back",
     2,
     {},
     "the first value, with axis 1 moved back to the axis of the result along which the second value lies",
     [](const function_arguments& a) {
       const value& y = a.values[0];
       ints perm = iota_axes(y.rank());
       const std::int64_t axis = channels_along(a.values[1], a.b.root());
       std::rotate(perm.begin() + 1, perm.begin() + 2, perm.begin() + axis + 1);
       return transpose(y, perm);
     }},
    {"summed",
     2,
     {},
     "the sums along the axes, of a constant of at most 4 KiB",
     [](const function_arguments& a) { return sum_of_elements(a.values[0], a.axes(1).axes, a.b.root().type()); }},
    {"counted",
     3,
     {},
     "the number times the number of reduced elements: an integer, or a whole number of at most 2^24 of float32 or "
     "float64",
     [](const function_arguments& a) {
       const dim n = a.values[1].owner().dims().product(extents_at(a.values[1].dims(), a.axes(2).axes));
       return n.is_constant() ? sum_of_equal(a.values[0], n.extent()) : value();
     }},
    {"permuted",
     1,
     {},
     "the constant, transposed as the root transposes it",
     [](const function_arguments& a) {
       return permuted_constant(a.values[0], *transpose_of(a.b.root()), a.b.root().type());
     }},
    {"extents",
     1,
     {},
     "the extents that the root gives, which are constant",
     [](const function_arguments& a) {
       const auto [begin, end] = extents_read_by(*producer(a.b.root()), a.values[0].rank());
       const shape dims(a.values[0].dims().begin() + begin, a.values[0].dims().begin() + end);
       ints extents;
       for (const dim d : dims) extents.push_back(d.is_constant() ? d.extent() : -1);
       return is_static(dims) ? int64s(a.values[0].owner(), extents) : value();
     }},
    {"stored_vector",
     1,
     {},
     "the constant, whose extents are 1 except the last one, as a vector, "
     "if stored_once holds for the constant",
     [](const function_arguments& a) {
       const value& c = a.values[0];
       if (c.rank() < 2 || !adds_leading_ones({c.dims().back()}, c.dims())) return value();
       if (!is_stored_once_reshaped(a.b.where(), c)) return value();
       return c.owner().constant({c.dtype(), {c.dims().back()}}, c.data(), c.owner().at(c.id()).name);
     }},
    {"broadcast",
     1,
     {},
     "the value, broadcast to the shape of the result",
     [](const function_arguments& a) { return broadcast_to(a.values[0], a.b.root().dims()); }},
};

/// The index of a function; -1 if there is none.
constexpr std::int16_t function_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(functions); ++i)
    if (functions[i].name == name) return static_cast<std::int16_t>(i);
  return -1;
}

}  // namespace jax2onnx::rewrite::equations
