// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <jax2onnx/lower/complex/arithmetic.hpp>
#include <jax2onnx/lower/reduction/exact_integers.hpp>
#include <jax2onnx/lower/site.hpp>
#include <jax2onnx/ops/constants.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Reducers: the binary operations for which ONNX has a reduction, and their identity elements.
namespace jax2onnx::lower {

/// A binary operation by which arrays are reduced; `other` is any operation without a reduction in ONNX.
enum class reducer : std::uint8_t { sum, product, maximum, minimum, all, any, other };

/// A reducer's primitive, ONNX's reduction and ONNX's binary operator.
struct reducer_names {
  std::string_view primitive;
  operator_name reduction, binary;
};
inline constexpr reducer_names reducer_table[] = {
    {"add", "ReduceSum", "Add"}, {"mul", "ReduceProd", "Mul"}, {"max", "ReduceMax", "Max"},
    {"min", "ReduceMin", "Min"}, {"and", "ReduceMin", "And"},  {"or", "ReduceMax", "Or"},
};
constexpr const reducer_names& names_of(reducer k) { return reducer_table[static_cast<std::size_t>(k)]; }

/// The reducer that a computation on two scalars applies, if it is a single equation on the parameters; otherwise
/// `other`.
inline reducer reducer_of(const jaxpr::body& body, const aval& type) {
  if (body.equations.size() != 1 || body.invars.size() != 2 || body.results.size() != 1) return reducer::other;
  const jaxpr::equation& e = body.equations[0];
  const std::uint32_t a = body.invars[0].slot, b = body.invars[1].slot;
  if (e.ins.size() != 2 || e.outs.size() != 1 || body.results[0].slot != e.outs[0].slot) return reducer::other;
  if (!(e.ins[0].slot == a && e.ins[1].slot == b) && !(e.ins[0].slot == b && e.ins[1].slot == a)) return reducer::other;
  if (type.is_complex()) return e.primitive == "add" ? reducer::sum : reducer::other;
  for (std::size_t k = 0; k < std::size(reducer_table); ++k) {
    const bool logical = k >= static_cast<std::size_t>(reducer::all);
    if (e.primitive == reducer_table[k].primitive && logical == is_boolean(type.type())) return static_cast<reducer>(k);
  }
  // For booleans, max is or, and min is and.
  if (is_boolean(type.type()) && e.primitive == "max") return reducer::any;
  if (is_boolean(type.type()) && e.primitive == "min") return reducer::all;
  return reducer::other;
}

/// The initial value of a reduction: the identity element, but 0 (not -0) for sums; 0 for `other`.
inline value identity_element(graph& g, reducer k, dtype t) {
  if (k == reducer::sum || k == reducer::other) return scalar(g, t, 0);
  return identity_element(g, names_of(k).binary, t);
}

/// x reduced over `axes`.
inline value reduce_by(reducer k, const value& x, const ints& axes) {
  const operator_name op = names_of(k).reduction;
  if (!is_boolean(x.dtype())) return reduce_exactly(op, x, axes);
  return cast(reduce(op, cast(x, dtype::i32), axes), dtype::boolean);
}

/// The elementwise combination of two arrays.
inline value combine(reducer k, const value& a, const value& b) {
  const operator_name op = names_of(k).binary;
  return k == reducer::maximum || k == reducer::minimum ? extreme(op, a, b) : binary(op, a, b);
}

/// The larger or smaller of two complex numbers, ordered by real part, then by imaginary part.
inline jax_value lexicographic_extreme(const jax_value& a, const jax_value& b, bool largest) {
  return largest ? cx::maximum(a, b) : cx::minimum(a, b);
}

/// Returns whether `init` is the constant identity element of k.
inline bool is_identity(reducer k, const value& init) {
  return init.is_constant() && same_value(init, identity_element(init.owner(), k, init.dtype()));
}

/// The reduction y combined with its initial value, which is a scalar.
inline value with_init(reducer k, const value& y, const value& init) {
  return is_identity(k, init) ? y : combine(k, y, init);
}

}  // namespace jax2onnx::lower
