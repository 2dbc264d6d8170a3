#pragma once

#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Symbolic dimensions as values.
namespace jax2onnx::lower {

/// dim_as_value: a dimension as an integer.
inline jax_values dim_as_value(const site& s) { return {dim_scalar(s.g, s.param<dim>("dim"), s.out_dtype())}; }

inline constexpr lowering symbolic_rows[] = {
    {"dim_as_value", dim_as_value, "Shape, Add, Mul, Cast"},
};

}  // namespace jax2onnx::lower
