#pragma once

#include <optional>
#include <vector>

#include <jax2onnx/graph/graph.hpp>

namespace jax2onnx::detail {

/// The integers in a value of rank 0 or 1, an extent for each: of constants, and of what Shape, Gather, Concat and the
/// like compute from the extents of tensors. `dyn` stands for one that is not known, nullopt for an unknown number of
/// them. Follows a few dozen nodes at most.
std::optional<shape> known_numbers(const graph& g, dim_table& dims, value_id v);

/// The integers in a constant of i32 or i64 of any rank, a few dozen at most; nullopt for any other value.
std::optional<shape> known_elements(const graph& g, value_id v);

/// The numbers in a constant of f32 of rank 0 or 1, a few dozen at most; nullopt for any other value.
std::optional<std::vector<double>> known_reals(const graph& g, value_id v);

}  // namespace jax2onnx::detail

#ifndef JAX2ONNX_COMPILED
#include <jax2onnx/facts/known_numbers.inl.hpp>
#endif
