// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>

#include <jax2onnx/lower/signature.hpp>
#include <jax2onnx/lower/typing.hpp>
#include <jax2onnx/ops/shape.hpp>

/// Type rules of the reductions. Source: jax._src.lax.lax, _reduce_op_shape_rule and others.
namespace jax2onnx::lower {

/// The type without these axes.
inline aval reduced_type(aval t, ints axes) {
  std::ranges::sort(axes, std::greater());
  for (std::int64_t axis : axes) t.dims.drop(axis);
  return t;
}

template <kinds Allowed>
std::vector<aval> reduce_types(const site& s) {
  require_kind(s, 0, Allowed);
  return {reduced_type(s.in_type(0), s.param<ints>("axes"))};
}

/// argmax and argmin: the index of an element; the axis must not be empty.
inline std::vector<aval> arg_reduce_types(const site& s) {
  require_kind(s, 0, kinds::ordered);
  const element index = s.find("index_dtype") ? s.param<element>("index_dtype") : s.out_type().elem;
  if (!contains(kinds::integer, kind_of(index))) s.malformed("its index_dtype is not an integer type");
  const ints axes = s.param<ints>("axes");
  if (axes.size() == 1 && s.in_type(0).dims[static_cast<std::size_t>(axes[0])].is(0))
    s.malformed("it reduces an axis of extent 0");
  return {{index, reduced_type(s.in_type(0), axes).dims}};
}

/// The result type of cumulative primitives, such as cumsum: the type of the operand.
template <kinds Allowed>
std::vector<aval> cumulative_types(const site& s) {
  require_kind(s, 0, Allowed);
  return {s.in_type(0)};
}

/// reduce operand… init…: arrays of one shape, and one scalar for each array.
inline std::vector<aval> reduce_computation_types(const site& s) {
  const std::size_t n = s.arity() / 2;
  if (s.arity() != 2 * n || !s.has_results(n)) s.malformed("it needs one initial value and one result per operand");
  std::vector<aval> out;
  const ints axes = s.param<ints>("dimensions");
  for (std::size_t i = 0; i < n; ++i) {
    require_shape(s, i, s.in_type(0).dims, "operand 0");
    require_rank(s, n + i, 0);
    require_same_element(s, n + i, i);
    out.push_back(reduced_type(s.in_type(i), axes));
  }
  return out;
}

}  // namespace jax2onnx::lower
