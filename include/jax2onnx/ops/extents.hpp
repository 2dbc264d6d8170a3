// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <jax2onnx/ops/elementwise.hpp>

/// Symbolic extents as int64 tensors that the model computes from the shapes of its inputs.
namespace jax2onnx::ops {

/// Extents [begin, end) of x as an int64 vector (Shape, opset 15).
inline value shape_of(const value& x, std::int64_t begin, std::int64_t end) {
  return x.owner().emit("Shape", {x}, {dtype::i64, {end - begin}}, {{"start", begin}, {"end", end}});
}

value dim_value(graph& g, dim d);

}  // namespace jax2onnx::ops

namespace jax2onnx::detail {

/// A symbol's int64[1] value.
inline value symbol_value(graph& g, std::uint32_t atom) {
  const symbol_equation* known = g.equation_of(atom);
  if (!known) throw symbol_error(g.dims().atom_at(atom).text);
  const symbol_equation e = *known;
  value v = dim_value(g, e.extent);
  if (!e.rest.is(0)) v = sub(v, dim_value(g, e.rest));
  return e.factor.is(1) ? v : div(v, dim_value(g, e.factor));
}

/// floor(a / b) of int64 vectors. ONNX's Div truncates, which suffices if a and b are `nonnegative`.
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

}  // namespace jax2onnx::detail

namespace jax2onnx::detail {

/// Returns whether d is a multiple of a single atom, which is a symbol or an operation such as floordiv.
inline bool is_symbol(const dim_table& dims, dim d) {
  const dim_table::polynomial terms = dims.terms(d);
  return terms.size() == 1 && terms[0].key.size() == 1 && terms[0].key[0].exponent == 1;
}

/// The extent d = factor * part + constant, computed from another extent of an input with the same part. The symbols in
/// the part need not be known. Absent if no input has such an extent, or if the part is a single symbol.
inline value scaled_value(graph& g, dim d) {
  const scaled_dim wanted = scaled(g.dims(), d);
  const dim extent = g.extent_with(wanted.part);
  if (extent.is_dyn() || extent == d || is_symbol(g.dims(), wanted.part)) return {};
  const scaled_dim known = scaled(g.dims(), extent);
  value v = dim_value(g, extent);
  if (known.constant != 0) v = sub(v, known.constant);
  if (known.factor != 1) v = div(v, known.factor);
  if (wanted.factor != 1) v = mul(v, wanted.factor);
  return wanted.constant == 0 ? v : add(v, wanted.constant);
}

/// The product of a term's powers.
inline value product_value(graph& g, const dim_table::factors& factors) {
  const dim product = term_dim(g.dims(), {factors, 1});
  const bool single = factors.size() == 1 && factors[0].exponent == 1;
  if (!single && !g.extent_with(product).is_dyn()) return dim_value(g, product);
  value v;
  for (const auto& [atom, power] : factors) {
    const dim key = dim_table::atom_dim(g.dims().atom_at(atom));
    const value known(g, g.dim_value(key));
    const value one = known ? known : atom_value(g, atom);
    g.set_dim_value(key, one.id());
    for (std::uint32_t i = 0; i < power; ++i) v = v ? mul(v, one) : one;
  }
  return v;
}

}  // namespace jax2onnx::detail

namespace jax2onnx::ops {

/// A dim as an int64[1] tensor: a constant, or computed from the shapes of the inputs once for the whole graph. Throws
/// a symbol_error if the dim depends on a symbol that the inputs do not determine, and a build_error for unknown
/// extents.
inline value dim_value(graph& g, dim d) {
  if (d.is_constant()) return int64s(g, {d.extent()});
  if (d.is_dyn()) throw build_error("the value of an unknown extent is needed: give the extent a number or a symbol");
  if (const value_id known = g.dim_value(d); known != value_id::none) return {g, known};
  const insertion_scope outermost(g, g.root());
  value sum;
  if (const input_axis* axis = g.axis_with_dim(d)) sum = shape_of({g, axis->source}, axis->axis, axis->axis + 1);
  else sum = detail::scaled_value(g, d);
  const auto terms = sum ? dim_table::polynomial{} : g.dims().terms(d);
  for (const auto& [factors, coefficient] : terms) {
    value product = factors.empty() ? int64s(g, {coefficient}) : detail::product_value(g, factors);
    if (!factors.empty() && coefficient != 1) product = mul(product, coefficient);
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

/// n int64 numbers: 0, step, 2 * step, …
inline value range(graph& g, dim n, std::int64_t step = 1) {
  const value limit = dim_scalar(g, g.dims().mul(n, step));
  return g.emit("Range", {scalar(g, dtype::i64, 0), limit, scalar(g, dtype::i64, step)}, {dtype::i64, {n}});
}

/// The longest table that may be a constant. Longer tables are computed when the model runs, so that the size of a
/// model does not grow with the extents of its arrays.
inline constexpr std::int64_t longest_table = 4096;

/// n int64 numbers: 0, step, 2 * step, …; a constant if n is at most longest_table.
inline value range_table(graph& g, std::int64_t n, std::int64_t step = 1) {
  if (n > longest_table) return range(g, n, step);
  ints numbers;
  for (std::int64_t i = 0; i < n; ++i) numbers.push_back(detail::checked_mul(i, step));
  return int64s(g, numbers);
}

}  // namespace jax2onnx::ops
