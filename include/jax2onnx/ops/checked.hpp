// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string_view>

#include <jax2onnx/graph/graph.hpp>
#include <jax2onnx/operators/infer.hpp>

namespace jax2onnx::detail {

/// Throws a build_error: `MatMul(A: f32[2,3] 'x', B: f32[4,5]): the inner dimensions differ`.
/// `detail` replaces {} in the problem.
[[noreturn]] void throw_misfit(std::string_view op, std::string_view problem, std::span<const value> operands,
                               dim detail = 0);

/// The shape in `r`. Throws a build_error that names the op and its operands if `r` states a problem.
inline shape checked(std::string_view op, const infer::result& r, std::initializer_list<value> operands) {
  if (!r.ok()) throw_misfit(op, r.problem, {operands.begin(), operands.size()}, r.detail);
  return r.dims;
}

/// Throws a build_error that names the op and both operands if their dtypes differ.
inline void require_same_dtype(std::string_view op, const value& a, const value& b) {
  if (a.dtype() != b.dtype()) throw_misfit(op, "the dtypes differ", std::array{a, b});
}

}  // namespace jax2onnx::detail

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/ops/checked.inl.hpp>
#endif
