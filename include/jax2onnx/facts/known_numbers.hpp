// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx::detail {

/// The integers in a value of i32 or i64 and of rank 0 or 1, one extent for each integer. They are known if the value
/// is a constant, or if Shape, Gather, Concat and the like compute it from the extents of tensors. An unknown integer
/// is `dyn`. Nullopt for other values, and if the number of integers is unknown or over 64. Follows a few dozen nodes
/// at most.
std::optional<shape> known_numbers(const graph& g, dim_table& dims, value_id v);

/// The integers in a constant of i32 or i64 of any rank, a few dozen at most; nullopt for any other value.
std::optional<shape> known_elements(const graph& g, value_id v);

/// The numbers in a floating-point constant of rank 0 or 1, a few dozen at most; nullopt for any other value.
std::optional<std::vector<double>> known_reals(const graph& g, value_id v);

}  // namespace jax2onnx::detail

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/facts/known_numbers.inl.hpp>
#endif
