#pragma once

#include <cstdint>
#include <vector>

#include <jax2onnx/ops/elementwise.hpp>

/// Symbolic extents as int64 tensors, which are computed at run time from the shapes of the inputs.
namespace jax2onnx {

/// Extents [begin, end) of x as an int64 vector (Shape, opset 15).
inline value shape_of(const value& x, std::int64_t begin, std::int64_t end) {
  return x.owner().emit("Shape", {x}, {dtype::i64, {end - begin}}, {{"start", begin}, {"end", end}});
}

value dim_value(graph& g, dim d);

namespace detail {

/// A symbol's int64[1] value, from an input's extent that is linear in it and has no other symbol.
inline value symbol_value(graph& g, std::uint32_t atom) {
  if (const input_axis* axis = g.axis_with_symbol(atom)) {
    value v = shape_of({g, axis->source}, axis->axis, axis->axis + 1);
    const dim extent = g.at(axis->source).type.dims[static_cast<std::size_t>(axis->axis)];
    for (const auto& [factors, coefficient] : g.dims().terms(extent)) {  // a constant first, if there is one
      if (factors.empty()) v = sub(v, coefficient);
      else if (coefficient != 1) v = div(v, coefficient);
    }
    return v;
  }
  throw build_error(
      detail::message("no input has a dimension that determines the symbol '{}'", g.dims().atom_at(atom).text));
}

/// floor(a / b) of int64 vectors; ONNX's Div truncates.
inline value floor_div(const value& a, const value& b, bool nonnegative) {
  const value q = div(a, b);
  if (nonnegative) return q;
  const value inexact = logical_not(equal(mul(q, b), a));
  const value opposite = logical_xor(less(a, 0), less(b, 0));
  return sub(q, cast(logical_and(inexact, opposite), dtype::i64));
}

/// The int64[1] tensor of an atom of a dimension expression, read from the shapes of the inputs.
inline value atom_value(graph& g, std::uint32_t index) {
  const dim_table::atom a = g.dims().atom_at(index);
  if (a.kind == dim_table::atom_kind::symbol) return symbol_value(g, index);
  const value x = dim_value(g, a.lhs), y = dim_value(g, a.rhs);
  const bool nonnegative = g.dims().known_nonnegative(a.lhs) && g.dims().known_nonnegative(a.rhs);
  switch (a.kind) {
    case dim_table::atom_kind::max: return maximum(x, y);
    case dim_table::atom_kind::min: return minimum(x, y);
    case dim_table::atom_kind::floordiv: return floor_div(x, y, nonnegative);
    default: return g.emit("Mod", {x, y}, x.type());  // has the sign of y, as in Python
  }
}

}  // namespace detail

/// A dim as an int64[1] tensor: a constant, or computed from the shapes of the inputs once for the whole graph. Throws
/// a build_error for unknown extents and for symbols that no input determines.
inline value dim_value(graph& g, dim d) {
  if (d.is_constant()) return int64s(g, {d.extent()});
  if (d.is_dyn()) throw build_error("an unknown extent is needed as a number");
  if (const value_id known = g.dim_value(d); known != value_id::none) return {g, known};
  const insertion_scope main(g, block_id::main);
  value sum;
  if (const input_axis* axis = g.axis_with_dim(d)) sum = shape_of({g, axis->source}, axis->axis, axis->axis + 1);
  const auto terms = sum ? dim_table::polynomial{} : g.dims().terms(d);
  for (const auto& [factors, coefficient] : terms) {
    value product;
    for (const auto& [atom, power] : factors) {
      const dim key = dim_table::atom_dim(g.dims().atom_at(atom));
      const value known(g, g.dim_value(key));
      const value v = known ? known : detail::atom_value(g, atom);
      g.set_dim_value(key, v.id());
      for (std::uint32_t i = 0; i < power; ++i) product = product ? mul(product, v) : v;
    }
    product = !product ? int64s(g, {coefficient}) : coefficient == 1 ? product : mul(product, coefficient);
    sum = sum ? add(sum, product) : product;
  }
  g.set_dim_value(d, sum.id());
  return sum;
}

/// A dim as an int64 scalar.
inline value dim_scalar(graph& g, dim d) {
  if (d.is_constant()) return scalar(g, dtype::i64, d.extent());
  return g.emit("Squeeze", {dim_value(g, d)}, {dtype::i64, {}});
}

/// A shape as an int64 vector.
inline value shape_value(graph& g, const shape& s) {
  std::vector<value> parts;
  ints run;
  const auto flush = [&] {
    if (!run.empty()) parts.push_back(int64s(g, run));
    run.clear();
  };
  for (dim d : s) {
    if (d.is_constant()) {
      run.push_back(d.extent());
    } else {
      flush();
      parts.push_back(dim_value(g, d));
    }
  }
  flush();
  if (parts.empty()) return int64s(g, std::span<const std::int64_t>{});
  if (parts.size() == 1) return parts[0];
  return g.emit("Concat", std::span<const value>(parts), {dtype::i64, {static_cast<std::int64_t>(s.size())}},
                {{"axis", std::int64_t{0}}});
}

/// A dim as a scalar of dtype t.
inline value dim_scalar(graph& g, dim d, dtype t) {
  return d.is_constant() ? scalar(g, t, d.extent()) : cast(dim_scalar(g, d), t);
}

/// Extents as a vector of integers of dtype t.
inline value extents_value(graph& g, const shape& dims, dtype t) {
  ints numbers;
  for (dim d : dims)
    if (d.is_constant()) numbers.push_back(d.extent());
  if (numbers.size() < dims.size()) return cast(shape_value(g, dims), t);
  return array(g, t, {std::ssize(numbers)}, std::span<const std::int64_t>(numbers));
}

/// 0, step, 2 * step, … : n int64 numbers.
inline value range(graph& g, dim n, std::int64_t step = 1) {
  const value limit = dim_scalar(g, g.dims().mul(n, step));
  return g.emit("Range", {scalar(g, dtype::i64, 0), limit, scalar(g, dtype::i64, step)}, {dtype::i64, {n}});
}

/// A table of up to this many numbers may be a constant; longer ones are computed when the model runs, so that the size
/// of a model does not follow the extents of its arrays.
inline constexpr std::int64_t longest_table = 4096;

/// The same numbers, written out where they are few.
inline value range_table(graph& g, std::int64_t n, std::int64_t step = 1) {
  if (n > longest_table) return range(g, n, step);
  ints numbers;
  for (std::int64_t i = 0; i < n; ++i) numbers.push_back(detail::checked_mul(i, step));
  return int64s(g, numbers);
}

}  // namespace jax2onnx
