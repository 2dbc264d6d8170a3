#pragma once

#include <jax2onnx/lower/shape/types.hpp>
#include <jax2onnx/lower/table.hpp>
#include <jax2onnx/ops/indexing.hpp>

/// Lowers dim_as_value, a symbolic dimension as a value, to arithmetic on the Shape of the inputs. Source: jax.export.
namespace jax2onnx::lower {

inline jax_values dim_as_value(const site& s) { return {dim_scalar(s.g, s.param<dim>("dim"), s.out_dtype())}; }

inline constexpr lowering symbolic_rows[] = {
    {"dim_as_value", dim_as_value, "Shape, Add, Mul, Cast",
     signature{0, 1, dim_as_value_types, {{"dim", param_form::extent}}}},
};

}  // namespace jax2onnx::lower
