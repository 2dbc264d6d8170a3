#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <jax2onnx/ops/ops.hpp>
#include <jax2onnx/rewrite/engine/reshapes.hpp>
#include <jax2onnx/rewrite/equations/bindings.hpp>

/// What right sides have besides operators: values that depend on shapes.
namespace jax2onnx::rewrite::equations {

/// `parameter` without the leading ones that `wanted` lacks; absent where its shape differs otherwise.
inline value without_leading_ones(const value& parameter, const shape& wanted) {
  shape dims = parameter.dims();
  while (dims.size() > wanted.size() && dims.front().is(1)) dims.erase(dims.begin());
  return dims == wanted ? reshape(parameter, wanted) : value();
}

inline shape last_extents(const value& x, std::size_t count) {
  return shape(x.dims().end() - static_cast<std::ptrdiff_t>(count), x.dims().end());
}

/// Ones of the last extents of x, for operators that require a scale; absent where an extent is symbolic.
inline value ones_of_last(const value& x, std::size_t axes) {
  constexpr std::int64_t written_out = 4096;  // longer ones are broadcast when the model runs
  ints extents;
  std::int64_t count = 1;
  for (const dim d : last_extents(x, axes)) {
    if (!d.is_constant()) return {};
    extents.push_back(d.extent());
    count = d.extent() > written_out ? written_out + 1 : std::min(count * d.extent(), written_out + 1);
  }
  if (count > written_out) return filled(x.owner(), x.dtype(), last_extents(x, axes), 1.0);
  const std::vector<double> ones(static_cast<std::size_t>(count), 1.0);
  return array(x.owner(), x.dtype(), extents, std::span<const double>(ones));
}

/// The operands of a function: values that were built, and axes.
struct function_arguments {
  const bindings& b;
  std::span<const value> values;  ///< of axes: absent
  std::span<const int> ids;       ///< of variables; -1 for other terms
  reduction axes(std::size_t i) const { return b.axes(ids[i]); }
};

/// A function that builds a value. It returns an absent one where there is none: the equation does not apply, for the
/// reason if there is one.
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
     "the value in the shape of the result, which has extents of 1 in front of the value's own",
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
    {"broadcast",
     1,
     {},
     "the value, broadcast to the shape of the result",
     [](const function_arguments& a) { return broadcast_to(a.values[0], a.b.root().dims()); }},
    {"parameter", 3, "a parameter does not have the shape of the normalized axes",
     "the value in the shape of the axes, without extents of 1 in front",
     [](const function_arguments& a) {
       return without_leading_ones(a.values[0], last_extents(a.values[1], a.axes(2).axes.size()));
     }},
    {"as_parameter", 2, "a parameter does not have the shape of the normalized axes",
     "the value in the shape of the other, without extents of 1 in front",
     [](const function_arguments& a) { return without_leading_ones(a.values[0], a.values[1].dims()); }},
    {"ones", 2, "an extent of the normalized axes is symbolic", "ones in the shape of the axes",
     [](const function_arguments& a) { return ones_of_last(a.values[0], a.axes(1).axes.size()); }},
};

/// The index of a function; -1 for none.
constexpr std::int16_t function_named(std::string_view name) {
  for (std::size_t i = 0; i < std::size(functions); ++i)
    if (functions[i].name == name) return static_cast<std::int16_t>(i);
  return -1;
}

}  // namespace jax2onnx::rewrite::equations
